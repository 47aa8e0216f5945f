import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** The files of a site on its way. */
export interface Tree {
  /**
   * Puts a file in its place, unless it is there already. `nursery` is a folder of the tree in which
   * it is written first.
   */
  place: (name: string, bytes: Uint8Array | string, nursery?: string) => void
  /** Takes the names of the files that were written since the last call. */
  takeWritten: () => string[]
}

const isSame = (path: string, bytes: Uint8Array | string): boolean => {
  const wanted = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  try {
    // Most that changed has another length, which is asked for sooner than a large file is read.
    return statSync(path).size === wanted.length && readFileSync(path).equals(wanted)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

// What path.join and dirname tidy is tidy already, and a large site asks them a million times.
const below = (folder: string, name: string): string => `${folder}/${name}`
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** Name of a file on its way to its place; no output has it. */
const ON_ITS_WAY = '.new'

const writeBeside = (path: string, bytes: Uint8Array | string, nursery: string): void => {
  // Files are shared with the site that is served, so none is ever written into. And a file that is
  // made in a folder of its own is made faster: ext4 looks for a free place beside its siblings.
  const beside = below(nursery, ON_ITS_WAY)
  writeFileSync(beside, bytes)
  renameSync(beside, path)
}

/** Opens a tree for writing; `isEmpty` spares the look at what is there. */
export const openTree = (folder: string, isEmpty: boolean): Tree => {
  const made = new Set<string>()
  let written: string[] = []
  const makeFolder = (path: string): void => {
    if (made.has(path)) return
    mkdirSync(path, { recursive: true })
    made.add(path)
  }
  return {
    place: (name, bytes, nursery) => {
      const path = below(folder, name)
      if (!isEmpty && isSame(path, bytes)) return
      const parent = parentOf(path)
      makeFolder(parent)
      const own = nursery === undefined ? parent : below(folder, nursery)
      makeFolder(own)
      if (isEmpty && own === parent) writeFileSync(path, bytes)
      else writeBeside(path, bytes, own)
      written.push(name)
    },
    takeWritten: () => {
      const names = written
      written = []
      return names
    },
  }
}

const removeEmptyFolders = (folder: string, root: string): void => {
  let path = folder
  while (path.length > root.length) {
    try {
      rmdirSync(path)
    } catch {
      // Not empty, or gone already: so are those above it.
      return
    }
    path = dirname(path)
  }
}

/** What is said where a file is gone, or where its name or a part of it is another thing's by now. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EPERM'])

const removeFile = (path: string): void => {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!NOT_THERE.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** Removes files that others take the names of at once, so that no folder is left empty. */
export const removeFiles = (folder: string, names: Iterable<string>): void => {
  for (const name of names) removeFile(join(folder, name))
}

/** Removes files from a tree, and the folders that are left empty: a file may take their name. */
export const removeNames = (folder: string, names: Iterable<string>): void => {
  for (const name of names) {
    const path = join(folder, name)
    removeFile(path)
    removeEmptyFolders(dirname(path), folder)
  }
}

/** What file systems say that have no hard links, or no more of them. */
const UNLINKABLE = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV'])

const linkOrCopy = (from: string, to: string): void => {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!UNLINKABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    copyFileSync(from, to)
  }
}

/** Gives files of one tree their names in another, as hard links where there can be any. */
export const linkFiles = (from: string, to: string, names: readonly string[]): void => {
  const made = new Set<string>()
  for (const name of names) {
    const target = below(to, name)
    const parent = parentOf(target)
    if (!made.has(parent)) {
      mkdirSync(parent, { recursive: true })
      made.add(parent)
    }
    linkOrCopy(below(from, name), target)
  }
}
