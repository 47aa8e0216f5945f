import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** A lock that this process holds. */
export interface FileLock {
  release: () => void
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = new Set([11, 26])

/** Whether a lock cannot be taken since its file is no database: then nobody holds it. */
export const isDamagedLock = (error: unknown): boolean =>
  DAMAGED.has((error as { errcode?: number }).errcode ?? 0)

/** SQLITE_BUSY and SQLITE_LOCKED (sqlite.org/rescode.html). */
const HELD = new Set([5, 6])

/**
 * Locks a file; returns undefined if another process holds the lock. With `isReplaced` a damaged one is made anew. It is
 * SQLite's lock on an empty database, which the system releases when the process ends, even if killed.
 */
export const lockFile = (path: string, isReplaced = false): FileLock | undefined => {
  const database = new DatabaseSync(path)
  try {
    // A killed process would leave a journal file behind.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    const { errcode = 0 } = error as { errcode?: number }
    if (HELD.has(errcode)) return undefined
    if (!isReplaced || !isDamagedLock(error)) throw error
    rmSync(path)
    return lockFile(path)
  }
  return { release: () => database.close() }
}
