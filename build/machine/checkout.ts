import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { takeFingerprint } from '../../src/catalog/fingerprint.ts'
import type { GitBits } from '../../src/catalog/fingerprint.ts'
import type { SkillFile } from '../../src/catalog/skill.ts'
import { callGit, useOwn, useStrangers } from './git.ts'
import type { GitAnswer, GitRights } from './git.ts'

/** The nearest folder with a `.git`, from this one upwards. */
export const findWorkTree = (folder: string): string | undefined => {
  if (existsSync(join(folder, '.git'))) return folder
  return dirname(folder) === folder ? undefined : findWorkTree(dirname(folder))
}

/**
 * Asks git about a checkout on this disk. Given `.git` and the work tree, it searches for neither, and runs no program
 * and asks no host that the settings of the repository name.
 */
const askCheckout = (
  folder: string,
  workTree: string,
  args: readonly string[],
  rights: GitRights & { input?: string },
): GitAnswer => {
  const place = ['--git-dir', join(workTree, '.git'), '--work-tree', workTree]
  return callGit([...place, ...args], { folder, ...rights })
}

/** A file or submodule that a repository tracks: its mode as git writes it (`100755`), and its path. */
export interface TrackedFile {
  mode: string
  path: string
}

/** Lists what the repository of a folder tracks below it, by the path in that folder; or says why it cannot. */
export const listTracked = (
  folder: string,
  workTree: string,
  rights = useStrangers(),
): TrackedFile[] | string => {
  const args = ['ls-files', '--stage', '-z']
  const { stdout, fault } = askCheckout(folder, workTree, args, rights)
  if (fault !== undefined) return `git ${fault}`
  // A row is its mode, digest and stage, then a tab and the path.
  return String(stdout)
    .split('\0')
    .filter(Boolean)
    .map((row) => ({
      mode: row.slice(0, row.indexOf(' ')),
      path: row.slice(row.indexOf('\t') + 1),
    }))
}

/** Git's mode of an executable file. */
export const EXECUTABLE_MODE = '100755'

/** The mode in git of a symlink. */
export const LINK_MODE = '120000'

/** The executable bits of a catalog's skills: how they are read, and how they are kept. */
export interface SkillBits {
  /** The bits of a skill's files that git tracks; undefined where those of the disk count. */
  ofSkill: (slug: string) => GitBits | undefined
  /** Keeps the bits of a skill's files, which were just written. Gives the files for which it cannot. */
  keep: (slug: string, files: readonly SkillFile[]) => SkillFile[]
  /** Why git could not be asked, so that the bits of the disk count. */
  fault?: string
}

/** The bits of a folder as its disk has them. */
const readDiskBits = (content: string): SkillBits => ({
  ofSkill: () => undefined,
  keep: (slug, files) => {
    const folder = join(content, 'skills', slug)
    return files.filter(
      ({ path, isExecutable }) => isExecutable && !takeFingerprint(folder, path)?.isExecutable,
    )
  },
})

/** The path of a skill's file below the content folder. */
const SKILL_FILE = /^skills\/([^/]+)\/(.+)$/s

type BitsBySlug = Map<string, Map<string, boolean>>

const groupBits = (tracked: readonly TrackedFile[]): BitsBySlug => {
  const bits: BitsBySlug = new Map()
  for (const { mode, path } of tracked) {
    const [, slug, inside] = SKILL_FILE.exec(path) ?? []
    if (slug === undefined || inside === undefined || !mode.startsWith('100')) continue
    const ofSkill = bits.get(slug) ?? new Map<string, boolean>()
    bits.set(slug, ofSkill.set(inside, mode === EXECUTABLE_MODE))
  }
  return bits
}

/** The bits of a folder in git's index, which is written at once: what git does not track yet has its bit nowhere else. */
const openIndexBits = (folder: string, workTree: string, bits: BitsBySlug): SkillBits => ({
  ofSkill: (slug) => bits.get(slug) ?? new Map(),
  keep: (slug, files) => {
    const known = bits.get(slug) ?? new Map<string, boolean>()
    bits.set(slug, known)
    const isKept = ({ path, isExecutable }: SkillFile): boolean => {
      // The disk may call every file executable.
      const isProgram =
        known.get(path) ?? takeFingerprint(join(folder, 'skills', slug), path)?.isExecutable
      const isSame = (isProgram ?? false) === (isExecutable ?? false)
      return isSame && (known.has(path) || !isExecutable)
    }
    const groups = Map.groupBy(
      files.filter((file) => !isKept(file)),
      ({ isExecutable }) => isExecutable === true,
    )
    return [...groups].flatMap(([bit, group]) => {
      const args = ['update-index', '--add', `--chmod=${bit ? '+' : '-'}x`, '-z', '--stdin']
      const input = group.map(({ path }) => `skills/${slug}/${path}\0`).join('')
      const { fault } = askCheckout(folder, workTree, args, { ...useOwn(), input })
      if (fault !== undefined) return group
      for (const { path } of group) known.set(path, bit)
      return []
    })
  },
})

/** A real path, also of what is not there yet. */
const realPath = (path: string): string =>
  existsSync(path) || dirname(path) === path
    ? realpathSync(path)
    : join(realPath(dirname(path)), basename(path))

/**
 * Asks git for the executable bits of the skills of a content folder, or of its pending versions, if its checkout says
 * that modes on this disk mean nothing (`core.fileMode`, as git sets it on Windows). Where they do, an uncommitted
 * `chmod` counts.
 */
export const readSkillBits = (content: string): SkillBits => {
  const folder = realPath(content)
  const workTree = findWorkTree(folder)
  const ofDisk = readDiskBits(folder)
  if (workTree === undefined) return ofDisk
  const setting = ['config', '--local', '--type=bool', '--default=true', 'core.fileMode']
  const { stdout, fault } = askCheckout(workTree, workTree, setting, useOwn())
  if (fault !== undefined) return { ...ofDisk, fault: `git ${fault}` }
  if (String(stdout).trim() !== 'false') return ofDisk
  const tracked = existsSync(folder) ? listTracked(folder, workTree, useOwn()) : []
  if (typeof tracked === 'string') return { ...ofDisk, fault: tracked }
  return openIndexBits(folder, workTree, groupBits(tracked))
}

/**
 * Lists the files of skills below a content folder that git tracks only if it is told to (`git add --force`), by rules of
 * the repository, of a skill in it, or of its user. None of a catalog that is ignored as a whole.
 */
export const listIgnored = (content: string): string[] => {
  const folder = realpathSync(content)
  const workTree = findWorkTree(folder)
  if (workTree === undefined) return []
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '-z', '--']
  const places = ['site.json', 'skills', 'pending']
  // The rules of its user hold, as they do when the user adds files.
  const { stdout, fault } = askCheckout(folder, workTree, [...args, ...places], useOwn())
  const paths = fault === undefined ? String(stdout).split('\0').filter(Boolean) : []
  return paths.includes('site.json') ? [] : paths
}
