import { findNearest } from '../../src/api/nearest-name.ts'
import { showValue } from '../../src/catalog/text.ts'
import { COMMANDS, loadCommands } from './commands.ts'
import type { Command } from './commands.ts'
import { UsageError } from './faults.ts'

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
