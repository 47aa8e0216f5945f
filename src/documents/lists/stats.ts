import { PARTS } from '../../catalog/parts.ts'
import { UNKNOWN_DAY, isListed } from '../../catalog/skill.ts'
import { countOf, showNumber } from '../../catalog/text.ts'
import type { Document, DocumentPlan, Section, Figure } from '../document.ts'
import { PATHS } from '../paths.ts'
import { link, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'
import { latestDay } from '../site.ts'
import { SEVERITY_LABELS } from '../skill/findings.ts'
import type { PartName } from '../../catalog/parts.ts'
import { SEVERITIES } from '../../catalog/safety/rule.ts'
import type { FindingSeverity } from '../../catalog/safety/rule.ts'
import type { Skill, SkillFacts } from '../../catalog/skill.ts'

/** Facts for the statistics that are known only after a skill's page is written. */
export interface SkillTraits {
  /** The parts that its author or its text states. */
  parts: readonly PartName[]
  /** Severity of its most serious finding that no curator has accepted. */
  mostSevere: FindingSeverity | 'none'
}

export const NO_TRAITS: SkillTraits = { parts: [], mostSevere: 'none' }

export const pickTraits = (
  { findings }: Pick<Skill, 'findings'>,
  parts: readonly PartName[],
): SkillTraits => ({
  parts,
  mostSevere:
    SEVERITIES.find((severity) =>
      findings.some((finding) => finding.severity === severity && !finding.accepted),
    ) ?? 'none',
})

/** A skill with its traits. */
interface Counted {
  facts: SkillFacts
  traits: SkillTraits
}

type Counts = ReadonlyMap<string, number>
type Bars = Figure['bars']

/** Counts skills by label; a skill may have several. */
const countBy = (
  skills: readonly Counted[],
  labelsOf: (facts: SkillFacts, traits: SkillTraits) => readonly string[],
): Counts => {
  const counts = new Map<string, number>()
  for (const { facts, traits } of skills)
    for (const label of labelsOf(facts, traits)) counts.set(label, (counts.get(label) ?? 0) + 1)
  return counts
}

/** Makes a bar for each label, in the order of `labels`. */
const makeBars = (counts: Counts, labels: readonly string[]): Bars =>
  labels.map((label) => ({ label, count: counts.get(label) ?? 0 }))

const dropNone = (bars: Bars): Bars => bars.filter(({ count }) => count > 0)

const MILLISECONDS_A_DAY = 86_400_000

/** Age groups: most days between the last change of a skill and the newest day in the catalog. */
const AGES: readonly (readonly [label: string, most: number])[] = [
  ['In the last week', 7],
  ['In the last month', 31],
  ['In the last three months', 92],
  ['In the last half year', 183],
  ['In the last year', 366],
  ['Before that', Infinity],
]

/** Returns the label of the first age group that includes `day`. */
const labelAge = (day: string, newest: string): string => {
  const age = (Date.parse(newest) - Date.parse(day)) / MILLISECONDS_A_DAY
  return AGES.find(([, most]) => age <= most)![0]
}

/** Size groups, each with its lower limit in tokens. */
const SIZES: readonly (readonly [from: number, label: string])[] = [
  [0, 'Below 1,000'],
  [1_000, '1,000 to 1,999'],
  [2_000, '2,000 to 3,999'],
  [4_000, '4,000 to 5,999'],
  [6_000, '6,000 to 9,999'],
  [10_000, '10,000 or more'],
]

const labelSize = (tokens: number): string => SIZES.findLast(([from]) => tokens >= from)![1]

/** The most common licences have bars of their own; the others share one. */
const LICENCES_SHOWN = 8
const NOT_STATED = 'Not stated'

const drawLicences = (counts: Counts): Bars => {
  const known = [...counts]
    .filter(([label]) => label !== NOT_STATED)
    .map(([label, count]) => ({ label, count }))
    .sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))
  const others = known.slice(LICENCES_SHOWN)
  return dropNone([
    ...known.slice(0, LICENCES_SHOWN),
    {
      label: countOf(others.length, 'other'),
      count: others.reduce((sum, { count }) => sum + count, 0),
    },
    ...makeBars(counts, [NOT_STATED]),
  ])
}

const SOURCES: Readonly<Record<string, string>> = {
  own: 'Written for this registry',
  alive: 'Found at the last check',
  copied: 'Copied, not rechecked',
  gone: 'Gone, no longer listed',
}

const FINDING_LABELS = { ...SEVERITY_LABELS, none: 'None' }

const section = (id: string, heading: string, kind: string, bars: Bars, markdown: Markdown) => ({
  id,
  heading,
  markdown,
  figure: { columns: [kind, 'Skills'], bars } as const,
})

const writeAges = (listed: readonly Counted[], newest: string): Section => {
  const [id, heading] = ['by-age', 'Last changed']
  if (newest === UNKNOWN_DAY)
    return { id, heading, markdown: md`No skill has a known date of change.` }
  const UNKNOWN = 'Not known'
  const ages = countBy(listed, ({ updated }) => [updated ? labelAge(updated, newest) : UNKNOWN])
  const bars = makeBars(ages, [...AGES.map(([label]) => label), UNKNOWN])
  const words = md`Counted back from ${newest}, the newest day in the catalog; each skill is counted once.`
  return section(id, heading, heading, dropNone(bars), words)
}

/** Writes the page of statistics. A skill whose source is gone is counted only under "Sources". */
const writeStatsDocument = (skills: readonly Counted[]): Document => {
  const listed = skills.filter(({ facts }) => isListed(facts))
  const newest = latestDay(listed.flatMap(({ facts }) => facts.updated ?? []))
  const isDated = newest !== UNKNOWN_DAY
  const noText = 'Text not copied'
  const categories = countBy(listed, ({ category }) => [category])
  const sizes = countBy(listed, ({ tokens }) => [tokens === undefined ? noText : labelSize(tokens)])
  const licences = countBy(listed, ({ licence = NOT_STATED }) => [licence])
  const sources = countBy(skills, ({ source }) => [
    SOURCES[source.kind === 'own' ? 'own' : source.status] ?? '',
  ])
  const findings = countBy(listed, (_, { mostSevere }) => [FINDING_LABELS[mostSevere]])
  const parts = countBy(listed, (_, traits) => traits.parts)
  const authors = countBy(listed, ({ author }) => [author.toLowerCase()])
  const review = (findings.get('High') ?? 0) + (findings.get('Medium') ?? 0)
  return {
    kind: 'listing',
    path: PATHS.stats,
    heading: 'The catalog in numbers',
    lead: md`${countOf(listed.length, 'skill')} by category, ${isDated ? 'age, ' : ''}size, licence, source and findings.`,
    description: `${countOf(listed.length, 'agent skill')} by category, ${isDated ? 'age, ' : ''}size, licence, source, findings and parts of the text.`,
    updated: newest,
    isIndexable: true,
    facts: [
      { label: 'Skills', value: showNumber(listed.length) },
      { label: 'Authors', value: showNumber(authors.size), path: PATHS.authors },
      ...(isDated ? [{ label: 'Last updated', value: newest }] : []),
      { label: 'To review', value: showNumber(review) },
    ],
    sections: [
      section(
        'by-category',
        'Categories',
        'Category',
        dropNone(
          [...categories.keys()].sort().map((category) => {
            const count = categories.get(category) ?? 0
            return { label: category, count, category }
          }),
        ),
        md`Every skill is in one category.`,
      ),
      writeAges(listed, newest),
      section(
        'by-size',
        'Size',
        'Tokens in SKILL.md',
        dropNone(makeBars(sizes, [...SIZES.map(([, label]) => label), noText])),
        md`Estimated tokens that a SKILL.md takes in a model’s context once it is loaded.`,
      ),
      section(
        'by-licence',
        'Licences',
        'Licence',
        drawLicences(licences),
        md`As stated in the catalog, in SKILL.md or in a licence file.`,
      ),
      section(
        'by-source',
        'Sources',
        'Source',
        dropNone(makeBars(sources, Object.values(SOURCES))),
        md`Whether the source of each skill still exists.`,
      ),
      section(
        'by-finding',
        'Findings',
        'Most serious finding',
        makeBars(findings, [...new Set(Object.values(FINDING_LABELS))]),
        md`The most serious finding of ${link('the scan', PATHS.safetyDocs)} in each skill; accepted findings do not count. Read high and medium findings before you install.`,
      ),
      section(
        'by-part',
        'What skills state',
        'Part',
        PARTS.map(({ name, heading }) => ({ label: heading, count: parts.get(name) ?? 0 })),
        md`How many skills have each of these parts in their text.`,
      ),
    ],
  }
}

export const planStats = (skills: readonly Counted[]): DocumentPlan => ({
  kind: 'listing',
  path: PATHS.stats,
  write: () => writeStatsDocument(skills),
})
