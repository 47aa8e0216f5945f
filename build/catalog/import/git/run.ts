import { NOT_INSTALLED, startGit, untrustedRights } from '../../../machine/git.ts'
import { CommandError } from '../../cli/command.ts'

/** Passes settings as variables, which git does not pass on into other repositories (git-config(1)). */
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

/** Throws CommandError. */
const refuseFault = (fault: string): never => {
  const remedy = fault === NOT_INSTALLED ? '; install it, or import a folder' : ''
  throw new CommandError(`git ${fault}${remedy}`)
}

interface RepositoryCall {
  folder: string
  /** Settings of this call, in addition to those that keep a repository from running code. */
  settings: Readonly<Record<string, string>>
  input?: string
  isPrivate?: boolean | undefined
}

/** Runs git in the folder of an untrusted repository. Throws CommandError with git's own reason. */
export const runGit = async (
  args: readonly string[],
  { folder, settings, isPrivate, input }: RepositoryCall,
): Promise<{ stdout: string; stderr: string }> => {
  const rights = untrustedRights({ isPrivate, mayFetch: true })
  const env = { ...rights.env, ...passSettings(settings) }
  const place = ['--git-dir=.git', '--work-tree=.']
  const call = { ...rights, folder, env, ...(input !== undefined && { input }) }
  const { stdout, stderr, fault } = await startGit([...place, ...args], call)
  return fault === undefined ? { stdout: String(stdout), stderr } : refuseFault(fault)
}
