import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { showValue } from '../../../src/catalog/text.ts'
import { UsageError, systemCode } from './errors.ts'

/** One option of a command; `value` names what it takes, a switch takes nothing. */
export interface Option {
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

/** Where a command writes and what it knows of the world, given by the process that runs it. */
export interface CommandContext {
  print: (text: string) => void
  /** Where progress is drawn. */
  stderr: { write: (text: string) => unknown; isTTY?: boolean | undefined }
  /** Today as YYYY-MM-DD, UTC. */
  today: string
}

/** One command of `npm run catalog`. Its usage, its help and its usage errors come from this table. */
export interface Command {
  name: string
  /** One line for the list of commands. */
  summary: string
  /** Paragraphs of its own help. */
  help: readonly string[]
  /** How the positionals are shown, and how many there may be; none where left out. */
  positionals?: { usage: string; least: number; most: number }
  options: Readonly<Record<string, Option>>
  /** Throws UsageError where what was given makes no sense together. */
  run: (given: Given, surroundings: CommandContext) => Promise<void>
}

const renderOption = (name: string, { value }: Option): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`

const renderUsage = ({ name, positionals, options }: Command): string =>
  [
    `npm run catalog -- ${name}`,
    ...(positionals ? [positionals.usage] : []),
    ...Object.entries(options).map(([key, option]) =>
      option.isRequired === true ? renderOption(key, option) : `[${renderOption(key, option)}]`,
    ),
  ].join(' ')

/** Lays out names and what they mean in two columns. */
export const renderColumns = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

/** Renders the help of one command. */
export const renderHelp = (command: Command): string =>
  [
    `${command.name}: ${command.summary}`,
    '',
    `Usage: ${renderUsage(command)}`,
    '',
    ...renderColumns(
      Object.entries(command.options).map(([name, option]) => [
        renderOption(name, option),
        option.help,
      ]),
    ),
    ...command.help.flatMap((paragraph) => ['', paragraph]),
  ].join('\n')

const refuse = (message: string): never => {
  throw new UsageError(message)
}

const parseTokens = (command: Command, args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: Object.fromEntries(
        Object.entries(command.options).map(([name, { value }]) => [
          name,
          { type: value === undefined ? 'boolean' : 'string' } as const,
        ]),
      ),
      allowPositionals: true,
      tokens: true,
    })
  } catch (error) {
    if (systemCode(error)?.startsWith('ERR_PARSE_ARGS') !== true) throw error
    return refuse((error as Error).message)
  }
}

const checkPositionals = (
  { name, positionals: wanted = { usage: '', least: 0, most: 0 } }: Command,
  given: readonly string[],
): void => {
  if (given.includes('')) refuse('An argument is empty.')
  if (given.length < wanted.least) refuse(`Name ${wanted.usage}.`)
  if (given.length > wanted.most) refuse(`${name} takes no ${showValue(given[wanted.most])}.`)
}

/** Parses a command line by the command's own table. Throws UsageError. */
export const parseArguments = (command: Command, args: readonly string[]): Given => {
  const { tokens, positionals } = parseTokens(command, args)
  checkPositionals(command, positionals)
  const values: Record<string, string> = {}
  const switches = new Set<string>()
  for (const { name, value } of tokens.filter((one) => one.kind === 'option')) {
    if (switches.has(name) || Object.hasOwn(values, name)) refuse(`--${name} is given twice.`)
    if (value === '') refuse(`--${name} has no value.`)
    if (value === undefined) switches.add(name)
    else values[name] = value
  }
  for (const [name, option] of Object.entries(command.options)) {
    if (option.isRequired === true && !Object.hasOwn(values, name)) {
      refuse(`Add ${renderOption(name, option)}.`)
    }
  }
  return { positionals, values, switches }
}

/** Parses the arguments of a command and runs it. A UsageError says how it is called. */
export const callCommand = async (
  command: Command,
  args: readonly string[],
  surroundings: CommandContext,
): Promise<void> => {
  try {
    await command.run(parseArguments(command, args), surroundings)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`${error.message}\nUsage: ${renderUsage(command)}`)
  }
}

const DEFAULT_CONTENT = 'content'

/** The option that names the content folder of a command which works on an existing catalog. */
export const CONTENT_OPTION: Readonly<Record<'content', Option>> = {
  content: {
    value: '<content folder>',
    help: `Where the catalog lies; ${DEFAULT_CONTENT}/ where left out`,
  },
}

/** The option of a command whose report a script may read. */
export const JSON_OPTION: Readonly<Record<'json', Option>> = {
  json: { help: 'Prints one JSON object; call npm with -s to get it alone' },
}

/** Reads the content folder a command was pointed at. Throws UsageError where there is none. */
export const readContentOption = ({ values }: Given): string => {
  const content = values['content'] ?? DEFAULT_CONTENT
  if (existsSync(content) && statSync(content).isDirectory()) return resolve(content)
  throw new UsageError(`No content folder ${showValue(content, 200)}; name it with --content.`)
}
