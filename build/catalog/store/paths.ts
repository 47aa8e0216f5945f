import { posix } from 'node:path'
import { SKILL_MD } from '../../../src/catalog/skill.ts'

/** Folders that belong to a tool, not to an author. */
export const TOOL_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/** A path is in its own folder too; the empty folder is the root of all relative paths. */
export const isInFolder = (path: string, folder: string, separator = '/'): boolean =>
  folder === '' ||
  path === folder ||
  path.startsWith(folder.endsWith(separator) ? folder : folder + separator)

/** The folder of a relative path, empty for the root. */
export const folderOf = (path: string): string => {
  const folder = posix.dirname(path)
  return folder === '.' ? '' : folder
}

/** A folder and every one above it, the root last. */
export const listFoldersUp = (folder: string): string[] =>
  folder === '' ? [''] : [folder, ...listFoldersUp(folderOf(folder))]

/** The target of a link inside its tree; undefined if outside. */
export const resolveLink = (path: string, target: string): string | undefined => {
  if (target === '' || posix.isAbsolute(target)) return undefined
  const joined = posix.normalize(posix.join(folderOf(path), target)).replace(/\/$/, '')
  if (joined === '..' || joined.startsWith('../')) return undefined
  return joined === '.' ? '' : joined
}

/** Whether a name from an archive or a repository stays below the folder it is written to. */
export const isPlainPath = (name: string): boolean =>
  !/[\\\0\uFFFD]/.test(name) && name.split('/').every((part) => !['', '.', '..'].includes(part))

/** Authors write `skill.md` too. */
export const isSkillMd = (name: string): boolean => name.toUpperCase() === SKILL_MD.toUpperCase()
