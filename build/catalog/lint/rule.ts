/** How much a finding matters: an error is refused somewhere, a warning may be, a note is advice. */
export const SEVERITIES = ['error', 'warning', 'note'] as const
export type Severity = (typeof SEVERITIES)[number]

/** What a rule says unless a finding has something more exact to say. */
export interface Rule {
  severity: Severity
  message: string
  remedy: string
  /** What `--fix` does about it; left out where only a person can mend it. */
  fix?: string
}

/** Rules by id. */
export type RuleTable = Readonly<Record<string, Rule>>

/** A change of a text: what stands from `start` to `end` becomes `text`. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** A rule that shows in a text: where, in UTF-16 units from its start, and how it could be mended. */
export interface Mark<Id extends string = string> {
  rule: Id
  at: number
  end?: number
  message?: string
  remedy?: string
  edit?: Edit
}

/** A place in a file; lines and columns count from 1, columns in UTF-16 units as editors do. */
export interface Place {
  line: number
  column: number
}

/** A rule that shows in a file, as it is reported. */
export interface Finding extends Place {
  file: string
  end: Place
  rule: string
  severity: Severity
  message: string
  remedy: string
  isFixable: boolean
}
