import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { suggestNearest } from './nearest-name.ts'
import { showValue } from './text.ts'

/** A problem or warning about a content file. */
export interface Problem {
  /** Path below the content folder. */
  file: string
  /** Field, such as `source.url`; empty for the whole file. */
  field: string
  /** The value as written; undefined if it is missing. */
  value?: unknown
  /** Allowed values, or how to correct the problem. */
  remedy: string
}

/** Has all problems of a content folder; a build prints them and exits with 1. */
export class ContentError extends Error {
  override name = 'ContentError'
  readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[]) {
    super(`${problems.length} problem${problems.length === 1 ? '' : 's'} in the content`)
    this.problems = problems
  }
}

/** Returns one line: `file: field: value — remedy`. */
export const renderProblem = ({ file, field, value, remedy }: Problem): string =>
  [file, field, value === undefined ? '' : showValue(value)].filter(Boolean).join(': ') +
  ` — ${remedy}`

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
    const [key] = issue.keys
    const former = FORMER_FIELDS.get(key ?? '')
    if (former !== undefined) return `unknown field ${showValue(key)}; ${former}`
    const names = listFieldsAt(schema, issue.path)
    const known = names.length === 0 ? '' : `; fields: ${names.join(', ')}`
    return `unknown field ${showValue(key)}${suggestNearest(key ?? '', names) || known || '; remove it'}`
  }
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  return issue.code === 'invalid_type' && !isOurs
    ? `must be ${TYPES[issue.expected] ?? issue.expected}`
    : issue.message
}

/** Splits an issue about unknown fields into one issue for each field. */
const splitIssue = (issue: z.core.$ZodIssue): z.core.$ZodIssue[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => Object.assign({}, issue, { keys: [key] }))
    : [issue]

/** Turns schema issues into problems, at most one for each field. `schema` provides field names for suggestions. */
export const listProblems = (
  file: string,
  input: unknown,
  error: z.ZodError,
  schema?: z.ZodType,
): Problem[] => {
  const seen = new Set<string>()
  const first = error.issues.flatMap(splitIssue).filter((issue) => {
    const key = [...issue.path, ...('keys' in issue ? issue.keys : [])].join('.')
    return !seen.has(key) && seen.add(key)
  })
  return first.map((issue) => {
    const value = valueAt(input, issue.path)
    const isMissing = value === undefined && issue.code !== 'unrecognized_keys'
    const words = describeIssue(issue, value, schema)
    return {
      file,
      field: issue.path.join('.'),
      value: issue.code === 'unrecognized_keys' ? undefined : value,
      remedy: isMissing ? `is missing; ${words}` : words,
    }
  })
}

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
    const reason = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    problems.push({ file, field: '', remedy: `${reason}: ${(error as Error).message}` })
    return undefined
  }
  const checked = schema.safeParse(input)
  if (checked.success) return checked.data
  problems.push(...listProblems(file, input, checked.error, schema))
  return undefined
}
