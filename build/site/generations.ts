import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { OutputError, flushDisk, flushFolder, lockFile, makeFolder } from './folders.ts'
import type { FileLock } from './folders.ts'
import { STATE_FILES } from './state.ts'
import type { BuildRecord } from './state.ts'
import { linkFile, removeFiles, removeNames } from './tree.ts'

const GENERATIONS = 'generations'
const CURRENT = 'current'
export const STATE = 'state'
const LOCK = 'build.lock'

/** SQLITE_NOTADB (sqlite.org/rescode.html). */
const NOT_A_DATABASE = 26

const takeLock = (path: string): FileLock | undefined => {
  try {
    return lockFile(path)
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== NOT_A_DATABASE) throw error
    // Truncated, not removed: concurrent builds that find it damaged must all lock the same file.
    truncateSync(path)
    return lockFile(path)
  }
}

const STATE_NAMES = new Set<string>([LOCK, ...STATE_FILES])

/** Folders of the current generation with their own links in the output. */
const SHORTCUTS = ['public', 'private'] as const

/** Entries of the output folder that builds create and may replace. */
export const OUTPUT_NAMES = [GENERATIONS, CURRENT, ...SHORTCUTS, STATE] as const

/** A temporary link left by a killed build, or the lock of an older version. */
const LEFTOVER = /^(?:(?:current|public|private)\.(?:new|\d+)|build\.lock(?:\.\d+)?)$/

const readLinkTarget = (path: string): string | undefined => {
  try {
    return readlinkSync(path)
  } catch {
    // Not a link: `swapLink` will fail to replace it and report that.
    return undefined
  }
}

const readCurrent = (output: string): string | undefined =>
  existsSync(join(output, CURRENT))
    ? basename(readLinkTarget(join(output, CURRENT)) ?? '')
    : undefined

/** Whether an output was copied with a folder in the place of the link to the served generation. */
export const isPlainCopy = (output: string): boolean =>
  existsSync(join(output, CURRENT)) && readLinkTarget(join(output, CURRENT)) === undefined

/** Folder of the served generation. Throws OutputError if there is none. */
export const servedFolder = (output: string): string => {
  const name = readCurrent(output)
  if (name === undefined)
    throw new OutputError(`${output}: there is no finished build; run \`npm run build\` first`)
  return isPlainCopy(output) ? join(output, CURRENT) : join(output, GENERATIONS, name)
}

const swapLink = (path: string, target: string): void => {
  const beside = `${path}.new`
  rmSync(beside, { force: true })
  symlinkSync(target, beside)
  try {
    // The rename is atomic: readers see either the old site or the new one.
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

const linkShortcut = (output: string, name: string): void => {
  const path = join(output, name)
  const target = join(CURRENT, name)
  if (!existsSync(path) || readLinkTarget(path) !== target) swapLink(path, target)
}

const makeFolders = (output: string): void => {
  try {
    makeFolder(join(output, GENERATIONS))
    makeFolder(join(output, STATE))
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw error
    throw new OutputError(`${path}: cannot create the output folder; set OUT_DIR (${message})`)
  }
}

/** The generations of an output folder, locked by this process. */
export class Generations {
  readonly stateFolder: string
  readonly #output: string
  readonly #lock: FileLock
  readonly #flush: (folder: string) => void

  /** Throws OutputError if another build is running. */
  constructor(output: string, flush = flushDisk) {
    makeFolders(output)
    this.#output = output
    this.#flush = flush
    this.stateFolder = join(output, STATE)
    const lock = takeLock(join(this.stateFolder, LOCK))
    if (!lock) throw new OutputError(`another build is writing ${output}; wait for it to end`)
    this.#lock = lock
    for (const name of readdirSync(output).filter((one) => LEFTOVER.test(one)))
      rmSync(join(output, name), { force: true })
  }

  get current(): string | undefined {
    return readCurrent(this.#output)
  }

  folderOf(name: string): string {
    return join(this.#output, GENERATIONS, name)
  }

  has(name: string): boolean {
    return existsSync(this.folderOf(name))
  }

  nameNext(): string {
    return `${Date.now().toString(36)}-${process.pid}`
  }

  openEmpty(name: string): void {
    mkdirSync(this.folderOf(name))
  }

  /**
   * Turns the previous generation into a copy of the current one by linking the files that differ. Returns false if it
   * does not exist.
   */
  reuse(
    name: string,
    { generation, written, removed }: BuildRecord['before'],
    current: string,
  ): boolean {
    if (!this.has(generation)) return false
    const folder = this.folderOf(name)
    // Renamed, so that a server still reading the old site gets errors and reopens the current one.
    this.rename(generation, name)
    // The state describes the files under the old name, so no new file may appear there.
    flushFolder(join(this.#output, GENERATIONS))
    removeNames(folder, removed)
    removeFiles(folder, written)
    for (const file of written) linkFile(this.folderOf(current), folder, file)
    return true
  }

  /** Atomically replaces the served generation. */
  publish(name: string): void {
    // Shortcuts first: if their place is taken, the build fails before the served site changes.
    for (const shortcut of SHORTCUTS) linkShortcut(this.#output, shortcut)
    this.#flush(this.#output)
    swapLink(join(this.#output, CURRENT), join(GENERATIONS, name))
    // The next build reuses the folder of the old link.
    flushFolder(this.#output)
  }

  rename(name: string, next: string): void {
    renameSync(this.folderOf(name), this.folderOf(next))
  }

  /** Removes a generation that was never served. */
  discard(name: string): void {
    if (this.current !== name) rmSync(this.folderOf(name), { recursive: true, force: true })
  }

  /** Removes all generations except `kept`, and files left by other versions. */
  sweep(kept: readonly string[]): void {
    for (const name of readdirSync(join(this.#output, GENERATIONS)))
      if (!kept.includes(name)) rmSync(this.folderOf(name), { recursive: true, force: true })
    for (const name of readdirSync(this.stateFolder))
      if (!STATE_NAMES.has(name))
        rmSync(join(this.stateFolder, name), { recursive: true, force: true })
  }

  close(): void {
    this.#lock.release()
  }
}
