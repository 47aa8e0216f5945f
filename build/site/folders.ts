import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  statfsSync,
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

/** Makes a folder and those above it, where they are missing. */
export const makeFolder = (path: string): void => {
  if (isFolder(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    // One by one: with `recursive` Node loops forever below /proc, where no folder can be made.
    mkdirSync(path)
  } catch (error) {
    if (!isFolder(path)) throw error
  }
}

/** File in a scratch folder that its process locks as long as it runs. */
const LOCK = '.lock'

/** The locks of this process; a lock that nothing refers to would be collected and released. */
const held = new Map<string, FileLock>()

/** Locks the folder of a process that ended; undefined where it still runs, or the folder is not ours. */
const lockLeft = (path: string): FileLock | undefined => {
  const [stats, lockPath] = [lstatSync(path, { throwIfNoEntry: false }), join(path, LOCK)]
  // In a folder where anybody may write, the name proves nothing.
  const isOurs = stats?.isDirectory() && stats.uid === process.getuid?.() && !held.has(path)
  return isOurs && existsSync(lockPath) ? lockFile(lockPath) : undefined
}

const removeLeft = (path: string): void => {
  let lock: FileLock | undefined
  try {
    lock = lockLeft(path)
    if (lock) rmSync(path, { recursive: true, force: true })
  } catch {
    // A folder that cannot be removed harms nobody and is no reason to stop.
  } finally {
    lock?.release()
  }
}

/** Removes the scratch folders that killed processes left. */
export const sweepScratch = (parent: string, prefix: string): void => {
  for (const name of readdirSync(parent))
    if (name.startsWith(prefix)) removeLeft(join(parent, name))
}

/** Makes a locked folder for this process alone, and removes those of killed processes beside it. */
export const makeScratch = (parent: string, prefix: string): string => {
  sweepScratch(parent, prefix)
  const folder = mkdtempSync(join(parent, prefix))
  const lock = lockFile(join(folder, LOCK))
  // Another process was sweeping just then and took the folder for one of a dead process.
  if (!lock) return makeScratch(parent, prefix)
  held.set(folder, lock)
  return folder
}

/** Waits until the names in a folder are on the disk: a rename may be lost with the power although its file is not. */
export const flushFolder = (folder: string): void => {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Type of a file system in memory (statfs(2)), which has no disk to wait for. */
const TMPFS = 0x01021994

/**
 * Waits until all that was written on the disk of a folder is there. Where the system has no such command, a power
 * failure may leave files that are empty.
 */
export const flushDisk = (folder: string): void => {
  if (statfsSync(folder).type !== TMPFS) spawnSync('sync', ['-f', folder], { stdio: 'ignore' })
}

/** Time of the last change; 0 for what another process is just removing. */
const lastUseOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Removes all of a cache but the `most` entries that were used last. */
export const keepNewest = (cache: string, most: number): void => {
  const names = readdirSync(cache)
  if (names.length <= most) return
  const byAge = names
    .map((name) => ({ path: join(cache, name), used: lastUseOf(join(cache, name)) }))
    .sort((a, b) => b.used - a.used)
  for (const { path } of byAge.slice(most)) rmSync(path, { recursive: true, force: true })
}
