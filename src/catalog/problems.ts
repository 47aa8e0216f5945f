import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { suggestNearest } from './nearest-name.ts'
import { escapeLine, showValue } from './text.ts'

/** Errors make the build, clients or the reference validator refuse a skill; notes are advice. */
export const PROBLEM_SEVERITIES = ['error', 'warning', 'note'] as const

/** What is wrong with a file, and what to do about it. */
export interface Problem {
  /** Path below the content folder or the source. */
  file: string
  /** The field of a JSON file, such as `source.url`; undefined for the whole file. */
  field?: string
  /** From 1; columns count UTF-16 units, as editors do. */
  line?: number
  column?: number
  /** The id of its rule: `refused`, `field` or `policy` for what only the build refuses. */
  rule: string
  severity: (typeof PROBLEM_SEVERITIES)[number]
  message: string
  /** Allowed values, or how to correct the problem. */
  remedy: string
  /** The digest by which a record accepts the finding; only for findings of the safety scan. */
  digest?: string
}

/** The build refuses a file. */
export const refuseFile = (
  file: string,
  message: string,
  remedy: string,
  rule = 'refused',
): Problem => ({
  file,
  rule,
  severity: 'error',
  message,
  remedy,
})

/** The build publishes a file otherwise than its author may expect. */
export const warnOfFile = (file: string, message: string, remedy: string): Problem => ({
  ...refuseFile(file, message, remedy),
  severity: 'warning',
})

/** The build refuses a field; `value` is what is written there, undefined if it is missing. */
export const refuseField = (
  file: string,
  field: string,
  value: unknown,
  remedy: string,
): Problem => {
  const parts = [escapeLine(field), value === undefined ? '' : showValue(value)]
  const message = parts.filter(Boolean).join(': ') || 'its content'
  return { ...refuseFile(file, message, remedy, 'field'), field }
}

/** Has all problems of a content folder; a build prints them and exits with 1. */
export class ContentError extends Error {
  readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[]) {
    super(`${problems.length} problem${problems.length === 1 ? '' : 's'} in the content`)
    this.problems = problems
  }
}

/** Returns one line: `file: message — remedy`. */
export const renderProblem = ({ file, message, remedy }: Problem): string =>
  `${file}: ${message} — ${remedy}`

/** Returns one line that programs can read: `file:line:column severity rule message — remedy`. */
export const renderPlaced = ({ file, line, column, severity, rule, ...words }: Problem): string =>
  `${file}:${line}:${column} ${severity} ${rule} ${words.message} — ${words.remedy}`

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  )

/** The names of the fields that a schema has at a path. */
const listFieldsAt = (schema: unknown, path: readonly PropertyKey[]): string[] => {
  const [key, ...below] = path
  if (schema instanceof z.ZodOptional) return listFieldsAt(schema.unwrap(), path)
  if (schema instanceof z.ZodArray) return listFieldsAt(schema.element, below)
  if (schema instanceof z.ZodDiscriminatedUnion) {
    return schema.options.flatMap((option) => listFieldsAt(option, path))
  }
  if (!(schema instanceof z.ZodObject)) return []
  return key === undefined
    ? Object.keys(schema.shape)
    : listFieldsAt(schema.shape[String(key)], below)
}

export const quoteAll = (names: readonly string[]): string =>
  names.map((name) => `"${name}"`).join(', ')

/** Descriptions of JSON types. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text in quotes',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list such as ["…"]',
  object: 'an object such as {"…": …}',
  record: 'an object such as {"…": …}',
}

/** The start of zod's own messages; messages in the registry's schemas start with other words. */
const IS_ZODS = /^Invalid /

/** Fields of version 1.0.0 that are gone, with what to do instead. */
const FORMER_FIELDS: ReadonlyMap<string, string> = new Map([
  ['wait', 'remove it: a change request waits until somebody merges it'],
])

const describeIssue = (issue: z.core.$ZodIssue, value: unknown, schema?: z.ZodType): string => {
  const isOurs = !IS_ZODS.test(issue.message)
  if (!isOurs && (issue.code === 'invalid_value' || issue.code === 'invalid_union')) {
    const allowed: unknown = 'values' in issue ? issue.values : 'options' in issue && issue.options
    const names = Array.isArray(allowed) ? allowed.map(String) : []
    const nearest = typeof value === 'string' ? suggestNearest(value, names) : ''
    return `must be one of ${quoteAll(names)}${nearest}`
  }
  if (issue.code === 'unrecognized_keys') {
    const key = String(issue.path.at(-1))
    const names = listFieldsAt(schema, issue.path.slice(0, -1))
    const former = FORMER_FIELDS.get(key)
    if (former !== undefined) return `unknown field; ${former}`
    const known = names.length === 0 ? 'remove it' : `fields: ${names.join(', ')}`
    return `unknown field${suggestNearest(key, names) || `; ${known}`}`
  }
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  return issue.code === 'invalid_type' && !isOurs
    ? `must be ${TYPES[issue.expected] ?? issue.expected}`
    : issue.message
}

/** Splits an issue about unknown fields into one issue at each field. */
const splitIssue = (issue: z.core.$ZodIssue): z.core.$ZodIssue[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => Object.assign({}, issue, { path: [...issue.path, key] }))
    : [issue]

/** Turns schema issues into problems, at most one for each field. `schema` provides field names for suggestions. */
export const listProblems = (
  file: string,
  input: unknown,
  error: z.ZodError,
  schema?: z.ZodType,
): Problem[] => {
  const seen = new Set<string>()
  return error.issues.flatMap(splitIssue).flatMap((issue) => {
    const field = issue.path.join('.')
    if (seen.has(field)) return []
    seen.add(field)
    const value = valueAt(input, issue.path)
    const words = describeIssue(issue, value, schema)
    const remedy = value === undefined ? `is missing; ${words}` : words
    // Of an unknown field of a front matter, the value was not read.
    return refuseField(file, field, issue.code === 'unrecognized_keys' ? undefined : value, remedy)
  })
}

/** The position in the parser's message. */
const JSON_POSITION = /\(line (\d+) column (\d+)\)/

/** Reads a regular file. Throws for other kinds: reading a fifo would never end. */
export const readPlainFile = (path: string): Buffer => {
  if (!statSync(path).isFile()) throw new Error('it is not a file')
  return readFileSync(path)
}

/**
 * Parses a JSON file of the content folder and checks it against its schema. If that fails, adds to `problems` and
 * returns undefined. Messages name the file as `file`.
 */
export const readRecord = <Schema extends z.ZodType>(
  file: string,
  read: () => string,
  schema: Schema,
  problems: Problem[],
): z.infer<Schema> | undefined => {
  let input: unknown
  try {
    input = JSON.parse(read())
  } catch (error) {
    const { message } = error as Error
    const reason = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    const [, line = 1, column = 1] = JSON_POSITION.exec(message) ?? []
    const place = { line: Number(line), column: Number(column) }
    problems.push({ ...refuseFile(file, `${reason}: ${message}`, 'correct it'), ...place })
    return undefined
  }
  const checked = schema.safeParse(input)
  if (checked.success) return checked.data
  problems.push(...listProblems(file, input, checked.error, schema))
  return undefined
}
