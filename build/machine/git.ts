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

/** Variables that name git's settings files: only the operator's own settings can set safe.directory. */
const SETTINGS = /^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|(?:KEY|VALUE)_\d+)$/

/** Variables for git in an untrusted repository: programs, certificates and the proxy, but not the user's settings. */
const PASSED_ON =
  /^(?:PATH|SystemRoot|TMPDIR|TEMP|TMP|SSL_CERT_(?:FILE|DIR)|GIT_SSL_CAINFO|(?:https?|all|no)_proxy)$/i

/** Variables with the curator's keys and logins, for a private registry. */
const LOGINS = /^(?:HOME|USER|XDG_CONFIG_HOME|SSH_AUTH_SOCK|GIT_SSH_COMMAND)$/

const pickVariables = (isPassed: (name: string) => boolean): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name, value]) => value && isPassed(name)))

/** The variables and limits of a git call. */
export interface GitRights {
  env: NodeJS.ProcessEnv
  /** Maximum size of the output in bytes, and time limit in milliseconds. */
  maxBuffer: number
  timeout?: number
}

/**
 * For the operator's own repository. All settings apply, but not the variables of a git hook, which would name another
 * repository or index. Replacement objects, grafts and fetches are disabled.
 */
export const trustedRights = (): GitRights => ({
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

/**
 * For an untrusted repository: no settings, no prompts, and no protocols, except https and file if git may fetch. In a
 * private registry, the curator's settings and logins apply, and http and ssh are allowed, too.
 */
export const untrustedRights = ({ isPrivate = false, mayFetch = false } = {}): GitRights => ({
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

export interface GitAnswer {
  /** Exit code; undefined if git was not started or was killed. */
  status: number | undefined
  stdout: Buffer
  stderr: string
  /** Why it failed, to be printed after "git". Every exit code except 0 is a failure. */
  fault: string | undefined
}

export const NOT_INSTALLED = 'is not installed'

/** Quotes the last lines in which git reports an error, without hints. */
const quoteErrors = (stderr: string): string => {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const errors = lines.filter((line) => /^(?:fatal|error|remote|ssh):/.test(line))
  return `says ${showValue((errors.length > 0 ? errors : lines).slice(-2).join('; '), 400)}`
}

/** Error codes of `spawnSync` and `execFile` when a limit is exceeded. */
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
  if (signal) return `was killed by ${signal}`
  if (status === 0) return undefined
  return typeof status === 'number' ? quoteErrors(stderr) : `failed: ${error?.message}`
}

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

/** Runs git asynchronously. */
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
    // Git can end before it has read all input.
    stdin?.on('error', () => undefined)
    stdin?.end(input)
  })
