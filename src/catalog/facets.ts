import { kindOfLicence } from './licence-kind.ts'
import type { SkillFacts } from './skill.ts'
import type { Touch } from './touches.ts'

/** Least tokens of a medium and of a large SKILL.md. */
export const SIZE_STEPS = { medium: 2_000, large: 6_000 } as const

/** The facts that facets are read from. */
export type FacetFacts = Pick<
  SkillFacts,
  'licence' | 'tokens' | 'safety' | 'hasScripts' | 'touches' | 'deprecated'
>

const facet = <const Value extends string>(
  values: readonly Value[],
  read: (facts: FacetFacts) => Value | undefined,
) => ({ values, read })

/** Whether a skill's files name any of these; unknown for a skill whose text is not here. */
const touching = (...wanted: readonly Touch[]) =>
  facet(['none', 'some'], ({ touches }) => {
    if (touches === undefined) return undefined
    return wanted.some((touch) => touches.includes(touch)) ? 'some' : 'none'
  })

/**
 * The filters of skills besides categories. The keys are also the names of query parameters; values stand in the order
 * in which a page offers them. `read` gives undefined for an unknown value, as of a skill whose text is not here.
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

/** The selected values; an absent facet is not filtered. */
export type Facets = {
  readonly [Name in FacetName]?: (typeof FACETS)[Name]['values'][number] | undefined
}

/** Set in the word of a skill that stands before an equal one without it: its text is here, and it is not deprecated. */
export const STANDS_FIRST = 1

/**
 * The bits of a skill's word, by `name value`: one for each value of each facet, in the order of the table.
 *
 *     bit   0            stands first
 *           1 to 4       licence: permissive, copyleft, other, none
 *           5, 6         findings: none, review
 *           7 to 14      scripts, commands, key, hosts: none, some
 *           15 to 17     size: small, medium, large
 *
 * A skill of an unknown value has none of the bits of that facet.
 */
const BITS = new Map(
  FACET_NAMES.flatMap((name) => FACETS[name].values.map((value) => `${name} ${value}`)).map(
    (key, at) => [key, STANDS_FIRST << (at + 1)] as const,
  ),
)

const addBits = (valueOf: (name: FacetName) => string | undefined): number =>
  FACET_NAMES.reduce((bits, name) => bits | (BITS.get(`${name} ${valueOf(name)}`) ?? 0), 0)

/** The bits of the selected values: a skill is wanted if its word has all of them. */
export const bitsOfFacets = (facets: Facets): number => addBits((name) => facets[name])

/** Facets of which a page offers and counts "none" alone: what a skill does not do on a machine. */
export const ON_MACHINE = [
  'commands',
  'key',
  'hosts',
  'findings',
] as const satisfies readonly FacetName[]

/** The bit of "none" for each of `ON_MACHINE`. */
export const ON_MACHINE_BITS = ON_MACHINE.map((name) => bitsOfFacets({ [name]: 'none' }))

/** The facets of a skill in a word of 32 bits. */
export const packFacets = (facts: FacetFacts): number =>
  addBits((name) => FACETS[name].read(facts)) |
  (facts.tokens === undefined || facts.deprecated ? 0 : STANDS_FIRST)
