import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { FACET_VALUES, RANKS_FIRST, bitsLeftOut, packFacets } from './facets.ts'
import type { FacetFacts } from './facets.ts'

const facts: fc.Arbitrary<FacetFacts> = fc.record({
  licence: fc.constantFrom(undefined, 'MIT', 'GPL-3.0-only', 'CC-BY-NC-4.0'),
  tokens: fc.constantFrom(undefined, 0, 1_999),
  safety: fc.constantFrom('Review' as const, 'No findings' as const),
  missing: fc.constantFrom(undefined, 2),
  touches: fc.constantFrom(
    undefined,
    [],
    ['unasked' as const],
    ['login' as const, 'hosts' as const],
  ),
})

test('a chosen value of "without" leaves out the skills that have it, another value those that lack it', () => {
  fc.assert(
    fc.property(facts, (skill) => {
      const word = packFacets(skill)
      expect((word & RANKS_FIRST) === 0).toBe(skill.tokens === undefined)
      for (const { name, value, has } of FACET_VALUES)
        expect((word & bitsLeftOut({ [name]: [value] })) === 0).toBe(
          has(skill) !== (name === 'without'),
        )
      expect(bitsLeftOut({})).toBe(0)
    }),
  )
})

test('values of "without" add up, and of another facet one is enough', () => {
  const known = { licence: 'MIT', tokens: 1, safety: 'No findings' } as const
  const skill = packFacets({ ...known, touches: ['key'] })
  const isLeft = (facets: Parameters<typeof bitsLeftOut>[0]): boolean =>
    (skill & bitsLeftOut(facets)) === 0
  expect(isLeft({ licence: ['copyleft', 'permissive'] })).toBe(true)
  expect(isLeft({ licence: ['copyleft', 'other'] })).toBe(false)
  expect(isLeft({ without: ['commands', 'files'] })).toBe(true)
  expect(isLeft({ without: ['commands', 'key'] })).toBe(false)
  const unread = packFacets({ ...known, touches: ['unknown'] })
  for (const value of ['commands', 'key', 'hosts'])
    expect(unread & bitsLeftOut({ without: [value] })).not.toBe(0)
})
