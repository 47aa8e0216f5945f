import * as fc from 'fast-check'
import { FACETS } from '../src/catalog/facets.ts'
import type { FacetFacts, Facets } from '../src/catalog/facets.ts'
import { OTHER_LICENCE } from '../src/catalog/licence.ts'

/** Facts of which every facet has each of its values. */
export const anyFacts: fc.Arbitrary<FacetFacts> = fc.record({
  licence: fc.constantFrom(undefined, 'MIT', 'GPL-3.0-only', OTHER_LICENCE),
  tokens: fc.constantFrom(undefined, 100, 3_000, 9_000),
  safety: fc.constantFrom('Review' as const, 'No findings' as const),
  hasScripts: fc.boolean(),
})

const anyOf = <Value extends string>({ values }: { values: readonly Value[] }) =>
  fc.constantFrom(undefined, undefined, undefined, ...values)

/** Wanted facets, mostly none or one. */
export const anyFacets: fc.Arbitrary<Facets | undefined> = fc.option(
  fc.record({
    licence: anyOf(FACETS.licence),
    findings: anyOf(FACETS.findings),
    scripts: anyOf(FACETS.scripts),
    size: anyOf(FACETS.size),
  }),
  { nil: undefined },
)
