import { execFile } from 'node:child_process'
import {
  GIT_OUTPUT_LIMIT,
  SAFE_SETTINGS,
  findGitReason,
  makeGitEnvironment,
} from '../../../machine/git.ts'
import { CommandError, systemCode } from '../../cli/command.ts'

const NOT_INSTALLED = 'git is not installed; install it, or import a folder'

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
    const env = makeGitEnvironment(isPrivate)
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
