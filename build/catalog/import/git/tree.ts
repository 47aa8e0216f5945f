import { posix } from 'node:path'
import { isLicenceName } from '../licence/files.ts'
import { TOOL_FOLDERS, isInFolder, isPlainPath, isSkillMd } from '../paths.ts'

/** A file or link of a commit; folders and submodules are none. */
export interface TreeEntry {
  path: string
  /** Name of its content in the repository. */
  object: string
  size: number
  isLink: boolean
}

const LINE = /^(100\d{3}|120000) blob ([0-9a-f]{40,64}) +(\d+)\t([^]+)$/

/** A folder that git keeps for itself; no honest commit has one. */
const isGitPath = (path: string): boolean =>
  path.split('/').some((part) => part.toLowerCase() === '.git')

/** Parses a line of `git ls-tree -r -l -z`; undefined for a submodule or a name that leads out. */
export const parseTreeLine = (line: string): TreeEntry | undefined => {
  const [, mode = '', object = '', size = '', path = ''] = LINE.exec(line) ?? []
  if (mode === '' || !isPlainPath(path) || isGitPath(path)) return undefined
  return { path, object, size: Number(size), isLink: mode === '120000' }
}

/** Empty for the root. */
export const folderOf = (path: string): string => {
  const folder = posix.dirname(path)
  return folder === '.' ? '' : folder
}

/** A folder and every one above it, the root last. */
export const listFoldersUp = (folder: string): string[] =>
  folder === '' ? [''] : [folder, ...listFoldersUp(folderOf(folder))]

/** Where a link leads inside the tree; undefined where it leads out of it. */
export const resolveLink = (path: string, target: string): string | undefined => {
  if (target === '' || posix.isAbsolute(target)) return undefined
  const joined = posix.normalize(posix.join(folderOf(path), target)).replace(/\/$/, '')
  if (joined === '..' || joined.startsWith('../')) return undefined
  return joined === '.' ? '' : joined
}

const isToolPath = (path: string): boolean => path.split('/').some((part) => TOOL_FOLDERS.has(part))

/** Whether a path lies in one of the folders that are imported, and in no folder of a tool. */
const isAsked = (path: string, folders: readonly string[]): boolean =>
  !isToolPath(path) && folders.some((folder) => isInFolder(path, folder))

/** Links of a tree that may matter: below the folders that are imported. */
export const listLinks = (entries: readonly TreeEntry[], folders: readonly string[]): TreeEntry[] =>
  entries.filter(({ path, isLink }) => isLink && isAsked(path, folders))

/** Adds what links lead to, links behind links included, as far as a chain may sensibly go. */
const addTargets = (
  wanted: Set<string>,
  entries: readonly TreeEntry[],
  targets: ReadonlyMap<string, string>,
): void => {
  for (let round = 0; round < 5; round += 1) {
    const reached = [...wanted].flatMap((path) => targets.get(path) ?? []).filter(Boolean)
    const before = wanted.size
    for (const { path } of entries) {
      if (reached.some((target) => isInFolder(path, target))) wanted.add(path)
    }
    if (wanted.size === before) return
  }
}

/**
 * Chooses what an import needs of a tree: the folders of skills, the licences above them, and what
 * links among them lead to. `targets` has the links that lead to somewhere in the tree.
 */
export const chooseEntries = (
  entries: readonly TreeEntry[],
  folders: readonly string[],
  targets: ReadonlyMap<string, string>,
): TreeEntry[] => {
  const skills = new Set(
    entries
      .filter(({ path }) => isSkillMd(posix.basename(path)) && isAsked(path, folders))
      .map(({ path }) => folderOf(path)),
  )
  const linked = [...targets.keys()].filter((path) => isAsked(path, folders))
  const upwards = new Set([...skills, ...linked, ...folders].flatMap(listFoldersUp))
  const isWanted = (path: string): boolean =>
    !isToolPath(path) &&
    (listFoldersUp(folderOf(path)).some((folder) => skills.has(folder)) ||
      (isLicenceName(posix.basename(path)) && upwards.has(folderOf(path))))
  const wanted = new Set(linked)
  for (const { path } of entries) if (isWanted(path)) wanted.add(path)
  addTargets(wanted, entries, targets)
  return entries.filter(({ path }) => wanted.has(path))
}
