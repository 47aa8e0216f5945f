import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { makeFolder } from './folders.ts'
import { OutputError, takeLock } from './lock.ts'
import { isAlive } from './processes.ts'
import { STATE_FOLDER } from './state.ts'
import type { Difference } from './state.ts'
import { linkFiles, removeFiles, removeNames } from './tree.ts'

export { OutputError }

const GENERATIONS = 'generations'
const CURRENT = 'current'
const LOCK = 'build.lock'

/** Folders of the current generation that have an address of their own below the output. */
const SHORTCUTS = ['public', 'private'] as const

/** What builds make in the output and replace as they like. */
export const OUTPUT_NAMES = [GENERATIONS, CURRENT, ...SHORTCUTS, STATE_FOLDER] as const

/** A link, or a lock, that a killed build did not put in its place. */
const UNFINISHED = /^(?:current|public|private|build\.lock)\.(\d+)$/

const sweepUnfinished = (output: string): void => {
  for (const name of readdirSync(output)) {
    const [, pid] = UNFINISHED.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(output, name), { force: true })
  }
}

const readCurrent = (output: string): string | undefined =>
  existsSync(join(output, CURRENT))
    ? basename(readLinkTarget(join(output, CURRENT)) ?? '')
    : undefined

const readLinkTarget = (path: string): string | undefined => {
  try {
    return readlinkSync(path)
  } catch {
    // Not a link: swapLink's rename will refuse to replace a folder, and say so.
    return undefined
  }
}

const swapLink = (path: string, target: string): void => {
  const beside = `${path}.${process.pid}`
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

/** The generations of an output folder, while this process alone writes it. */
export interface Generations {
  /** Name of the one that is served, where there is one. */
  current: string | undefined
  folderOf: (name: string) => string
  /** Makes an empty folder for the next one. */
  openEmpty: () => string
  /**
   * Makes the next one out of the one before the current: what the current changed in it is linked,
   * so that it holds what the current holds. Undefined where it is not there.
   */
  openSpare: (difference: Difference) => string | undefined
  /** Serves a generation in place of the current, in one step. */
  publish: (name: string) => void
  rename: (name: string, next: string) => void
  /** Removes one that never came to be served. */
  discard: (name: string) => void
  /** Removes every generation that is not named. */
  sweep: (kept: readonly string[]) => void
  close: () => void
}

const nameNext = (): string => `${Date.now().toString(36)}-${process.pid}`

const makeOutput = (output: string): void => {
  try {
    makeFolder(join(output, GENERATIONS))
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw error
    throw new OutputError(`${path}: no folder can be made there; set OUT_DIR (${message})`)
  }
}

/** Opens an output folder for building. Throws OutputError while another build runs. */
export const openGenerations = (output: string): Generations => {
  const folderOf = (name: string): string => join(output, GENERATIONS, name)
  makeOutput(output)
  const lock = join(output, LOCK)
  takeLock(lock)
  sweepUnfinished(output)
  const current = readCurrent(output)
  return {
    current,
    folderOf,
    openEmpty: () => {
      const name = nameNext()
      mkdirSync(folderOf(name))
      return name
    },
    openSpare: ({ from, written, removed }) => {
      if (current === undefined || from === '' || !existsSync(folderOf(from))) return undefined
      const name = nameNext()
      // Under a new name a straggler of the old site finds nothing here, and asks the current one.
      renameSync(folderOf(from), folderOf(name))
      removeNames(folderOf(name), removed)
      removeFiles(folderOf(name), written)
      linkFiles(folderOf(current), folderOf(name), written)
      return name
    },
    publish: (name) => {
      // The shortcuts first: what stands in their place is refused before anything is served anew.
      for (const shortcut of SHORTCUTS) linkShortcut(output, shortcut)
      swapLink(join(output, CURRENT), join(GENERATIONS, name))
    },
    rename: (name, next) => renameSync(folderOf(name), folderOf(next)),
    discard: (name) => {
      if (readCurrent(output) !== name) rmSync(folderOf(name), { recursive: true, force: true })
    },
    sweep: (kept) => {
      for (const name of readdirSync(join(output, GENERATIONS))) {
        if (!kept.includes(name)) rmSync(folderOf(name), { recursive: true, force: true })
      }
    },
    close: () => rmSync(lock, { force: true }),
  }
}
