import { kindOfLicence } from './licence.ts'
import type { SkillFacts } from './skill.ts'

/** The facts that facets are read from. */
export type FacetFacts = Pick<SkillFacts, 'licence' | 'tokens' | 'safety' | 'hasScripts'>

interface Facet<Value extends string> {
  /** In the order in which a page offers them; at most four, as they are stored in two bits. */
  values: readonly Value[]
  /** Undefined where it is not known. */
  read: (facts: FacetFacts) => Value | undefined
}

const defineFacet = <const Value extends string>(facet: Facet<Value>): Facet<Value> => facet

/** Tokens from which on a SKILL.md is of medium size, and large. */
export const SIZE_STEPS = { medium: 2_000, large: 6_000 } as const

/**
 * What listings of pages can be filtered by besides categories; a page's parameters bear these names. Of a skill
 * whose text is not here nobody knows what it would bring.
 */
export const FACETS = {
  licence: defineFacet({
    values: ['permissive', 'copyleft', 'other', 'none'],
    read: ({ licence }) => (licence === undefined ? 'none' : kindOfLicence(licence)),
  }),
  findings: defineFacet({
    values: ['none', 'review'],
    read: ({ tokens, safety }) => {
      if (safety === 'Review') return 'review'
      return tokens === undefined ? undefined : 'none'
    },
  }),
  scripts: defineFacet({
    values: ['none', 'some'],
    read: ({ tokens, hasScripts }) => {
      if (hasScripts) return 'some'
      return tokens === undefined ? undefined : 'none'
    },
  }),
  size: defineFacet({
    values: ['small', 'medium', 'large'],
    read: ({ tokens }) => {
      if (tokens === undefined) return undefined
      if (tokens < SIZE_STEPS.medium) return 'small'
      return tokens < SIZE_STEPS.large ? 'medium' : 'large'
    },
  }),
} as const

export type FacetName = keyof typeof FACETS

export const FACET_NAMES = Object.keys(FACETS) as FacetName[]

/** The values that are wanted; a facet that is not named may have any. */
export type Facets = {
  readonly [Name in FacetName]?: (typeof FACETS)[Name]['values'][number] | undefined
}

/** Bits of one facet in the byte of a skill, by the place of its name. */
const BITS = 2
const UNKNOWN = (1 << BITS) - 1

const codeOf = (name: FacetName, value: string | undefined): number => {
  const code = (FACETS[name].values as readonly string[]).indexOf(value ?? '')
  return code === -1 ? UNKNOWN : code
}

/** The facets of a skill in one byte. */
export const packFacets = (facts: FacetFacts): number =>
  FACET_NAMES.reduce(
    (bits, name, at) => bits | (codeOf(name, FACETS[name].read(facts)) << (BITS * at)),
    0,
  )

/** A skill has the wanted facets where its byte, masked, is `bits`. */
export const maskFacets = (facets: Facets): { mask: number; bits: number } => {
  let [mask, bits] = [0, 0]
  FACET_NAMES.forEach((name, at) => {
    if (facets[name] === undefined) return
    mask |= UNKNOWN << (BITS * at)
    bits |= codeOf(name, facets[name]) << (BITS * at)
  })
  return { mask, bits }
}
