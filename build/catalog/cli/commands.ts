import { parseArgs } from 'node:util'
import { findNearest } from '../../../src/catalog/nearest-name.ts'
import { showValue } from '../../../src/catalog/text.ts'
import type { Command, CommandContext, Arguments } from './command.ts'
import {
  UsageError,
  describeCommandError,
  systemCode,
  refuse,
  escapeUnseen,
  renderColumns,
} from './command.ts'

const renderOption = (name: string, { value }: Command['options'][string]): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`

const renderUsage = ({ name, positionals, options }: Command): string =>
  [
    `npm run catalog -- ${name}`,
    ...(positionals ? [positionals.usage] : []),
    ...Object.entries(options).map(([key, option]) =>
      option.isRequired === true ? renderOption(key, option) : `[${renderOption(key, option)}]`,
    ),
  ].join(' ')

const renderHelp = (command: Command): string =>
  [
    `${command.name}: ${command.summary}`,
    '',
    `Usage: ${renderUsage(command)}`,
    '',
    ...renderColumns(
      Object.entries(command.options).map(([name, option]) => [
        `  ${renderOption(name, option)}`,
        option.help,
      ]),
    ),
    ...command.help.flatMap((paragraph) => ['', paragraph]),
  ].join('\n')

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
    // Drops Node's advice on names that begin with a dash.
    return refuse((error as Error).message.split('. To specify', 1)[0] ?? '')
  }
}

/** Throws UsageError. */
const parseArguments = (command: Command, args: readonly string[]): Arguments => {
  const { tokens, positionals } = parseTokens(command, args)
  const { usage = '', least = 0, most = 0 } = command.positionals ?? {}
  if (positionals.includes('')) refuse('An argument is empty.')
  if (positionals.length < least) refuse(`Name ${usage}.`)
  if (positionals.length > most) refuse(`${command.name} takes no ${showValue(positionals[most])}.`)
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

/** Parses the arguments of a command and runs it. A UsageError contains the usage. */
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

/** All commands in the order of the help, each loaded only when it runs. */
const COMMANDS = {
  import: async () => (await import('../import/command.ts')).importCommand,
  families: async () => (await import('../families/command.ts')).familiesCommand,
  lint: async () => (await import('../lint/command.ts')).lintCommand,
  verify: async () => (await import('../verify/command.ts')).verifyCommand,
  counters: async () => (await import('../counters/command.ts')).countersCommand,
  retire: async () => (await import('../retire/command.ts')).retireCommand,
  move: async () => (await import('../retire/command.ts')).moveCommand,
} as const satisfies Record<string, () => Promise<Command>>

export const loadCommands = (): Promise<Command[]> =>
  Promise.all(Object.values(COMMANDS).map((load) => load()))

const isCommand = (name: string): name is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, name)

/** Throws UsageError with the most similar name. */
const loadCommand = (name: string): Promise<Command> => {
  if (isCommand(name)) return COMMANDS[name]()
  const known = Object.keys(COMMANDS)
  throw new UsageError(
    `No command ${showValue(name)}; did you mean ${findNearest(name, known)}? There are ${known.join(', ')} and help.`,
  )
}

const renderCommands = async (): Promise<string> =>
  [
    'Usage: npm run catalog -- <command>',
    '',
    ...renderColumns([
      ...(await loadCommands()).map(({ name, summary }) => [`  ${name}`, summary]),
      ['  help', 'Explains a command: help <command>'],
    ]),
    '',
    'Exit codes: 0 success, 1 failure, 2 wrong usage.',
  ].join('\n')

const run = async (args: readonly string[], surroundings: CommandContext): Promise<void> => {
  const [name, ...rest] = args
  if (name === undefined) throw new UsageError(await renderCommands())
  if (name === 'help' || name === '--help' || name === '-h') {
    const [topic] = rest
    const isGeneral = topic === undefined || topic === 'help'
    return surroundings.print(
      isGeneral ? await renderCommands() : renderHelp(await loadCommand(topic)),
    )
  }
  const command = await loadCommand(name)
  if (rest.includes('--help') || rest.includes('-h')) return surroundings.print(renderHelp(command))
  await callCommand(command, rest, surroundings)
}

/** Returns the exit code: 0 success, 1 failure, 2 wrong usage. */
export const runCommandLine = async (
  args: readonly string[],
  stdout: { write: (text: string) => unknown },
  stderr: CommandContext['stderr'],
): Promise<number> => {
  const print = (text: string): void => void stdout.write(`${escapeUnseen(text)}\n`)
  try {
    await run(args, { print, stderr, today: new Date().toISOString().slice(0, 10) })
    return 0
  } catch (error) {
    stderr.write(`${escapeUnseen(describeCommandError(error))}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}
