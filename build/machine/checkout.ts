import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { takeFingerprint } from '../../src/catalog/fingerprint.ts'
import type { GitBits } from '../../src/catalog/fingerprint.ts'
import type { SkillFile } from '../../src/catalog/skill.ts'
import { callGit, trustedRights, untrustedRights } from './git.ts'
import type { GitAnswer, GitRights } from './git.ts'

/** Finds the nearest folder with a `.git`: this folder or one of its parents. */
export const findWorkTree = (folder: string): string | undefined => {
  if (existsSync(join(folder, '.git'))) return folder
  return dirname(folder) === folder ? undefined : findWorkTree(dirname(folder))
}

/**
 * Runs git in a checkout on this disk. Naming `.git` and the work tree keeps git from searching for them. Git runs no
 * program and contacts no host that the repository's settings name.
 */
const runInCheckout = (
  folder: string,
  workTree: string,
  args: readonly string[],
  rights: GitRights & { input?: string },
): GitAnswer => {
  const place = ['--git-dir', join(workTree, '.git'), '--work-tree', workTree]
  return callGit([...place, ...args], { folder, ...rights })
}

/** Runs git in the operator's own repository; paths are relative to the folder. Undefined outside of a repository. */
export const askOwnGit = (content: string, args: readonly string[]): GitAnswer | undefined => {
  const folder = realPath(content)
  const workTree = findWorkTree(folder)
  return workTree === undefined ? undefined : runInCheckout(folder, workTree, args, trustedRights())
}

/** Asks git about the operator's own repository; paths are relative to the folder. Undefined without an answer. */
export const askGit = (content: string, args: readonly string[]): string | undefined => {
  const answer = askOwnGit(content, args)
  return answer?.fault === undefined ? answer && String(answer.stdout) : undefined
}

/** A file or submodule that a repository tracks: its mode as git writes it (`100755`), and its path. */
export interface TrackedFile {
  mode: string
  path: string
}

/** Lists the tracked files below a folder, by their path in the folder; or returns the reason why it cannot. */
export const listTracked = (
  folder: string,
  workTree: string,
  rights = untrustedRights(),
): TrackedFile[] | string => {
  const args = ['ls-files', '--stage', '-z']
  const { stdout, fault } = runInCheckout(folder, workTree, args, rights)
  if (fault !== undefined) return `git ${fault}`
  // A row has mode, object name and stage, then a tab and the path.
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

/** Git's mode of a symlink. */
export const LINK_MODE = '120000'

/** Reads and writes the executable bits of a catalog's skills. */
export interface SkillBits {
  /** The bits of a skill's tracked files in git; undefined if the bits on the disk count. */
  ofSkill: (slug: string) => GitBits | undefined
  /** Stores the bits of a skill's files, which were just written. Returns the files for which it failed. */
  keep: (slug: string, files: readonly SkillFile[]) => SkillFile[]
  /** Why git failed, if the bits on the disk count for that reason. */
  fault?: string
}

const readDiskBits = (content: string): SkillBits => ({
  ofSkill: () => undefined,
  keep: (slug, files) => {
    const folder = join(content, 'skills', slug)
    return files.filter(
      ({ path, isExecutable }) => isExecutable && !takeFingerprint(folder, path)?.isExecutable,
    )
  },
})

/** The path of a file of a skill, relative to the content folder. */
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

/** Uses the bits in git's index. New bits are written there immediately, because the disk cannot store them. */
const openIndexBits = (folder: string, workTree: string, bits: BitsBySlug): SkillBits => ({
  ofSkill: (slug) => bits.get(slug) ?? new Map(),
  keep: (slug, files) => {
    const known = bits.get(slug) ?? new Map<string, boolean>()
    bits.set(slug, known)
    const isKept = ({ path, isExecutable }: SkillFile): boolean => {
      // This disk may report every file as executable.
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
      const { fault } = runInCheckout(folder, workTree, args, { ...trustedRights(), input })
      if (fault !== undefined) return group
      for (const { path } of group) known.set(path, bit)
      return []
    })
  },
})

/** Resolves symlinks in a path whose last parts may not exist yet. */
export const realPath = (path: string): string =>
  existsSync(path) || dirname(path) === path
    ? realpathSync.native(path)
    : join(realPath(dirname(path)), basename(path))

/**
 * Opens the executable bits of the skills in a content folder. They are read from git if `core.fileMode` of the checkout
 * is false, as git sets it on Windows: then the disk does not store them. Otherwise they are read from the disk, so that
 * an uncommitted `chmod` counts.
 */
export const readSkillBits = (content: string): SkillBits => {
  const folder = realPath(content)
  const workTree = findWorkTree(folder)
  const ofDisk = readDiskBits(folder)
  if (workTree === undefined) return ofDisk
  const setting = ['config', '--local', '--type=bool', '--default=true', 'core.fileMode']
  const { stdout, fault } = runInCheckout(workTree, workTree, setting, trustedRights())
  if (fault !== undefined) return { ...ofDisk, fault: `git ${fault}` }
  if (String(stdout).trim() !== 'false') return ofDisk
  const tracked = existsSync(folder) ? listTracked(folder, workTree, trustedRights()) : []
  if (typeof tracked === 'string') return { ...ofDisk, fault: tracked }
  return openIndexBits(folder, workTree, groupBits(tracked))
}

/**
 * Lists the files of skills in a content folder that git ignores, because of rules of the repository, of a skill, or of
 * the user. `git add --force` would add them. Returns none if the whole catalog is ignored.
 */
export const listIgnored = (content: string): string[] => {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '-z', '--']
  // The user's own rules apply, as they do with `git add`.
  const listed = askGit(content, [...args, 'site.json', 'skills']) ?? ''
  const paths = listed.split('\0').filter(Boolean)
  return paths.includes('site.json') ? [] : paths
}
