import { findNearest } from '../../../src/api/nearest-name.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { renderColumns } from './command.ts'
import type { Command } from './command.ts'
import { UsageError } from './errors.ts'

/** Every command by its name, in the order the help shows them; one that runs loads no other. */
export const COMMANDS = {
  import: async () => (await import('../import/command.ts')).importCommand,
  explain: async () => (await import('../explain/command.ts')).explainCommand,
  families: async () => (await import('../families/command.ts')).familiesCommand,
  lint: async () => (await import('../lint/command.ts')).lintCommand,
  verify: async () => (await import('../verify/command.ts')).verifyCommand,
  counters: async () => (await import('../counters/command.ts')).countersCommand,
  retire: async () => (await import('../retire/command.ts')).retireCommand,
  move: async () => (await import('../retire/command.ts')).moveCommand,
} as const satisfies Record<string, () => Promise<Command>>

/** Loads every command, in order. */
export const loadCommands = (): Promise<Command[]> =>
  Promise.all(Object.values(COMMANDS).map((load) => load()))

const isCommand = (name: string): name is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, name)

/** Loads a command by its name. Throws UsageError, which names the one that was meant. */
export const loadCommand = (name: string): Promise<Command> => {
  if (isCommand(name)) return COMMANDS[name]()
  const known = Object.keys(COMMANDS)
  throw new UsageError(
    `No command ${showValue(name)}; did you mean ${findNearest(name, known)}? There are ${known.join(', ')} and help.`,
  )
}

/** Renders the list of commands. */
export const renderCommands = async (): Promise<string> =>
  [
    'Usage: npm run catalog -- <command>',
    '',
    ...renderColumns([
      ...(await loadCommands()).map(({ name, summary }) => [name, summary] as const),
      ['help', 'Explains a command: help <command>'],
    ]),
    '',
    'Exit codes: 0 the command did its work, 1 it failed, 2 it was called wrongly.',
  ].join('\n')
