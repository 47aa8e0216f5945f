/** Tokens from which on a SKILL.md is of medium size, and large. */
export const SIZE_STEPS = { medium: 2_000, large: 6_000 } as const

/**
 * What listings of pages can be filtered by besides categories: the values in the order in which a page offers them, at
 * most four, as they are stored in two bits. A page's parameters bear these names.
 */
export const FACETS = {
  licence: ['permissive', 'copyleft', 'other', 'none'],
  findings: ['none', 'review'],
  scripts: ['none', 'some'],
  size: ['small', 'medium', 'large'],
} as const

export type FacetName = keyof typeof FACETS

export const FACET_NAMES = Object.keys(FACETS) as FacetName[]

/** The values that are wanted; a facet that is not named may have any. */
export type Facets = {
  readonly [Name in FacetName]?: (typeof FACETS)[Name][number] | undefined
}

/** Bits of one facet in the byte of a skill, by the place of its name. */
const BITS = 2
const UNKNOWN = (1 << BITS) - 1

const codeOf = (name: FacetName, value: string | undefined): number => {
  const code = (FACETS[name] as readonly string[]).indexOf(value ?? '')
  return code === -1 ? UNKNOWN : code
}

/** Packs values in one byte; a value that is not known is none of them. */
export const packValues = (valueOf: (name: FacetName) => string | undefined): number =>
  FACET_NAMES.reduce((bits, name, at) => bits | (codeOf(name, valueOf(name)) << (BITS * at)), 0)

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
