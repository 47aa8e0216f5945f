import { BLIND_SPOTS, MEASUREMENT, intervalOf, SAFETY_RULES } from '../catalog/safety/rules.ts'
import type { MeasuredSet } from '../catalog/safety/rules.ts'
import type { SafetyRule } from '../catalog/safety/rule.ts'
import { showNumber } from '../catalog/text.ts'
import { showDay } from './html.ts'
import type { Document, Section } from './document.ts'
import { escapeMarkdown } from './escape.ts'
import { describeWorth } from './findings.ts'
import { SAFETY_DOCS_PATH } from './paths.ts'
import { toAnchor } from './anchors.ts'

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
    `Measured on ${showDay(MEASUREMENT.date)}:`,
    [
      describeSet('skills known to be malicious', MEASUREMENT.malicious),
      describeSet('skills known to be benign', MEASUREMENT.benign),
    ].join('\n'),
  ].join('\n\n')

const WEIGHTS = `- **High** and **medium** make a page say “Review”: read the quoted lines before you install.
- **Low** and **note** are folded below as “Also noted”; the page says “No findings to review”, and how many are noted. Of a skill whose files are not here it says “Not scanned”.

What surrounds a line lowers its weight and is named beside it: a heading or a sentence that warns, words that set it aside, a quotation, a table, a comment of code, a folder of samples, a skill about security, a host that is known or the author’s own. It never hides a finding, and it lowers nothing that a reader cannot see.

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
      id: toAnchor(heading),
      heading,
      markdown: rules.map(writeRule).join('\n\n'),
    })),
  ]
  return {
    kind: 'prose',
    path: SAFETY_DOCS_PATH,
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
