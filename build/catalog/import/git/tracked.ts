import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { refuseTarget } from '../../../../src/catalog/folder-files.ts'
import type { JudgeTarget, PathFault } from '../../../../src/catalog/folder-files.ts'
import { CommandError } from '../../cli/command.ts'
import { listFoldersUp } from '../find.ts'
import { listTracked } from './run.ts'

const UNTRACKED: PathFault = {
  reason: 'a symlink to what git does not track in this source',
  remedy: 'remove it, or copy what everyone may read',
}

/** The nearest folder with a `.git`, from this one upwards. */
const findWorkTree = (folder: string): string | undefined => {
  if (existsSync(join(folder, '.git'))) return folder
  return dirname(folder) === folder ? undefined : findWorkTree(dirname(folder))
}

/** The files that git tracks below a folder, and their folders, as real paths; or why that is not known. */
const readTracked = (folder: string, workTree: string): ReadonlySet<string> | PathFault => {
  try {
    const paths = new Set(listTracked(folder, workTree).flatMap(listFoldersUp))
    return new Set([...paths].map((path) => join(folder, path)))
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const reason = `a symlink to what may not be tracked (${error.message})`
    return { reason, remedy: 'copy the file instead' }
  }
}

/**
 * Follows links to what git tracks in a folder, given as a real path: whatever else lies there, as `.git`, `.env` and
 * notes, its author did not publish. Without a repository no link leads out of a skill. Git is asked at the first link.
 */
export const followTracked = (folder: string): JudgeTarget => {
  const workTree = findWorkTree(folder)
  if (workTree === undefined) return refuseTarget
  let tracked: ReadonlySet<string> | PathFault | undefined
  return (target) => {
    tracked ??= readTracked(folder, workTree)
    if ('reason' in tracked) return tracked
    return tracked.has(target) ? undefined : UNTRACKED
  }
}
