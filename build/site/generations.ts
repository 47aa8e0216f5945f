import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { OutputError, flushDisk, flushFolder, makeFolder, openUmask } from '../machine/folders.ts'
import { lockFile } from '../machine/lock.ts'
import type { FileLock } from '../machine/lock.ts'

const GENERATIONS = 'generations'
const CURRENT = 'current'
const STATE = 'state'

/** Folders of the served site that have their own links in the output folder. */
const SHORTCUTS = ['public', 'private'] as const

/** Entries of the output folder that builds create and replace. */
export const OUTPUT_NAMES = [GENERATIONS, CURRENT, ...SHORTCUTS, STATE] as const

const swapLink = (path: string, target: string): void => {
  const beside = `${path}.new`
  rmSync(beside, { force: true })
  symlinkSync(target, beside)
  // The rename is atomic: readers see either the old site or the new one.
  renameSync(beside, path)
}

const makeGenerations = (output: string, isPrivate: boolean): void => {
  using _ = isPrivate ? undefined : openUmask()
  makeFolder(join(output, GENERATIONS))
}

const makeFolders = (output: string, isPrivate: boolean): void => {
  try {
    makeGenerations(output, isPrivate)
    makeFolder(join(output, STATE))
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw error
    throw new OutputError(`${path}: cannot create the output folder; set OUT_DIR (${message})`)
  }
}

/** Refuses folders in place of links, as in a copy without symlinks: a rename cannot replace them with links. */
const refuseFolders = (output: string): void => {
  for (const path of [...SHORTCUTS, CURRENT].map((name) => join(output, name)))
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new OutputError(
        `${path}: this is a folder, but the build needs a link there; move it or set OUT_DIR`,
      )
}

/**
 * The served folder and the previous one, in an output folder that this process has locked. A build renames the folder
 * that is not served, fills it, and swaps the link. The replaced folder stays for `npm run back`.
 *
 *     generations/     before       filling      published    reused by the next build
 *     current ->       a            a            c
 *                      b            c (was b)    a            a
 */
export class Generations {
  readonly statePath: string
  readonly #output: string
  readonly #lock: FileLock

  /** Throws OutputError if another build is running, or if there is a folder in place of a link. */
  constructor(output: string, { isClean = false, isPrivate = false } = {}) {
    makeFolders(output, isPrivate)
    refuseFolders(output)
    this.#output = output
    this.statePath = join(output, STATE, 'state.db')
    const lock = lockFile(join(output, STATE, 'build.lock'), isClean)
    if (!lock) throw new OutputError(`another build is writing ${output}; wait for it to end`)
    this.#lock = lock
  }

  /** Name of the served folder, if it exists. */
  get current(): string | undefined {
    const path = join(this.#output, CURRENT)
    return existsSync(path) ? basename(readlinkSync(path)) : undefined
  }

  /** The origin of the served site; undefined if there is none, or if its file was changed by hand. */
  get servedOrigin(): string | undefined {
    const path = join(this.#output, CURRENT, 'private/site.json')
    const [, origin] = existsSync(path)
      ? (/"origin":"(https?:[^"]+)"/.exec(readFileSync(path, 'utf8')) ?? [])
      : []
    return origin
  }

  folderOf(name: string): string {
    return join(this.#output, GENERATIONS, name)
  }

  has(name: string): boolean {
    return existsSync(this.folderOf(name))
  }

  /**
   * Gives a folder that is not served a new name, or makes an empty folder. A server that still reads from the old name
   * gets errors, and then opens the current site.
   */
  takeNext(spare: string | undefined): string {
    const name = `${Date.now().toString(36)}-${process.pid}`
    if (spare === undefined) mkdirSync(this.folderOf(name))
    else renameSync(this.folderOf(spare), this.folderOf(name))
    return name
  }

  remove(name: string): void {
    rmSync(this.folderOf(name), { recursive: true, force: true })
  }

  /** Removes all folders except those that are needed. */
  sweep(needed: readonly string[]): void {
    for (const name of readdirSync(join(this.#output, GENERATIONS)))
      if (!needed.includes(name)) this.remove(name)
  }

  /** Waits until everything written is on the disk. */
  flush(): void {
    flushDisk(this.#output)
  }

  /** Makes a folder the served folder. */
  publish(name: string): void {
    for (const shortcut of SHORTCUTS)
      swapLink(join(this.#output, shortcut), join(CURRENT, shortcut))
    swapLink(join(this.#output, CURRENT), join(GENERATIONS, name))
    flushFolder(this.#output)
  }

  [Symbol.dispose](): void {
    this.#lock.release()
  }
}
