import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isAlive } from './processes.ts'

/** The lock comes with its holder in it: an empty one would look like a dead process's to another. */
const writeLock = (path: string, beside: string): void => {
  writeFileSync(beside, `${process.pid}\n`)
  try {
    linkSync(beside, path)
  } finally {
    rmSync(beside)
  }
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
  try {
    writeLock(path, beside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const holder = Number(readFileSync(path, 'utf8'))
    if (isAlive(holder)) throw refuse(holder)
    rmSync(path, { force: true })
    takeLockFile(path, beside, refuse)
  }
}
