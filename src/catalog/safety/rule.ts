/** Severities, the worst first. High and medium need a review; a note is kept for curators and on no page. */
export const SEVERITIES = ['high', 'medium', 'low', 'note'] as const
export type FindingSeverity = (typeof SEVERITIES)[number]

/** The milder of two severities. */
export const milder = (a: FindingSeverity, b: FindingSeverity): FindingSeverity =>
  SEVERITIES.indexOf(a) > SEVERITIES.indexOf(b) ? a : b

/** The graver of two severities. */
export const graver = (a: FindingSeverity, b: FindingSeverity): FindingSeverity =>
  milder(a, b) === a ? b : a

/** Kind of text that a line of a file belongs to. */
export type Region =
  | 'prose'
  | 'table'
  | 'fence'
  | 'comment'
  | 'front matter'
  | 'script'
  | 'config'
  | 'file'

/** Where a rule looks: in `comment` for what HTML hides, in `file` for what is not text. */
export type Place = 'prose' | 'comment' | 'code' | 'file'

/** Name and owner of a skill, by which its own addresses are recognized. */
export interface SkillNames {
  name: string
  description: string
  /** Owner of the repository it comes from, or its author. */
  owner?: string | undefined
}

/** The reputation of an address; `none` if a match has no address. */
export type HostKind = 'throwaway' | 'other' | 'none' | 'trusted'

/** What the author of a rule writes. */
export interface RuleRow {
  id: string
  /** Its severity in each place where it looks. A comment counts as prose unless it is named. */
  in: Partial<Record<Place, FindingSeverity>>
  /** What it looks for, for readers. */
  finds: string
  /** Why it matters: completes "this line …". */
  says: string
  /** Known false alarms. */
  caveat: string
  /** Keywords in any case, separated by `|`; only lines with one of them are matched. None for a file that is not text. */
  words?: string
  /** Any of them is a match, of a path if it looks at files that are not text. At most 120 characters each, with bounded and no nested quantifiers. */
  match: readonly RegExp[]
  /** Lines that an expression may span; 1 by default. */
  span?: number
  /** Patterns that must also match in the headings above, or within so many lines before or after. */
  near?: { lines: number; match: readonly RegExp[] }
  /** Patterns in the same text that make a match harmless: it is at most a note. */
  unless?: readonly RegExp[]
  /** The severity by the worst address in a match; it is none with other kinds of address. */
  hosts?: Partial<Record<HostKind, FindingSeverity>>
  /** Whether it finds compiled programs, by their first bytes. */
  findsPrograms?: boolean
  /** Whether it finds files that are not text and that a command runs, unpacks or pipes. */
  findsCommanded?: boolean
  /** Beginnings of a sentence, such as a warning, in which a match is not a finding. */
  mentions?: readonly RegExp[]
  /** Whether the base64 texts of a line are matched, decoded, instead of the line. */
  decodes?: boolean
  /** Whether a warning in the same sentence does not lower it, since lures use the same words. */
  ignoresWarnings?: boolean
  /** Whether the quotation cuts the match. */
  isSecret?: boolean
}

/** A rule with what is shared by its group. */
export interface SafetyRule extends RuleRow {
  /** Its heading in the documentation. */
  group: string
  /** The worst severity that it can have. */
  severity: FindingSeverity
  /** What to do before installing a skill with such a finding. */
  advice: string
  /** What its author should do. */
  remedy: string
}

/** A line of a file with a match. */
export interface SafetyMatch {
  rule: SafetyRule
  region: Region
  path: string
  names: SkillNames
  /** The lines of the file, and the 0-based number of this one. */
  lines: readonly string[]
  line: number
  /** First UTF-16 unit of the match in its line, and length. */
  start: number
  length: number
  /** The matched text, which may go on in later lines. */
  text: string
  /** The headings above the line except the title. */
  headings: string
  /** The line that introduces its fence or list. */
  intro: string
}
