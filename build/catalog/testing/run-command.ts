import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../cli/commands.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

/** How often a test kills a command: `KILLS=50` for a long run. */
export const KILLS = Number(process.env['KILLS'] ?? 4)

/** Time limit for a kill and the run after it, in milliseconds, on a busy machine. */
export const SLOWEST = 20_000

/** Runs a command of `npm run catalog` in this process. */
export const runCommand = async (...args: readonly string[]) => {
  let [stdout, stderr, text] = ['', '', '']
  const code = await runCommandLine(
    args,
    { write: (piece) => ((stdout += piece), (text += piece)) },
    { write: (piece) => ((stderr += piece), (text += piece)) },
  )
  return { code, stdout, stderr, text }
}

/** Waits until a newly started child acquires a catalog's lock, or ends. */
export const waitForLock = async (content: string, child: ChildProcess): Promise<void> => {
  // A killed holder leaves the lock file behind, though not locked.
  const lock = join(content, '.catalog.lock')
  rmSync(lock, { force: true })
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  while (isRunning() && !existsSync(lock)) await pause(1)
}

/** Delays for `KILLS` kills in milliseconds, evenly spread from 0 to `longest`. */
export const spreadKills = (longest: number): number[] =>
  Array.from({ length: KILLS }, (_, at) => Math.round((at * longest) / (KILLS - 1 || 1)))

/** Runs a command and kills it (`kill -9`) `after` milliseconds after it acquired the catalog's lock. */
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

/** Runs a command in its own process, concurrently with others, and returns its exit code. */
export const startCommand = async (...args: readonly string[]): Promise<number | null> => {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' })
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}
