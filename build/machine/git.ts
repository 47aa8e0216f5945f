import { execFile, spawnSync } from 'node:child_process'
import { devNull } from 'node:os'
import { showValue } from '../../src/catalog/text.ts'

/** Settings that keep a repository from running code. */
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

/** Git's variables that name where settings come from, since one of them, safe.directory, is the operator's. */
const SETTINGS = /^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|(?:KEY|VALUE)_\d+)$/

/** What git gets in a stranger's repository: programs, certificates and the proxy, but no settings of its user. */
const PASSED_ON =
  /^(?:PATH|SystemRoot|TMPDIR|TEMP|TMP|SSL_CERT_(?:FILE|DIR)|GIT_SSL_CAINFO|(?:https?|all|no)_proxy)$/i

/** For a private registry, those with the keys and logins of its curator too. */
const LOGINS = /^(?:HOME|USER|XDG_CONFIG_HOME|SSH_AUTH_SOCK|GIT_SSH_COMMAND)$/

const pickVariables = (isPassed: (name: string) => boolean): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name, value]) => value && isPassed(name)))

/** The variables and limits of a call of git. */
export interface GitRights {
  env: NodeJS.ProcessEnv
  /** Most bytes that git may answer, and milliseconds that it may take. */
  maxBuffer: number
  timeout?: number
}

/**
 * For a repository of the operator's own: all settings hold, without the variables of a hook, which would name another
 * repository or index, and nothing is replaced, grafted or fetched.
 */
export const useOwn = (): GitRights => ({
  env: {
    ...pickVariables((name) => !name.startsWith('GIT_') || SETTINGS.test(name)),
    LC_ALL: 'C',
    GIT_ALLOW_PROTOCOL: '',
    GIT_GRAFT_FILE: devNull,
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
  },
  maxBuffer: 2 ** 30,
})

/** For a stranger's repository: no settings and no prompts, and no protocols but https and file, if any. */
export const useStrangers = ({ isPrivate = false, mayFetch = false } = {}): GitRights => ({
  env: {
    ...(isPrivate
      ? { GIT_SSH_COMMAND: 'ssh -o BatchMode=yes' }
      : { HOME: devNull, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull }),
    ...pickVariables((name) => PASSED_ON.test(name) || (isPrivate && LOGINS.test(name))),
    LC_ALL: 'C',
    ...(mayFetch
      ? { GIT_ALLOW_PROTOCOL: isPrivate ? 'https:http:ssh:file' : 'https:file' }
      : { GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1' }),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
  },
  maxBuffer: 256 * 1024 * 1024,
  timeout: mayFetch ? 600_000 : 30_000,
})

/** What git answered. */
export interface GitAnswer {
  /** Its exit code; undefined if it had none. */
  status: number | undefined
  stdout: Buffer
  stderr: string
  /** Why it failed, as the end of a sentence that begins with "git": any code but 0 counts. */
  fault: string | undefined
}

export const NOT_INSTALLED = 'is not installed'

/** Git's own reason: its last lines that say what failed, without hints. */
const quoteErrors = (stderr: string): string => {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const errors = lines.filter((line) => /^(?:fatal|error|remote|ssh):/.test(line))
  return `says ${showValue((errors.length > 0 ? errors : lines).slice(-2).join('; '), 400)}`
}

/** Error codes of `spawnSync` and `execFile` for an exceeded limit. */
const LIMITS = new Set(['ETIMEDOUT', 'ENOBUFS', 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'])

interface Ending {
  error?: (Error & { code?: unknown; killed?: boolean }) | null
  status: number | null | undefined
  signal?: string | null | undefined
}

const explainFailure = ({ error, status, signal }: Ending, stderr: string): string | undefined => {
  const code = String(error?.code)
  if (code === 'ENOENT') return NOT_INSTALLED
  if (error?.killed || LIMITS.has(code))
    return 'took too long, or the repository has too many files'
  // A hostile repository can crash git.
  if (signal) return `was ended by ${signal}`
  if (status === 0) return undefined
  return typeof status === 'number' ? quoteErrors(stderr) : `failed: ${error?.message}`
}

/** A call of git in a folder. */
interface GitCall extends GitRights {
  folder: string
  input?: string
}

/** Runs git, and waits for its answer. */
export const callGit = (args: readonly string[], { folder, ...call }: GitCall): GitAnswer => {
  const ended = spawnSync('git', [...SAFE_SETTINGS, ...args], { cwd: folder, ...call })
  const stderr = String(ended.stderr ?? '')
  const status = ended.status ?? undefined
  return { status, stdout: ended.stdout, stderr, fault: explainFailure(ended, stderr) }
}

/** Runs git beside other work. */
export const startGit = (
  args: readonly string[],
  { folder, input = '', ...call }: GitCall,
): Promise<GitAnswer> =>
  new Promise((resolve) => {
    const options = { cwd: folder, encoding: 'buffer', ...call } as const
    const { stdin } = execFile('git', [...SAFE_SETTINGS, ...args], options, (error, out, err) => {
      const status = error ? (typeof error.code === 'number' ? error.code : undefined) : 0
      const stderr = String(err)
      const fault = explainFailure({ error, status, signal: error?.signal }, stderr)
      resolve({ status, stdout: out, stderr, fault })
    })
    // Git may end before it has read everything.
    stdin?.on('error', () => undefined)
    stdin?.end(input)
  })
