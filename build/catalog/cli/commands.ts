import {
  Argument,
  CommanderError,
  InvalidArgumentError,
  Option,
  Command as Program,
} from 'commander'
import { checkCommand } from '../check/command.ts'
import { deprecateCommand } from '../edit/deprecate.ts'
import { newCommand } from '../edit/new.ts'
import { setCommand } from '../edit/set.ts'
import { importCommand } from '../import/command.ts'
import { moveCommand, retireCommand } from '../retire/command.ts'
import { withdrawCommand } from '../retire/withdraw.ts'
import { addCommand } from '../update/add.ts'
import { updateCommand } from '../update/command.ts'
import { acceptFindingCommand } from '../update/finding.ts'
import { rejectCommand } from '../update/reject.ts'
import type { Arguments, Command, CommandContext } from './command.ts'
import { UsageError, LookError, describeCommandError, escapeUnseen, refuse } from './command.ts'

/** All commands, by their heading in the help. */
export const COMMANDS: Readonly<Record<string, readonly Command[]>> = {
  'Add skills:': [importCommand, addCommand, newCommand],
  'Check them:': [checkCommand],
  'Follow their sources:': [updateCommand, rejectCommand, acceptFindingCommand],
  'Keep them up to date:': [
    setCommand,
    deprecateCommand,
    retireCommand,
    moveCommand,
    withdrawCommand,
  ],
}

export const ALL_COMMANDS = Object.values(COMMANDS).flat()

const readValue = (value: string, previous: unknown): string => {
  if (value === '' || value.startsWith('--')) throw new InvalidArgumentError('It needs a value.')
  if (previous !== undefined) throw new InvalidArgumentError('It appears twice.')
  return value
}

const createOption = (name: string, { value, help, isRequired }: Command['options'][string]) => {
  if (value === undefined) return new Option(`--${name}`, help)
  const option = new Option(`--${name} <${value.replace(/^<|>$/g, '')}>`, help)
  return option.argParser(readValue).makeOptionMandatory(isRequired === true)
}

const createArguments = ({ usage, least, most }: NonNullable<Command['positionals']>) => {
  const names = [...usage.matchAll(/<([^>]*)>/g)].map(([, name]) => name)
  return names.map((name, at) => {
    const text = most === Infinity && at === names.length - 1 ? `${name}...` : `${name}`
    return new Argument(at < least ? `<${text}>` : `[${text}]`)
  })
}

const readArguments = (program: Program, { options }: Command): Arguments => {
  if (program.args.includes('')) refuse('An argument is empty.')
  const values: Record<string, string> = {}
  const switches = new Set<string>()
  for (const option of program.options) {
    const value: unknown = program.getOptionValue(option.attributeName())
    if (typeof value === 'string') values[option.name()] = value
    else if (value === true && Object.hasOwn(options, option.name())) switches.add(option.name())
  }
  return { positionals: program.args, values, switches }
}

const registerCommand = (parent: Program, command: Command, context: CommandContext): void => {
  const { name, summary, help, positionals, options } = command
  const program = parent
    .command(name)
    .summary(summary)
    .description([summary, ...help].join('\n\n'))
    .helpOption('-h, --help', 'Shows this')
  if (positionals) for (const arg of createArguments(positionals)) program.addArgument(arg)
  for (const [key, option] of Object.entries(options)) program.addOption(createOption(key, option))
  program.action(() => command.run(readArguments(program, command), context))
}

const createProgram = ({ print, stderr }: CommandContext): Program =>
  new Program('npm run catalog --')
    .description(
      'Maintains a catalog of skills: one folder for each skill, with its SKILL.md and a record.',
    )
    .usage('<command>')
    .helpOption('-h, --help', 'Shows this')
    .helpCommand('help [command]', 'Explains a command')
    .configureHelp({ helpWidth: 100, subcommandTerm: (command) => command.name() })
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 failure, 2 wrong arguments, 3 something needs a look.',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => void stderr.write(escapeUnseen(text)),
      outputError: () => undefined,
    })

/** A value as reports print it, for the reader to fill in: `--why …`, `licence=…`. */
const UNFILLED = /^(?:[\w-]+=)?…$/

/** Parses arguments and runs their command. Throws UsageError, and CommanderError after showing help. */
const parse = async (program: Program, args: readonly string[]): Promise<void> => {
  try {
    if (args.some((arg) => UNFILLED.test(arg))) refuse('Replace … by your own words.')
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.code.startsWith('commander.help')
    if (isHelp || !(error instanceof CommanderError || error instanceof UsageError)) throw error
    const topic = ALL_COMMANDS.find(({ name }) => name === args[0])?.name ?? ''
    throw new UsageError(`${error.message}\nMore: npm run catalog -- help ${topic}`.trimEnd())
  }
}

const run = async (args: readonly string[], context: CommandContext): Promise<void> => {
  const program = createProgram(context)
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading)
    for (const command of commands) registerCommand(program, command, context)
  }
  await parse(program, args)
}

/** Returns the exit code: 0 success, 1 failure, 2 wrong arguments, 3 something needs a look. */
export const runCommandLine = async (
  args: readonly string[],
  stdout: { write: (text: string) => unknown },
  stderr: CommandContext['stderr'],
): Promise<number> => {
  const print = (text: string): void => void stdout.write(`${escapeUnseen(text)}\n`)
  const now = `${new Date().toISOString().slice(0, 19)}Z`
  try {
    await run(args, { print, stderr, now, today: now.slice(0, 10) })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    stderr.write(`${escapeUnseen(describeCommandError(error))}\n`)
    if (error instanceof LookError) return 3
    return error instanceof UsageError ? 2 : 1
  }
}
