import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

export interface FileLock {
  release: () => void
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = new Set([11, 26])

/** Whether locking failed because the lock file is not a database. In that case nobody holds the lock. */
export const isDamagedLock = (error: unknown): boolean =>
  DAMAGED.has((error as { errcode?: number }).errcode ?? 0)

/** SQLITE_BUSY and SQLITE_LOCKED (sqlite.org/rescode.html). */
const HELD = new Set([5, 6])

/**
 * Locks a file; returns undefined if another process holds the lock. With `replacesDamaged`, a damaged lock file is
 * replaced. The lock is SQLite's lock on an empty database, which the system releases when the process ends or is
 * killed.
 */
export const lockFile = (path: string, replacesDamaged = false): FileLock | undefined => {
  const database = new DatabaseSync(path)
  try {
    // A killed process would leave a journal file behind.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    const { errcode = 0 } = error as { errcode?: number }
    if (HELD.has(errcode)) return undefined
    if (!replacesDamaged || !isDamagedLock(error)) throw error
    rmSync(path)
    return lockFile(path)
  }
  return { release: () => database.close() }
}
