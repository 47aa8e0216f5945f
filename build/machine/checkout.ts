import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { GitBits } from '../../src/catalog/fingerprint.ts'
import { callGit, useOwn, useStrangers } from './git.ts'
import type { GitAnswer, GitRights } from './git.ts'

/** The nearest folder with a `.git`, from this one upwards. */
export const findWorkTree = (folder: string): string | undefined => {
  if (existsSync(join(folder, '.git'))) return folder
  return dirname(folder) === folder ? undefined : findWorkTree(dirname(folder))
}

/**
 * What git answers about a checkout on this disk. Given `.git` and the work tree, it searches for neither, and runs no
 * program and asks no host that the settings of the repository name.
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

/** The mode in git of a file that its owner may start. */
export const EXECUTABLE_MODE = '100755'

/** The mode in git of a symlink. */
export const LINK_MODE = '120000'

/** Which files of a catalog's skills may be started, as git knows it where the disk does not. */
export interface SkillBits {
  /** Of the files of a skill that git tracks; undefined where the disk speaks for all. */
  ofSkill: (slug: string) => GitBits | undefined
  /** Why git could not be asked, so that the disk speaks. */
  fault?: string
}

const NO_BITS: SkillBits = { ofSkill: () => undefined }

/** The path of a skill's file below the content folder. */
const SKILL_FILE = /^skills\/([^/]+)\/(.+)$/s

/**
 * Asks git which files of the skills of a content folder may be started, if its checkout says that modes on this disk mean
 * nothing (`core.fileMode`, as git sets it on Windows). Where they do, an uncommitted `chmod` counts.
 */
export const readSkillBits = (content: string): SkillBits => {
  const folder = existsSync(content) ? realpathSync(content) : content
  const workTree = findWorkTree(folder)
  if (workTree === undefined) return NO_BITS
  const setting = ['config', '--local', '--type=bool', '--default=true', 'core.fileMode']
  const { stdout, fault } = askCheckout(folder, workTree, setting, useOwn())
  if (fault !== undefined) return { ...NO_BITS, fault: `git ${fault}` }
  if (String(stdout).trim() !== 'false') return NO_BITS
  const tracked = listTracked(folder, workTree, useOwn())
  if (typeof tracked === 'string') return { ...NO_BITS, fault: tracked }
  const bits = new Map<string, Map<string, boolean>>()
  for (const { mode, path } of tracked) {
    const [, slug, inside] = SKILL_FILE.exec(path) ?? []
    if (slug === undefined || inside === undefined || !mode.startsWith('100')) continue
    const ofSkill = bits.get(slug) ?? new Map<string, boolean>()
    bits.set(slug, ofSkill.set(inside, mode === EXECUTABLE_MODE))
  }
  return { ofSkill: (slug) => bits.get(slug) ?? new Map() }
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
