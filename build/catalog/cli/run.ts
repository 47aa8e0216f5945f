import { renderHelp, runCommand } from './command.ts'
import { describeFailure, EXIT, exitCodeOf, UsageError } from './errors.ts'
import { loadCommand, renderCommands } from './commands.ts'
import { escapeUnseen } from './report.ts'

const print = (text: string): void => {
  process.stdout.write(`${escapeUnseen(text)}\n`)
}

const run = async (args: readonly string[]): Promise<void> => {
  const [name, ...rest] = args
  if (name === undefined) throw new UsageError(await renderCommands())
  if (name === 'help' || name === '--help' || name === '-h') {
    const [wanted] = rest
    const isGeneral = wanted === undefined || wanted === 'help'
    return print(isGeneral ? await renderCommands() : renderHelp(await loadCommand(wanted)))
  }
  const command = await loadCommand(name)
  if (rest.includes('--help') || rest.includes('-h')) return print(renderHelp(command))
  const today = new Date().toISOString().slice(0, 10)
  await runCommand(command, rest, { print, stderr: process.stderr, today })
}

/** A closed pipe does not stop the work; a full disk is reported. */
const handleOutput = (error: NodeJS.ErrnoException): void => {
  if (error.code === 'EPIPE') return
  process.exitCode = EXIT.failed
  process.stderr.write(`${escapeUnseen(describeFailure(error))}\n`)
}

const main = async (): Promise<void> => {
  process.exitCode = EXIT.done
  process.stdout.on('error', handleOutput)
  process.stderr.on('error', () => undefined)
  try {
    await run(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${escapeUnseen(describeFailure(error))}\n`)
    process.exitCode = exitCodeOf(error)
  }
}

await main()
