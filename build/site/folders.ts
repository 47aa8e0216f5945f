import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
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

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Makes a folder and those above it, where they are not there. */
export const makeFolder = (path: string): void => {
  if (isFolder(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    // One by one: asked for all of them, Node tries for ever below /proc, which has no place for folders.
    mkdirSync(path)
  } catch (error) {
    if (!isFolder(path)) throw error
  }
}

/** File in a scratch folder that its process has locked as long as it runs. */
const LOCK = '.lock'

/** The locks of this process; one that nothing refers to would be dropped. */
const held = new Map<string, FileLock>()

/** Locks the folder of a process that ended; undefined where it runs, or the folder is none of ours. */
const lockLeft = (path: string): FileLock | undefined => {
  const [stats, lockPath] = [lstatSync(path, { throwIfNoEntry: false }), join(path, LOCK)]
  // Where all may write, a stranger's name proves nothing.
  const isOurs = stats?.isDirectory() && stats.uid === process.getuid?.() && !held.has(path)
  return isOurs && existsSync(lockPath) ? lockFile(lockPath) : undefined
}

const removeLeft = (path: string): void => {
  let lock: FileLock | undefined
  try {
    lock = lockLeft(path)
    if (lock) rmSync(path, { recursive: true, force: true })
  } catch {
    // What may not be removed is in nobody's way, and no reason to stop.
  } finally {
    lock?.release()
  }
}

/** Removes the scratch folders that killed processes left. */
export const sweepScratch = (parent: string, prefix: string): void => {
  for (const name of readdirSync(parent))
    if (name.startsWith(prefix)) removeLeft(join(parent, name))
}

/** Makes a folder for this process alone, with a lock in it; what killed ones left beside it goes. */
export const makeScratch = (parent: string, prefix: string): string => {
  sweepScratch(parent, prefix)
  const folder = mkdtempSync(join(parent, prefix))
  const lock = lockFile(join(folder, LOCK))
  // Whoever was sweeping just then took the folder for a dead process's.
  if (!lock) return makeScratch(parent, prefix)
  held.set(folder, lock)
  return folder
}
