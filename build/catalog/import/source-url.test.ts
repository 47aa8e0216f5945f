import { describe, expect, test } from 'vitest'
import { UsageError } from '../cli/errors.ts'
import { childAddress, isWithin, parseSourceOption, locate } from './source-url.ts'

describe('--source', () => {
  test.each([
    ['https://github.com/o/r/tree/main/skills', 'https://github.com/o/r/tree/main/skills'],
    ['https://github.com/o/r/tree/main/skills//', 'https://github.com/o/r/tree/main/skills'],
    ['https://github.com/o/r/tree/main', 'https://github.com/o/r/tree/main'],
    ['http://skills.example/a b'.replace(' ', '%20'), 'http://skills.example/a%20b'],
    ['https://skills.example/', 'https://skills.example'],
  ])('%s is taken', (given, address) => {
    expect(parseSourceOption(given)).toBe(address)
  })
  test.each([
    ['skills', /is not an address/],
    ['https://a b', /is not an address/],
    ['ftp://skills.example/', /must start with https/],
    ['file:///etc', /must start with https/],
    ['https://u:p@skills.example/', /user or password/],
    ['https://skills.example/?q=1', /query or a fragment/],
    ['https://github.com/o/r', /branch, tag or commit/],
    ['https://github.com/o/r/blob/main/skills', /branch, tag or commit/],
    ['https://www.github.com/o/r/tree', /branch, tag or commit/],
  ])('%s -> refused', (given, message) => {
    expect(() => parseSourceOption(given)).toThrow(UsageError)
    expect(() => parseSourceOption(given)).toThrow(message)
  })
})

test('a folder below an address -> its own address, names escaped', () => {
  expect(childAddress('https://a.example/x', 'b c/d#1')).toBe('https://a.example/x/b%20c/d%231')
  expect(childAddress('https://a.example/x', '')).toBe('https://a.example/x')
})

describe('places', () => {
  const main = locate('https://github.com/Ada/Tools/tree/main/skills/csv')
  test.each([
    ['https://github.com/ada/tools/tree/abc123/skills/csv', true],
    ['https://github.com/ada/tools/tree/main/skills', true],
    ['https://github.com/ada/tools/tree/main', true],
    ['https://github.com/ada/tools/tree/main/skills/cs', false],
    ['https://github.com/ada/other/tree/main/skills', false],
    ['https://gitlab.com/ada/tools/tree/main/skills', false],
  ])('is skills/csv within %s: %s', (outer, wanted) => {
    expect(isWithin(main, locate(outer))).toBe(wanted)
  })
})
