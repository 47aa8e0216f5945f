import { needsReview } from '../../catalog/safety/scan.ts'
import { MEASUREMENT, ruleOf, BLIND_SPOTS, SAFETY_RULES } from '../../catalog/safety/rules.ts'
import type { Measurement, MeasuredSet } from '../../catalog/safety/rules.ts'
import type { SafetyRule } from '../../catalog/safety/rule.ts'
import { SEVERITIES } from '../../catalog/safety/rule.ts'
import type { Finding, Skill } from '../../catalog/skill.ts'
import { endSentence, showNumber } from '../../catalog/text.ts'
import { Anchors } from '../prose/anchors.ts'
import type { FileFinding, FileAddress } from '../on-request/file.ts'
import type { Document, Section } from '../document.ts'
import { reportAddress } from './facts.ts'
import type { SkillPageSite } from './facts.ts'
import { addressOfLine } from '../prose/links.ts'
import { codeSpan, joinBlocks, link, list, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'
import { PATHS } from '../paths.ts'

/** Findings that HTML shows before the fold. */
const UNFOLDED = 10

/** Most findings on a page; the pages of files have all. */
const MOST_SHOWN = 60

const LABELS = { high: 'High', medium: 'Medium', low: 'Note', note: 'Note' } as const

const ruleLink = ({ rule }: Finding): Markdown => link(rule, `${PATHS.safetyDocs}#${rule}`)

const CAUTION = 'Static rules miss most attacks written in plain language.'

/** Describes a finding: its reason, its context, how often it occurs. */
const describeFinding = ({ rule, contexts, count }: Finding): string =>
  [
    ruleOf(rule).says,
    contexts.length > 0 ? ` (${contexts.join('; ')})` : '',
    count > 1 ? ` and ${count - 1} more like it in this file` : '',
  ].join('')

const describeReading = ({ accepted }: Finding): string =>
  accepted ? ` Read by ${accepted.by} on ${accepted.when}: ${endSentence(accepted.why)}` : ''

/** The most severe first; what a curator has accepted last. */
export const bySeverity = (a: Finding, b: Finding): number =>
  Number(a.accepted !== undefined) - Number(b.accepted !== undefined) ||
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)

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
          isSevere: needsReview(one),
          says: `${describeFinding(one)}.${describeReading(one)}`,
        }))
        .sort((a, b) => a.line - b.line),
    ]),
  )
}

/** Where a finding is: a line at its source where lines have addresses there, else here; no address of what is not shown. */
const findPlace = (
  skill: Skill,
  { file, line, quote }: Finding,
  addressOf: FileAddress,
): { words: string; address?: string } => {
  const words = quote === '' ? file : `${file}, line ${line}`
  const isShown = skill.files.some(({ path }) => path === file)
  if (!isShown) return { words }
  return { words, address: addressOfLine(skill, file, line) ?? addressOf(file, line) }
}

/** Writes the findings of a skill, the most severe first; HTML folds what is beyond a few. */
export const writeFindings = (
  skill: Skill,
  site: SkillPageSite,
  addressOf: FileAddress,
): Pick<Section, 'markdown' | 'more'> => {
  const advised = new Set<string>()
  /** The advice on a finding, once for each kind. */
  const adviceOn = (finding: Finding): string => {
    const { group, advice } = ruleOf(finding.rule)
    if (!needsReview(finding) || advised.has(group)) return ''
    advised.add(group)
    return ` ${advice}`
  }
  const reportOf = ({ rule, file, line, accepted }: Finding): Markdown => {
    const title = `Finding ${rule} in ${file}, line ${line}:`
    const address = accepted ? undefined : reportAddress(skill, site, 'Report', title)
    return address === undefined ? md`` : md` ${link('Report this', address)}.`
  }
  const writeFinding = (one: Finding): Markdown => {
    const label = LABELS[one.severity]
    const weight = needsReview(one) ? md`**${label}:**` : md`${label}:`
    const { words, address } = findPlace(skill, one, addressOf)
    const place = address === undefined ? md`${words}` : link(words, address)
    // Styles set the line itself below the sentences.
    const quote = one.quote === '' ? md`` : md` ${codeSpan(one.quote)}`
    return md`${weight} ${describeFinding(one)}, at ${place} (${ruleLink(one)}).${describeReading(one)}${adviceOn(one)}${reportOf(one)}${quote}`
  }
  const findings = skill.findings.toSorted(bySeverity)
  const items = findings.slice(0, MOST_SHOWN).map(writeFinding)
  const rest = findings.length - items.length
  if (rest > 0) items.push(md`And ${rest} more, on the pages of the files.`)
  const intro = findings.some(needsReview)
    ? 'Read these lines before you install it. A finding is a place to look, not a verdict.'
    : `Nothing here needs a review. A finding is a place to look, not a verdict. ${CAUTION}`
  const folded = items.slice(UNFOLDED)
  const label = `${findings.length - UNFOLDED} more`
  return {
    markdown: joinBlocks([md`${intro}`, list(items.slice(0, UNFOLDED))]),
    ...(folded.length > 0 ? { more: { label, markdown: list(folded) } } : {}),
  }
}

const describeSet = ({ n, flagged }: MeasuredSet): string =>
  `${showNumber(flagged)} of ${showNumber(n)}`

/** Describes how reliable a scan without findings is, with figures only if labelled sets were run. */
export const describeWorth = ({ sets, date }: Measurement = MEASUREMENT): string => {
  const found = sets.filter(({ isMalicious }) => isMalicious)
  if (found.length === 0) return `${CAUTION} Their rate is not measured.`
  const figures = found.map((one) => `${describeSet(one)} ${one.name}`).join(', ')
  return `${CAUTION} They found ${figures} (${date}).`
}

const writeMeasured = (): Markdown =>
  joinBlocks([
    md`${describeWorth()}`,
    list(
      MEASUREMENT.sets.map((one) => {
        const kind = one.isMalicious ? 'malicious' : 'benign'
        return md`${one.name} (${kind}): ${describeSet(one)} marked Review`
      }),
    ),
    md`The rules were tuned on parts of these sets, so others will fare worse.`,
  ])

const WEIGHTS = md`- **High** and **medium** make a page say “Review”: read the quoted lines before you install.
- **Low** ones are notes on a page, listed after them: its label says “No findings”, and how many notes there are. A skill whose files are not here says “Not scanned”.
- What the scan itself calls a **note** is on no page; the check of a catalog prints it: samples, negations, quotations and tests.

What surrounds a line lowers its severity and is named beside it: a heading or a sentence that warns, words that set it aside, a quotation, a table, a comment of code, a folder of samples, a skill about security, an address that is known or a sample.

It lowers nothing that a reader cannot see, and nothing of what decides whether a version is held back before it gets here: there only a sentence that forbids the very command counts.

A curator can read a finding and accept it, with a reason. It is then listed last, and counts again as soon as its line changes, or a line that its rule read with it.`

const LABEL_MISSES = md`The label of a skill is read from its front matter, its code files, its blocks and spans of code, its shell lines and its links. No sentence is judged.

- “None found” means that no such name was read; a sentence may still ask for one.
- What a program fetches or starts while it runs stands in no file.
- A name may belong to an example that is never run.
- The evidence has the file and the line of each name: read them before you rely on it.`

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const writeRule = (rule: SafetyRule): Markdown => {
  const places = Object.entries(rule.in).map(([place, severity]) => `${severity} in ${place}`)
  return joinBlocks([
    md`### ${rule.id}`,
    md`**${upperFirst(rule.severity)}** at most (${places.join(', ')}). It looks for ${rule.finds}.`,
    list([md`Why: a line that ${rule.says}.`, md`Caveats: ${rule.caveat}`]),
  ])
}

const writeGroup = (rules: readonly SafetyRule[]): Markdown => {
  const { advice, remedy } = rules[0]!
  const shared = list([md`For readers: ${advice}`, md`For authors: ${remedy}`])
  return joinBlocks([shared, ...rules.map(writeRule)])
}

/** Writes the page of all rules from their table and the measurements, so that none can be left out. */
export const writeSafetyDocument = (): Document => {
  const anchors = new Anchors()
  const groups = Map.groupBy(SAFETY_RULES, ({ group }) => group)
  const sections: Section[] = [
    { id: 'how-reliable-it-is', heading: 'How reliable it is', markdown: writeMeasured() },
    { id: 'weights', heading: 'What the words mean', markdown: WEIGHTS },
    {
      id: 'blind-spots',
      heading: 'What static rules cannot see',
      markdown: list(BLIND_SPOTS),
    },
    {
      id: 'what-a-label-can-miss',
      heading: 'What a label can miss',
      markdown: LABEL_MISSES,
    },
    ...[...groups].map(([heading, rules]) => ({
      id: anchors.slug(heading),
      heading,
      markdown: writeGroup(rules),
    })),
  ]
  return {
    kind: 'prose',
    path: PATHS.safetyDocs,
    heading: 'Findings and their rules',
    lead: md`The text of every skill is scanned by ${SAFETY_RULES.length} rules. None of them knows what an author means: a finding is not proof; no finding is no promise.`,
    description: `The ${SAFETY_RULES.length} rules that skills are scanned by: what each looks for, why it matters and what misleads it.`,
    updated: MEASUREMENT.date,
    isIndexable: true,
    facts: [],
    sections,
  }
}
