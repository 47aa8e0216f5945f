import { spawn } from 'node:child_process'
import { devNull } from 'node:os'
import { showValue } from '../../../../src/catalog/text.ts'
import { CommandError, systemCode } from '../../cli/errors.ts'

/** Settings that keep a hostile repository from running code or reaching other hosts. */
const SAFE_SETTINGS = [
  `core.hooksPath=${devNull}`,
  'core.fsmonitor=false',
  'credential.helper=',
  'fetch.recurseSubmodules=false',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.version=2',
  'transfer.bundleURI=false',
  // Gives up below 1,000 bytes a second for 30 seconds.
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
  // A redirect may lead into the network of this machine.
  'http.followRedirects=false',
].flatMap((setting) => ['-c', setting])

/** Variables passed to git: for programs, certificates and the proxy, but no user settings. */
const PASSED_ON =
  /^(?:PATH|SystemRoot|TMPDIR|TEMP|TMP|SSL_CERT_(?:FILE|DIR)|GIT_SSL_CAINFO|(?:https?|all|no)_proxy)$/i

const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name))),
  LC_ALL: 'C',
  HOME: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ALLOW_PROTOCOL: 'https:file',
  GIT_PROTOCOL_FROM_USER: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  GIT_LFS_SKIP_SMUDGE: '1',
  GIT_OPTIONAL_LOCKS: '0',
})

/** Meanings of git's error messages; the first match is reported. */
const FAILURES: readonly [RegExp, string][] = [
  [
    /returned error: 30\d/i,
    'it has moved to another address; open it in a browser and name the address that it leads to',
  ],
  [
    /could not read Username|Authentication failed|terminal prompts disabled|error: 40[134]|not found|not valid: is this|does not (?:exist|appear to be)/i,
    'there is no such repository, or it is not public; correct the address',
  ],
  [
    /Could not resolve|unable to access|Failed to connect|timed out|Connection|early EOF|hung up|RPC failed|Operation too slow/i,
    'it cannot be reached now, or is damaged; try again later',
  ],
  [
    /couldn't find remote ref|not our ref|bad object|invalid refspec/i,
    'it has no such branch, tag or commit, or is not a repository; correct the address',
  ],
  [
    /dubious ownership/i,
    'it belongs to another user of this machine; run as that user, or copy it',
  ],
  [
    /transport '.*' not allowed/i,
    'it leads to an address that is neither https:// nor file://; correct it',
  ],
]

const explain = (stderr: string): string => {
  const known = FAILURES.find(([pattern]) => pattern.test(stderr))?.[1]
  return known ?? `git failed: ${showValue(stderr.trim().split('\n').at(-1) ?? '', 200)}`
}

interface GitCall {
  /** Prefix of every message. */
  subject: string
  /** The repository's own folder. */
  folder: string
  signal: AbortSignal
  input: string
  /** Called twice a second; a returned reason stops git. */
  watch: () => string | undefined
}

const TIMEOUT_MS = 600_000
const WATCH_EVERY_MS = 500
const STDERR_LIMIT = 10_000

const MISSING = 'git is not installed; install it, or import a folder or an archive'

/** Yields the output of git and ends the process when reading stops. Throws CommandError if git fails. */
export async function* streamGit(args: readonly string[], call: GitCall): AsyncGenerator<Buffer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const child = spawn('git', [...SAFE_SETTINGS, '--git-dir', call.folder, ...args], {
    cwd: call.folder,
    env: environment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: AbortSignal.any([call.signal, timeout]),
  })
  let stderr = ''
  let tooMuch: string | undefined
  const ended = new Promise<number | Error>((resolve) => {
    child.on('error', resolve)
    child.on('close', (code) => resolve(code ?? 1))
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-STDERR_LIMIT)
  })
  // Git may exit before reading all input; the exit code tells whether that is an error.
  child.stdin.on('error', () => undefined)
  child.stdin.end(call.input)
  const watching = setInterval(() => {
    tooMuch ??= call.watch()
    if (tooMuch !== undefined) child.kill()
  }, WATCH_EVERY_MS)
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer
    const result = await ended
    call.signal.throwIfAborted()
    const reason = timeout.aborted ? 'git took too long; try again later' : tooMuch
    if (reason !== undefined) throw new CommandError(`${call.subject}: ${reason}`)
    if (systemCode(result) === 'ENOENT') throw new CommandError(MISSING)
    if (result instanceof Error) throw result
    if (result !== 0) throw new CommandError(`${call.subject}: ${explain(stderr)}`)
  } finally {
    clearInterval(watching)
    child.kill()
  }
}
