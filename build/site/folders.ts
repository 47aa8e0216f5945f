import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRunning, markProcess } from './processes.ts'

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Makes a folder and those above it, where they are not there. */
export const makeFolder = (path: string): void => {
  if (isFolder(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    // One by one: asked for all of them, Node tries for ever below /proc, which has no place for folders.
    mkdirSync(path)
  } catch (error) {
    if (!isFolder(path)) throw error
  }
}

/** After the prefix: the process that made it, and what makes it unique. */
const MADE_BY = /^(\d+(?:-\d+)?)-[^-]*$/

const isLeft = (parent: string, name: string, prefix: string): boolean => {
  const [, mark] = name.startsWith(prefix) ? (MADE_BY.exec(name.slice(prefix.length)) ?? []) : []
  // Our id alone may be ours, or a dead run's.
  if (mark === undefined || mark === String(process.pid) || isRunning(mark)) return false
  // Where all may write, a stranger's name proves nothing.
  return statSync(join(parent, name), { throwIfNoEntry: false })?.uid === process.getuid?.()
}

const removeLeft = (path: string): void => {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // What may not be removed is in nobody's way, and no reason to stop.
  }
}

/** Removes the scratch folders that killed processes left. */
export const sweepScratch = (parent: string, prefix: string): void => {
  for (const name of readdirSync(parent).filter((one) => isLeft(parent, one, prefix)))
    removeLeft(join(parent, name))
}

/** Makes an empty folder for this process alone; what killed ones left beside it goes. */
export const makeScratch = (parent: string, prefix: string): string => {
  sweepScratch(parent, prefix)
  return mkdtempSync(join(parent, `${prefix}${markProcess()}-`))
}
