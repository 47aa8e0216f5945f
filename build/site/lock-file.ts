import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isRunning, markProcess, pidOf } from './processes.ts'

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** The lock comes with its holder in it: an empty one would look like a dead process's to another. */
const tryLock = (path: string, beside: string): boolean => {
  // A killed run of our id may have left it as the lock's other name, and the lock must not say it is ours.
  rmSync(beside, { force: true })
  try {
    writeFileSync(beside, `${markProcess()}\n`)
    linkSync(beside, path)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(beside, { force: true })
  }
}

/** Reads who holds a lock; undefined where it was freed meanwhile. */
const readHolder = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Puts a lock of our own in the place of a dead process's. Of all who found it dead only the one that holds
 * the lock on doing so may, and it looks again: another may have done it before.
 */
const replaceDead = (path: string, ...rest: [string, (holder: number) => Error]): boolean => {
  const takeover = `${path}.takeover`
  takeLockFile(takeover, ...rest)
  const holder = readHolder(path)
  const isDead = holder !== undefined && !isRunning(holder)
  if (isDead) renameSync(takeover, path)
  else rmSync(takeover)
  return isDead
}

/**
 * Makes this process the only one that holds a lock, whose file is first written at `beside`. Throws what
 * `refuse` makes of the process that holds it; the lock of a process that is no more is taken over.
 */
export const takeLockFile = (
  path: string,
  beside: string,
  refuse: (holder: number) => Error,
): void => {
  while (!tryLock(path, beside)) {
    const holder = readHolder(path)
    if (holder !== undefined && isRunning(holder)) throw refuse(pidOf(holder))
    if (holder !== undefined && replaceDead(path, beside, refuse)) return
  }
}
