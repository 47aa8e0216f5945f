import type { SkillFacts } from './skill.ts'
import type { Touch } from './touches.ts'

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

const KINDS = listKinds()

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

/** What facets are read from. */
export type FacetFacts = Pick<
  SkillFacts,
  'licence' | 'tokens' | 'safety' | 'hasScripts' | 'touches'
>

const facet = <const Value extends string>(
  values: readonly Value[],
  read: (facts: FacetFacts) => Value | undefined,
) => ({ values, read })

/** Whether a skill's files name any of these; nobody knows of a skill whose text is not here. */
const touching = (...wanted: readonly Touch[]) =>
  facet(['none', 'some'], ({ touches }) => {
    if (touches === undefined) return undefined
    return wanted.some((touch) => touches.includes(touch)) ? 'some' : 'none'
  })

/**
 * What skills are filtered by in addition to categories. The keys are also the names of query parameters; values stand
 * in the order in which a page offers them. `read` is undefined where nobody knows, as of a skill whose text is not here.
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

/** Set in the word of a skill whose text is here. */
export const HAS_TEXT = 1

/** One bit of a skill's word for each value of each facet, by `name value`. */
const BITS = new Map(
  FACET_NAMES.flatMap((name) => FACETS[name].values.map((value) => `${name} ${value}`)).map(
    (key, at) => [key, HAS_TEXT << (at + 1)] as const,
  ),
)

const addBits = (valueOf: (name: FacetName) => string | undefined): number =>
  FACET_NAMES.reduce((bits, name) => bits | (BITS.get(`${name} ${valueOf(name)}`) ?? 0), 0)

/** The bits of the selected values: a skill is wanted if its word has all of them. */
export const bitsOfFacets = (facets: Facets): number => addBits((name) => facets[name])

/** The facets of a skill in a word of 32 bits. */
export const packFacets = (facts: FacetFacts): number =>
  addBits((name) => FACETS[name].read(facts)) | (facts.tokens === undefined ? 0 : HAS_TEXT)
