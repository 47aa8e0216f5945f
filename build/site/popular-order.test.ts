import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listPopular } from './popular-order.ts'
import { sampleColumnRow } from './sample-rows.ts'
import { openShelf } from './skill-keys.ts'
import type { Shelf } from './skill-keys.ts'
import type { SkillRow } from './state.ts'

const ROWS = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 20 }),
    name: fc.constantFrom('a', 'B', 'c', '😀'),
    installs: fc.nat(2),
    views: fc.nat(1),
    visibility: fc.constantFrom('own' as const, 'gone' as const),
  }),
  { selector: ({ id }) => id },
)

const shelve = (rows: readonly object[]): Shelf =>
  openShelf(rows.map((row) => ({ ...sampleColumnRow('one'), details: '', ...row }) as SkillRow))

test('the order of some skills out of that of others -> as sorted anew', () => {
  fc.assert(
    fc.property(ROWS, ROWS, (before, after) => {
      const [old, next] = [shelve(before), shelve(after)]
      const order = Float64Array.from(listPopular(old, undefined), ({ id }) => id)
      const ids = [...new Set([...old.ids(), ...next.ids()])]
      const changed = ids
        .map((id) => ({ before: old.findFacts(id), after: next.findFacts(id) }))
        .filter((one) => JSON.stringify(tell(one.before)) !== JSON.stringify(tell(one.after)))
      const listed = listPopular(next, { order, changed })
      expect(listed.map(({ id }) => id)).toEqual(listPopular(next, undefined).map(({ id }) => id))
    }),
  )
})

const tell = (facts: ReturnType<Shelf['findFacts']>): unknown[] => [
  facts?.id,
  facts?.name,
  facts?.installs,
  facts?.views,
  facts?.visibility,
]
