import { lstatSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { ifThere } from '../../../../src/catalog/disk-errors.ts'
import { findPathFault, refuseTarget } from '../../../../src/catalog/folder-files.ts'
import type { JudgeTarget, PathFault } from '../../../../src/catalog/folder-files.ts'
import { findWorkTree, listTracked } from '../../../machine/checkout.ts'
import type { TrackedFile } from '../../../machine/checkout.ts'
import { isSkillMd, listFoldersAbove } from '../find.ts'

const UNTRACKED: PathFault = {
  message: 'a symlink to a file that git does not track in this source',
  remedy: 'remove it, or copy the file if everyone may read it',
}

/** A tracked folder, by real path, that is left out. */
interface AbsentFolder {
  kind: 'submodule' | 'cache'
  path: string
  /** A submodule's repository address in `.gitmodules`. */
  address?: string | undefined
}

/** The tracked files below a folder, by real path: their modes and the folders that contain them. */
interface Listing {
  modes: ReadonlyMap<string, string>
  folders: ReadonlySet<string>
  /** Submodules and package folders. */
  absent: readonly AbsentFolder[]
  /** Why no link is followed, if git could not list the files. */
  fault?: PathFault
}

/** The mode of a submodule's entry. */
const SUBMODULE = '160000'

const PACKAGES = /^(?:.*\/)?node_modules(?=\/)/

/** Bytes to read of `.gitmodules`. */
const MODULES_LIMIT = 256 * 1024

/** Returns the addresses of submodules by their path in the repository. */
const readModules = (workTree: string): ReadonlyMap<string, string> => {
  const file = join(workTree, '.gitmodules')
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (!stats?.isFile() || stats.size > MODULES_LIMIT) return new Map()
  const modules = readFileSync(file, 'utf8').split(/^[ \t]*\[submodule /m)
  return new Map(
    modules.map((text) => [
      /^[ \t]*path[ \t]*=[ \t]*(.*?)[ \t\r]*$/m.exec(text)?.[1] ?? '',
      /^[ \t]*url[ \t]*=[ \t]*(.*?)[ \t\r]*$/m.exec(text)?.[1] ?? '',
    ]),
  )
}

const listAbsent = (
  files: readonly TrackedFile[],
  folder: string,
  workTree: string,
): AbsentFolder[] => {
  const submodules = files.filter(({ mode }) => mode === SUBMODULE)
  const packages = new Set(files.flatMap(({ path }) => PACKAGES.exec(path) ?? []))
  const addresses = submodules.length > 0 ? readModules(workTree) : new Map<string, string>()
  return [
    ...submodules.map((file): AbsentFolder => {
      const path = join(folder, file.path)
      return { kind: 'submodule', path, address: addresses.get(path.slice(workTree.length + 1)) }
    }),
    ...[...packages].map((path): AbsentFolder => ({ kind: 'cache', path: join(folder, path) })),
  ]
}

const readListing = (folder: string, workTree: string, list: typeof listTracked): Listing => {
  const files = list(folder, workTree)
  if (typeof files === 'string') {
    const message = `a symlink to a file that may not be tracked (${files})`
    const fault = { message, remedy: 'copy the file instead' }
    return { modes: new Map(), folders: new Set(), absent: [], fault }
  }
  const folders = new Set(files.flatMap(({ path }) => listFoldersAbove(path)))
  return {
    absent: listAbsent(files, folder, workTree),
    modes: new Map(files.map(({ mode, path }) => [join(folder, path), mode])),
    folders: new Set([...folders].map((path) => join(folder, path))),
  }
}

/** What git knows about a source. */
export interface GitFiles {
  judgeTarget: JudgeTarget
  /** The mode of a tracked file in git's notation, by real path; undefined if git does not track the file. */
  findMode: (path: string) => string | undefined
  /** Whether git tracks any file of the source. If so, untracked files count as unpublished. */
  isTracked: () => boolean
  listAbsent: () => readonly AbsentFolder[]
  /** The real paths of all tracked files. */
  listPaths: () => string[]
}

/** A folder outside of any repository. */
export const NO_GIT: GitFiles = {
  judgeTarget: refuseTarget,
  findMode: () => undefined,
  isTracked: () => false,
  listAbsent: () => [],
  listPaths: () => [],
}

/**
 * Queries git about a folder, given as a real path, once and when first needed. Links are followed only to tracked
 * files: the author did not publish anything else in the folder, such as `.git`, `.env` and notes. Without a
 * repository, links out of a skill are refused.
 */
export const openGitFiles = (folder: string, list = listTracked): GitFiles => {
  const workTree = findWorkTree(folder)
  if (workTree === undefined) return NO_GIT
  let known: Listing | undefined
  const read = (): Listing => (known ??= readListing(folder, workTree, list))
  return {
    judgeTarget: (target) => {
      const { fault, modes, folders } = read()
      return fault ?? (modes.has(target) || folders.has(target) ? undefined : UNTRACKED)
    },
    findMode: (path) => read().modes.get(path),
    isTracked: () => read().modes.size > 0,
    listAbsent: () => read().absent,
    listPaths: () => [...read().modes.keys()],
  }
}

/**
 * Lists files below a root (a real path) that git tracks but the disk does not have: removed, or not checked out, for
 * example because the system does not support the name. Packages and submodules are reported elsewhere.
 */
export const listMissing = (git: GitFiles, root: string): string[] =>
  git
    .listPaths()
    .filter((path) => path.startsWith(root + sep) && git.findMode(path) !== SUBMODULE)
    .filter((path) => !ifThere(() => lstatSync(path)))
    .map((path) => relative(root, path).split(sep).join('/'))
    .filter((path) => findPathFault(path) === undefined && !PACKAGES.test(path))

/** A folder in a source that contains other people's skills. */
export interface ForeignFolder {
  kind: 'submodule' | 'package'
  path: string
  /** A submodule's repository address. */
  address?: string | undefined
}

/** Lists the submodules below a root (a real path), and the skills in tracked package folders. */
export const listForeign = (git: GitFiles, root: string): ForeignFolder[] => {
  const toInside = (path: string): string => relative(root, path).split(sep).join('/')
  const submodules = git.listAbsent().filter(({ kind }) => kind === 'submodule')
  const packaged = git.listPaths().filter((path) => isSkillMd(basename(path)))
  const all: ForeignFolder[] = [
    ...submodules.map(({ path, address }) => {
      return { kind: 'submodule', path: toInside(path), address } as const
    }),
    ...packaged.map((path) => ({ kind: 'package', path: toInside(dirname(path)) }) as const),
  ]
  return all.filter(
    ({ kind, path }) =>
      !path.startsWith('../') && (kind === 'submodule' || PACKAGES.test(`${path}/`)),
  )
}
