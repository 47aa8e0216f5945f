import { kindOfLicence } from './licence-kind.ts'
import type { SkillFacts } from './skill.ts'
import type { Touch } from './touches.ts'

/** Minimum number of tokens of a medium and of a large SKILL.md. */
export const SIZE_STEPS = { medium: 2_000, large: 6_000 } as const

/** The fields that facets are derived from. */
export type FacetFacts = Pick<
  SkillFacts,
  'licence' | 'tokens' | 'safety' | 'hasScripts' | 'touches' | 'deprecated'
>

const facet = <const Value extends string>(
  values: readonly Value[],
  read: (facts: FacetFacts) => Value | undefined,
) => ({ values, read })

/** A facet that says whether a skill touches any of these; undefined for a listed-only skill. */
const touching = (...wanted: readonly Touch[]) =>
  facet(['none', 'some'], ({ touches }) => {
    if (touches === undefined) return undefined
    return wanted.some((touch) => touches.includes(touch)) ? 'some' : 'none'
  })

/**
 * Filters for skills, besides categories. The keys are also the names of query parameters; values are in the order in
 * which a page offers them. `read` returns undefined if the value is unknown, as for a listed-only skill.
 */
export const FACETS = {
  licence: facet(['permissive', 'copyleft', 'other', 'none'], ({ licence }) =>
    licence === undefined ? 'none' : kindOfLicence(licence),
  ),
  findings: facet(['none', 'review'], ({ tokens, safety }) => {
    if (safety === 'Review') return 'review'
    return tokens === undefined ? undefined : 'none'
  }),
  scripts: facet(['none', 'some'], ({ tokens, hasScripts }) => {
    if (hasScripts) return 'some'
    return tokens === undefined ? undefined : 'none'
  }),
  commands: touching('commands', 'unasked'),
  key: touching('key', 'login'),
  hosts: touching('hosts'),
  size: facet(['small', 'medium', 'large'], ({ tokens }) => {
    if (tokens === undefined) return undefined
    if (tokens < SIZE_STEPS.medium) return 'small'
    return tokens < SIZE_STEPS.large ? 'medium' : 'large'
  }),
} as const

export type FacetName = keyof typeof FACETS

export const FACET_NAMES = Object.keys(FACETS) as FacetName[]

/** The selected values; an absent facet does not filter. */
export type Facets = {
  readonly [Name in FacetName]?: (typeof FACETS)[Name]['values'][number] | undefined
}

/** Bit of skills that rank before otherwise equal skills: not deprecated, and with their text in the catalog. */
export const RANKS_FIRST = 1

/**
 * The bits of a skill's facet word, by `name value`: one for each value of each facet, in the order of the table.
 *
 *     bit   0            ranks first
 *           1 to 4       licence: permissive, copyleft, other, none
 *           5, 6         findings: none, review
 *           7 to 14      scripts, commands, key, hosts: none, some
 *           15 to 17     size: small, medium, large
 *
 * If a facet's value is unknown, none of its bits is set.
 */
const BITS = new Map(
  FACET_NAMES.flatMap((name) => FACETS[name].values.map((value) => `${name} ${value}`)).map(
    (key, at) => [key, RANKS_FIRST << (at + 1)] as const,
  ),
)

const addBits = (valueOf: (name: FacetName) => string | undefined): number =>
  FACET_NAMES.reduce((bits, name) => bits | (BITS.get(`${name} ${valueOf(name)}`) ?? 0), 0)

/** The bits of the selected values: a skill matches if its facet word has all of them. */
export const bitsOfFacets = (facets: Facets): number => addBits((name) => facets[name])

/** Facets about effects and risks on a machine. A page offers and counts only their value "none". */
export const ON_MACHINE = [
  'commands',
  'key',
  'hosts',
  'findings',
] as const satisfies readonly FacetName[]

/** The bit of "none" for each of `ON_MACHINE`. */
export const ON_MACHINE_BITS = ON_MACHINE.map((name) => bitsOfFacets({ [name]: 'none' }))

/** Packs a skill's facets into a 32-bit word. */
export const packFacets = (facts: FacetFacts): number =>
  addBits((name) => FACETS[name].read(facts)) |
  (facts.tokens === undefined || facts.deprecated ? 0 : RANKS_FIRST)
