import { execFile, spawnSync } from 'node:child_process'
import { devNull } from 'node:os'
import {
  GIT_OUTPUT_LIMIT,
  SAFE_SETTINGS,
  findGitReason,
  makeGitEnvironment,
} from '../../../machine/git.ts'
import { CommandError, systemCode } from '../../cli/command.ts'

const NOT_INSTALLED = 'git is not installed; install it, or import a folder'

/** Settings as variables, which git hands to its own programs but to none in another repository (git-config(1)). */
const passSettings = (settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const rows = Object.entries(settings)
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(rows.length)],
    ...rows.flatMap(([name, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, name],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ])
}

interface GitCall {
  folder: string
  /** Of this call, beside those that keep a repository from running code. */
  settings: Readonly<Record<string, string>>
  input?: string | undefined
  isPrivate?: boolean | undefined
}

/** Runs git in a folder, which holds its repository. Throws CommandError with git's own reason. */
export const runGit = (
  args: readonly string[],
  { folder, settings, isPrivate = false, input = '' }: GitCall,
): Promise<{ stdout: string; stderr: string }> =>
  new Promise((resolve, reject) => {
    const env = { ...makeGitEnvironment(isPrivate), ...passSettings(settings) }
    const limits = { maxBuffer: GIT_OUTPUT_LIMIT, timeout: 600_000 }
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
        const said = error.signal ? `was ended by ${error.signal}` : `says ${findGitReason(stderr)}`
        reject(new CommandError(`git ${said}`))
      },
    )
    // Git may end before it has read everything.
    stdin?.on('error', () => undefined)
    stdin?.end(input)
  })

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
    env: { ...makeGitEnvironment(false), GIT_DIR: devNull },
    ...DIFFERENCE_LIMITS,
  })
  if (systemCode(error) === 'ENOENT') throw new CommandError(NOT_INSTALLED)
  // 1 says that they differ.
  if (error ?? (status !== 0 && status !== 1))
    throw new CommandError(`git failed: ${error?.message ?? findGitReason(stderr)}`)
  return stdout
}
