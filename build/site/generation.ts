import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Output } from './outputs.ts'

const GENERATIONS = 'generations'
const CURRENT = 'current'
const LOCK = 'build.lock'

/** Folders of the current generation that have an address of their own below the output. */
const SHORTCUTS = ['public', 'private'] as const

/** Finished generations that stay: the one served, and the one whose requests may still run. */
const KEPT = 2

/** Says that a build cannot write its output, and how to mend it. */
export class OutputError extends Error {
  override name = 'OutputError'
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const takeLock = (path: string): void => {
  try {
    const file = openSync(path, 'wx')
    writeSync(file, `${process.pid}\n`)
    closeSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const holder = Number(readFileSync(path, 'utf8'))
    if (holder > 0 && isAlive(holder)) {
      throw new OutputError(
        `another build (process ${holder}) is writing ${dirname(path)}; wait for it to end`,
      )
    }
    // Its build was killed: what it left is not served and goes with the next sweep.
    rmSync(path, { force: true })
    takeLock(path)
  }
}

const readCurrent = (output: string): string | undefined =>
  existsSync(join(output, CURRENT)) ? basename(readlinkSync(join(output, CURRENT))) : undefined

const swapLink = (path: string, target: string): void => {
  const beside = `${path}.${process.pid}`
  rmSync(beside, { force: true })
  symlinkSync(target, beside)
  // rename replaces the old link in one step: a reader sees the old site or the new one.
  renameSync(beside, path)
}

/**
 * A site on its way: files are written into a folder of their own, and `publish` puts it in the
 * place of the one that is served, in one step. Until then, and if it never comes, nothing changes.
 */
export interface Generation {
  folder: string
  write: (output: Output) => Uint8Array | string
  publish: () => void
  /** Removes what was written; safe after publish, which it leaves alone. */
  close: () => void
}

/** Opens the next generation of an output folder. Throws OutputError while another build runs. */
export const openGeneration = (output: string): Generation => {
  mkdirSync(join(output, GENERATIONS), { recursive: true })
  const lock = join(output, LOCK)
  takeLock(lock)
  const name = `${Date.now().toString(36)}-${process.pid}`
  const folder = join(output, GENERATIONS, name)
  const made = new Set<string>()
  let isPublished = false
  mkdirSync(folder)
  return {
    folder,
    write: ({ name: file, make }) => {
      const path = join(folder, file)
      const parent = dirname(path)
      if (!made.has(parent)) {
        mkdirSync(parent, { recursive: true })
        made.add(parent)
      }
      const bytes = make()
      writeFileSync(path, bytes)
      return bytes
    },
    publish: () => {
      swapLink(join(output, CURRENT), join(GENERATIONS, name))
      for (const shortcut of SHORTCUTS) linkShortcut(output, shortcut)
      isPublished = true
      sweep(output)
    },
    close: () => {
      if (!isPublished) rmSync(folder, { recursive: true, force: true })
      rmSync(lock, { force: true })
    },
  }
}

const linkShortcut = (output: string, name: string): void => {
  const path = join(output, name)
  const target = join(CURRENT, name)
  if (!existsSync(path) || readLinkTarget(path) !== target) swapLink(path, target)
}

const readLinkTarget = (path: string): string | undefined => {
  try {
    return readlinkSync(path)
  } catch {
    // Not a link: swapLink's rename will refuse to replace a folder, and say so.
    return undefined
  }
}

/** Removes generations that are neither served nor just replaced. */
const sweep = (output: string): void => {
  const current = readCurrent(output)
  const others = readdirSync(join(output, GENERATIONS))
    .filter((name) => name !== current)
    .sort()
    .toReversed()
  for (const name of others.slice(KEPT - 1)) {
    rmSync(join(output, GENERATIONS, name), { recursive: true, force: true })
  }
}
