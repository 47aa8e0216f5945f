/** Least tokens of a medium and of a large SKILL.md. */
export const SIZE_STEPS = { medium: 2_000, large: 6_000 } as const

/**
 * Filters of search pages in addition to categories: the values in the order in which a page offers them, at
 * most four, as they are stored in two bits. The keys are also the names of query parameters.
 */
export const FACETS = {
  licence: ['permissive', 'copyleft', 'other', 'none'],
  findings: ['none', 'review'],
  scripts: ['none', 'some'],
  size: ['small', 'medium', 'large'],
} as const

export type FacetName = keyof typeof FACETS

export const FACET_NAMES = Object.keys(FACETS) as FacetName[]

/** The selected values; an absent facet is not filtered. */
export type Facets = {
  readonly [Name in FacetName]?: (typeof FACETS)[Name][number] | undefined
}

/** Position of a facet's bits in the byte of a skill. */
const BITS = 2
const UNKNOWN = (1 << BITS) - 1

const codeOf = (name: FacetName, value: string | undefined): number => {
  const code = (FACETS[name] as readonly string[]).indexOf(value ?? '')
  return code === -1 ? UNKNOWN : code
}

/** Packs values into one byte; an unknown value matches no filter. */
export const packValues = (valueOf: (name: FacetName) => string | undefined): number =>
  FACET_NAMES.reduce((bits, name, at) => bits | (codeOf(name, valueOf(name)) << (BITS * at)), 0)

/** A skill matches if its masked byte equals `bits`. */
export const maskFacets = (facets: Facets): { mask: number; bits: number } => {
  let [mask, bits] = [0, 0]
  FACET_NAMES.forEach((name, at) => {
    if (facets[name] === undefined) return
    mask |= UNKNOWN << (BITS * at)
    bits |= codeOf(name, facets[name]) << (BITS * at)
  })
  return { mask, bits }
}
