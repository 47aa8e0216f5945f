import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editDistance, findNearest } from './nearest-name.ts'

describe('editDistance', () => {
  test.for([
    ['limit', 'limit', 0],
    ['limt', 'limit', 1],
    ['lmiit', 'limit', 1],
    ['', 'sort', 4],
    ['offset', 'sort', 5],
  ] as const)('%s to %s is %i', ([from, to, steps]) => {
    expect(editDistance(from, to)).toBe(steps)
  })

  test('is the same both ways, and 0 only for equals', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (from, to) => {
        expect(editDistance(from, to)).toBe(editDistance(to, from))
        expect(editDistance(from, to) === 0).toBe(from === to)
      }),
    )
  })
})

test('findNearest looks past case and blanks, and takes the first of equals', () => {
  expect(findNearest(' LIMITS ', ['sort', 'limit'])).toBe('limit')
  expect(findNearest('zzzz', ['sort', 'cate'])).toBe('sort')
})
