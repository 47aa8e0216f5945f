import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openNearness } from './nearest.ts'
import type { Comparable } from './nearest.ts'

const WORDS = 'table csv plot review commit letter threat budget note chart'.split(' ')

const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((some) => some.join(' '))
const texts = fc.record({ name: words, description: words })
const row = fc.record({
  texts,
  category: fc.constantFrom('Coding' as const, 'Design' as const),
  after: fc.option(texts, { freq: 4 }),
})

const idsOf = (found: Comparable[]): number[] => found.map(({ id }) => id)

test('who is not among the moved has the same nearest as before the change', () => {
  fc.assert(
    // Up to 230, since a word of more than 200 skills is no rare one.
    fc.property(fc.array(row, { maxLength: 40 }), fc.constantFrom(0, 190), (rows, more) => {
      const others = Array.from({ length: more }, (_, at): Comparable => ({
        id: 1_000 + at,
        name: 'table',
        description: 'csv',
        category: 'Design',
      }))
      const toSkills = (isAfter: boolean): Comparable[] => [
        ...rows.map(({ texts: old, category, after }, id) => ({
          id,
          category,
          ...((isAfter && after) || old),
        })),
        ...others,
      ]
      const [before, after] = [toSkills(false), toSkills(true)]
      const [was, is] = [openNearness(before), openNearness(after)]
      const moved = is.listMoved(before.filter((_, at) => rows[at]?.after))
      for (const [at, skill] of after.entries()) {
        if (moved === undefined || moved.has(skill.id)) continue
        expect(idsOf(is.nearest(skill, 4))).toEqual(idsOf(was.nearest(before[at]!, 4)))
      }
    }),
  )
})
