import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

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

const writeBeside = (path: string, bytes: Uint8Array | string, birthplace: string): void => {
  // Files are shared with the site that is served, so none is ever written into. And a file that is
  // made in a folder of its own is made faster: ext4 looks for a free place beside its siblings.
  const beside = below(birthplace, ON_ITS_WAY)
  writeFileSync(beside, bytes)
  renameSync(beside, path)
}

/** Writes the files of a site; `isEmpty` spares the look at what is there. */
export class Tree {
  readonly #folder: string
  readonly #isEmpty: boolean
  readonly #made = new Set<string>()
  #written: string[] = []

  constructor(folder: string, isEmpty: boolean) {
    this.#folder = folder
    this.#isEmpty = isEmpty
  }

  #makeFolder(path: string): void {
    if (this.#made.has(path)) return
    mkdirSync(path, { recursive: true })
    this.#made.add(path)
  }

  /** Puts a file in its place, unless it is there already; `birthplace` is a folder in which it is made first. */
  place(name: string, bytes: Uint8Array | string, birthplace?: string): void {
    const path = below(this.#folder, name)
    if (!this.#isEmpty && isSame(path, bytes)) return
    const parent = parentOf(path)
    this.#makeFolder(parent)
    const own = birthplace === undefined ? parent : below(this.#folder, birthplace)
    this.#makeFolder(own)
    if (this.#isEmpty && own === parent) writeFileSync(path, bytes)
    else writeBeside(path, bytes, own)
    this.#written.push(name)
  }

  /** Takes the names of the files that were written since the last call. */
  takeWritten(): string[] {
    return this.#written.splice(0)
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

/** Links a file of one tree into another; copies it where no hard link can be made. */
export const linkFile = (from: string, to: string, name: string): void => {
  const [source, target] = [below(from, name), below(to, name)]
  try {
    linkOrCopy(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    mkdirSync(parentOf(target), { recursive: true })
    linkOrCopy(source, target)
  }
}

/** Lists the files of a tree. */
export const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => below(entry.parentPath, entry.name).slice(folder.length + 1))
