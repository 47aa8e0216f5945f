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

/** Name and owner of a skill, by which its own hosts are recognized. */
export interface SkillNames {
  name: string
  description: string
  /** Owner of the repository it comes from, or its author. */
  owner?: string | undefined
}

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
