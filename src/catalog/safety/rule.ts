import type { SkillNames } from './hosts.ts'

/** Severities, the worst first. High and medium need a human review before the skill is used. */
export const SEVERITIES = ['high', 'medium', 'low', 'note'] as const
export type FindingSeverity = (typeof SEVERITIES)[number]

/** Region of a line in a skill's file. */
export type Region =
  | 'prose'
  | 'table'
  | 'fence'
  | 'comment'
  | 'front matter'
  | 'script'
  | 'config'
  | 'file'

/** A text file of a skill, split into lines. */
export interface TextFile {
  path: string
  text: string
  lines: readonly string[]
  names: SkillNames
  /** Region of a line, by its 0-based number. */
  regionOf: (line: number) => Region
  /** The headings above a line of Markdown except the title, the nearest last. */
  headingsOf: (line: number) => string
}

/** A match in a file. */
export interface SafetyMatch {
  /** 0-based number of its line. */
  line: number
  /** First UTF-16 unit in its line, and length; cut at the end of the line. */
  start: number
  length: number
  severity?: FindingSeverity | undefined
  /** Why the severity differs from that of the rule. */
  context?: string | undefined
  /** Further lines that the finding depends on; its digest covers them. */
  lines?: number
}

/** A match with its position, as passed to `judge`. */
export interface Place {
  file: TextFile
  line: number
  /** The text that the pattern was run on: the line, with following ones if the rule takes several. */
  text: string
  region: Region
}

/** A severity, with a reason if it differs from the rule's; undefined if there is no finding. */
export type Judgement = FindingSeverity | readonly [FindingSeverity, string] | undefined

/** Sort key of a judgement: 0 is the worst severity, no finding comes last. */
export const rankJudgement = (judged: Judgement): number =>
  judged === undefined
    ? SEVERITIES.length
    : SEVERITIES.indexOf(typeof judged === 'string' ? judged : judged[0])

/** A rule of the safety scan. */
export interface SafetyRule {
  id: string
  /** Its heading in the documentation. */
  group: string
  severity: FindingSeverity
  /** Regions in which it searches. */
  where: readonly Region[]
  /** What it looks for, for readers. */
  finds: string
  /** Why it matters: completes "this line …". */
  says: string
  remedy: string
  /** Known false positives and false negatives. */
  fooled: string
  /** Keywords, in any case, separated by `|`; only lines with one of them are examined. */
  words?: string
  /** Whether it examines every line with a character beyond ASCII. */
  beyondAscii?: boolean
  /** Every quantifier is bounded, so that it is linear on any line. */
  pattern?: RegExp
  /** Number of lines that the pattern is run on at once; 1 by default. */
  span?: number
  judge?: (found: RegExpExecArray, place: Place) => Judgement
  /** Whether a sentence may continue in the next line. */
  isWrapped?: boolean
  /** Examines the whole file instead, if it contains a keyword. */
  find?: (file: TextFile) => SafetyMatch[]
  /** Warning words on the same line do not lower it, since lures use them too. */
  isFirm?: boolean
  /** Whether it is reported only together with a severe finding; alone it is a mere capability. */
  isCompanion?: boolean
  /** Whether the quotation cuts the match. */
  isSecret?: boolean
}

const SPAN_LIMIT = 2_000

/** A line that continues in the next: a command with a backslash, or a wrapped sentence. */
const goesOn = (line: string, next: string, isWrapped: boolean): boolean =>
  line.endsWith('\\') || (isWrapped && line.length > 40 && /^\s{0,8}[\p{L}\p{N}("'`*[]/u.test(next))

/** The text that a rule examines from a line on: the line, its continuation, and more lines if it takes several. */
export const joinLines = (
  lines: readonly string[],
  line: number,
  { span = 1, isWrapped = false }: Pick<SafetyRule, 'span' | 'isWrapped'>,
): string => {
  let text = lines[line] ?? ''
  if (span > 1) return [text, ...lines.slice(line + 1, line + span)].join('\n').slice(0, SPAN_LIMIT)
  for (let at = line + 1; at < line + 4; at += 1) {
    const next = lines[at]
    if (next === undefined || !goesOn(text, next, isWrapped && at === line + 1)) break
    text = `${text.replace(/\\$/, '')} ${next.trimStart()}`
  }
  return text
}

/** Regions that address an assistant or a person. */
export const PROSE_REGIONS: readonly Region[] = ['prose', 'table', 'comment', 'front matter']

/** Regions with commands. */
export const COMMANDS: readonly Region[] = [
  'prose',
  'table',
  'fence',
  'comment',
  'script',
  'config',
]

export const ALL_REGIONS: readonly Region[] = [...PROSE_REGIONS, 'fence', 'script', 'config']
