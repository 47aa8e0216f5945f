import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { FILE_LIMIT } from '../../../../src/catalog/skill-folder.ts'
import { ARCHIVE_LIMITS } from '../archive/unpack.ts'
import { isLicenceName } from '../licence/licence.ts'
import {
  TOOL_FOLDERS,
  folderOf,
  isInFolder,
  isSkillMd,
  listFoldersUp,
  resolveLink,
} from '../../store/paths.ts'
import type { Repository, TreeEntry } from './repository.ts'

const isToolPath = (path: string): boolean => path.split('/').some((part) => TOOL_FOLDERS.has(part))

const isAsked = (path: string, folders: readonly string[]): boolean =>
  !isToolPath(path) && folders.some((folder) => isInFolder(path, folder))

/** Adds the targets of links, also of chained ones, up to a limit. */
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
 * Chooses the files that an import needs: the folders of skills, the licences above them, and the targets of their
 * links. `targets` has the links with a target in the tree.
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
  const wanted = new Set([...linked, ...entries.map(({ path }) => path).filter(isWanted)])
  addTargets(wanted, entries, targets)
  return entries.filter(({ path }) => wanted.has(path))
}

/** Stands in for a link target outside the repository; no such file exists. */
const NOWHERE = '.outside-of-the-repository'

/** Limits: length of a link target in bytes, number of links. */
const TARGET_LIMIT = 4_096
const LINKS_LIMIT = 10_000

/** The targets of links inside the repository. */
const readTargets = async (
  repository: Repository,
  links: readonly TreeEntry[],
): Promise<Map<string, string>> => {
  const targets = new Map<string, string>()
  const short = links.filter(({ size }) => size <= TARGET_LIMIT).slice(0, LINKS_LIMIT)
  for await (const { path, bytes } of repository.readContents(short)) {
    const target = resolveLink(path, bytes.toString('utf8'))
    if (target !== undefined) targets.set(path, target)
  }
  return targets
}

const checkSize = (repository: Repository, files: readonly TreeEntry[]): void => {
  const bytes = files.reduce((sum, { size }) => sum + Math.min(size, FILE_LIMIT), 0)
  if (bytes > ARCHIVE_LIMITS.unpacked || files.length > ARCHIVE_LIMITS.entries) {
    throw repository.error(
      `its skills have ${files.length} files and ${bytes} bytes; the limits are ${ARCHIVE_LIMITS.entries} and ${ARCHIVE_LIMITS.unpacked}. Import its folders one by one`,
    )
  }
}

const writeFiles = async (
  repository: Repository,
  files: readonly TreeEntry[],
  root: string,
): Promise<void> => {
  for (const { path, size } of files.filter((file) => file.size > FILE_LIMIT)) {
    // Too large, so it is only reported: a sparse file of its size suffices.
    writeFileSync(join(root, path), '', { flag: 'wx' })
    truncateSync(join(root, path), size)
  }
  const small = files.filter(({ size }) => size <= FILE_LIMIT)
  for await (const { path, bytes } of repository.readContents(small)) {
    writeFileSync(join(root, path), bytes, { flag: 'wx' })
  }
}

/**
 * Writes the files that an import needs, byte for byte, without the repository's filters, hooks or settings. Throws
 * CommandError if a folder does not exist.
 */
export const checkOut = async (
  repository: Repository,
  commit: string,
  folders: readonly string[],
  root: string,
): Promise<void> => {
  const entries = await repository.listEntries(commit)
  for (const folder of folders) {
    if (folder !== '' && !entries.some(({ path }) => path.startsWith(`${folder}/`))) {
      throw repository.error(`there is no folder ${JSON.stringify(folder)} at ${commit}`)
    }
  }
  const links = entries.filter(({ path, isLink }) => isLink && isAsked(path, folders))
  const targets = await readTargets(repository, links)
  const chosen = chooseEntries(entries, folders, targets)
  const files = chosen.filter(({ isLink }) => !isLink)
  checkSize(repository, files)
  const parents = chosen.map(({ path }) => folderOf(path))
  for (const folder of new Set(['', ...folders, ...parents])) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  await writeFiles(repository, files, root)
  // Last, so that no file is written through a link.
  for (const { path } of chosen.filter(({ isLink }) => isLink)) {
    const target = targets.get(path)
    const to = target === undefined ? NOWHERE : posix.relative(posix.dirname(path), target) || '.'
    symlinkSync(to, join(root, path))
  }
}
