import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { showValue } from '../../../../src/catalog/text.ts'
import { CommandError, systemCode } from '../../cli/command.ts'
import type { GitAddress } from '../address.ts'
import { isGitPath, isInFolder, isPlainPath } from '../find.ts'

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
  // A redirect may lead into the network of this machine; `findRemote` follows those that do not.
  'http.followRedirects=false',
].flatMap((setting) => ['-c', setting])

/**
 * Variables passed to git: for programs, certificates and the proxy, but no user settings. Without `no_proxy`, since only
 * the proxy checks addresses; an empty one is not passed on either, since git would take it for "no proxy".
 */
const PASSED_ON =
  /^(?:PATH|SystemRoot|TMPDIR|TEMP|TMP|SSL_CERT_(?:FILE|DIR)|GIT_SSL_CAINFO|(?:https?|all)_proxy)$/i

const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name, value]) => value && PASSED_ON.test(name)),
  ),
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
async function* streamGit(args: readonly string[], call: GitCall): AsyncGenerator<Buffer> {
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

/** Maximum bytes fetched from a repository, and files of a commit. */
const LIMITS = { bytes: 1024 * 1024 * 1024, entries: 300_000 }

/** Maximum buffered output, and maximum field of streamed output; in bytes. */
const OUTPUT_LIMIT = 64 * 1024 * 1024
const FIELD_LIMIT = 1024 * 1024

/** Bytes of contents per call of git. */
const BATCH_BYTES = 16 * 1024 * 1024

/** Lets a local repository serve what hosts do: any commit, and history without files. */
const LOCAL_SERVER =
  'git -c uploadpack.allowFilter=true -c uploadpack.allowAnySHA1InWant=true upload-pack'

/**
 * Lists the files below a folder that its repository tracks, by their path in that folder. Given `.git` and the work
 * tree, git searches for neither, and runs no program and asks no host that the repository's settings name. Throws
 * CommandError.
 */
export const listTracked = (folder: string, workTree: string): string[] => {
  const place = ['--git-dir', join(workTree, '.git'), '--work-tree', workTree]
  const { status, stdout, stderr, error } = spawnSync(
    'git',
    [...SAFE_SETTINGS, ...place, 'ls-files', '-z'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...environment(), GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1' },
      maxBuffer: OUTPUT_LIMIT,
      timeout: 30_000,
    },
  )
  if (systemCode(error) === 'ENOENT') throw new CommandError('git is not installed')
  if (error) throw new CommandError(`git failed: ${error.message}`)
  if (status !== 0) throw new CommandError(explain(stderr))
  return stdout.split('\0').filter((path) => isPlainPath(path) && !isGitPath(path))
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

/** A ref without characters that are special to git. */
const PLAIN_REF = /^refs\/(?:heads|tags)\/([^\s:~^?*[\\\p{Cc}]+)$/u

/** A file or link of a commit. */
export interface TreeEntry {
  path: string
  object: string
  size: number
  isLink: boolean
}

const TREE_LINE = /^(100\d{3}|120000) blob ([0-9a-f]{40,64}) +(\d+)\t([^]+)$/

/** Parses a line of `git ls-tree -r -l -z`; undefined for a submodule or a path outside. */
export const parseTreeLine = (line: string): TreeEntry | undefined => {
  const [, mode = '', object = '', size = '', path = ''] = TREE_LINE.exec(line) ?? []
  if (mode === '' || !isPlainPath(path) || isGitPath(path)) return undefined
  return { path, object, size: Number(size), isLink: mode === '120000' }
}

const folderSize = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    // Git may remove a file meanwhile.
    const stats = entry.isFile()
      ? statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })
      : undefined
    return sum + (stats?.size ?? 0)
  }, 0)

interface RepositoryOptions {
  /** The only addresses of the host that git may connect to, as `checkPublicHost` returns them. */
  host?: string | undefined
  limits?: Partial<typeof LIMITS>
}

/**
 * A bare clone of a stranger's repository in a temporary folder. Methods throw CommandError.
 */
export class Repository {
  readonly folder: string
  readonly signal: AbortSignal
  readonly #subject: string
  readonly #limits: Readonly<typeof LIMITS>

  static async create(
    folder: string,
    address: GitAddress,
    signal: AbortSignal,
    { host, limits }: RepositoryOptions = {},
  ): Promise<Repository> {
    mkdirSync(folder, { recursive: true })
    const repository = new Repository(folder, showValue(address.argument, 200), signal, limits)
    await repository.run('init', '--quiet', '--bare', '--template=')
    await repository.run('config', 'remote.origin.url', address.remote)
    // Git 2.37 or later; older ones resolve the name again.
    if (host !== undefined) await repository.run('config', 'http.curloptResolve', host)
    if (address.remote.startsWith('file:')) {
      await repository.run('config', 'remote.origin.uploadpack', LOCAL_SERVER)
    }
    return repository
  }

  private constructor(
    folder: string,
    subject: string,
    signal: AbortSignal,
    limits: Partial<typeof LIMITS> | undefined,
  ) {
    this.folder = folder
    this.signal = signal
    this.#subject = subject
    this.#limits = { ...LIMITS, ...limits }
  }

  error(message: string): CommandError {
    return new CommandError(`${this.#subject}: ${message}`)
  }

  #explainSize(): string | undefined {
    const { bytes } = this.#limits
    return folderSize(this.folder) > bytes
      ? `it has more than ${bytes} bytes; import a folder or an archive of its skills`
      : undefined
  }

  #stream(args: readonly string[], input = ''): AsyncGenerator<Buffer> {
    const { folder, signal } = this
    const watch = (): string | undefined => this.#explainSize()
    return streamGit(args, { subject: this.#subject, folder, signal, input, watch })
  }

  async #read(args: readonly string[], input?: string): Promise<Buffer> {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of this.#stream(args, input)) {
      size += chunk.length
      if (size > OUTPUT_LIMIT) throw this.error('it answers without end')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }

  async run(...args: readonly string[]): Promise<string> {
    return (await this.#read(args)).toString('utf8')
  }

  /** Runs git with -z and yields batches of fields. */
  async *streamFields(...args: readonly string[]): AsyncGenerator<string[]> {
    let rest = Buffer.alloc(0)
    for await (const chunk of this.#stream(args)) {
      const bytes = Buffer.concat([rest, chunk])
      const end = bytes.lastIndexOf(0)
      if (end >= 0) yield bytes.toString('utf8', 0, end).split('\0')
      rest = bytes.subarray(end + 1)
      if (rest.length > FIELD_LIMIT) throw this.error('it answers without end')
    }
  }

  /** Splits the part after `/tree/` into ref and folder: branch names may contain slashes. */
  async #splitTree(tree: string): Promise<{ want: string; folder: string }> {
    const [first = '', ...rest] = tree.split('/')
    if (COMMIT.test(first)) return { want: first, folder: rest.join('/') }
    const listed = await this.run('ls-remote', '--heads', '--tags', '--refs', 'origin')
    const [found] = listed
      .split('\n')
      .map((line) => {
        const [want = '', name = ''] = PLAIN_REF.exec(line.split('\t')[1] ?? '') ?? []
        return { want, name }
      })
      .filter(({ name }) => name !== '' && isInFolder(tree, name))
      .sort((a, b) => b.name.length - a.name.length)
    if (found) return { want: found.want, folder: tree.slice(found.name.length + 1) }
    throw this.error(`it has no branch or tag ${showValue(first)}; correct what follows /tree/`)
  }

  /** Fetches the commit of an address without its history; also returns the address's folder. */
  async fetchCommit({ tree }: GitAddress): Promise<{ commit: string; folder: string }> {
    const { want, folder } =
      tree === undefined ? { want: 'HEAD', folder: '' } : await this.#splitTree(tree)
    await this.run('fetch', '--quiet', '--depth=1', '--no-tags', '--', 'origin', want)
    const tooLarge = this.#explainSize()
    if (tooLarge !== undefined) throw this.error(tooLarge)
    const commit = await this.run('rev-parse', '--verify', '--quiet', 'FETCH_HEAD^{commit}')
    return { commit: commit.trim(), folder: folder.replace(/\/+$/, '') }
  }

  async listEntries(commit: string): Promise<TreeEntry[]> {
    const all: TreeEntry[] = []
    const { entries } = this.#limits
    const options = ['-r', '-l', '-z', '--full-tree']
    for await (const lines of this.streamFields('ls-tree', ...options, commit)) {
      all.push(...lines.flatMap((line) => parseTreeLine(line) ?? []))
      if (all.length > entries) {
        throw this.error(
          `it has more than ${entries} files; import a folder or an archive of its skills`,
        )
      }
    }
    return all
  }

  /** Reads the contents of files and links, in the order given. */
  async *readContents(
    entries: readonly TreeEntry[],
  ): AsyncGenerator<{ path: string; bytes: Buffer }> {
    let total = 0
    const batches = Map.groupBy(entries, ({ size }) => Math.floor((total += size) / BATCH_BYTES))
    for (const batch of batches.values()) {
      const input = batch.map(({ object }) => `${object}\n`).join('')
      const output = await this.#read(['cat-file', '--batch'], input)
      let at = 0
      for (const { path, object, size } of batch) {
        const header = `${object} blob ${size}\n`
        const start = at + header.length
        if (output.toString('latin1', at, start) !== header) {
          throw this.error('a file of it cannot be read')
        }
        yield { path, bytes: output.subarray(start, start + size) }
        // Skips the line feed after the content.
        at = start + size + 1
      }
    }
  }

  /** The boundary commits of the shallow history. */
  listBoundary(): Set<string> {
    const path = join(this.folder, 'shallow')
    return new Set(existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [])
  }
}
