import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { z } from 'zod'
import { showValue } from '../../../src/catalog/text.ts'
import { UsageError } from './errors.ts'

/** An option of a command; `value` names its argument, a switch has none. */
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
  /** Today as YYYY-MM-DD, UTC. */
  today: string
}

/** One command of `npm run catalog`. Its usage, its help and its usage errors come from this table. */
export interface Command {
  name: string
  summary: string
  help: readonly string[]
  /** Usage text and allowed number of positionals; none if undefined. */
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

/** Throws UsageError if the folder does not exist. */
export const readContentOption = ({ values }: Arguments): string => {
  const content = values['content'] ?? DEFAULT_CONTENT
  if (existsSync(content) && statSync(content).isDirectory()) return resolve(content)
  throw new UsageError(`No content folder ${showValue(content, 200)}; name it with --content.`)
}

/** Checks the value of an option by a schema. Throws UsageError. */
export const checkOption = <Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  value: string | undefined,
): z.infer<Schema> => {
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data
  throw new UsageError(`--${name} ${showValue(value)} ${checked.error.issues[0]?.message}.`)
}
