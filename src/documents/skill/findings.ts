import { QUOTED } from '../../catalog/safety/contexts.ts'
import { isAcceptedSevere, needsReview } from '../../catalog/safety/scan.ts'
import { MEASUREMENT, ruleOf, BLIND_SPOTS, SAFETY_RULES } from '../../catalog/safety/rules.ts'
import type { SafetyRule } from '../../catalog/safety/rule.ts'
import type { Finding, Skill } from '../../catalog/skill.ts'
import { countOf, endSentence, showNumber } from '../../catalog/text.ts'
import { Anchors } from '../prose/anchors.ts'
import type { FileAddress } from '../on-request/file.ts'
import type { Document, FileFinding, Section } from '../document.ts'
import { reportAddress } from './facts.ts'
import type { SkillPageSite } from './facts.ts'
import { addressOfLine } from '../prose/links.ts'
import { titled } from '../prose/blocks.ts'
import { codeSpan, list, md } from '../prose/md.ts'
import { PATHS, rulePath } from '../paths.ts'
import { bullets, folded, inStrong, linked, paragraphs, phrase, stacked } from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'
import { html } from '../prose/markup.ts'

/** HTML folds all findings after the first few, and those that need no review beside others that do. */
const UNFOLDED = 2

/** A skill page has at most this many findings. The pages of files have all of them. */
const MOST_SHOWN = 60

const SEVERITY_LABELS = {
  high: 'High',
  medium: 'Medium',
  low: 'Note',
  note: 'Note',
} as const

const CAUTION = 'Static rules miss most attacks written in plain language.'

/** Says what a line does. A line that quotes words does not itself do what they say. */
export const sayRule = ({ rule, contexts }: Pick<Finding, 'rule' | 'contexts'>): string =>
  `${contexts.includes(QUOTED) ? 'quotes a text that ' : ''}${ruleOf(rule).says}`

/** Describes a finding: the reason, the context, and how often it occurs in the file. */
export const sayFinding = (finding: Finding): string => {
  const { contexts, count } = finding
  const others = contexts.filter((context) => context !== QUOTED)
  return [
    sayRule(finding),
    others.length > 0 ? ` (${others.join('; ')})` : '',
    count > 1 ? ` and ${count - 1} more like it in this file` : '',
  ].join('')
}

export const sayAcceptance = ({ accepted }: Finding): string => {
  if (!accepted) return ''
  const { by, when, why, hosts = [] } = accepted
  const places = hosts.length > 0 ? ` for ${hosts.join(', ')}` : ''
  return ` Accepted by ${by} on ${when}${places}: ${endSentence(why)}`
}

/** Counts findings by what is to be done about them. */
const describeScan = (findings: readonly Finding[]): string => {
  const open = findings.filter(needsReview).length
  const accepted = findings.filter(isAcceptedSevere).length
  const notes = findings.length - open - accepted
  return [
    `Review: ${countOf(open, 'finding')}`,
    accepted > 0 ? `${countOf(accepted, 'finding')}, read and accepted` : [],
    notes > 0 ? countOf(notes, 'note') : [],
  ]
    .flat()
    .join(', ')
}

/** Returns the findings of a skill by path, in the form that the pages of files show. */
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
        .map((finding) => ({
          line: finding.quote === '' ? 0 : finding.line,
          rule: finding.rule,
          label: SEVERITY_LABELS[finding.severity],
          isSevere: needsReview(finding),
          says: `${sayFinding(finding)}.${sayAcceptance(finding)}`,
        }))
        .sort((a, b) => a.line - b.line),
    ]),
  )
}

/**
 * Describes where a finding is. The address is the line at the source if lines there have addresses, else the line in
 * this registry; absent if the registry does not show the file.
 */
const findPlace = (
  skill: Skill,
  { file, line, quote }: Finding,
  addressOf: FileAddress,
): { words: string; address?: string } => {
  const words = quote === '' ? file : `${file}:${line}`
  const isShown = skill.files.some(({ path }) => path === file)
  if (!isShown) return { words }
  return { words, address: addressOfLine(skill, file, line) ?? addressOf(file, line) }
}

/** Lists findings, with each line as code. */
const listFindings = (rows: readonly { words: Phrase; quote: string }[]): Phrase => ({
  markdown: list(
    rows.map(
      ({ words, quote }) => md`${words.markdown}${quote === '' ? '' : md` ${codeSpan(quote)}`}`,
    ),
  ),
  html: html`<ul>
    ${rows.map(
      ({ words, quote }) =>
        html`<li>${words.html} ${quote === '' ? '' : html`<pre><code>${quote}</code></pre>`}</li> `,
    )}
  </ul> `,
})

/** Writes the findings of a skill, the most severe first. HTML folds all but the first few. */
export const writeFindings = (
  skill: Skill,
  site: SkillPageSite,
  addressOf: FileAddress,
): Phrase => {
  const advised = new Set<string>()
  /** Returns the advice on a finding, but only once for each group of rules. */
  const adviceOn = (finding: Finding): string => {
    const { group, advice } = ruleOf(finding.rule)
    if (!needsReview(finding) || advised.has(group)) return ''
    advised.add(group)
    return ` ${advice}`
  }
  const reportOf = ({ rule, file, line, accepted }: Finding): Phrase => {
    const title = `Finding ${rule} in ${file}, line ${line}:`
    const address = accepted ? undefined : reportAddress(skill, site, 'Report', title)
    return address === undefined ? phrase`` : phrase` ${linked('Report this', address)}.`
  }
  let before = ''
  const writeFinding = (finding: Finding): { words: Phrase; quote: string } => {
    const label = `${SEVERITY_LABELS[finding.severity]}:`
    const weight = needsReview(finding) ? inStrong(label) : label
    const { words, address } = findPlace(skill, finding, addressOf)
    const place = address === undefined ? words : linked(words, address)
    const says = sayFinding(finding)
    const rule = linked('The rule', rulePath(finding.rule))
    const shown = phrase`${weight} ${says === before ? 'the same' : says}, ${place}.${sayAcceptance(finding)}${adviceOn(finding)} ${rule}.${reportOf(finding)}`
    before = says
    return { words: shown, quote: finding.quote }
  }
  const rows = skill.findings.slice(0, MOST_SHOWN).map(writeFinding)
  const omitted = skill.findings.length - rows.length
  if (omitted > 0)
    rows.push({ words: phrase`And ${omitted} more, on the pages of the files.`, quote: '' })
  const severe = skill.findings.filter(needsReview).length
  const intro =
    severe > 0
      ? 'Read these lines before you install it. A finding is a place to look, not a verdict.'
      : `Nothing here needs a review. A finding is a place to look, not a verdict. ${CAUTION}`
  const end = Math.min(UNFOLDED, severe || UNFOLDED)
  const [shown, others] = [rows.slice(0, end), rows.slice(end)]
  return stacked([
    paragraphs(
      phrase`${severe > 0 ? phrase`${inStrong(`${describeScan(skill.findings)}.`)} ` : ''}${intro}`,
    ),
    listFindings(shown),
    others.length > 0 && folded(`${skill.findings.length - end} more`, listFindings(others)),
  ])
}

/** Says how reliable a scan without findings is. */
const writeMeasured = (): Phrase =>
  stacked([
    paragraphs(`${CAUTION} Of these skills, they marked some Review on ${MEASUREMENT.date}:`),
    bullets(
      MEASUREMENT.sets.map(({ name, isMalicious, n, flagged }) => {
        const kind = isMalicious ? 'malicious' : 'benign'
        return `${name} (${kind}): ${showNumber(flagged)} of ${showNumber(n)}`
      }),
    ),
    paragraphs('The rules were tuned on parts of these sets, so expect worse results elsewhere.'),
  ])

const SEVERITY_WORDS = stacked([
  bullets([
    phrase`**High** and **medium** findings mark a skill “Review”: read the quoted lines before you install it.`,
    phrase`**Low** findings are listed after the others, as “Note”. With these only, the label lists them as “Notes”. A skill whose files the registry does not have says “Not scanned”.`,
    phrase`Findings of the severity **note** are rules that only count somewhere else, such as an upload to a vendor. They rank below low. Pages show them, as “Note”, only if they would be high or medium without their context.`,
  ]),
  paragraphs(
    phrase`The context of a line can lower the severity to low: a warning, words such as “never” or “for example”, a quotation, a table, a code comment, a folder of samples, a skill about security, a well-known or sample address.`,
    phrase`The finding stays on the page and names its context. Context never lowers the severity of hidden text or of keys.`,
    phrase`When a registry decides whether a skill of others needs a review, and whether its own rules allow the skill, the only context that counts is a sentence that forbids exactly this command.`,
    phrase`A curator can read a finding and accept it, with a reason. It is then listed last. If all high and medium findings of a skill are accepted, the skill says “Accepted”.`,
    phrase`A finding counts again when its line, or a line on which it depends, changes.`,
  ),
])

const LABEL_MISSES = stacked([
  paragraphs(
    'The label of a skill is read from its front matter, programs, shell lines, code spans and links. Of code samples, it takes only what those of SKILL.md import and read, and of sentences only names that nothing denies.',
  ),
  bullets([
    'A line that is not there means that no such name was found; a sentence may still ask for one.',
    'What a skill writes inside your project is in its text alone.',
    'What a program downloads or starts while it runs is in no file.',
    'In other files than SKILL.md, a code span is a command only where the text asks to run it, or if it can do harm.',
    'A name may belong to an example that is never run. What a text calls wrong, in earnest or not, is left out unless it can call a host.',
    'A skill whose SKILL.md or program was too large to read whole, or is not text, is left out wherever commands, keys or hosts are to be left out.',
    'Each name leads to its file and line: read them before you rely on the label.',
  ]),
])

const writeRule = (anchors: Anchors, rule: SafetyRule): Phrase => {
  const { id, severity, finds, says, caveat, in: within } = rule
  const places = Object.entries(within).map(([place, most]) => `${most} in ${place}`)
  const most = inStrong(severity)
  return stacked([
    titled(anchors.slug(id), id),
    paragraphs(
      phrase`Severity: at most ${most} (${places.join(', ')}). The rule looks for ${finds}.`,
    ),
    bullets([phrase`Why: it ${says}.`, phrase`Caveats: ${caveat}`]),
  ])
}

const writeGroup = (anchors: Anchors, rules: readonly SafetyRule[]): Phrase => {
  const { advice, remedy } = rules[0]!
  const shared = bullets([phrase`For readers: ${advice}`, phrase`For authors: ${remedy}`])
  return stacked([shared, ...rules.map((rule) => writeRule(anchors, rule))])
}

/** Writes the page of all scan rules from their table and the measurements, so that no rule can be left out. */
export const writeSafetyDocument = (): Document => {
  const anchors = new Anchors()
  const groups = Map.groupBy(SAFETY_RULES, ({ group }) => group)
  const sections: Section[] = [
    { id: 'how-reliable-it-is', heading: 'How reliable it is', ...writeMeasured() },
    { id: 'weights', heading: 'What the words mean', ...SEVERITY_WORDS },
    {
      id: 'blind-spots',
      heading: 'What static rules cannot see',
      ...bullets(BLIND_SPOTS),
    },
    {
      id: 'what-a-label-can-miss',
      heading: 'What a label can miss',
      ...LABEL_MISSES,
    },
    ...Array.from(groups, ([heading, rules]) => ({
      id: anchors.slug(heading),
      heading,
      ...writeGroup(anchors, rules),
    })),
  ]
  return {
    kind: 'article',
    path: PATHS.safetyDocs,
    heading: 'Findings and their rules',
    lead: phrase`The text of every skill is scanned by ${SAFETY_RULES.length} rules. None of them knows what an author means: findings prove nothing, and neither does their absence.`,
    description: `The ${SAFETY_RULES.length} rules that skills are scanned by: what each looks for, why it matters and what misleads it.`,
    updated: MEASUREMENT.date,
    isUnindexed: false,
    sections,
  }
}
