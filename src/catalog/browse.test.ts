import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { SORTS } from './browse.ts'
import type { Sort } from './browse.ts'

const ROWS = [
  { id: 1, name: 'beta', installs: 5, views: 1 },
  { id: 2, name: 'Alpha', installs: 5, views: 9 },
  { id: 3, name: 'alpha', installs: 5, views: 9 },
  { id: 4, name: 'gamma', installs: 7, views: 0 },
  { id: 5, name: 'delta', installs: 5, views: 9, updated: '2026-01-02' },
  { id: 6, name: 'epsilon', installs: 5, views: 9, updated: '2026-03-04' },
]

const ORDERS: [Sort, number[]][] = [
  ['popular', [4, 6, 5, 2, 3, 1]],
  ['installs', [4, 2, 3, 1, 5, 6]],
  ['views', [2, 3, 5, 6, 1, 4]],
  ['name', [2, 3, 1, 5, 6, 4]],
  ['newest', [6, 5, 2, 3, 1, 4]],
]

test.each(ORDERS)('sort=%s -> %j', (sort, ids) => {
  expect(ROWS.toSorted(SORTS[sort]).map(({ id }) => id)).toEqual(ids)
})

test('every order distinguishes any two rows with different ids', () => {
  const row = fc.record({
    id: fc.nat(),
    name: fc.constantFrom('a', 'A', 'b', ''),
    installs: fc.nat(1),
    views: fc.nat(1),
  })
  fc.assert(
    fc.property(row, row, fc.constantFrom(...Object.values(SORTS)), (a, b, compare) => {
      fc.pre(a.id !== b.id)
      expect(Math.sign(compare(a, b))).toBe(-Math.sign(compare(b, a)))
      expect(compare(a, b)).not.toBe(0)
    }),
  )
})

const compare = (a: string, b: string): number => {
  const [left, right] = [a, b].map((name) => ({ id: 1, name, installs: 0, views: 0 }))
  return SORTS.name(left!, right!)
}

test.each(['\ud83d', '\ud83d\ue000'])('sort=name: %j comes before an emoji', (half) => {
  expect(compare(half, '\u{1f600}')).toBeLessThan(0)
  expect(compare('\u{1f600}', half)).toBeGreaterThan(0)
})

test('sort=name: names are compared in lower case, by code points', () => {
  const text = fc.string({ unit: 'binary', maxLength: 6 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [left, right] = [a, b].map((name) =>
        Array.from(name.toLowerCase(), (character) => character.codePointAt(0) ?? 0),
      ) as [number[], number[]]
      const at = left.findIndex((point, index) => point !== right[index])
      const expected = at === -1 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1)
      expect(Math.sign(compare(a, b))).toBe(Math.sign(expected))
    }),
  )
})
