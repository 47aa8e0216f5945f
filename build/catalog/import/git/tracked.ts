import { lstatSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { findPathFault, refuseTarget } from '../../../../src/catalog/folder-files.ts'
import type { JudgeTarget, PathFault } from '../../../../src/catalog/folder-files.ts'
import { findWorkTree, listTracked } from '../../../machine/checkout.ts'
import type { TrackedFile } from '../../../machine/checkout.ts'
import { isSkillMd, listFoldersUp } from '../find.ts'

const UNTRACKED: PathFault = {
  reason: 'a symlink to a file that git does not track in this source',
  remedy: 'remove it, or copy the file if everyone may read it',
}

/** A folder by its real path. */
interface AbsentFolder {
  kind: 'submodule' | 'cache'
  path: string
  /** Of a submodule, the address of its repository as `.gitmodules` has it. */
  address?: string | undefined
}

/** The tracked files below a folder, by real path: the modes of files, and the folders that they lie in. */
interface Listing {
  modes: ReadonlyMap<string, string>
  folders: ReadonlySet<string>
  /** Folders that no copy has and a clone does not check out: submodules, and packages. */
  absent: readonly AbsentFolder[]
}

/** The mode of the commit of another repository. */
const SUBMODULE = '160000'

const PACKAGES = /^(?:.*\/)?node_modules(?=\/)/

/** Most bytes of `.gitmodules` that are read. */
const MODULES_LIMIT = 256 * 1024

/** The addresses of submodules by their paths in the repository. */
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

/** Returns the reason why no link is followed if the tracked files are not known. */
const readListing = (
  folder: string,
  workTree: string,
  list: typeof listTracked,
): Listing | PathFault => {
  const files = list(folder, workTree)
  if (typeof files === 'string') {
    const reason = `a symlink to a file that may not be tracked (${files})`
    return { reason, remedy: 'copy the file instead' }
  }
  const folders = new Set(files.flatMap(({ path }) => listFoldersUp(path).slice(1)))
  return {
    absent: listAbsent(files, folder, workTree),
    modes: new Map(files.map(({ mode, path }) => [join(folder, path), mode])),
    folders: new Set([...folders].map((path) => join(folder, path))),
  }
}

/** Git's answers about a source. */
export interface GitFiles {
  judgeTarget: JudgeTarget
  /** The mode of a tracked file, given its real path, as git writes it; undefined where git does not track it. */
  findMode: (path: string) => string | undefined
  /** Whether git tracks anything of the source; where it does, its author did not publish what it does not track. */
  isTracked: () => boolean
  listAbsent: () => readonly AbsentFolder[]
  /** The real paths of what git tracks. */
  listPaths: () => string[]
}

/** The answers for a folder outside of any repository. */
export const NO_GIT: GitFiles = {
  judgeTarget: refuseTarget,
  findMode: () => undefined,
  isTracked: () => false,
  listAbsent: () => [],
  listPaths: () => [],
}

/**
 * Asks git, once and when first needed, about a folder, given as a real path. Links are followed to what it tracks:
 * whatever else lies there, as `.git`, `.env` and notes, its author did not publish. Without a repository no link leads
 * out of a skill.
 */
export const openGitFiles = (folder: string, list = listTracked): GitFiles => {
  const workTree = findWorkTree(folder)
  if (workTree === undefined) return NO_GIT
  let known: Listing | PathFault | undefined
  const read = (): Listing | PathFault => (known ??= readListing(folder, workTree, list))
  return {
    judgeTarget: (target) => {
      const listing = read()
      if ('reason' in listing) return listing
      return listing.modes.has(target) || listing.folders.has(target) ? undefined : UNTRACKED
    },
    findMode: (path) => {
      const listing = read()
      return 'reason' in listing ? undefined : listing.modes.get(path)
    },
    isTracked: () => {
      const listing = read()
      return !('reason' in listing) && listing.modes.size > 0
    },
    listAbsent: () => {
      const listing = read()
      return 'reason' in listing ? [] : listing.absent
    },
    listPaths: () => {
      const listing = read()
      return 'reason' in listing ? [] : [...listing.modes.keys()]
    },
  }
}

/**
 * Lists what git tracks below a root, given as a real path, and its disk does not have: not checked out, as where a system
 * cannot hold a name, or removed. Packages and submodules are told otherwise.
 */
export const listMissing = (git: GitFiles, root: string): string[] =>
  git
    .listPaths()
    .filter((path) => path.startsWith(root + sep) && git.findMode(path) !== SUBMODULE)
    .filter((path) => !lstatSync(path, { throwIfNoEntry: false }))
    .map((path) => relative(root, path).split(sep).join('/'))
    .filter((path) => findPathFault(path) === undefined && !PACKAGES.test(path))

/** A folder with other people's skills, by its path in a source. */
export interface ForeignFolder {
  kind: 'submodule' | 'package'
  path: string
  /** Of a submodule. */
  address?: string | undefined
}

/** Lists the submodules below a root, given as a real path, and the skills in packages that git tracks. */
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
