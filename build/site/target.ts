import {
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { KnownOutput, OutputDetails } from './state.ts'

/** Some files of the site that are written together. No other output has one of them. */
export interface Output {
  name: string
  /** Changes with everything that the files are made of, within one version of the code. */
  key: string
  files: readonly string[]
}

// Cheaper than path.join for a million paths that are already normalized.
const below = (folder: string, name: string): string => `${folder}/${name}`
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** Temporary name of a file until it is renamed into place; threads share folders. */
const TEMPORARY_NAME = `.new-${process.pid}-${threadId}`

/** Folders that this thread made: a write that fails because there is none costs an error. */
const made = new Set<string>()

const makeFolders = (folders: readonly string[]): void => {
  for (const path of folders) mkdirSync(path, { recursive: true })
  for (const path of folders) made.add(path)
}

/** Does something that needs folders, and makes those that are missing. */
const withFolders = (folders: readonly string[], work: () => void): void => {
  makeFolders(folders.filter((path) => !made.has(path)))
  try {
    work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    // One that was made has been removed since then.
    makeFolders(folders)
    work()
  }
}

/**
 * Writes a file below a folder. It is first made in `createdIn`: in a small folder that is faster, since ext4 looks for
 * free space beside the siblings.
 */
export const writeOutputFile = (
  folder: string,
  name: string,
  bytes: Uint8Array | string,
  createdIn = parentOf(name),
): void => {
  const [path, own] = [below(folder, name), below(folder, createdIn)]
  withFolders([parentOf(path), own], () => {
    // Renamed into place, since a file that is there may be a hard link to one of the served site.
    const beside = below(own, TEMPORARY_NAME)
    writeFileSync(beside, bytes)
    renameSync(beside, path)
  })
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

/** Removes files and the folders that become empty, since a file may take a folder's name. */
const removeFiles = (folder: string, names: Iterable<string>): void => {
  for (const name of names) {
    const path = below(folder, name)
    removeFile(path)
    try {
      for (let empty = dirname(path); empty.length > folder.length; empty = dirname(empty))
        rmdirSync(empty)
    } catch {
      // Not empty or already removed; the same then holds for its parents.
    }
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
const linkFile = (from: string, to: string, name: string): void => {
  const path = below(to, name)
  withFolders([parentOf(path)], () => linkOrCopy(below(from, name), path))
}

/** What was made for an output. */
interface Printed {
  bytes: readonly (Uint8Array | string)[]
  details?: OutputDetails
}

/** A folder of outputs. */
export interface Holding {
  folder: string
  outputs: Map<string, KnownOutput>
}

/** The folder of the next site. An output that it or the served site has with the same key is not written again. */
export class NextFolder implements Holding {
  readonly folder: string
  readonly outputs: Map<string, KnownOutput>
  readonly #served: Holding
  readonly #wanted = new Set<string>()

  constructor(folder: string, outputs: Holding['outputs'], served: Holding) {
    this.folder = folder
    this.outputs = outputs
    this.#served = served
  }

  /**
   * Keeps an output that is there with its key, or links it from the served site; returns whether it did. If not, its old
   * files are removed, and it has to be written.
   */
  keepOrClear({ name, key }: Output): boolean {
    this.#wanted.add(name)
    const own = this.outputs.get(name)
    if (own?.key === key) return true
    if (own) removeFiles(this.folder, own.files)
    this.outputs.delete(name)
    const served = this.#served.outputs.get(name)
    if (served?.key !== key) return false
    for (const file of served.files) linkFile(this.#served.folder, this.folder, file)
    this.outputs.set(name, served)
    return true
  }

  /** Records an output that was written. */
  add({ name, key, files }: Output, details: OutputDetails = {}): void {
    this.outputs.set(name, { key, files, details })
  }

  /** Writes the files of an output, in their order. */
  write(output: Output, { bytes, details }: Printed): void {
    bytes.forEach((content, at) => writeOutputFile(this.folder, output.files[at]!, content))
    this.add(output, details)
  }

  /** Removes an output that was kept. */
  drop(name: string): void {
    removeFiles(this.folder, this.outputs.get(name)?.files ?? [])
    this.outputs.delete(name)
  }

  /** Gives a file of this folder, which is never written to again, another name too. */
  link(from: string, name: string): void {
    const path = below(this.folder, name)
    withFolders([parentOf(path)], () => linkOrCopy(below(this.folder, from), path))
  }

  /** Writes a file of an output that is recorded later. */
  place(name: string, bytes: Uint8Array | string): void {
    writeOutputFile(this.folder, name, bytes)
  }

  /** Removes what no longer belongs to the site. */
  sweep(): void {
    for (const [name, { files }] of this.outputs) {
      if (this.#wanted.has(name)) continue
      removeFiles(this.folder, files)
      this.outputs.delete(name)
    }
  }
}

/** Lists the files of outputs that others lack or have with another key. */
const listOthers = (outputs: Holding['outputs'], others: Holding['outputs']): string[] =>
  [...outputs].flatMap(([name, { key, files }]) => (others.get(name)?.key === key ? [] : files))

/** Compares the files of two sites by their keys. */
export const compareOutputs = (before: Holding['outputs'], after: Holding['outputs']) => {
  const written = new Set(listOthers(after, before))
  const removed = listOthers(before, after).filter((file) => !written.has(file))
  return { written: written.size, removed: removed.length }
}
