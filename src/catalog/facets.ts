import { kindOfLicence } from './licence-kind.ts'
import type { LicenceKind } from './licence-kind.ts'
import type { SkillFacts } from './skill.ts'
import type { Touch } from './touches.ts'

/** The fields that facets are derived from. */
export type FacetFacts = Pick<
  SkillFacts,
  'licence' | 'tokens' | 'safety' | 'touches' | 'missing' | 'deprecated'
>

type Check = (facts: FacetFacts) => boolean

const touching =
  (...wanted: readonly Touch[]): Check =>
  ({ touches = [] }) =>
    touches.includes('unknown') || wanted.some((touch) => touches.includes(touch))

const licensed =
  (kind: LicenceKind | 'none'): Check =>
  ({ licence }) =>
    kind === (licence === undefined ? 'none' : kindOfLicence(licence))

/**
 * Filters for skills, besides categories. The keys are also the names of query parameters; values are in the order in
 * which a page offers them. `without` leaves out the skills that have any of the chosen values: what was found in their
 * files, or may be in a program that was not read. The others keep the skills that have one of the chosen values.
 */
export const FACETS = {
  without: {
    commands: touching('commands', 'unasked'),
    key: touching('key', 'login'),
    hosts: touching('hosts'),
    files: ({ missing = 0 }) => missing > 0,
  },
  licence: {
    permissive: licensed('permissive'),
    copyleft: licensed('copyleft'),
    other: licensed('other'),
    none: licensed('none'),
  },
  findings: {
    review: ({ safety }) => safety === 'Review',
    none: ({ safety }) => safety !== 'Review',
  },
} as const satisfies Record<string, Record<string, Check>>

export type FacetName = keyof typeof FACETS

export const FACET_NAMES = Object.keys(FACETS) as FacetName[]

/** The chosen values; a facet without any does not filter. */
export type Facets = { readonly [Name in FacetName]?: readonly string[] }

/** Bit of skills that rank before otherwise equal skills: not deprecated, and with their text in the catalog. */
export const RANKS_FIRST = 1

/** The values of all facets, in order. In a skill's facet word, bit 0 is RANKS_FIRST, and each value has the next bit. */
export const FACET_VALUES = FACET_NAMES.flatMap((name) =>
  Object.entries<Check>(FACETS[name]).map(([value, has]) => ({ name, value, has })),
).map(({ name, value, has }, at) => ({ name, value, has, bit: RANKS_FIRST << (at + 1) }))

const sumBits = (rows: readonly { bit: number }[]): number =>
  rows.reduce((bits, { bit }) => bits | bit, 0)

/** The bits of the values that a search leaves out: a skill matches if its facet word has none of them. */
export const bitsLeftOut = (facets: Facets): number =>
  sumBits(
    FACET_VALUES.filter(({ name, value }) => {
      const chosen = facets[name] ?? []
      return chosen.length > 0 && chosen.includes(value) === (name === 'without')
    }),
  )

/**
 * For each of `FACET_VALUES`, its bit, and the bits of the other facets. A page counts the results that have the value,
 * if nothing were chosen in its facet.
 */
export const COUNTED = FACET_VALUES.map(({ name, bit }) => ({
  bit,
  others: sumBits(FACET_VALUES.filter((row) => row.name !== name)),
}))

/** Packs a skill's facets into a 32-bit word. */
export const packFacets = (facts: FacetFacts): number =>
  sumBits(FACET_VALUES.filter(({ has }) => has(facts))) |
  (facts.tokens === undefined || facts.deprecated ? 0 : RANKS_FIRST)
