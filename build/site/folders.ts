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
import { lockFile } from './lock.ts'
import type { FileLock } from './lock.ts'

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
