import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { FACETS, FACET_NAMES, RANKS_FIRST, bitsOfFacets, packFacets } from './facets.ts'
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

test('the packed word has exactly the bits of the facet values', () => {
  fc.assert(
    fc.property(facts, (skill) => {
      const word = packFacets(skill)
      expect((word & RANKS_FIRST) === 0).toBe(skill.tokens === undefined)
      for (const name of FACET_NAMES)
        for (const value of FACETS[name].values) {
          const bits = bitsOfFacets({ [name]: value } as Facets)
          expect((word & bits) === bits).toBe(FACETS[name].read(skill) === value)
        }
      expect(bitsOfFacets({})).toBe(0)
    }),
  )
})

test('all facets of a listed-only skill except its licence are unknown', () => {
  const skill = { licence: undefined, tokens: undefined, safety: 'No findings', hasScripts: false }
  const read = (name: FacetName) => FACETS[name].read(skill as FacetFacts)
  expect(read('licence')).toBe('none')
  for (const name of ['findings', 'scripts', 'commands', 'key', 'hosts', 'size'] as const)
    expect(read(name)).toBeUndefined()
})
