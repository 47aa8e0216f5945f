import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ORIGIN, publishFixture } from '../fixture.ts'
import { askOverHttp, startSiteServer } from '../contract/ask.ts'
import { CONTRACT } from '../contract/contract.ts'
import { holdTo, renderHeld } from '../contract/table.ts'
import { tryImage } from './packaged.ts'

// Holds to the contract what of other servers and runtimes is installed, with the lines of docs/operators.md. HOSTS_BIN
// names a folder to look in first.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PATH = [process.env['HOSTS_BIN'], process.env['PATH'], '/usr/sbin'].filter(Boolean).join(':')
const OPERATORS = readFileSync(join(ROOT, 'docs/operators.md'), 'utf8')

/** A block of docs/operators.md by the word after its fence, with addresses put in. */
const readLines = (name: string, addresses: Readonly<Record<string, string>> = {}): string => {
  const [, lines] = new RegExp(`^\`\`\`${name}\\n([^]*?)^\`\`\``, 'm').exec(OPERATORS) ?? []
  if (lines === undefined) throw new Error(`docs/operators.md has no lines for ${name}`)
  return Object.entries(addresses).reduce((text, [from, to]) => text.replace(from, to), lines)
}

interface Place {
  /** An empty folder. */
  folder: string
  outDir: string
  /** Where it has to listen, and where the function of Node does. */
  port: number
  upstream: string
}

interface Tried {
  /** The program whose presence decides. */
  program: string
  /** Whether its platform parses addresses. */
  isParsed?: boolean
  /** Writes the configuration and returns the command line. */
  prepare: (place: Place) => { args: string[]; env?: Record<string, string> }
}

const writeHost = (name: string, outDir: string): string => {
  const env = { ...process.env, OUT_DIR: outDir }
  execFileSync(process.execPath, [join(ROOT, 'build/hosts/main.ts'), name], { env })
  return join(outDir, 'hosts', name)
}

/** Puts the handler into a folder beside links to what it loads and serves. */
const writeHandler = ({ folder, outDir }: Place): string => {
  for (const name of ['functions', 'src', 'extras', 'node_modules', 'package.json'])
    symlinkSync(join(ROOT, name), join(folder, name))
  symlinkSync(outDir, join(folder, 'dist'))
  writeFileSync(join(folder, 'site.ts'), readLines('ts platform'))
  return join(folder, 'site.ts')
}

const HOSTS: readonly Tried[] = [
  {
    program: 'nginx',
    prepare: ({ folder, port, upstream }) => {
      const server = readLines('nginx', {
        'listen 8080': `listen 127.0.0.1:${port}`,
        '127.0.0.1:4321': upstream,
      })
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `  ${name}_temp_path ${folder}/${name};`)
        .join('\n')
      writeFileSync(
        join(folder, 'nginx.conf'),
        `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\n  access_log off;\n${temporary}\n${server}}\n`,
      )
      return { args: ['-p', folder, '-c', join(folder, 'nginx.conf')] }
    },
  },
  {
    program: 'caddy',
    prepare: ({ folder, port, upstream }) => {
      const site = readLines('caddy', { ':8080': `http://:${port}`, '127.0.0.1:4321': upstream })
      writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n\n${site}`)
      return {
        args: ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
        env: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      }
    },
  },
  {
    program: 'deno',
    isParsed: true,
    prepare: (place) => ({
      args: [
        'serve',
        '-A',
        '--host',
        '127.0.0.1',
        '--port',
        String(place.port),
        writeHandler(place),
      ],
    }),
  },
  {
    program: 'workerd',
    isParsed: true,
    prepare: ({ folder, outDir, port }) => {
      cpSync(writeHost('cloudflare', outDir), folder, { recursive: true })
      // A folder is a list of its files to workerd, and nothing to the platform.
      writeFileSync(
        join(folder, 'files.mjs'),
        `export default { fetch: async (request, { DISK }) => {
  const file = await DISK.fetch(request)
  return /json/.test(file.headers.get('content-type')) ? new Response('', { status: 404 }) : file
} }`,
      )
      writeFileSync(
        join(folder, 'config.capnp'),
        `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .site),
    (name = "files", worker = .files),
    (name = "disk", disk = (path = "${folder}/assets", allowDotfiles = true)),
  ],
  sockets = [ (name = "http", address = "127.0.0.1:${port}", http = (), service = "main") ],
);
const files :Workerd.Worker = (
  modules = [ (name = "files.mjs", esModule = embed "files.mjs") ],
  bindings = [ (name = "DISK", service = "disk") ],
  compatibilityDate = "2026-01-01",
);
const site :Workerd.Worker = (
  modules = [ (name = "worker.mjs", esModule = embed "worker.mjs") ],
  bindings = [ (name = "ASSETS", service = "files") ],
  compatibilityDate = "2026-01-01",
  compatibilityFlags = ["nodejs_compat"],
);
`,
      )
      return { args: ['serve', join(folder, 'config.capnp')] }
    },
  },
]

const findProgram = (program: string): string | undefined => {
  try {
    const env = { ...process.env, PATH }
    return execFileSync('sh', ['-c', 'command -v "$0"', program], { env, encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

const findPort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

const waitUntilUp = async (port: number, child: ChildProcess): Promise<void> => {
  for (let tries = 0; !(await canConnect(port)); tries += 1) {
    if (tries > 200 || child.exitCode !== null) throw new Error('it does not listen')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const cut = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await ended
  clearTimeout(cut)
}

const withFolder = async <Value>(work: (folder: string) => Value | Promise<Value>) => {
  const folder = mkdtempSync(join(tmpdir(), 'test-hosts-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const tryHost = (host: Tried, path: string, outDir: string, upstream: string): Promise<string> =>
  withFolder(async (folder) => {
    const port = await findPort()
    const { args, env } = host.prepare({ folder, outDir, port, upstream })
    const child = spawn(path, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)))
    try {
      await waitUntilUp(port, child)
      const { isParsed = false } = host
      const held = await holdTo(CONTRACT, askOverHttp(port), { origin: ORIGIN, isParsed })
      const lost = held.filter(({ breaches }) => breaches.length > 0)
      if (lost.length > 0) console.log(`${host.program}\n${renderHeld(lost)}\n`)
      return `${held.length - lost.length} of ${held.length} clauses kept`
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${said}`, { cause: error })
    } finally {
      await stop(child)
    }
  })

/** Lets systemd judge the unit; that its program is not there yet is no fault. */
const tryUnit = (folder: string): string => {
  const unit = join(folder, 'skill-registry.service')
  writeFileSync(unit, readLines('systemd'))
  const said = execFileSync('sh', ['-c', 'systemd-analyze verify "$0" 2>&1 || true', unit])
  const faults = String(said)
    .split('\n')
    .filter((line) => line !== '' && !line.includes('is not executable: No such file'))
  return faults.length === 0 ? 'no fault' : faults.join('; ')
}

const only = process.argv.slice(2)
const outDir = mkdtempSync(join(tmpdir(), 'test-hosts-'))
publishFixture(outDir, 'one')
const node = await startSiteServer(outDir)

const TRIES: Readonly<Record<string, (path: string) => Promise<string>>> = {
  ...Object.fromEntries(
    HOSTS.map((host) => [
      host.program,
      (path: string) => tryHost(host, path, outDir, `127.0.0.1:${node.port}`),
    ]),
  ),
  'systemd-analyze': () => withFolder(tryUnit),
  buildah: async () =>
    process.getuid?.() === 0
      ? withFolder(async (folder) =>
          tryImage(writeHost('container', outDir), folder, await findPort()),
        )
      : 'not tried, it needs root here',
}

for (const [program, tryIt] of Object.entries(TRIES)) {
  if (only.length > 0 && !only.includes(program)) continue
  const path = findProgram(program)
  try {
    console.log(`${program}: ${path === undefined ? 'not installed' : await tryIt(path)}`)
  } catch (error) {
    console.log(`${program}: ${(error as Error).message}`)
    process.exitCode = 1
  }
}
await node.stop()
rmSync(outDir, { recursive: true, force: true })
