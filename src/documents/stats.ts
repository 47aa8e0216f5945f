import { CATEGORIES } from '../catalog/categories.ts'
import { PARTS } from '../catalog/parts.ts'
import { UNKNOWN_DAY, isListed } from '../catalog/skill.ts'
import { countOf, showNumber } from '../catalog/text.ts'
import type { Document, DocumentPlan, Section, Figure } from './document.ts'
import { PATHS } from './paths.ts'
import { link, md } from './md.ts'
import type { Markdown } from './md.ts'
import { latestDay } from './site.ts'
import type { PartName } from '../catalog/parts.ts'
import { SEVERITIES } from '../catalog/safety/rule.ts'
import type { FindingSeverity } from '../catalog/safety/rule.ts'
import type { Skill, SkillFacts } from '../catalog/skill.ts'

/** What is counted of a skill besides its facts; known once its page is written. */
export interface SkillTraits {
  /** The parts that its author or its text states. */
  parts: readonly PartName[]
  /** Severity of its most serious finding that no curator has accepted. */
  gravest: FindingSeverity | 'none'
}

export const NO_TRAITS: SkillTraits = { parts: [], gravest: 'none' }

export const pickTraits = (
  { findings }: Pick<Skill, 'findings'>,
  parts: readonly PartName[],
): SkillTraits => ({
  parts,
  gravest:
    SEVERITIES.find((severity) =>
      findings.some((one) => one.severity === severity && one.accepted === undefined),
    ) ?? 'none',
})

const GROUPS = [
  'skills',
  'authors',
  'categories',
  'days',
  'tokens',
  'licences',
  'sources',
  'findings',
  'parts',
] as const

/** How many skills there are of each kind. */
type Tally = Readonly<Record<(typeof GROUPS)[number], Readonly<Partial<Record<string, number>>>>>

/** Tokens from which on a SKILL.md belongs to a step of sizes. */
const TOKEN_STEPS = [0, 1_000, 2_000, 4_000, 6_000, 10_000] as const

/** The key of what is not known. */
const UNKNOWN_KEY = ''

const stepOf = (tokens: number): string =>
  String(TOKEN_STEPS.findLast((step) => tokens >= step) ?? TOKEN_STEPS[0])

/** What the tally counts a skill as; one that is gone only as that. */
const listKeys = (
  skill: SkillFacts,
  { parts, gravest }: SkillTraits,
): [group: keyof Tally, key: string][] => {
  const { source, author, category, updated, tokens, licence } = skill
  const status = source.kind === 'own' ? 'own' : source.status
  if (!isListed(skill)) return [['sources', status]]
  return [
    ['sources', status],
    ['skills', 'listed'],
    ['authors', author.toLowerCase()],
    ['categories', category],
    ['days', updated ?? UNKNOWN_KEY],
    ['tokens', tokens === undefined ? UNKNOWN_KEY : stepOf(tokens)],
    ['licences', licence ?? UNKNOWN_KEY],
    ['findings', gravest],
    ...PARTS.flatMap(({ name }): ['parts', string][] =>
      parts.includes(name) ? [['parts', name]] : [],
    ),
  ]
}

interface Counted {
  facts: SkillFacts
  traits: SkillTraits
}

/** Counts skills. */
export const countSkills = (skills: Iterable<Counted>): Tally => {
  const counts = new Map(GROUPS.map((group) => [group, new Map<string, number>()]))
  for (const { facts, traits } of skills)
    for (const [group, key] of listKeys(facts, traits)) {
      const byKey = counts.get(group)
      byKey?.set(key, (byKey.get(key) ?? 0) + 1)
    }
  const tally = [...counts].map(([group, byKey]) => [group, Object.fromEntries(byKey)])
  return Object.fromEntries(tally) as Tally
}

type Bars = Figure['bars']

const MILLISECONDS_A_DAY = 86_400_000

/** How long before the newest day of the catalog a skill last changed, in days. */
const AGES: readonly (readonly [label: string, most: number])[] = [
  ['In the last week', 7],
  ['In the last month', 31],
  ['In the last three months', 92],
  ['In the last half year', 183],
  ['In the last year', 366],
  ['Before that', Infinity],
]

const ageOf = (day: string, newest: string): number =>
  (Date.parse(newest) - Date.parse(day)) / MILLISECONDS_A_DAY

const dropNone = (bars: Bars): Bars => bars.filter(({ count }) => count > 0)

/** Each skill is counted in the first span that it lies in. */
const countAges = (days: Tally['days'], newest: string): Bars => {
  const { [UNKNOWN_KEY]: unknown = 0, ...known } = days
  const bars = AGES.map(([label]) => ({ label, count: 0 }))
  for (const [day, count = 0] of Object.entries(known))
    bars[AGES.findIndex(([, most]) => ageOf(day, newest) <= most)]!.count += count
  return dropNone([...bars, { label: 'Not known', count: unknown }])
}

const labelStep = (at: number): string => {
  const [from = 0, next] = [TOKEN_STEPS[at], TOKEN_STEPS[at + 1]]
  if (next === undefined) return `${showNumber(from)} and more`
  return from === 0 ? `Below ${showNumber(next)}` : `${showNumber(from)} to ${showNumber(next - 1)}`
}

const countTokens = (tokens: Tally['tokens']): Bars =>
  dropNone([
    ...TOKEN_STEPS.map((step, at) => ({ label: labelStep(at), count: tokens[step] ?? 0 })),
    { label: 'Text not here', count: tokens[UNKNOWN_KEY] ?? 0 },
  ])

/** Licences that have a bar of their own. */
const LICENCES_SHOWN = 8

const countLicences = ({ [UNKNOWN_KEY]: unknown = 0, ...licences }: Tally['licences']): Bars => {
  const known = Object.entries(licences)
    .map(([label, count = 0]) => ({ label, count }))
    .sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))
  const others = known.slice(LICENCES_SHOWN)
  const rest = others.reduce((sum, { count }) => sum + count, 0)
  return dropNone([
    ...known.slice(0, LICENCES_SHOWN),
    { label: countOf(others.length, 'other'), count: rest },
    { label: 'Not stated', count: unknown },
  ])
}

const SOURCES = [
  ['own', 'Written for this registry'],
  ['alive', 'Seen alive at the last check'],
  ['copied', 'Copied, not rechecked'],
  ['gone', 'Gone, no longer listed'],
] as const

const FINDINGS = [
  ['high', 'High'],
  ['medium', 'Medium'],
  ['low', 'Low'],
  ['note', 'Note'],
  ['none', 'None'],
] as const

const pick = (
  counts: Tally['sources'],
  labels: readonly (readonly [key: string, label: string])[],
): Bars => labels.map(([key, label]) => ({ label, count: counts[key] ?? 0 }))

const section = (
  [id, heading]: readonly [string, string],
  kind: string,
  bars: Bars,
  markdown: Markdown,
): Section => ({ id, heading, markdown, figure: { columns: [kind, 'Skills'], bars } })

/** Writes the page of numbers; it shows nothing but the tally, so it changes only with that. */
const writeStatsDocument = (tally: Tally): Document => {
  const count = tally.skills['listed'] ?? 0
  const newest = latestDay(Object.keys(tally.days).filter((day) => day !== UNKNOWN_KEY))
  const isDated = newest !== UNKNOWN_DAY
  const review = (tally.findings['high'] ?? 0) + (tally.findings['medium'] ?? 0)
  return {
    kind: 'listing',
    path: PATHS.stats,
    heading: 'The catalog in numbers',
    lead: md`What ${countOf(count, 'skill')} are about, ${isDated ? 'how new, ' : ''}how large, and what was found in them.`,
    description: `${countOf(count, 'agent skill')} by category, ${isDated ? 'age, ' : ''}size, licence, source, findings and what their text states.`,
    updated: newest,
    isIndexable: true,
    facts: [
      { label: 'Skills', value: showNumber(count) },
      {
        label: 'Authors',
        value: showNumber(Object.keys(tally.authors).length),
        path: PATHS.authors,
      },
      ...(isDated ? [{ label: 'Last updated', value: newest }] : []),
      { label: 'To review', value: showNumber(review) },
    ],
    sections: [
      section(
        ['by-category', 'Categories'],
        'Category',
        dropNone(
          CATEGORIES.map((category) => ({
            label: category,
            count: tally.categories[category] ?? 0,
            category,
          })),
        ),
        md`Every skill is in one.`,
      ),
      isDated
        ? section(
            ['by-age', 'Last changed'],
            'Counted from the newest day',
            countAges(tally.days, newest),
            md`Counted back from ${newest}, the newest day in the catalog; each skill is counted once.`,
          )
        : {
            id: 'by-age',
            heading: 'Last changed',
            markdown: md`It is not known when any skill was last changed.`,
          },
      section(
        ['by-size', 'Size'],
        'Tokens of the SKILL.md',
        countTokens(tally.tokens),
        md`Estimated tokens that a SKILL.md takes in a model’s context once it is loaded.`,
      ),
      section(
        ['by-licence', 'Licences'],
        'Licence',
        countLicences(tally.licences),
        md`As the record, the SKILL.md or a licence file states it.`,
      ),
      section(
        ['by-source', 'Sources'],
        'Source',
        dropNone(pick(tally.sources, SOURCES)),
        md`Whether the place that a skill comes from still answers.`,
      ),
      section(
        ['by-finding', 'Findings'],
        'Most serious finding',
        pick(tally.findings, FINDINGS),
        md`The most serious finding of ${link('the scan', PATHS.safetyDocs)} in each skill; read high and medium ones before you install.`,
      ),
      section(
        ['by-part', 'What skills state'],
        'Part',
        PARTS.map(({ name, heading }) => ({ label: heading, count: tally.parts[name] ?? 0 })),
        md`Skills whose text has such a part.`,
      ),
    ],
  }
}

export const planStats = (readTally: () => Tally): DocumentPlan => ({
  kind: 'listing',
  path: PATHS.stats,
  write: () => writeStatsDocument(readTally()),
})
