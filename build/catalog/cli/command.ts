import { rmSync, existsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { z } from 'zod'
import { DISK_REMEDIES } from '../../../src/catalog/disk-errors.ts'
import { ContentError, listProblems, renderProblem } from '../../../src/catalog/problems.ts'
import { endSentence, replaceHidden, showValue } from '../../../src/catalog/text.ts'
import { makeScratch } from '../../machine/folders.ts'

/** A command was called with wrong arguments. */
export class UsageError extends Error {}

/** Throws UsageError. */
export const refuse = (message: string): never => {
  throw new UsageError(message)
}

/** A command failed; the message is shown to the user. */
export class CommandError extends Error {}

/** New versions need a look; this has its own exit code. */
export class LookError extends CommandError {}

/** The code of a system or Node error, such as ENOSPC. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined

/** Whether a file or folder exists but cannot be read. */
export const isUnreadable = (error: unknown): error is NodeJS.ErrnoException =>
  ['EACCES', 'EPERM', 'EIO', 'ELOOP'].includes(systemCode(error) ?? '')

const describeSystemError = (error: NodeJS.ErrnoException): string => {
  const remedy = DISK_REMEDIES[error.code ?? '']
  return remedy === undefined
    ? (error.stack ?? error.message)
    : `${error.path ?? 'Writing failed'}: ${remedy} (${error.code}). All steps completed before this one are kept.`
}

const isExpected = (error: unknown): error is Error =>
  error instanceof UsageError || error instanceof CommandError

export const describeCommandError = (error: unknown): string => {
  if (isExpected(error)) return error.message
  if (error instanceof ContentError) {
    return [...error.problems.map(renderProblem), `${error.message}; no skill was written.`].join(
      '\n',
    )
  }
  return error instanceof Error ? describeSystemError(error) : String(error)
}

/** Prefix of the names of temporary folders. */
const SCRATCH = 'skill-catalog-'

/** Disk errors that are not the source's fault. */
const MACHINE_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM'])

/** Describes the failure of one of several sources in one line. */
export const describeSourceError = (error: unknown): string => {
  const { path, code = '' } = error as NodeJS.ErrnoException
  // The temporary folder no longer exists when the user reads this, so do not print its path.
  if (typeof path === 'string' && path.startsWith(join(tmpdir(), SCRATCH))) {
    const remedy = MACHINE_ERRORS.has(code) ? DISK_REMEDIES[code] : undefined
    return remedy ? `its temporary copy: ${remedy} (${code})` : `it cannot be read (${code})`
  }
  const isKnown =
    isExpected(error) || error instanceof ContentError || (systemCode(error) ?? '') in DISK_REMEDIES
  return isKnown ? describeCommandError(error) : `it cannot be read: ${(error as Error).message}`
}

/** Replaces control, invisible and lone surrogate characters, except the line feed. */
const replaceUnseen = (text: string, show: (character: string) => string): string =>
  replaceHidden(text, show).replace(/(?!\n)\p{Cc}|\p{Surrogate}/gu, show)

const codeOf = (character: string): number => character.codePointAt(0) ?? 0

/** Escapes control and invisible characters, so that no file can manipulate the terminal. */
export const escapeUnseen = (text: string): string =>
  replaceUnseen(text, (character) => `\\u{${codeOf(character).toString(16).toUpperCase()}}`)

const escapeUnits = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')

/** Renders JSON with invisible characters escaped. */
export const renderJson = (value: unknown): string =>
  replaceUnseen(JSON.stringify(value, null, 2), escapeUnits)

/** Pads cells to aligned columns. */
export const renderColumns = (rows: readonly (readonly string[])[]): string[] => {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** How many slugs to show in a line. */
const SLUGS_LIMIT = 100

/** Shortens a list of slugs for reading. Do not use it in commands to paste, which need all slugs. */
export const showSlugs = (slugs: readonly string[], limit = SLUGS_LIMIT): string => {
  const more = slugs.length - limit
  return `${slugs.slice(0, limit).join(' ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Creates a temporary folder for an action. Folders left by killed runs are removed on the next run. */
export const withTemporaryFolder = async <Result>(
  action: (folder: string) => Promise<Result>,
): Promise<Result> => {
  const folder = makeScratch(tmpdir(), SCRATCH)
  try {
    return await action(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A command's option; `value` names its argument, and a switch has none. */
interface Option {
  value?: string
  help: string
  isRequired?: boolean
}

/** Parsed arguments: positionals, and options by name. */
export interface Arguments {
  positionals: string[]
  values: Readonly<Partial<Record<string, string>>>
  switches: ReadonlySet<string>
}

/** Output streams and environment of a command. */
export interface CommandContext {
  print: (text: string) => void
  stderr: { write: (text: string) => unknown; isTTY?: boolean | undefined }
  /** When the command started: YYYY-MM-DDThh:mm:ssZ. */
  now: string
  /** The day of `now`. */
  today: string
}

/** A command of `npm run catalog`. Its help and its argument checks are derived from these fields. */
export interface Command {
  name: string
  summary: string
  help: readonly string[]
  /** Usage text and allowed number of positionals; undefined if the command accepts none. */
  positionals?: { usage: string; least: number; most: number }
  options: Readonly<Record<string, Option>>
  /** Throws UsageError for arguments that contradict each other. */
  run: (args: Arguments, surroundings: CommandContext) => Promise<void>
}

const DEFAULT_CONTENT = 'content'

export const CONTENT_OPTION: Readonly<Record<'content', Option>> = {
  content: {
    value: '<content folder>',
    help: `Content folder of the catalog (default: ${DEFAULT_CONTENT}/)`,
  },
}

export const JSON_OPTION: Readonly<Record<'json', Option>> = {
  json: { help: 'Prints one JSON object; run npm with -s to suppress its own output' },
}

/** Help of commands that a second run completes. */
export const IF_KILLED =
  'If the command is killed, the catalog still loads; run it again to complete it.'

/** Throws UsageError if the folder does not exist. */
export const readContentOption = ({ values }: Arguments): string => {
  const content = values['content'] ?? DEFAULT_CONTENT
  if (existsSync(content) && statSync(content).isDirectory()) return resolve(content)
  throw new UsageError(`No content folder ${showValue(content, 200)}; pass it with --content.`)
}

/** Validates the value of an option. Throws UsageError. */
export const checkOption = <Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  value: string | undefined,
): z.infer<Schema> => {
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data
  const [problem] = listProblems('', value, checked.error)
  const shown = value === undefined ? '' : `${showValue(value)} `
  throw new UsageError(`--${name} ${shown}${endSentence(problem?.remedy ?? '')}`)
}
