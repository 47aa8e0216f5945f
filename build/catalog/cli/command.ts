import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { showValue } from '../../../src/catalog/text.ts'
import { UsageError } from './errors.ts'

/** One option of a command; `value` names what it takes, a switch takes nothing. */
export interface Option {
  value?: string
  help: string
}

/** What a command was given: its positionals, and its options by name. */
export interface Given {
  positionals: string[]
  values: Readonly<Partial<Record<string, string>>>
  switches: ReadonlySet<string>
}

/** Where a command writes and what it knows of the world, given by the process that runs it. */
export interface Surroundings {
  print: (text: string) => void
  /** Where progress is drawn. */
  stderr: { write: (text: string) => unknown; isTTY?: boolean | undefined }
  /** Today as YYYY-MM-DD, UTC. */
  today: string
}

/** One command of `npm run catalog`: how it is called, and what it does. */
export interface Command {
  name: string
  usage: string
  /** One line for the list of commands. */
  summary: string
  /** Paragraphs of its own help. */
  help: readonly string[]
  options: Readonly<Record<string, Option>>
  run: (given: Given, surroundings: Surroundings) => Promise<void>
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number]
type OptionToken = Extract<Token, { kind: 'option' }>

const refuse = (command: Command, message: string): never => {
  throw new UsageError(`${message}\nUsage: ${command.usage}`)
}

const checkOption = (command: Command, token: OptionToken): Option => {
  const option = Object.hasOwn(command.options, token.name)
    ? command.options[token.name]
    : undefined
  const known = Object.keys(command.options).map((name) => `--${name}`)
  if (option === undefined) {
    return refuse(
      command,
      `Unknown option ${showValue(token.rawName)}; ${command.name} takes ${known.join(', ')}.`,
    )
  }
  const isOption = token.inlineValue === false && token.value?.startsWith('-') === true
  if (option.value !== undefined && (!token.value || isOption)) {
    return refuse(command, `--${token.name} wants a value: --${token.name} ${option.value}.`)
  }
  if (option.value === undefined && token.value !== undefined) {
    return refuse(command, `--${token.name} takes no value.`)
  }
  return option
}

/** Parses a command line by the command's own table of options. Throws UsageError. */
export const parseArguments = (command: Command, args: readonly string[]): Given => {
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(command.options).map(([name, { value }]) => [
        name,
        { type: value === undefined ? 'boolean' : 'string' } as const,
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const values: Record<string, string> = {}
  const switches = new Set<string>()
  for (const token of tokens.filter((one) => one.kind === 'option')) {
    const option = checkOption(command, token)
    if (switches.has(token.name) || Object.hasOwn(values, token.name)) {
      refuse(command, `--${token.name} is given twice.`)
    }
    if (option.value === undefined) switches.add(token.name)
    else values[token.name] = token.value ?? ''
  }
  return { positionals, values, switches }
}

const DEFAULT_CONTENT = 'content'

/** The option that names the content folder of a command which works on an existing catalog. */
export const CONTENT_OPTION: Readonly<Record<'content', Option>> = {
  content: {
    value: '<content folder>',
    help: `Where the catalog lies; ${DEFAULT_CONTENT}/ where left out`,
  },
}

/** Reads the content folder a command was pointed at. Throws UsageError where there is none. */
export const readContentOption = ({ values }: Given): string => {
  const content = values['content'] ?? DEFAULT_CONTENT
  if (existsSync(content) && statSync(content).isDirectory()) return resolve(content)
  throw new UsageError(`No content folder ${showValue(content, 200)}; name it with --content.`)
}
