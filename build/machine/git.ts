import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { devNull } from 'node:os'
import { dirname, join } from 'node:path'
import type { GitBits } from '../../src/catalog/fingerprint.ts'
import { showValue } from '../../src/catalog/text.ts'

/** Settings that keep a stranger's repository from running code. */
export const SAFE_SETTINGS = [
  `core.hooksPath=${devNull}`,
  'core.fsmonitor=false',
  'submodule.recurse=false',
  'maintenance.auto=false',
  'gc.auto=0',
  // Gives up below 1,000 bytes a second for 30 seconds.
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
].flatMap((setting) => ['-c', setting])

/** Variables passed to git: for programs, certificates and the proxy, but no user settings. */
const PASSED_ON =
  /^(?:PATH|SystemRoot|TMPDIR|TEMP|TMP|SSL_CERT_(?:FILE|DIR)|GIT_SSL_CAINFO|(?:https?|all|no)_proxy)$/i

/** For a private registry, those with the keys and logins of its curator too. */
const LOGINS = /^(?:HOME|USER|XDG_CONFIG_HOME|SSH_AUTH_SOCK|GIT_SSH_COMMAND)$/

export const makeGitEnvironment = (isPrivate: boolean): NodeJS.ProcessEnv => ({
  ...(isPrivate
    ? { GIT_SSH_COMMAND: 'ssh -o BatchMode=yes' }
    : { HOME: devNull, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull }),
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name, value]) => value && (PASSED_ON.test(name) || (isPrivate && LOGINS.test(name))),
    ),
  ),
  LC_ALL: 'C',
  GIT_ALLOW_PROTOCOL: isPrivate ? 'https:http:ssh:file' : 'https:file',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
})

/** Git's own reason: its last lines that say what failed, without hints. */
export const findGitReason = (stderr: string): string => {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const told = lines.filter((line) => /^(?:fatal|error|remote|ssh):/.test(line))
  return showValue((told.length > 0 ? told : lines).slice(-2).join('; '), 400)
}

/** Most bytes that git may answer. */
export const GIT_OUTPUT_LIMIT = 256 * 1024 * 1024

/** The nearest folder with a `.git`, from this one upwards. */
export const findWorkTree = (folder: string): string | undefined => {
  if (existsSync(join(folder, '.git'))) return folder
  return dirname(folder) === folder ? undefined : findWorkTree(dirname(folder))
}

/**
 * What git answers about a checkout on this disk, or why it does not. Given `.git` and the work tree, it searches for
 * neither, and runs no program and asks no host that the settings of the repository name.
 */
const askGit = (
  folder: string,
  workTree: string,
  args: readonly string[],
  isPrivate = false,
): { status: number; stdout: string; reason: string } => {
  const place = ['--git-dir', join(workTree, '.git'), '--work-tree', workTree]
  const { status, stdout, stderr, error } = spawnSync(
    'git',
    [...SAFE_SETTINGS, ...place, ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...makeGitEnvironment(isPrivate), GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1' },
      maxBuffer: GIT_OUTPUT_LIMIT,
      timeout: 30_000,
    },
  )
  const isMissing = (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
  const reason = isMissing
    ? 'git is not installed'
    : `git failed: ${error?.message ?? findGitReason(stderr)}`
  return { status: error ? -1 : (status ?? -1), stdout, reason }
}

/** A file or submodule that a repository tracks: its mode as git writes it (`100755`), and its path. */
export interface TrackedFile {
  mode: string
  path: string
}

/** Lists what the repository of a folder tracks below it, by the path in that folder; or says why it cannot. */
export const listTracked = (folder: string, workTree: string): TrackedFile[] | string => {
  const { status, stdout, reason } = askGit(folder, workTree, ['ls-files', '--stage', '-z'])
  if (status !== 0) return reason
  // A row is its mode, digest and stage, then a tab and the path.
  return stdout
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
  const { status, stdout, reason } = askGit(folder, workTree, setting)
  if (status !== 0) return { ...NO_BITS, fault: reason }
  if (stdout.trim() !== 'false') return NO_BITS
  const tracked = listTracked(folder, workTree)
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
  const { status, stdout } = askGit(folder, workTree, [...args, ...places], true)
  const paths = status === 0 ? stdout.split('\0').filter(Boolean) : []
  return paths.includes('site.json') ? [] : paths
}
