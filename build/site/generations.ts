import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  readFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { hash } from 'node:crypto'
import { OutputError, flushDisk, flushFolder, lockFile, makeFolder } from './folders.ts'
import type { FileLock } from './folders.ts'
import { STATE_FILES, DamagedStateError, readLastBuild } from './state.ts'
import type { BuildRecord } from './state.ts'
import { linkFile, removeFiles, removeNames, listFiles } from './tree.ts'
import { DIGESTS_NAME, ROW_BYTES } from '../../src/catalog/tables.ts'
import { isAsDigested } from './digests.ts'
import type { Progress } from './progress.ts'

const GENERATIONS = 'generations'
const CURRENT = 'current'
const STATE = 'state'
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
const isPlainCopy = (output: string): boolean =>
  existsSync(join(output, CURRENT)) && readLinkTarget(join(output, CURRENT)) === undefined

/** Folder of the served generation. Throws OutputError if there is none. */
const servedFolder = (output: string): string => {
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

/** Before any work: no rename replaces a folder, which a copy made without links has in the place of each. */
const checkLinks = (output: string): void => {
  for (const path of [...SHORTCUTS, CURRENT].map((name) => join(output, name)))
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new OutputError(
        `${path}: this is a folder, but the build puts a link there; move it or set OUT_DIR`,
      )
}

/** The generations of an output folder, locked by this process. */
export class Generations {
  readonly stateFolder: string
  readonly #output: string
  readonly #lock: FileLock
  readonly #flush: (folder: string) => void

  /** Throws OutputError if another build is running, or a folder is in the place of a link. */
  constructor(output: string, flush = flushDisk) {
    makeFolders(output)
    checkLinks(output)
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

/** Differences between the served files and the table of digests. */
interface SiteFaults {
  /** Number of compared files. */
  files: number
  different: string[]
  /** Files that the build did not write. */
  unknown: string[]
  /** Number of files that no longer exist. */
  missing: number
}

const compareFiles = (
  folder: string,
  table: Buffer,
  progress: Progress,
  all = listFiles(folder),
): SiteFaults => {
  const names = all.filter((name) => name !== DIGESTS_NAME)
  const faults: SiteFaults = { files: names.length, different: [], unknown: [], missing: 0 }
  progress.stage('Comparing files with their digests', names.length)
  for (const name of names.sort()) {
    const isSame = isAsDigested(table, name, readFileSync(join(folder, name)))
    if (isSame === undefined) faults.unknown.push(name)
    else if (!isSame) faults.different.push(name)
    progress.step()
  }
  faults.missing = Math.ceil(table.length / ROW_BYTES) - (names.length - faults.unknown.length)
  return faults
}

/** Digest of a generation's table from the state; undefined after a rollback. */
const findTableDigest = (state: string, generation: string): string | undefined => {
  try {
    const last = readLastBuild(state)
    return last?.generation === generation ? last.tableDigest : undefined
  } catch (error) {
    if (error instanceof DamagedStateError) return undefined
    throw error
  }
}

/** Adds the faults of a `public` that a copy has as a folder of its own (`cp -rL`), since a CDN may serve it. */
const addCopied = (
  faults: SiteFaults,
  output: string,
  table: Buffer,
  progress: Progress,
): SiteFaults => {
  const [shortcut] = SHORTCUTS
  const copy = join(output, shortcut)
  if (!existsSync(copy) || readLinkTarget(copy) === join(CURRENT, shortcut)) return faults
  const names = listFiles(copy).map((name) => join(shortcut, name))
  const copied = compareFiles(output, table, progress, names)
  const found = new Set([...names, ...faults.unknown])
  const lost = listFiles(servedFolder(output)).filter(
    (name) => name.startsWith(`${shortcut}/`) && !found.has(name),
  )
  const placed = (name: string): string => join(output, name)
  return {
    files: faults.files + copied.files,
    different: [...faults.different, ...copied.different.map(placed)],
    unknown: [...faults.unknown, ...copied.unknown.map(placed)],
    missing: faults.missing + lost.length,
  }
}

/**
 * Compares every served file with the table of digests, also those of a copied `public`, which are named with their
 * whole path. Throws OutputError if there is no site.
 */
export const verifySite = (output: string, progress: Progress): SiteFaults => {
  const folder = servedFolder(output)
  const path = join(folder, DIGESTS_NAME)
  if (!existsSync(path))
    throw new OutputError(`${path}: there is no table of digests; run \`npm run build\` first`)
  const table = readFileSync(path)
  const faults = compareFiles(folder, table, progress)
  const expected = findTableDigest(join(output, STATE), basename(folder))
  if (expected !== undefined && hash('sha256', table) !== expected)
    faults.different.push(DIGESTS_NAME)
  return addCopied(faults, output, table, progress)
}

/** Whether a generation's table has this digest and all its files match the table. */
export const isWhole = (folder: string, tableDigest: string, progress: Progress): boolean => {
  const path = join(folder, DIGESTS_NAME)
  if (!existsSync(path)) return false
  const table = readFileSync(path)
  if (hash('sha256', table) !== tableDigest) return false
  const { different, unknown, missing } = compareFiles(folder, table, progress)
  return different.length + unknown.length + missing === 0
}

/** Start time of a generation, from its name. */
const formatStart = (name: string): string => {
  const time = new Date(parseInt(name, 36))
  return Number.isNaN(time.getTime()) ? name : `${time.toISOString().slice(0, 19)}Z`
}

const readRecord = (folder: string): BuildRecord | undefined => {
  try {
    return readLastBuild(folder)
  } catch (error) {
    if (!(error instanceof DamagedStateError)) throw error
    throw new OutputError(
      `${error.message}, so the previous build is unknown; run \`npm run build\``,
    )
  }
}

/**
 * Puts the previously served site back and returns a message that names it. The next build continues from the latest
 * one. Throws OutputError if there is no previous site.
 */
export const rollBack = (output: string): string => {
  const folder = servedFolder(output)
  if (isPlainCopy(output))
    throw new OutputError(
      `${folder}: this is a ${lstatSync(folder).isFile() ? 'file' : 'folder'}, not a link to a build, so the output is a copy without an earlier one; roll back where it was built and copy it again, with its links (\`cp -a\`, \`rsync -a\`)`,
    )
  const generations = new Generations(output)
  try {
    const { generation, replaced } = readRecord(generations.stateFolder) ?? {}
    const { current = '' } = generations
    const served = `${output} serves the build of ${formatStart(current)}`
    if (current === replaced)
      throw new OutputError(
        `${served}, the oldest one kept; run \`npm run build\` to build the current content`,
      )
    if (current !== generation || replaced === undefined || !generations.has(replaced))
      throw new OutputError(
        `${served}, and no earlier one is kept; a rollback is possible after the next build`,
      )
    generations.publish(replaced)
    return `${output} serves the build of ${formatStart(replaced)} again instead of that of ${formatStart(current)}; the next build replaces it with the current content`
  } finally {
    generations.close()
  }
}
