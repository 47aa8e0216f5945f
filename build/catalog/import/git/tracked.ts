import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { refuseTarget } from '../../../../src/catalog/folder-files.ts'
import type { JudgeTarget, PathFault } from '../../../../src/catalog/folder-files.ts'
import { CommandError } from '../../cli/command.ts'
import { listFoldersUp } from '../find.ts'
import { listTracked } from './run.ts'
import type { TrackedFile } from './run.ts'

const UNTRACKED: PathFault = {
  reason: 'a symlink to what git does not track in this source',
  remedy: 'remove it, or copy what everyone may read',
}

/** The nearest folder with a `.git`, from this one upwards. */
const findWorkTree = (folder: string): string | undefined => {
  if (existsSync(join(folder, '.git'))) return folder
  return dirname(folder) === folder ? undefined : findWorkTree(dirname(folder))
}

/** A folder by its real path. */
interface AbsentFolder {
  kind: 'submodule' | 'cache'
  path: string
  /** Of a submodule, the address of its repository as `.gitmodules` has it. */
  address?: string | undefined
}

/** What git tracks below a folder, by real path: the modes of files, and the folders that they lie in. */
interface Listing {
  modes: ReadonlyMap<string, string>
  folders: ReadonlySet<string>
  /** What no copy has and a clone does not check out: submodules, and folders of packages. */
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

/** Or why no link is followed: what git tracks is not known. */
const readListing = (folder: string, workTree: string): Listing | PathFault => {
  try {
    const files = listTracked(folder, workTree)
    const folders = new Set(files.flatMap(({ path }) => listFoldersUp(path).slice(1)))
    return {
      absent: listAbsent(files, folder, workTree),
      modes: new Map(files.map(({ mode, path }) => [join(folder, path), mode])),
      folders: new Set([...folders].map((path) => join(folder, path))),
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const reason = `a symlink to what may not be tracked (${error.message})`
    return { reason, remedy: 'copy the file instead' }
  }
}

/** What git says of a source. */
export interface GitFiles {
  judgeTarget: JudgeTarget
  /** The mode of a tracked file, given its real path, as git writes it; undefined where git does not track it. */
  findMode: (path: string) => string | undefined
  /** Whether git tracks anything of the source; where it does, its author did not publish what it does not track. */
  isTracked: () => boolean
  listAbsent: () => readonly AbsentFolder[]
}

const NO_GIT: GitFiles = {
  judgeTarget: refuseTarget,
  findMode: () => undefined,
  isTracked: () => false,
  listAbsent: () => [],
}

/**
 * Asks git, once and when first needed, about a folder, given as a real path. Links are followed to what it tracks:
 * whatever else lies there, as `.git`, `.env` and notes, its author did not publish. Without a repository no link leads
 * out of a skill.
 */
export const openGitFiles = (folder: string): GitFiles => {
  const workTree = findWorkTree(folder)
  if (workTree === undefined) return NO_GIT
  let known: Listing | PathFault | undefined
  const list = (): Listing | PathFault => (known ??= readListing(folder, workTree))
  return {
    judgeTarget: (target) => {
      const listing = list()
      if ('reason' in listing) return listing
      return listing.modes.has(target) || listing.folders.has(target) ? undefined : UNTRACKED
    },
    findMode: (path) => {
      const listing = list()
      return 'reason' in listing ? undefined : listing.modes.get(path)
    },
    isTracked: () => {
      const listing = list()
      return !('reason' in listing) && listing.modes.size > 0
    },
    listAbsent: () => {
      const listing = list()
      return 'reason' in listing ? [] : listing.absent
    },
  }
}

/** The submodules below a folder, given as a real path, by their path in it. */
export const listSubmodules = (
  git: GitFiles,
  root: string,
): { path: string; address: string | undefined }[] =>
  git.listAbsent().flatMap(({ kind, path, address }) => {
    const inside = relative(root, path).split(sep).join('/')
    return kind === 'submodule' && !inside.startsWith('../') ? { path: inside, address } : []
  })
