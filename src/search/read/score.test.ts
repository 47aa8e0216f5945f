import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { TopSkills } from './score.ts'

test('the best of any scores, equal ones by ordinal', () => {
  const scores = fc.array(fc.nat(5), { maxLength: 300 })
  const order = fc.func(fc.nat())
  fc.assert(
    fc.property(scores, fc.nat(310), order, (given, limit, place) => {
      const top = new TopSkills(limit, given.length)
      for (const ordinal of [...given.keys()].sort((a, b) => place(a) - place(b)))
        top.add(ordinal, given[ordinal] ?? 0)
      const wanted = [...given.keys()].sort((a, b) => (given[b] ?? 0) - (given[a] ?? 0) || a - b)
      expect(top.takeAll()).toEqual(wanted.slice(0, limit))
    }),
    { numRuns: 300 },
  )
})

test.each(['ascending', 'descending'])('a page of many in %s order', (order) => {
  const given = Array.from({ length: 5_000 }, (_, at) => at)
  const top = new TopSkills(24, given.length)
  for (const at of given) top.add(at, order === 'ascending' ? at : -at)
  const wanted = order === 'ascending' ? given.toReversed() : given
  expect(top.takeAll()).toEqual(wanted.slice(0, 24))
})
