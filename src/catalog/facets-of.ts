import { SIZE_STEPS, packValues } from './facets.ts'
import type { FACETS, FacetName } from './facets.ts'
import { kindOfLicence } from './licence.ts'
import type { SkillFacts } from './skill.ts'

/** The facts from which the build derives facets; the function loads facets.ts alone. */
export type FacetFacts = Pick<SkillFacts, 'licence' | 'tokens' | 'safety' | 'hasScripts'>

/**
 * Derives the value of each facet. Undefined if it is not known, as for a skill whose text is not
 * here.
 */
const READERS: {
  readonly [Name in FacetName]: (facts: FacetFacts) => (typeof FACETS)[Name][number] | undefined
} = {
  licence: ({ licence }) => (licence === undefined ? 'none' : kindOfLicence(licence)),
  findings: ({ tokens, safety }) => {
    if (safety === 'Review') return 'review'
    return tokens === undefined ? undefined : 'none'
  },
  scripts: ({ tokens, hasScripts }) => {
    if (hasScripts) return 'some'
    return tokens === undefined ? undefined : 'none'
  },
  size: ({ tokens }) => {
    if (tokens === undefined) return undefined
    if (tokens < SIZE_STEPS.medium) return 'small'
    return tokens < SIZE_STEPS.large ? 'medium' : 'large'
  },
}

/** The value of a facet of a skill. */
export const readFacet = (name: FacetName, facts: FacetFacts): string | undefined =>
  READERS[name](facts)

/** The facets of a skill in one byte. */
export const packFacets = (facts: FacetFacts): number =>
  packValues((name) => readFacet(name, facts))
