import { DatabaseSync } from 'node:sqlite'

/** The output cannot be written; the message says why, and what to do. */
export class OutputError extends Error {
  override name = 'OutputError'
}

/** A lock that this process holds. */
export interface FileLock {
  release: () => void
}

/** SQLITE_BUSY and SQLITE_LOCKED (sqlite.org/rescode.html). */
const HELD = new Set([5, 6])

/**
 * Locks a file for this process alone; undefined where another process has locked it. It is SQLite's lock of an
 * empty database, which the system drops when the process ends, however it ends.
 */
export const lockFile = (path: string): FileLock | undefined => {
  const database = new DatabaseSync(path)
  try {
    // A journal on disk would be left by a process that is killed.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (HELD.has((error as { errcode?: number }).errcode ?? 0)) return undefined
    throw error
  }
  return { release: () => database.close() }
}
