import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { listMoved } from './moved-nearest.ts'
import { openNearness } from './nearest.ts'
import { changeWords, readWords } from './word-table.ts'
import type { Reader, WordTable } from './word-table.ts'

const WORDS = 'table csv plot review commit letter threat budget note chart'.split(' ')
const CATEGORIES = ['Coding', 'Design'] as const
const COUNT = 4

const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((some) => some.join(' '))
const told = fc.record({
  name: words,
  description: words,
  category: fc.constantFrom(...CATEGORIES),
  isCompared: fc.nat(6).map((one) => one > 0),
})

/** How a skill was and is; it came where it was not, and left where it is not. */
const row = fc.oneof(
  { weight: 5, arbitrary: told.map((one) => ({ before: one, after: one })) },
  { weight: 1, arbitrary: fc.record({ before: fc.option(told), after: fc.option(told) }) },
)

// The first skills of a category fill lists up, so a change among them moves all.
const toReaders = (tales: readonly (object | null)[], more: number): Reader[] => [
  ...Array.from({ length: 12 + more }, (_, at): Reader => ({
    id: at < 12 ? at + 1 : at + 1_000,
    name: 'table',
    description: at < 12 ? 'review' : 'csv',
    category: CATEGORIES[at % 2]!,
    isCompared: true,
  })),
  ...tales.flatMap((tale, at) => (tale ? [{ ...(tale as Reader), id: 100 + at }] : [])),
]

const listNearest = (table: WordTable): Map<number, string> => {
  const nearest = openNearness(table, COUNT)
  return new Map(Array.from(table.ids, (id, place) => [id, nearest(place).join()]))
}

const rows = fc.array(row, { maxLength: 40 })
// Up to 230, since a word of more than 200 skills is no rare one.
const more = fc.constantFrom(0, 1, 20, 180)

test('who is not among the moved has the same nearest as before the change', () => {
  let judged = 0
  fc.assert(
    fc.property(rows, more, (tales, others) => {
      const before = readWords(
        toReaders(
          tales.map((one) => one.before),
          others,
        ),
      )
      const after = toReaders(
        tales.map((one) => one.after),
        others,
      )
      const changed = new Set(
        tales.flatMap((one, at) => (one.before === one.after ? [] : [100 + at])),
      )
      const table = changeWords(
        before,
        changed,
        after.filter(({ id }) => changed.has(id)),
      )
      const moved = listMoved(before, table, changed, COUNT)
      const [was, is] = [listNearest(before), listNearest(readWords(after))]
      expect(listNearest(table)).toEqual(is)
      for (const [id, near] of is) {
        if (moved === undefined || moved.has(id)) continue
        judged += 1
        expect(near).toBe(was.get(id))
      }
    }),
    { numRuns: 300 },
  )
  expect(judged).toBeGreaterThan(1_000)
})
