/** Severities, most severe first. High and medium findings need a review. Only curators see notes. */
export const SEVERITIES = ['high', 'medium', 'low', 'note'] as const
export type FindingSeverity = (typeof SEVERITIES)[number]

export const milder = (a: FindingSeverity, b: FindingSeverity): FindingSeverity =>
  SEVERITIES.indexOf(a) > SEVERITIES.indexOf(b) ? a : b

/** The more severe of two severities. */
export const worse = (a: FindingSeverity, b: FindingSeverity): FindingSeverity =>
  milder(a, b) === a ? b : a

/** The kind of text that a line belongs to. */
export type Region =
  | 'prose'
  | 'table'
  | 'fence'
  | 'comment'
  | 'front matter'
  | 'settings'
  | 'script'
  | 'config'
  | 'file'

/**
 * Where a rule searches. `comment` is text that HTML hides, `settings` what a client runs by itself, `file` a file that
 * is not text.
 */
export type Place = 'prose' | 'comment' | 'code' | 'settings' | 'file'

/** A skill's names. The scan expects attacks in skills about security. */
export interface SkillNames {
  name: string
  description: string
}

/** Reputation of an address; `none` if a match contains no address, `installer` if a vendor's installer is there. */
export type HostKind = 'throwaway' | 'other' | 'none' | 'trusted' | 'installer'

/** A rule as its author writes it. */
export interface RuleRow {
  id: string
  /**
   * Severity in each place where the rule searches. Without `comment`, comments count as prose; without `settings`,
   * settings count as code.
   */
  in: Partial<Record<Place, FindingSeverity>>
  /** What the rule looks for, for readers. */
  finds: string
  /** Why it matters: completes "this line …". */
  says: string
  /** Known false alarms. */
  caveat: string
  /** Keywords in any case, separated by `|`. Only lines with a keyword are matched. Absent for rules about files. */
  words?: string
  /**
   * A match of any expression is a finding; rules about files match the path. Each expression has at most 120
   * characters, and only bounded quantifiers that are not nested.
   */
  match: readonly RegExp[]
  /** Lines that a match can span; 1 by default. */
  span?: number
  /** Expressions that must also match in the headings above, or at most `lines` lines before or after. */
  near?: { lines: number; match: readonly RegExp[] }
  /** If any of these expressions matches the examined lines, a match is only a note. */
  unless?: readonly RegExp[]
  /** Severity by the worst address in a match. A match is ignored if its kind of address is absent here. */
  hosts?: Partial<Record<HostKind, FindingSeverity>>
  /** Finds compiled programs by their first bytes. */
  findsPrograms?: boolean
  /** Finds files that are not text and that a command runs, unpacks or pipes. */
  findsUsedFiles?: boolean
  /** In prose, if any of these expressions matches the line from the match to its end, there is no finding. */
  mentions?: readonly RegExp[]
  /** Matches the decoded base64 texts of a line instead of the line. */
  decodes?: boolean
  /** A warning in the same sentence does not downgrade the match, because lures use the same words. */
  ignoresWarnings?: boolean
  /** Finds keys: not their placeholders, and whatever the context. */
  isSecret?: boolean
}

/** A rule with the values that its group shares. */
export interface SafetyRule extends RuleRow {
  /** Heading of the group in the documentation. */
  group: string
  /** Highest severity of the rule in any place. */
  severity: FindingSeverity
  /** What a user should do before installing a skill with such a finding. */
  advice: string
  /** What the author of the skill should do. */
  remedy: string
}

/** Where a line is. */
export interface Surroundings {
  region: Region
  /** Headings above the line, without the title, nearest last. */
  headings: string
  /** The line that introduces the surrounding fence or list. */
  intro: string
}

export interface SafetyMatch extends Surroundings {
  rule: SafetyRule
  path: string
  names: SkillNames
  lines: readonly string[]
  /** 0-based number of the line where the match starts. */
  line: number
  /** Start of the match in this line and its length there, in UTF-16 units. */
  start: number
  length: number
  /** The matched text, which can continue in later lines. */
  text: string
}
