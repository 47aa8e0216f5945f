import { spawnSync } from 'node:child_process'
import {
  closeSync,
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
import { dirname, join, relative, sep } from 'node:path'

/** The output cannot be written. The message has the reason and the remedy. */
export class OutputError extends Error {}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Creates a folder and its missing parents. */
export const makeFolder = (path: string): void => {
  if (isFolder(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    // One level at a time: with `recursive`, Node loops forever under /proc, where no folder can be created.
    mkdirSync(path)
  } catch (error) {
    if (!isFolder(path)) throw error
  }
}

/** Lists all files below a folder by their paths in it, with `/`. */
export const listFilesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))

/** The bits of a umask that keep other users from reading files and opening folders. */
const HIDES = 0o055

/** Until it is disposed, other users can read what this process and its threads write, whatever the umask is. */
export const openUmask = (): Disposable => {
  const umask = process.umask()
  process.umask(umask & ~HIDES)
  return { [Symbol.dispose]: () => void process.umask(umask) }
}

/** Age in milliseconds above which a scratch folder must be from a killed process. */
const ABANDONED = 24 * 60 * 60 * 1_000

/** Creates a scratch folder, and removes the scratch folders of killed processes. */
export const makeScratch = (parent: string, prefix: string): string => {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name)
    const stats = name.startsWith(prefix) && lstatSync(path, { throwIfNoEntry: false })
    // In a world-writable folder, somebody else could have chosen such a name.
    const isOurs = stats && stats.isDirectory() && stats.uid === process.getuid?.()
    if (isOurs && stats.mtimeMs < Date.now() - ABANDONED)
      rmSync(path, { recursive: true, force: true })
  }
  return mkdtempSync(join(parent, prefix))
}

/** Flushes a folder's entries: a power failure can lose a rename even if it does not lose the file. */
export const flushFolder = (folder: string): void => {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** tmpfs magic number (statfs(2)); there is no disk to wait for. */
const TMPFS = 0x01021994

/** Flushes the file system of a folder. On systems without `sync -f`, a power failure can leave empty files. */
export const flushDisk = (folder: string): void => {
  if (statfsSync(folder).type !== TMPFS) spawnSync('sync', ['-f', folder], { stdio: 'ignore' })
}
