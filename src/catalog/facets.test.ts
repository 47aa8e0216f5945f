import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { FACETS, FACET_NAMES, STANDS_FIRST, bitsOfFacets, packFacets } from './facets.ts'
import type { FacetFacts, FacetName, Facets } from './facets.ts'

const facts: fc.Arbitrary<FacetFacts> = fc.record({
  licence: fc.constantFrom(undefined, 'MIT', 'GPL-3.0-only', 'CC-BY-NC-4.0'),
  tokens: fc.constantFrom(undefined, 0, 1_999, 2_000, 5_999, 6_000, 90_000),
  safety: fc.constantFrom('Review' as const, 'No findings' as const),
  hasScripts: fc.boolean(),
  touches: fc.constantFrom(
    undefined,
    [],
    ['unasked' as const],
    ['login' as const, 'hosts' as const],
  ),
})

test('a skill has exactly the facets derived from its facts', () => {
  fc.assert(
    fc.property(facts, (one) => {
      const word = packFacets(one)
      expect((word & STANDS_FIRST) === 0).toBe(one.tokens === undefined)
      for (const name of FACET_NAMES)
        for (const value of FACETS[name].values) {
          const bits = bitsOfFacets({ [name]: value } as Facets)
          expect((word & bits) === bits).toBe(FACETS[name].read(one) === value)
        }
      expect(bitsOfFacets({})).toBe(0)
    }),
  )
})

test('without the text, programs, findings, size and what it names are unknown', () => {
  const one = { licence: undefined, tokens: undefined, safety: 'No findings', hasScripts: false }
  const read = (name: FacetName) => FACETS[name].read(one as FacetFacts)
  expect(read('licence')).toBe('none')
  for (const name of ['findings', 'scripts', 'commands', 'key', 'hosts', 'size'] as const)
    expect(read(name)).toBeUndefined()
})
