import { describe, expect, test } from 'vitest'
import { allowsRange, isFresh, makeTag } from './negotiate.ts'

const WEAK = makeTag('a', false)
const STRONG = makeTag('a', true)

test('a tag of text is weak, that of a zip strong', () => {
  expect([WEAK, STRONG]).toEqual(['W/"a"', '"a"'])
})

describe('If-None-Match names W/"a"', () => {
  test.for(['*', ' * ', '"a"', 'W/"a"', '"b", W/"a"', '"b","a"', '"x,y" , "a"', ',"a",'])(
    '%s -> 304',
    (header) => expect(isFresh(header, WEAK)).toBe(true),
  )
  test.for(['', '"b"', 'a', 'W/a', '"A"', 'w/"b"', '"a-html"', '"a', '"**"'])(
    '%s -> 200',
    (header) => expect(isFresh(header, WEAK)).toBe(false),
  )
  test('no header -> 200', () => expect(isFresh(undefined, WEAK)).toBe(false))
})

describe('If-Range', () => {
  test.for([
    [undefined, STRONG, true],
    ['"a"', STRONG, true],
    ['W/"a"', STRONG, false],
    ['"b"', STRONG, false],
    ['Sat, 21 Nov 2026 04:41:02 GMT', STRONG, false],
    ['W/"a"', WEAK, false],
    ['"a"', WEAK, false],
    [undefined, WEAK, true],
  ] as const)('%s of %s: %s', ([header, tag, isAllowed]) => {
    expect(allowsRange(header, tag)).toBe(isAllowed)
  })
})
