import type { BlockContent, List, PhrasingContent, RootContent } from 'mdast'
import { IN_SECURITY_SKILL } from '../catalog/safety/contexts.ts'
import { countOf, showNumber } from '../catalog/text.ts'
import {
  MEASUREMENT,
  intervalOf,
  ruleOf,
  BLIND_SPOTS,
  SAFETY_RULES,
} from '../catalog/safety/rules.ts'
import type { Measurement, MeasuredSet } from '../catalog/safety/rules.ts'
import type { Finding, Skill } from '../catalog/skill.ts'
import type { FileFinding, FileAddress } from './answered/file.ts'
import { contactAddress } from './facts.ts'
import { describeSafety } from './entries.ts'
import type { SkillPageSite } from './facts.ts'
import { addressOfLine } from './guest/links.ts'
import { PATHS } from './paths.ts'
import {
  codeBlock,
  foldOf,
  inlineCode,
  joinWords,
  linkTo,
  listOf,
  paragraph,
  strong,
} from './tree.ts'
import type { Words } from './tree.ts'
import type { SafetyRule } from '../catalog/safety/rule.ts'
import type { Document, Section } from './document.ts'
import { escapeMarkdown } from './print.ts'
import { Anchors } from './anchors.ts'

/** Findings of each gravity that are shown; how many more there are is said. */
const SHOWN = 20

type Placed = Pick<Skill, 'slug' | 'source' | 'files'> & { addressOf: FileAddress }

/** Address of a line: at its source where lines have addresses there, else here. */
const linePath = (skill: Placed, { file, line }: Finding): string =>
  addressOfLine(skill, file, line) ?? skill.addressOf(file, line)

const ruleLink = ({ rule }: Finding): PhrasingContent => linkTo(rule, `${PATHS.safetyDocs}#${rule}`)

const describeRepeats = ({ count }: Finding): string =>
  count > 1 ? ` and ${count - 1} more like it in this file` : ''

const placeOf = (skill: Placed, finding: Finding): Words => {
  const { file, line, quote } = finding
  const words = quote === '' ? file : `${file}, line ${line}`
  // A skill that is withheld shows none of its files.
  const isShown = skill.files.some(({ path }) => path === file)
  return [isShown ? linkTo(words, linePath(skill, finding)) : words, describeRepeats(finding)]
}

const circumstancesOf = ({ contexts }: Finding): string =>
  contexts.length > 0 ? ` (${contexts.join('; ')})` : ''

const LABELS = { high: 'High', medium: 'Medium', low: 'Low', note: 'Note' } as const

const item = (...children: BlockContent[]): List['children'][number] => ({
  type: 'listItem',
  spread: true,
  children,
})

const writeGrave = (
  skill: Placed,
  finding: Finding,
  site: SkillPageSite,
  isFirstOfRule: boolean,
): List['children'][number] => {
  const { says, remedy, fooled } = ruleOf(finding.rule)
  const place = `Finding ${finding.rule} in ${finding.file}, line ${finding.line}:`
  const report = contactAddress(skill, site, 'Report', place)
  const circumstances = circumstancesOf(finding)
  return item(
    paragraph(
      strong(LABELS[finding.severity]),
      ', ',
      ruleLink(finding),
      ': ',
      ...placeOf(skill, finding),
      `${isFirstOfRule ? `, ${says}` : ''}${circumstances}.`,
    ),
    ...(finding.quote === '' ? [] : [codeBlock(finding.quote, '')]),
    ...(isFirstOfRule || report !== undefined
      ? [
          paragraph(
            isFirstOfRule
              ? `${remedy} Known to fool the rule: ${fooled}${report === undefined ? '' : ' '}`
              : '',
            ...(report === undefined ? [] : [linkTo('Report this', report)]),
          ),
        ]
      : []),
  )
}

const writeLesser = (skill: Placed, finding: Finding): Words => [
  ruleLink(finding),
  ': ',
  ...placeOf(skill, finding),
  `, ${ruleOf(finding.rule).says}${circumstancesOf(finding)}`,
  ...(finding.quote === '' ? [] : [': ', inlineCode(finding.quote)]),
]

/** Rows of one file from which on it is a file of samples. */
const SAMPLES = 3

/** Files that a line of samples names. */
const FILES_NAMED = 3

/** How many samples there are, what they are about, and of which rules. */
const countSamples = (rows: readonly Finding[]): Words => {
  const places = rows.reduce((sum, { count }) => sum + count, 0)
  const reasons = [...new Set(rows.flatMap(({ contexts }) => contexts))].join('; ')
  const rules = [...new Map(rows.map((one) => [one.rule, one])).values()]
  return [`${places} places (${reasons}): `, ...joinWords(rules, (one) => [ruleLink(one)])]
}

const fileLink = (skill: Placed, file: string): Words => [
  skill.files.some(({ path }) => path === file) ? linkTo(file, skill.addressOf(file)) : file,
]

/** A file of samples is one line with a count; others have a line for each rule. */
const listByFile = (skill: Placed, findings: readonly Finding[]): readonly Words[] =>
  [...Map.groupBy(findings, ({ file }) => file)].flatMap(([file, rows]) => {
    if (rows.length < SAMPLES || rows.some(({ contexts }) => contexts.length === 0))
      return rows.map((one) => writeLesser(skill, one))
    return [[...fileLink(skill, file), ', ', ...countSamples(rows)]]
  })

/** What a skill about security shows of attacks is one line for all its files; the rest a line for each rule or file. */
const listLesser = (skill: Placed, findings: readonly Finding[]): readonly Words[] => {
  const lessons = findings.filter(({ contexts }) => contexts.includes(IN_SECURITY_SKILL))
  if (lessons.length < SAMPLES) return listByFile(skill, findings)
  const files = [...new Set(lessons.map(({ file }) => file))]
  const named = files.slice(0, FILES_NAMED)
  return [
    ...listByFile(
      skill,
      findings.filter((one) => !lessons.includes(one)),
    ),
    [
      'Samples in ',
      ...joinWords(named, (file) => fileLink(skill, file)),
      ...(files.length > named.length
        ? [` and ${countOf(files.length - named.length, 'more file')}`]
        : []),
      ', ',
      ...countSamples(lessons),
    ],
  ]
}

const describeAcceptance = ({ accepted }: Finding): string =>
  accepted ? `. Read by ${accepted.by} on ${accepted.when}: ${accepted.why}` : ''

const writeAccepted = (skill: Placed, finding: Finding): Words => [
  ...writeLesser(skill, finding),
  describeAcceptance(finding),
]

const fold = (title: string, count: number, rows: readonly Words[]): RootContent[] => {
  if (rows.length === 0) return []
  const rest = rows.length - SHOWN
  const first = rows.slice(0, SHOWN)
  return [
    foldOf(`${title} (${count})`, listOf(rest > 0 ? [...first, [`And ${rest} more`]] : first)),
  ]
}

const listGraveOf = (
  skill: Placed,
  grave: readonly Finding[],
  site: SkillPageSite,
): RootContent[] => {
  const rules = grave.map(({ rule }) => rule)
  const rest = grave.length - SHOWN
  const items = grave
    .slice(0, SHOWN)
    .map((one, at) => writeGrave(skill, one, site, rules.indexOf(one.rule) === at))
  return [
    { type: 'list', ordered: false, spread: true, children: items },
    ...(rest > 0 ? [paragraph(`And ${rest} more of this weight.`)] : []),
  ]
}

const isGrave = ({ severity, accepted }: Finding): boolean =>
  accepted === undefined && (severity === 'high' || severity === 'medium')

/** The findings of a skill as the pages of its files show them, by path; none of files that have no page. */
export const listFileFindings = ({ findings, files }: Skill): Record<string, FileFinding[]> => {
  const shown = new Set(files.map(({ path }) => path))
  const byFile = Map.groupBy(
    findings.filter(({ file }) => shown.has(file)),
    ({ file }) => file,
  )
  return Object.fromEntries(
    [...byFile].map(([file, rows]) => [
      file,
      rows
        .map((one) => ({
          line: one.quote === '' ? 0 : one.line,
          rule: one.rule,
          label: LABELS[one.severity],
          isSevere: isGrave(one),
          says: `${ruleOf(one.rule).says}${circumstancesOf(one)}${describeRepeats(one)}${describeAcceptance(one)}`,
        }))
        .sort((a, b) => a.line - b.line),
    ]),
  )
}

/** Writes the findings of a skill, the gravest first; what a reader need not act on is folded. */
export const writeFindings = (
  scanned: Skill,
  site: SkillPageSite,
  addressOf: FileAddress,
): RootContent[] => {
  const skill = { ...scanned, addressOf }
  const { findings } = skill
  const accepted = findings.filter((one) => one.accepted !== undefined)
  const open = findings.filter((one) => one.accepted === undefined)
  const grave = open.filter(isGrave)
  const lesser = open.filter((one) => !grave.includes(one))
  return [
    ...(grave.length > 0
      ? [
          paragraph(
            'Read these lines before you install it. A finding is a place to look, not a verdict.',
          ),
          ...listGraveOf(skill, grave, site),
        ]
      : []),
    ...fold('Also noted', lesser.length, listLesser(skill, lesser)),
    ...fold(
      'Read by a curator',
      accepted.length,
      accepted.map((one) => writeAccepted(skill, one)),
    ),
  ]
}

const inTen = (share: number): string => {
  const tenths = Math.round(share * 10)
  return tenths === 0 ? 'fewer than 1 of 10' : `about ${tenths} of 10`
}

/** Describes how reliable a scan without findings is, with figures only if a labelled set was run. */
export const describeWorth = ({ malicious, date }: Measurement = MEASUREMENT): string => {
  if (!malicious)
    return 'Static rules miss most attacks that are merely words; how many was not measured yet.'
  const { flagged, n } = malicious
  const [from, to] = intervalOf(flagged, n).map((share) => Math.round(share * 100))
  return `Static rules find ${inTen(flagged / n)} known cases (${flagged} of ${n}, 95 % between ${from} and ${to} %, measured ${date}); they miss most that are merely words.`
}

/** The verdict shown beside Install. */
export const writeVerdict = (skill: Pick<Skill, 'safety' | 'tokens' | 'noted'>): BlockContent =>
  skill.safety === 'Review'
    ? paragraph(
        'Safety: ',
        strong('Review'),
        '. Read ',
        linkTo('the findings', '#findings'),
        ' first.',
      )
    : paragraph(
        'Safety: ',
        strong(describeSafety(skill)),
        '. ',
        skill.tokens === undefined
          ? 'Its files are not here, so none was scanned. '
          : `${describeWorth()} `,
        linkTo('What is looked for', PATHS.safetyDocs),
        '.',
      )

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const describeSet = (name: string, set: MeasuredSet | null): string => {
  if (!set) return `- ${name}: not measured`
  const counted = `- ${name}: ${showNumber(set.flagged)} of ${showNumber(set.n)} marked Review, ${percent(set.flagged / set.n)}`
  if (set.isTuned) return `${counted}; the rules were tuned on these, so others will fare worse`
  const [from, to] = intervalOf(set.flagged, set.n)
  return `${counted} (95 % between ${percent(from)} and ${percent(to)})`
}

const writeMeasured = (): string =>
  [
    describeWorth(),
    `Measured on ${MEASUREMENT.date}:`,
    [
      describeSet('skills known to be malicious', MEASUREMENT.malicious),
      describeSet('skills known to be benign', MEASUREMENT.benign),
    ].join('\n'),
  ].join('\n\n')

const WEIGHTS = `- **High** and **medium** make a page say “Review”: read the quoted lines before you install.
- **Low** and **note** are folded below as “Also noted”; the page says “No findings to review”, and how many are noted. Of a skill whose files are not here it says “Not scanned”.

What surrounds a line lowers its weight and is named beside it: a heading or a sentence that warns, words that set it aside, a quotation, a table, a comment of code, a folder of samples, a skill about security, an address that is known, a sample, or named after the skill or its author (as anyone can name a skill). It never hides a finding, and it lowers nothing that a reader cannot see.

A curator can read a finding and accept it, with a reason. It then stands below as read, and counts again as soon as its line changes.`

const describeMeasured = (id: string): string => {
  const { benign, malicious, readings } = MEASUREMENT
  const parts = [
    ...(benign
      ? [`grave in ${benign.rules[id] ?? 0} of ${showNumber(benign.n)} benign skills`]
      : []),
    ...(malicious
      ? [`in ${malicious.rules[id] ?? 0} of ${showNumber(malicious.n)} malicious ones`]
      : []),
  ]
  const [right = 0, arguable = 0, wrong = 0] = readings[id] ?? []
  const read = right + arguable + wrong
  if (read > 0)
    parts.push(
      `of ${read} findings on benign skills that were read, ${right} were right, ${arguable} arguable, ${wrong} wrong`,
    )
  return parts.length > 0 ? `${parts.join('; ')}.` : 'not measured.'
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const writeRule = (rule: SafetyRule): string =>
  [
    `### ${rule.id}`,
    `**${upperFirst(rule.severity)}** at most. It looks for ${escapeMarkdown(rule.finds)}; in ${rule.where.join(', ')}.`,
    `- Why: a line that ${escapeMarkdown(rule.says)}.
- What to do: ${escapeMarkdown(rule.remedy)}
- Known to fool it: ${escapeMarkdown(rule.fooled)}
- Measured: ${describeMeasured(rule.id)}`,
  ].join('\n\n')

/** Writes the page of all rules from their table and what was measured, so that none can be left out. */
export const writeSafetyDocument = (): Document => {
  const anchors = new Anchors()
  const groups = Map.groupBy(SAFETY_RULES, ({ group }) => group)
  const sections: Section[] = [
    { id: 'what-it-is-worth', heading: 'What it is worth', markdown: writeMeasured() },
    { id: 'weights', heading: 'What the words mean', markdown: WEIGHTS },
    {
      id: 'blind-spots',
      heading: 'What static rules cannot see',
      markdown: BLIND_SPOTS.map((one) => `- ${escapeMarkdown(one)}`).join('\n'),
    },
    ...[...groups].map(([heading, rules]) => ({
      id: anchors.slug(heading),
      heading,
      markdown: rules.map(writeRule).join('\n\n'),
    })),
  ]
  return {
    kind: 'prose',
    path: PATHS.safetyDocs,
    heading: 'Findings and their rules',
    lead: [
      `The text of every skill is scanned by ${SAFETY_RULES.length} rules. None of them knows what an author means: no finding is proof, and none is no promise.`,
    ],
    description: `The ${SAFETY_RULES.length} rules that skills are scanned by: what each looks for, why it matters, what to do, what fools it, and how well it did.`,
    updated: MEASUREMENT.date,
    isIndexable: true,
    facts: [],
    sections,
  }
}
