import { spawn } from 'node:child_process'
import { devNull } from 'node:os'
import { Readable } from 'node:stream'
import { showValue } from '../../../../src/catalog/text.ts'
import { CommandError, systemCode } from '../../cli/errors.ts'

/** Settings that keep a strange repository from running or reaching anything. */
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
  // A server that stops talking is left: fewer than 1,000 bytes a second for 30 seconds.
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
].flatMap((setting) => ['-c', setting])

/** What git may know of the machine: where programs, certificates and the proxy are, no person's settings. */
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

const NOT_THERE = 'there is no such repository, or it is not public; correct the address'
const NOT_NOW = 'it cannot be reached now, or is damaged; try again later'

/** What git says where a repository cannot be had, and what that means; the first that shows is told. */
const FAULTS: readonly [RegExp, string][] = [
  [/could not read Username|Authentication failed|terminal prompts disabled/i, NOT_THERE],
  [/error: 40[134]|not found|not valid: is this|does not (?:exist|appear to be)/i, NOT_THERE],
  [/Could not resolve|unable to access|Failed to connect|timed out|Connection/i, NOT_NOW],
  [/early EOF|hung up|RPC failed|Operation too slow/i, NOT_NOW],
  [
    /couldn't find remote ref|not our ref|bad object|invalid refspec/i,
    'it has no such branch, tag or commit, or is no repository; correct the address',
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

const explain = (subject: string, stderr: string): CommandError => {
  const known = FAULTS.find(([pattern]) => pattern.test(stderr))?.[1]
  const line = stderr.trim().split('\n').at(-1) ?? ''
  return new CommandError(`${subject}: ${known ?? `git failed: ${showValue(line, 200)}`}`)
}

/** How a call of git is made. */
export interface GitCall {
  /** What a message names. */
  subject: string
  /** The repository's own folder. */
  folder: string
  signal: AbortSignal
  input?: string
  /** Seconds until it is given up. */
  seconds?: number
  /** Asked twice a second; gives why the call is given up, or nothing. */
  watch?: () => string | undefined
}

const SECONDS = 600
const WATCH_EVERY = 500
const STDERR_LIMIT = 10_000

const MISSING = 'git is not installed; install it, or import a folder or an archive'

/**
 * Runs git and gives its output piece by piece; whoever stops listening ends it.
 * Throws CommandError where it fails, in words for a person.
 */
export async function* streamGit(args: readonly string[], call: GitCall): AsyncGenerator<Buffer> {
  const timeout = AbortSignal.timeout((call.seconds ?? SECONDS) * 1_000)
  const child = spawn('git', [...SAFE_SETTINGS, '--git-dir', call.folder, ...args], {
    cwd: call.folder,
    env: environment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: AbortSignal.any([call.signal, timeout]),
  })
  let stderr = ''
  let givenUp: string | undefined
  const ended = new Promise<number | Error>((resolve) => {
    child.on('error', resolve)
    child.on('close', (code) => resolve(code ?? 1))
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-STDERR_LIMIT)
  })
  // Git may end before it has read everything; what it says of that is told by its exit.
  child.stdin.on('error', () => undefined)
  Readable.from([call.input ?? '']).pipe(child.stdin)
  const watching = setInterval(() => {
    givenUp ??= call.watch?.()
    if (givenUp !== undefined) child.kill()
  }, WATCH_EVERY)
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer
    const result = await ended
    call.signal.throwIfAborted()
    if (timeout.aborted)
      throw new CommandError(`${call.subject}: git took too long; try again later`)
    if (givenUp !== undefined) throw new CommandError(`${call.subject}: ${givenUp}`)
    if (systemCode(result) === 'ENOENT') throw new CommandError(MISSING)
    if (result instanceof Error) throw result
    if (result !== 0) throw explain(call.subject, stderr)
  } finally {
    clearInterval(watching)
    child.kill()
  }
}

/** Most that a short answer may hold, in bytes. */
const ANSWER_LIMIT = 64 * 1024 * 1024

/** Runs git and gives all it printed as text. */
export const runGit = async (args: readonly string[], call: GitCall): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of streamGit(args, call)) {
    size += chunk.length
    if (size > ANSWER_LIMIT) throw new CommandError(`${call.subject}: it answers without end`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
