import { execFile, spawnSync } from 'node:child_process'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { showValue } from '../../../../src/catalog/text.ts'
import { CommandError, systemCode } from '../../cli/command.ts'

/** Settings that keep a stranger's repository from running code. */
const SAFE_SETTINGS = [
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

const makeEnvironment = (isPrivate: boolean): NodeJS.ProcessEnv => ({
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
const findReason = (stderr: string): string => {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const told = lines.filter((line) => /^(?:fatal|error|remote|ssh):/.test(line))
  return showValue((told.length > 0 ? told : lines).slice(-2).join('; '), 400)
}

const NOT_INSTALLED = 'git is not installed; install it, or import a folder'
const OUTPUT_LIMIT = 256 * 1024 * 1024

interface GitCall {
  folder: string
  input?: string | undefined
  isPrivate?: boolean | undefined
}

/** Runs git in a folder, which holds its repository. Throws CommandError with git's own reason. */
export const runGit = (
  args: readonly string[],
  { folder, isPrivate = false, input = '' }: GitCall,
): Promise<{ stdout: string; stderr: string }> =>
  new Promise((resolve, reject) => {
    const env = makeEnvironment(isPrivate)
    const limits = { maxBuffer: OUTPUT_LIMIT, timeout: 600_000 }
    const all = [...SAFE_SETTINGS, '--git-dir=.git', '--work-tree=.', ...args]
    const { stdin } = execFile(
      'git',
      all,
      { cwd: folder, env, ...limits },
      (error, stdout, stderr) => {
        if (!error) return resolve({ stdout, stderr })
        if (systemCode(error) === 'ENOENT') return reject(new CommandError(NOT_INSTALLED))
        if (error.killed)
          return reject(new CommandError('git took too long, or the source has too many files'))
        // A repository can end git itself.
        const said = error.signal ? `was ended by ${error.signal}` : `says ${findReason(stderr)}`
        reject(new CommandError(`git ${said}`))
      },
    )
    // Git may end before it has read everything.
    stdin?.on('error', () => undefined)
    stdin?.end(input)
  })

/** A file or submodule that a repository tracks: its mode as git writes it (`100755`), and its path. */
export interface TrackedFile {
  mode: string
  path: string
}

/**
 * Lists what the repository of a folder tracks below it, by the path in that folder. Given `.git` and the work
 * tree, git searches for neither, and runs no program and asks no host that the repository's settings name. Throws
 * CommandError.
 */
export const listTracked = (folder: string, workTree: string): TrackedFile[] => {
  const place = ['--git-dir', join(workTree, '.git'), '--work-tree', workTree]
  const args = [...SAFE_SETTINGS, ...place, 'ls-files', '--stage', '-z']
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...makeEnvironment(false), GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1' },
    maxBuffer: OUTPUT_LIMIT,
    timeout: 30_000,
  })
  if (systemCode(error) === 'ENOENT') throw new CommandError(NOT_INSTALLED)
  if (error ?? status !== 0)
    throw new CommandError(`git failed: ${error?.message ?? findReason(stderr)}`)
  // A row is its mode, digest and stage, then a tab and the path.
  return stdout
    .split('\0')
    .filter(Boolean)
    .map((row) => ({
      mode: row.slice(0, row.indexOf(' ')),
      path: row.slice(row.indexOf('\t') + 1),
    }))
}

/** Milliseconds and bytes that a difference may take. */
const DIFFERENCE_LIMITS = { timeout: 20_000, maxBuffer: 64 * 1024 * 1024 }

/**
 * The difference of two folders inside another one, as git writes it. It is no repository for git, so no file in them
 * says that others are not to be shown. Throws CommandError.
 */
export const diffFolders = (place: string, before: string, after: string): string => {
  const flags = ['--no-index', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames']
  const { status, stdout, stderr, error } = spawnSync('git', ['diff', ...flags, before, after], {
    cwd: place,
    encoding: 'utf8',
    env: { ...makeEnvironment(false), GIT_DIR: devNull },
    ...DIFFERENCE_LIMITS,
  })
  if (systemCode(error) === 'ENOENT') throw new CommandError(NOT_INSTALLED)
  // 1 says that they differ.
  if (error ?? (status !== 0 && status !== 1))
    throw new CommandError(`git failed: ${error?.message ?? findReason(stderr)}`)
  return stdout
}
