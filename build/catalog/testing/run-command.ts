import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Command } from '../cli/command.ts'
import { callCommand, runCommandLine } from '../cli/commands.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

/** How often a test kills a command: `KILLS=50` for a long run. */
export const KILLS = Number(process.env['KILLS'] ?? 4)

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

/** Waits until a child that was just started took the lock of a catalog, or ended. */
export const waitForLock = async (content: string, child: ChildProcess): Promise<void> => {
  // A killed holder leaves the file, though not the lock.
  const lock = join(content, '.catalog.lock')
  rmSync(lock, { force: true })
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  while (isRunning() && !existsSync(lock)) await pause(1)
}

/** The milliseconds before each of `KILLS` kills, evenly from 0 up to `longest`. */
export const spreadKills = (longest: number): number[] =>
  Array.from({ length: KILLS }, (_, at) => Math.round((at * longest) / (KILLS - 1 || 1)))

/** Runs a command and kills it (`kill -9`) so many milliseconds after it took the lock of the catalog. */
export const killCommand = async (
  content: string,
  after: number,
  ...args: readonly string[]
): Promise<void> => {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' })
  const ended = once(child, 'close')
  await waitForLock(content, child)
  if (after > 0) await Promise.race([pause(after), ended])
  child.kill('SIGKILL')
  await ended
}

/** Runs a command in a process of its own, beside others; gives its exit code. */
export const startCommand = async (...args: readonly string[]): Promise<number | null> => {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' })
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}
