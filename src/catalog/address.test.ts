import { expect, test } from 'vitest'
import {
  decodeFolder,
  encodeForShells,
  isWithin,
  locationKey,
  namesCommit,
  readAddress,
} from './address.ts'

const SHA = 'a'.repeat(40)

test.each([
  ['https://www.github.com/o/r/', 'https://github.com/o/r', '', '', ''],
  ['https://github.com/o/tree/tree/v1/a%20b/', 'https://github.com/o/tree', 'tree', 'v1', 'a%20b'],
  [
    'https://github.com/o/r/blob/main/SKILL.md',
    'https://github.com/o/r',
    'blob',
    'main',
    'SKILL.md',
  ],
  ['https://github.com/o/r/wiki/tree/x', 'https://github.com/o/r', '', '', ''],
  ['https://gitlab.com/g/h/r/-/tree/v1/a/b', 'https://gitlab.com/g/h/r', 'tree', 'v1', 'a/b'],
  ['https://codeberg.org/o/r/src/branch/main/a', 'https://codeberg.org/o/r', 'src', 'main', 'a'],
  ['https://git.example/o/r.git', 'https://git.example/o/r.git', '', '', ''],
  ['http://git.example:81/o//r/tree/v1/a', 'http://git.example:81/o/r', 'tree', 'v1', 'a'],
  ['https://github.com/ada', undefined, '', '', ''],
])('%s', (address, repository, kind, ref, folder) => {
  expect(readAddress(address)).toMatchObject({ repository, kind, ref, folder })
})

test('the rest of the address can be appended to a moved repository', () => {
  const { repository, rest } = readAddress('https://gitlab.com/g/h/r/-/tree/main/a?ref=1')
  expect([repository, rest]).toEqual(['https://gitlab.com/g/h/r', '/-/tree/main/a?ref=1'])
})

test.each([
  ['https://github.com/ada/tools/tree/abc123/skills/csv', true],
  ['https://github.com/ada/tools.git/tree/main/skills', true],
  ['https://github.com/ada/tools/tree/main/skills/cs', false],
  ['https://github.com/ada/other/tree/main/skills', false],
])('is skills/csv within %s: %s', (outer, wanted) => {
  expect(isWithin('https://github.com/Ada/Tools/tree/main/skills/csv', outer)).toBe(wanted)
})

test('a folder has the same key in all forms of its address', () => {
  const forms = ['src/branch/main', `src/commit/${SHA}`].map(
    (at) => `https://codeberg.org/o/r/${at}/a`,
  )
  expect(new Set(forms.map(locationKey)).size).toBe(1)
  expect(locationKey('https://a.example/x/y/z')).not.toBe(locationKey('https://a.example/x/y/w'))
})

test.each([
  [`https://github.com/o/r/tree/${SHA}/a`, true],
  [`https://github.com/o/r/tree/${SHA}a/a`, false],
  [`https://github.com/o/r/blob/${SHA}/a`, false],
])('%s names a commit: %s', (address, wanted) => {
  expect(namesCommit(readAddress(address))).toBe(wanted)
})

test.each([
  ['a%20b/c', 'a b/c'],
  ['', ''],
  ['a%2Fb', undefined],
  ['a%0Ab', undefined],
  ['%ff', undefined],
])('the folder %j is decoded to %j', (folder, wanted) => expect(decodeFolder(folder)).toBe(wanted))

test.each([
  ['https://github.com/o/r/tree/main/a%20b?x=1#y', 'https://github.com/o/r/tree/main/a%20b?x=1#y'],
  [
    "https://git.example/o/r;id'$(id)`id`!",
    'https://git.example/o/r%3Bid%27%24%28id%29%60id%60%21',
  ],
  ['https://git.example/o/‘r’技', 'https://git.example/o/%E2%80%98r%E2%80%99%E6%8A%80'],
  ['https://[::1]:81/o/r&x', 'https://[::1]:81/o/r%26x'],
  ['https://git.example/o/r?a=1&b=2', 'https://git.example/o/r?a=1%26b=2'],
])('%s has %s in commands', (given, encoded) => {
  expect(encodeForShells(given)).toBe(encoded)
  expect(encodeForShells(encoded)).toBe(encoded)
  expect(locationKey(given)).toBe(locationKey(encoded))
})
