import { findNearest } from '../../../src/api/nearest-name.ts'
import { showValue } from '../../../src/catalog/text.ts'
import type { Command } from './command.ts'
import { UsageError } from './errors.ts'

/** Every command by its name, in the order the help shows them; one that runs loads no other. */
export const COMMANDS = {
  import: async () => (await import('../import/command.ts')).importCommand,
  explain: async () => (await import('../explain/command.ts')).explainCommand,
  stats: async () => (await import('../stats/command.ts')).statsCommand,
  families: async () => (await import('../families/command.ts')).familiesCommand,
  why: async () => (await import('../why/command.ts')).whyCommand,
  lint: async () => (await import('../lint/command.ts')).lintCommand,
  verify: async () => (await import('../verify/command.ts')).verifyCommand,
  counters: async () => (await import('../counters/command.ts')).countersCommand,
  retire: async () => (await import('../retire/command.ts')).retireCommand,
  move: async () => (await import('../retire/command.ts')).moveCommand,
} as const satisfies Record<string, () => Promise<Command>>

/** Loads every command, in order. */
export const loadCommands = (): Promise<Command[]> =>
  Promise.all(Object.values(COMMANDS).map((load) => load()))

const CALL = 'npm run catalog --'

const renderColumns = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

/** Renders the list of commands. */
export const renderCommands = async (): Promise<string> => {
  const commands = await loadCommands()
  return [
    `Usage: ${CALL} <command>`,
    '',
    ...renderColumns([
      ...commands.map(({ name, summary }) => [name, summary] as const),
      ['help', 'Explains a command: help <command>'],
    ]),
    '',
    'Exit codes: 0 the command did its work, 1 it failed, 2 it was called wrongly.',
  ].join('\n')
}

/** Renders the help of one command from its own table. */
export const renderHelp = (command: Command): string => {
  const options = Object.entries(command.options).map(
    ([name, { value, help }]) => [value ? `--${name} ${value}` : `--${name}`, help] as const,
  )
  return [
    `${command.name}: ${command.summary}`,
    '',
    `Usage: ${command.usage}`,
    '',
    ...renderColumns(options),
    ...command.help.flatMap((paragraph) => ['', paragraph]),
  ].join('\n')
}

const isCommand = (name: string): name is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, name)

/** Loads a command by its name. Throws UsageError, which names the one that was meant. */
export const loadCommand = (name: string): Promise<Command> => {
  if (isCommand(name)) return COMMANDS[name]()
  const known = Object.keys(COMMANDS)
  throw new UsageError(
    `No command ${showValue(name)}; did you mean ${findNearest(name, known)}? There are ${known.join(', ')} and help.`,
  )
}
