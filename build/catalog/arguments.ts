import { parseArgs } from 'node:util'
import { showValue } from '../../src/catalog/text.ts'
import type { Command } from './commands.ts'
import { UsageError } from './faults.ts'

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

/** Takes a command line apart by the command's own table of options. Throws UsageError. */
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
