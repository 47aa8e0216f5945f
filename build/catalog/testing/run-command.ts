import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Command } from '../cli/command.ts'
import { callCommand, runCommandLine } from '../cli/commands.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

/** How often a test kills a command: `KILLS=50` for a long run. */
export const KILLS = Number(process.env['KILLS'] ?? 8)

/** Milliseconds that a kill and the run after it take at most, on a machine with much else to do. */
export const SLOWEST = 20_000

/** Runs a command of `npm run catalog` to its end, in this process. */
export const runCommand = async (...args: readonly string[]) => {
  let [stdout, stderr, text] = ['', '', '']
  const code = await runCommandLine(
    args,
    { write: (piece) => ((stdout += piece), (text += piece)) },
    { write: (piece) => ((stderr += piece), (text += piece)) },
  )
  return { code, stdout, stderr, text }
}

/** Calls a command and returns what it printed; its errors are thrown as they are. */
export const printedBy = async (command: Command, ...args: readonly string[]): Promise<string> => {
  const printed: string[] = []
  await callCommand(command, args, {
    print: (text) => void printed.push(text),
    stderr: { write: () => true },
    today: '2026-05-05',
  })
  return printed.join('\n')
}

/** Runs a command and kills it (`kill -9`) so many milliseconds after it took the lock of the catalog. */
export const killCommand = async (
  content: string,
  after: number,
  ...args: readonly string[]
): Promise<void> => {
  const lock = join(content, '.catalog.lock')
  // A killed holder leaves the file, though not the lock.
  rmSync(lock, { force: true })
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' })
  const ended = once(child, 'close')
  while (child.exitCode === null && !existsSync(lock)) await turn()
  if (after > 0) await Promise.race([pause(after), ended])
  child.kill('SIGKILL')
  await ended
}
