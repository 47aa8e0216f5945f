import { LineCounter } from 'yaml'

/** Errors are refused by some reader, warnings may be, notes are advice. */
export type Severity = 'error' | 'warning' | 'note'

/** Replaces the range from `start` to `end` by `text`. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** A violation of a rule; offsets in UTF-16 units. */
export interface Match {
  start: number
  end?: number
  /** Appended to the rule's message after a colon. */
  detail?: string
  /** Overrides the rule's remedy with a more specific one. */
  remedy?: string
  edit?: Edit
}

/** A match, with the id of the rule that it breaks. */
export interface Violation extends Match {
  rule: string
}

/** A rule for a text, its front matter or its fields. */
interface Rule<Subject = never> {
  severity: Severity
  message: string
  remedy: string
  /** The edits of `--fix`; undefined if only a person can fix it. */
  fix?: string
  /** Undefined if the rule is broken by a failure to read the subject. */
  check?: (subject: Subject) => Match[]
}

export type RuleTable<Subject = never> = Readonly<Record<string, Rule<Subject>>>

export const checkRules = <Subject>(rules: RuleTable<Subject>, subject: Subject): Violation[] =>
  Object.entries(rules).flatMap(([rule, { check }]) =>
    (check?.(subject) ?? []).map((match) => Object.assign(match, { rule })),
  )

/** A match at the result of `indexOf` or `search`; none at -1. */
export const matchAt = (start: number, length = 0): Match[] =>
  start < 0 ? [] : [{ start, end: start + length }]

/** Shifts the violations of a part of a text to offsets in the whole. */
export const shift = (violations: readonly Violation[], by: number): Violation[] =>
  violations.map(({ start, end = start, edit, ...rest }) => ({
    ...rest,
    start: start + by,
    end: end + by,
    ...(edit && { edit: { ...edit, start: edit.start + by, end: edit.end + by } }),
  }))

/** Line and column from 1; columns in UTF-16 units, as in editors. */
interface Place {
  line: number
  column: number
}

export interface Diagnostic extends Place {
  file: string
  end: Place
  rule: string
  severity: Severity
  message: string
  remedy: string
  isFixable: boolean
}

/** Converts offsets to places. A byte order mark occupies no column. */
export const createLocator = (text: string): ((offset: number) => Place) => {
  const first = text.startsWith('\uFEFF') ? 1 : 0
  const lines = new LineCounter()
  lines.addNewLine(first)
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1)
  return (offset) => {
    const { line, col } = lines.linePos(Math.max(first, offset))
    return { line, column: col }
  }
}
