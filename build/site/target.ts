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

/** Files of the site that are written together. A file belongs to one output only. */
export interface Output {
  name: string
  /** Digest of all inputs of the files, except the code. */
  key: string
  files: readonly string[]
}

// Cheaper than path.join for a million paths that are already normalized.
const below = (folder: string, name: string): string => `${folder}/${name}`
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** Temporary name of a file until it is renamed into place; unique in folders that threads share. */
const TEMPORARY_NAME = `.new-${process.pid}-${threadId}`

/** Folders that this thread has made, to avoid failed writes, which are slow. */
const made = new Set<string>()

const makeFolders = (folders: readonly string[]): void => {
  for (const path of folders) mkdirSync(path, { recursive: true })
  for (const path of folders) made.add(path)
}

/** Does work that needs folders; makes missing folders first. */
const withFolders = (folders: readonly string[], work: () => void): void => {
  makeFolders(folders.filter((path) => !made.has(path)))
  try {
    work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    // A folder has been removed since it was made.
    makeFolders(folders)
    work()
  }
}

/**
 * Writes a file below a folder. The file is first created in `createdIn`. A small folder is faster, because ext4 looks
 * for free space near the other files of the folder.
 */
export const writeOutputFile = (
  folder: string,
  name: string,
  bytes: Uint8Array | string,
  createdIn = parentOf(name),
): void => {
  const [path, tempFolder] = [below(folder, name), below(folder, createdIn)]
  withFolders([parentOf(path), tempFolder], () => {
    // Rename into place: writing to an existing file could change the served site, to which it may be hard-linked.
    const beside = below(tempFolder, TEMPORARY_NAME)
    writeFileSync(beside, bytes)
    renameSync(beside, path)
  })
}

/** Error codes for a file that is gone, or whose path is now something else. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EPERM'])

const removeFile = (path: string): void => {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!NOT_THERE.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** Removes files and the folders that become empty: a later file may need the name of such a folder. */
const removeFiles = (folder: string, names: Iterable<string>): void => {
  for (const name of names) {
    const path = below(folder, name)
    removeFile(path)
    try {
      for (let empty = dirname(path); empty.length > folder.length; empty = dirname(empty))
        rmdirSync(empty)
    } catch {
      // The folder is not empty, or already removed. Then its parents need no check.
    }
  }
}

/** Error codes for which to copy instead of hard-linking. */
const UNLINKABLE = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV'])

/** Hard-links a file to another path, or copies it. */
const linkFile = (from: string, to: string): void =>
  withFolders([parentOf(to)], () => {
    try {
      linkSync(from, to)
    } catch (error) {
      if (!UNLINKABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      copyFileSync(from, to)
    }
  })

export interface OutputFolder {
  folder: string
  outputs: Map<string, KnownOutput>
}

/** The folder of the next site. An output is written only if neither this folder nor the served site has its key. */
export class NextFolder implements OutputFolder {
  readonly folder: string
  readonly outputs: Map<string, KnownOutput>
  readonly #served: OutputFolder
  readonly #wanted = new Set<string>()

  constructor(folder: string, outputs: OutputFolder['outputs'], served: OutputFolder) {
    this.folder = folder
    this.outputs = outputs
    this.#served = served
  }

  /**
   * Keeps an output that exists with the same key, or links it from the served site. Returns false if it must be
   * written; its old files are then removed.
   */
  keepOrClear({ name, key }: Output): boolean {
    this.#wanted.add(name)
    const old = this.outputs.get(name)
    if (old?.key === key) return true
    if (old) removeFiles(this.folder, old.files)
    this.outputs.delete(name)
    const served = this.#served.outputs.get(name)
    if (served?.key !== key) return false
    for (const file of served.files)
      linkFile(below(this.#served.folder, file), below(this.folder, file))
    this.outputs.set(name, served)
    return true
  }

  add({ name, key, files }: Output, details: OutputDetails = {}): void {
    this.outputs.set(name, { key, files, details })
  }

  /** Writes the files of an output, in their order. */
  write(output: Output, contents: readonly (Uint8Array | string)[], details?: OutputDetails): void {
    contents.forEach((content, at) => writeOutputFile(this.folder, output.files[at]!, content))
    this.add(output, details)
  }

  drop(name: string): void {
    removeFiles(this.folder, this.outputs.get(name)?.files ?? [])
    this.outputs.delete(name)
  }

  /** Gives a file of this folder a second name. The file must never be written to again. */
  link(from: string, name: string): void {
    linkFile(below(this.folder, from), below(this.folder, name))
  }

  /** Removes outputs that no longer belong to the site. */
  sweep(): void {
    for (const [name, { files }] of this.outputs) {
      if (this.#wanted.has(name)) continue
      removeFiles(this.folder, files)
      this.outputs.delete(name)
    }
  }
}

/** Lists the files of outputs that the other site lacks, or has with another key. */
const listChanged = (outputs: OutputFolder['outputs'], others: OutputFolder['outputs']): string[] =>
  [...outputs].flatMap(([name, { key, files }]) => (others.get(name)?.key === key ? [] : files))

/** Compares the files of two sites by their keys. */
export const compareOutputs = (before: OutputFolder['outputs'], after: OutputFolder['outputs']) => {
  const written = new Set(listChanged(after, before))
  const removed = listChanged(before, after).filter((file) => !written.has(file))
  return { written: written.size, removed: removed.length }
}
