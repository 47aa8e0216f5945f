import { posix } from 'node:path'
import { SKILL_MD } from '../../../../src/catalog/skill-folder.ts'
import { isLicenceName } from '../licence/find-files.ts'
import { isPlainPath } from '../plain-path.ts'
import { TOOL_FOLDERS } from '../tool-folders.ts'

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
const isGitFolder = (path: string): boolean =>
  path.split('/').some((part) => part.toLowerCase() === '.git')

/** Reads a line of `git ls-tree -r -l -z`; undefined for a submodule or a name that leads out. */
export const parseTreeLine = (line: string): TreeEntry | undefined => {
  const [, mode = '', object = '', size = '', path = ''] = LINE.exec(line) ?? []
  if (mode === '' || !isPlainPath(path) || isGitFolder(path)) return undefined
  return { path, object, size: Number(size), isLink: mode === '120000' }
}

const folderOf = (path: string): string => {
  const folder = posix.dirname(path)
  return folder === '.' ? '' : folder
}

const isBelow = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`)

const isToolPath = (path: string): boolean => path.split('/').some((part) => TOOL_FOLDERS.has(part))

/** A path, and every folder above it up to the root. */
function* above(path: string): Generator<string> {
  for (let at = path; at !== ''; at = folderOf(at)) yield at
  yield ''
}

/** Where a link leads inside the tree; undefined where it leads out of it. */
export const resolveLink = (path: string, target: string): string | undefined => {
  const joined = posix.normalize(posix.join(folderOf(path), target)).replace(/\/$/, '')
  const leadsOut =
    target === '' || posix.isAbsolute(target) || joined === '..' || joined.startsWith('../')
  return leadsOut ? undefined : joined === '.' ? '' : joined
}

const isSkillMd = ({ path }: TreeEntry): boolean =>
  posix.basename(path).toUpperCase() === SKILL_MD.toUpperCase()

/** Paths that links lead to, links behind links included, as far as a chain may sensibly go. */
const followLinks = (
  wanted: Set<string>,
  entries: readonly TreeEntry[],
  targets: ReadonlyMap<string, string>,
): void => {
  for (let round = 0; round < 5; round += 1) {
    const reached = [...wanted].flatMap((path) => targets.get(path) ?? [])
    const isReached = (path: string): boolean =>
      reached.some((target) => target !== '' && isBelow(path, target))
    const before = wanted.size
    for (const { path } of entries) if (isReached(path)) wanted.add(path)
    if (wanted.size === before) return
  }
}

/** Links of a tree that may matter: below the folders that are imported. */
export const listLinks = (entries: readonly TreeEntry[], folders: readonly string[]): TreeEntry[] =>
  entries.filter(
    ({ path, isLink }) =>
      isLink && !isToolPath(path) && folders.some((folder) => isBelow(path, folder)),
  )

/**
 * Chooses what an import needs of a tree: the folders of skills, the licences above them, and what
 * links among them lead to. `targets` says where links lead that stay inside.
 */
export const chooseEntries = (
  entries: readonly TreeEntry[],
  folders: readonly string[],
  targets: ReadonlyMap<string, string>,
): TreeEntry[] => {
  const isAsked = (path: string): boolean =>
    !isToolPath(path) && folders.some((folder) => isBelow(path, folder))
  const skills = new Set(
    entries.filter((one) => isSkillMd(one) && isAsked(one.path)).map(({ path }) => folderOf(path)),
  )
  const linked = [...targets.keys()].filter(isAsked)
  const upwards = new Set<string>()
  for (const path of [...skills, ...linked, ...folders]) {
    for (const folder of above(path)) upwards.add(folder)
  }
  const isWanted = ({ path }: TreeEntry): boolean =>
    [...above(folderOf(path))].some((folder) => skills.has(folder)) ||
    (isLicenceName(posix.basename(path)) && upwards.has(folderOf(path)))
  const wanted = new Set(
    entries.filter((one) => !isToolPath(one.path) && isWanted(one)).map(({ path }) => path),
  )
  for (const path of linked) wanted.add(path)
  followLinks(wanted, entries, targets)
  return entries.filter(({ path }) => wanted.has(path))
}
