import type { SkillFacts } from './skill.ts'

/** Obligations on redistribution: few, the same licence, or others. */
type LicenceKind = 'permissive' | 'copyleft' | 'other'

/** Kinds, the least restrictive first. */
const ORDER: readonly LicenceKind[] = ['permissive', 'copyleft', 'other']

/** SPDX identifiers of licences that permit redistribution, modified or not, for any use. */
const FREE: Readonly<Record<Exclude<LicenceKind, 'other'>, string>> = {
  permissive: `0BSD AFL-3.0 Apache-2.0 Artistic-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause BSD-3-Clause-Clear BSL-1.0
    CC-BY-3.0 CC-BY-4.0 CC0-1.0 ISC MIT MIT-0 MulanPSL-2.0 NCSA PostgreSQL UPL-1.0 Unlicense WTFPL Zlib`,
  copyleft: `AGPL-3.0 AGPL-3.0-only AGPL-3.0-or-later CC-BY-SA-3.0 CC-BY-SA-4.0 CECILL-2.1 EPL-2.0 EUPL-1.2
    GFDL-1.3-or-later GPL-2.0 GPL-2.0-only GPL-2.0-or-later GPL-3.0 GPL-3.0-only GPL-3.0-or-later LGPL-2.1
    LGPL-2.1-only LGPL-2.1-or-later LGPL-3.0 LGPL-3.0-only LGPL-3.0-or-later MPL-2.0 OFL-1.1`,
}

const listKinds = (): ReadonlyMap<string, LicenceKind> =>
  new Map([
    ...Object.entries(FREE).flatMap(([kind, ids]) =>
      ids.split(/\s+/).map((id) => [id, kind as LicenceKind] as const),
    ),
    ...ORDER.map((kind) => [kind, kind] as const),
  ])

// Marked, so that the bundle of the function, which derives no facets, leaves it out.
const KINDS = /* @__PURE__ */ listKinds()

const kindOfId = (id: string): number =>
  ORDER.indexOf(KINDS.get(id.trim().replace(/(?:\+| WITH \S+)$/i, '')) ?? 'other')

/** The kind of an expression without parentheses: the least restrictive for `OR`, the most restrictive for `AND`. */
const kindOfFlat = (expression: string): LicenceKind =>
  ORDER[
    Math.min(
      ...expression
        .split(/\sOR\s/i)
        .map((choice) => Math.max(...choice.split(/\sAND\s/i).map(kindOfId))),
    )
  ]!

/** The kind of an SPDX expression; any other text is `other`. */
export const kindOfLicence = (expression: string): LicenceKind => {
  let flat = expression
  // Replaces each parenthesized expression by its kind, from the inside out.
  for (let before = ''; before !== flat;) {
    before = flat
    flat = flat.replace(/\(([^()]*)\)/g, (_, inner: string) => kindOfFlat(inner))
  }
  return kindOfFlat(flat)
}

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

/** Bits of a facet in the byte of a skill. */
const BITS = 2
const UNKNOWN = (1 << BITS) - 1

/** Bits that are all set in the byte of a skill whose text is not here: nobody knows its size. */
export const NO_TEXT = UNKNOWN << (BITS * FACET_NAMES.indexOf('size'))

const codeOf = (name: FacetName, value: string | undefined): number => {
  const code = (FACETS[name] as readonly string[]).indexOf(value ?? '')
  return code === -1 ? UNKNOWN : code
}

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

/** The facts from which the build derives facets. */
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

/** The facets of a skill in one byte; an unknown value matches no filter. */
export const packFacets = (facts: FacetFacts): number =>
  FACET_NAMES.reduce(
    (bits, name, at) => bits | (codeOf(name, readFacet(name, facts)) << (BITS * at)),
    0,
  )
