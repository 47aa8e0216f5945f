import { findNearest } from '../../../src/api/nearest-name.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { callCommand, renderColumns, renderHelp } from './command.ts'
import type { Command, CommandContext } from './command.ts'
import { UsageError, describeCommandError, exitCodeOf } from './errors.ts'
import { escapeUnseen } from './report.ts'

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

const run = async (args: readonly string[], surroundings: CommandContext): Promise<void> => {
  const [name, ...rest] = args
  if (name === undefined) throw new UsageError(await renderCommands())
  if (name === 'help' || name === '--help' || name === '-h') {
    const [wanted] = rest
    const isGeneral = wanted === undefined || wanted === 'help'
    return surroundings.print(
      isGeneral ? await renderCommands() : renderHelp(await loadCommand(wanted)),
    )
  }
  const command = await loadCommand(name)
  if (rest.includes('--help') || rest.includes('-h')) return surroundings.print(renderHelp(command))
  await callCommand(command, rest, surroundings)
}

/** Runs a command line and returns its exit code: 0 done, 1 failed, 2 called wrongly. */
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
    return exitCodeOf(error)
  }
}
