import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { z } from 'zod'
import { showValue } from '../../../src/catalog/text.ts'
import { UsageError } from './errors.ts'

/** One option of a command; `value` names what it takes, a switch takes nothing. */
interface Option {
  value?: string
  help: string
  isRequired?: boolean
}

/** What a command was given: its positionals, and its options by name. */
export interface Given {
  positionals: string[]
  values: Readonly<Partial<Record<string, string>>>
  switches: ReadonlySet<string>
}

/** Where a command writes and what it knows of its environment; given by the process that runs it. */
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
  /** How positionals are shown in the usage, and how many there may be; without it, none. */
  positionals?: { usage: string; least: number; most: number }
  options: Readonly<Record<string, Option>>
  /** Throws UsageError where what was given makes no sense together. */
  run: (given: Given, surroundings: CommandContext) => Promise<void>
}

const DEFAULT_CONTENT = 'content'

/** The option for the content folder of a command that works on an existing catalog. */
export const CONTENT_OPTION: Readonly<Record<'content', Option>> = {
  content: {
    value: '<content folder>',
    help: `Where the catalog lies; ${DEFAULT_CONTENT}/ where left out`,
  },
}

/** The option for a report that scripts can read. */
export const JSON_OPTION: Readonly<Record<'json', Option>> = {
  json: { help: 'Prints one JSON object; call npm with -s to get it alone' },
}

/** Reads the option for the content folder. Throws UsageError where there is no such folder. */
export const readContentOption = ({ values }: Given): string => {
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
