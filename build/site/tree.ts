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
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { digestRow } from './digests.ts'
import { CODED_ENDINGS, isCoded } from '../../src/api/policies.ts'

const isSame = (path: string, bytes: Uint8Array | string): boolean => {
  const expected = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  try {
    // Most changed files differ in length, and `stat` is faster than reading a large file.
    return statSync(path).size === expected.length && readFileSync(path).equals(expected)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

// Cheaper than path.join for a million paths that are already normalized.
const below = (folder: string, name: string): string => `${folder}/${name}`
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** Temporary name of a file until it is renamed into place; unique per process, since processes share folders. */
const TEMPORARY_NAME = `.new-${process.pid}`

const writeBeside = (path: string, bytes: Uint8Array | string, createdIn: string): void => {
  // Files are hard links shared with the served site, so they are replaced and never written to. Creating files in
  // a small folder is faster: ext4 looks for free space beside the siblings.
  const beside = below(createdIn, TEMPORARY_NAME)
  writeFileSync(beside, bytes)
  renameSync(beside, path)
}

/** Files that were written. */
export interface Written {
  written: string[]
  digests: Uint8Array
}

/** Writes the files of a site; `isEmpty` skips the comparison with existing files. */
export class Tree {
  readonly #folder: string
  readonly #isEmpty: boolean
  readonly #made = new Set<string>()
  #written: string[] = []
  #digests: Buffer[] = []

  constructor(folder: string, isEmpty: boolean) {
    this.#folder = folder
    this.#isEmpty = isEmpty
  }

  #makeFolder(path: string): void {
    if (this.#made.has(path)) return
    mkdirSync(path, { recursive: true })
    this.#made.add(path)
  }

  /** Writes a file unless it exists with these bytes; `createdIn` is the folder in which it is first created. */
  place(name: string, bytes: Uint8Array | string, createdIn?: string): void {
    const path = below(this.#folder, name)
    if (!this.#isEmpty && isSame(path, bytes)) return
    const parent = parentOf(path)
    this.#makeFolder(parent)
    const own = createdIn === undefined ? parent : below(this.#folder, createdIn)
    this.#makeFolder(own)
    if (this.#isEmpty && own === parent) writeFileSync(path, bytes)
    else writeBeside(path, bytes, own)
    this.#written.push(name)
    this.#digests.push(digestRow(name, bytes))
  }

  /** Returns the files written since the last call, with their rows of the table of digests. */
  takeWritten(): Written {
    // A copy of its own: a small Buffer keeps all 64 KiB of the pool that it lies in.
    const digests = new Uint8Array(Buffer.concat(this.#digests.splice(0)))
    return { written: this.#written.splice(0), digests }
  }
}

const removeEmptyFolders = (folder: string, root: string): void => {
  let path = folder
  while (path.length > root.length) {
    try {
      rmdirSync(path)
    } catch {
      // Not empty or already removed; the same then holds for its parents.
      return
    }
    path = dirname(path)
  }
}

/** Error codes for a file that is gone, or whose path now belongs to something else. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EPERM'])

const removeFile = (path: string): void => {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!NOT_THERE.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** Removes files but keeps their folders, for names that are reused at once. */
export const removeFiles = (folder: string, names: Iterable<string>): void => {
  for (const name of names) removeFile(join(folder, name))
}

/** Removes files and the folders that become empty, since a file may take a folder's name. */
export const removeNames = (folder: string, names: Iterable<string>): void => {
  for (const name of names) {
    const path = join(folder, name)
    removeFile(path)
    removeEmptyFolders(dirname(path), folder)
  }
}

/** Error codes for which to copy instead of hard-linking. */
const UNLINKABLE = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV'])

const linkOrCopy = (from: string, to: string): void => {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!UNLINKABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    copyFileSync(from, to)
  }
}

/** Hard-links a file into another tree, or copies it. */
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

/** File names of the precompressed forms. */
export const listCodedNames = (names: readonly string[]): string[] =>
  names.filter(isCoded).flatMap((name) => CODED_ENDINGS.map((ending) => name + ending))

/** The Node host's settings: brotli costs a third more than gzip, and a window of 256 KiB holds any page. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 18 },
}

const CODERS: Record<(typeof CODED_ENDINGS)[number], (bytes: Buffer) => Buffer> = {
  '.br': (bytes) => brotliCompressSync(bytes, BROTLI),
  '.gz': (bytes) => gzipSync(bytes),
}

/** Writes the precompressed forms of a file beside it. */
export const writeCoded = (folder: string, name: string): Written => {
  const bytes = readFileSync(join(folder, name))
  const tree = new Tree(folder, false)
  for (const ending of CODED_ENDINGS) tree.place(name + ending, CODERS[ending](bytes))
  return tree.takeWritten()
}
