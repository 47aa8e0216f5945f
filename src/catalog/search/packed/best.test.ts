import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openBest } from './best.ts'

test('the best of any scores, equal ones by ordinal', () => {
  const scores = fc.array(fc.nat(5), { maxLength: 60 })
  const order = fc.func(fc.nat())
  fc.assert(
    fc.property(scores, fc.nat(70), order, (given, limit, place) => {
      const best = openBest(limit)
      for (const ordinal of [...given.keys()].sort((a, b) => place(a) - place(b)))
        best.add(ordinal, given[ordinal] ?? 0)
      const wanted = [...given.keys()].sort((a, b) => (given[b] ?? 0) - (given[a] ?? 0) || a - b)
      expect(best.list()).toEqual(wanted.slice(0, limit))
    }),
  )
})
