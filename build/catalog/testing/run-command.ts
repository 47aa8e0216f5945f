import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../cli/commands.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

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
const waitForLock = async (content: string, child: ChildProcess): Promise<void> => {
  // A killed holder leaves the lock file behind, though not locked.
  const lock = join(content, '.catalog.lock')
  rmSync(lock, { force: true })
  while (child.exitCode === null && child.signalCode === null && !existsSync(lock)) await pause(1)
}

const isRunning = (group: number): boolean => {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}

/** Runs a command and kills it (`kill -9`) `after` milliseconds after it acquired the catalog's lock. */
export const killCommand = async (
  content: string,
  after: number,
  ...args: readonly string[]
): Promise<void> => {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore', detached: true })
  const ended = once(child, 'close')
  await waitForLock(content, child)
  if (after > 0) await Promise.race([pause(after), ended])
  child.kill('SIGKILL')
  await ended
  // A git that it had started ends by itself, and may write until then.
  for (let turn = 0; turn < 400 && isRunning(child.pid!); turn += 1) await pause(5)
}
