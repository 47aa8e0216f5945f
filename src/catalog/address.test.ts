import { expect, test } from 'vitest'
import { decodeFolder, isWithin, locationKey, namesCommit, readAddress } from './address.ts'

const SHA = 'a'.repeat(40)

test.each([
  ['https://github.com/o/r', 'https://github.com/o/r', '', '', ''],
  ['https://www.github.com/o/r/', 'https://github.com/o/r', '', '', ''],
  ['https://github.com/o/tree/tree/v1/a%20b/', 'https://github.com/o/tree', 'tree', 'v1', 'a%20b'],
  [
    'https://github.com/o/r/blob/main/SKILL.md',
    'https://github.com/o/r',
    'blob',
    'main',
    'SKILL.md',
  ],
  ['https://github.com/o/r/tree', 'https://github.com/o/r', 'tree', '', ''],
  ['https://github.com/o/r/wiki/tree/x', 'https://github.com/o/r', '', '', ''],
  ['https://gitlab.com/g/h/r/-/tree/v1/a/b', 'https://gitlab.com/g/h/r', 'tree', 'v1', 'a/b'],
  ['https://codeberg.org/o/r/src/branch/main/a', 'https://codeberg.org/o/r', 'src', 'main', 'a'],
  ['https://git.example/o/r.git', 'https://git.example/o/r.git', '', '', ''],
  ['http://git.example:81/o//r/tree/v1/a', 'http://git.example:81/o/r', 'tree', 'v1', 'a'],
  ['https://github.com/ada', undefined, '', '', ''],
  ['https://git.example/o/r', undefined, '', '', ''],
  ['https://skills.example/a/b/c?tree=/tree/x', undefined, '', '', ''],
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
  ['https://github.com/ada/tools/tree/main', true],
  ['https://github.com/ada/tools/tree/main/skills/cs', false],
  ['https://github.com/ada/other/tree/main/skills', false],
  ['https://gitlab.com/ada/tools/tree/main/skills', false],
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
