import { LineCounter } from 'yaml'

/** How much a diagnostic matters: an error is refused somewhere, a warning may be, a note is advice. */
export type Severity = 'error' | 'warning' | 'note'

/** A change of a text: what stands from `start` to `end` becomes `text`. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** Where in a text a rule is broken, in UTF-16 units from its start. */
export interface Match {
  start: number
  end?: number
  /** Follows the rule's message after a colon. */
  detail?: string
  /** Replaces the rule's remedy where something more exact can be said. */
  remedy?: string
  edit?: Edit
}

/** A match, with the id of the rule that it breaks. */
export interface Violation extends Match {
  rule: string
}

/** A rule about a subject: a text, its front matter, its fields. */
interface Rule<Subject = never> {
  severity: Severity
  message: string
  remedy: string
  /** What `--fix` does about it; left out where only a person can fix it. */
  fix?: string
  /** Left out where reading the subject is what breaks the rule. */
  check?: (subject: Subject) => Match[]
}

export type RuleTable<Subject = never> = Readonly<Record<string, Rule<Subject>>>

export const checkRules = <Subject>(rules: RuleTable<Subject>, subject: Subject): Violation[] =>
  Object.entries(rules).flatMap(([rule, { check }]) =>
    (check?.(subject) ?? []).map((match) => Object.assign(match, { rule })),
  )

/** A match at an index as searches give it: none at -1. */
export const matchAt = (start: number, length = 0): Match[] =>
  start < 0 ? [] : [{ start, end: start + length }]

/** Moves violations of a part of a text to where they stand in the whole. */
export const shift = (violations: readonly Violation[], by: number): Violation[] =>
  violations.map(({ start, end = start, edit, ...rest }) => ({
    ...rest,
    start: start + by,
    end: end + by,
    ...(edit && { edit: { ...edit, start: edit.start + by, end: edit.end + by } }),
  }))

/** Lines and columns count from 1, columns in UTF-16 units as editors do. */
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

/** Makes a lookup of the place of an offset. A byte order mark takes no column in any editor. */
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
