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
/** Folder of the state in the output. */
export const STATE = 'state'
const LOCK = 'build.lock'

/** SQLITE_NOTADB (sqlite.org/rescode.html). */
const NOT_A_DATABASE = 26

const takeLock = (path: string): FileLock | undefined => {
  try {
    return lockFile(path)
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== NOT_A_DATABASE) throw error
    // Emptied in place, not removed: of several builds that find it damaged, all must lock the same file.
    truncateSync(path)
    return lockFile(path)
  }
}

/** Names in the folder of the state. */
const STATE_NAMES = new Set<string>([LOCK, ...STATE_FILES])

/** Folders of the current generation that have a link of their own in the output. */
const SHORTCUTS = ['public', 'private'] as const

/** What builds make in the output, and may replace. */
export const OUTPUT_NAMES = [GENERATIONS, CURRENT, ...SHORTCUTS, STATE] as const

/** A link that a killed build did not rename into place, or the lock of an older version. */
const LEFT = /^(?:(?:current|public|private)\.(?:new|\d+)|build\.lock(?:\.\d+)?)$/

const readLinkTarget = (path: string): string | undefined => {
  try {
    return readlinkSync(path)
  } catch {
    // Not a link: the rename of `swapLink` will refuse to replace a folder, and report it.
    return undefined
  }
}

const readCurrent = (output: string): string | undefined =>
  existsSync(join(output, CURRENT))
    ? basename(readLinkTarget(join(output, CURRENT)) ?? '')
    : undefined

/** Folder of the generation that is served. Throws OutputError where there is none. */
export const servedFolder = (output: string): string => {
  const name = readCurrent(output)
  if (name === undefined)
    throw new OutputError(`${output}: there is no finished build; run \`npm run build\` first`)
  return join(output, GENERATIONS, name)
}

const swapLink = (path: string, target: string): void => {
  const beside = `${path}.new`
  rmSync(beside, { force: true })
  symlinkSync(target, beside)
  try {
    // rename replaces the old link in one step: a reader sees the old site or the new one.
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
    throw new OutputError(`${path}: no folder can be made there; set OUT_DIR (${message})`)
  }
}

/** The generations of an output folder, while this process alone writes it. */
export class Generations {
  readonly stateFolder: string
  readonly #output: string
  readonly #lock: FileLock
  readonly #flush: (folder: string) => void

  /** Throws OutputError while another build runs. */
  constructor(output: string, flush = flushDisk) {
    makeFolders(output)
    this.#output = output
    this.#flush = flush
    this.stateFolder = join(output, STATE)
    const lock = takeLock(join(this.stateFolder, LOCK))
    if (!lock) throw new OutputError(`another build is writing ${output}; wait for it to end`)
    this.#lock = lock
    for (const name of readdirSync(output).filter((one) => LEFT.test(one)))
      rmSync(join(output, name), { force: true })
  }

  /** Name of the served generation, if there is one. */
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
   * Turns the generation before the current one into a copy of the current one, by linking what the current one
   * changed. Returns false where it does not exist.
   */
  reuse(
    name: string,
    { generation, written, removed }: BuildRecord['before'],
    current: string,
  ): boolean {
    if (!this.has(generation)) return false
    const folder = this.folderOf(name)
    // Under a new name: a server that still reads the old site finds nothing here, and opens the current one.
    this.rename(generation, name)
    // The state knows what is under the old name, so nothing of the new one may be found there.
    flushFolder(join(this.#output, GENERATIONS))
    removeNames(folder, removed)
    removeFiles(folder, written)
    for (const file of written) linkFile(this.folderOf(current), folder, file)
    return true
  }

  /** Serves a generation instead of the current one, in one step. */
  publish(name: string): void {
    // The shortcuts first: if something is in their place, the build stops before the served site changes.
    for (const shortcut of SHORTCUTS) linkShortcut(this.#output, shortcut)
    this.#flush(this.#output)
    swapLink(join(this.#output, CURRENT), join(GENERATIONS, name))
    // The next build takes the folder that the old link leads to.
    flushFolder(this.#output)
  }

  rename(name: string, next: string): void {
    renameSync(this.folderOf(name), this.folderOf(next))
  }

  /** Removes a generation that was never served. */
  discard(name: string): void {
    if (this.current !== name) rmSync(this.folderOf(name), { recursive: true, force: true })
  }

  /** Removes all generations except `kept`, and what other versions left beside the state. */
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
