import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderCaddyfile, renderNginx } from '../../build/hosts/fronts.ts'
import { ORIGIN, publishFixture } from '../fixture.ts'
import { askOverHttp, startSiteServer } from '../contract/ask.ts'
import { CONTRACT } from '../contract/contract.ts'
import { holdTo, renderHeld } from '../contract/table.ts'
import { tryImage, tryUnit } from './packaged.ts'

// Holds to the contract what of other servers, runtimes and tools is installed. HOSTS_BIN names a folder to look in first.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MAIN = join(ROOT, 'functions/hosts/node/main.ts')
const PATH = [process.env['HOSTS_BIN'], process.env['PATH'], '/usr/sbin'].filter(Boolean).join(':')

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

const writeHost = (name: string, { outDir }: Pick<Place, 'outDir'>): string => {
  const env = { ...process.env, OUT_DIR: outDir }
  execFileSync(process.execPath, [join(ROOT, 'build/hosts/main.ts'), name], { env })
  return join(outDir, 'hosts', name)
}

const serveBy =
  (first: readonly string[]): Tried['prepare'] =>
  ({ outDir, port }) => ({
    args: [...first, MAIN],
    env: { OUT_DIR: outDir, HOST: '127.0.0.1', PORT: String(port), LOG: 'off' },
  })

const HOSTS: readonly Tried[] = [
  {
    program: 'nginx',
    prepare: ({ folder, outDir, port, upstream }) => {
      const root = join(outDir, 'current/public')
      const server = renderNginx({ root, upstream, listen: `127.0.0.1:${port}` })
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
    prepare: ({ folder, outDir, port, upstream }) => {
      const root = join(outDir, 'current/public')
      const site = renderCaddyfile({ root, upstream, listen: `http://:${port}` })
      writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n\n${site}`)
      return {
        args: ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
        env: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      }
    },
  },
  {
    program: 'workerd',
    isParsed: true,
    prepare: (place) => {
      const { folder, port } = place
      cpSync(writeHost('cloudflare', place), folder, { recursive: true })
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
  { program: 'bun', prepare: serveBy([]) },
  { program: 'deno', prepare: serveBy(['run', '-A']) },
]

/** Named where they are missing; each needs an account or a daemon to run what was written. */
const OTHERS = ['netlify', 'vercel']

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

const tryHost = async (host: Tried, path: string, outDir: string, upstream: string) => {
  const folder = mkdtempSync(join(tmpdir(), `${host.program}-`))
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
    return await holdTo(CONTRACT, askOverHttp(port), { origin: ORIGIN, isParsed })
  } catch (error) {
    throw new Error(`${host.program}: ${(error as Error).message}\n${said}`, { cause: error })
  } finally {
    await stop(child)
    rmSync(folder, { recursive: true, force: true })
  }
}

const only = process.argv.slice(2)
const outDir = mkdtempSync(join(tmpdir(), 'test-hosts-'))
mkdirSync(outDir, { recursive: true })
publishFixture(outDir, 'one')
const node = await startSiteServer(outDir)
const sums: string[] = []
for (const host of HOSTS.filter(({ program }) => only.length === 0 || only.includes(program))) {
  const path = findProgram(host.program)
  if (path === undefined) {
    sums.push(`${host.program}: not installed`)
    continue
  }
  try {
    const held = await tryHost(host, path, outDir, `127.0.0.1:${node.port}`)
    const lost = held.filter(({ breaches }) => breaches.length > 0)
    if (lost.length > 0) console.log(`${host.program}\n${renderHeld(lost)}\n`)
    sums.push(`${host.program}: ${held.length - lost.length} of ${held.length} clauses kept`)
  } catch (error) {
    sums.push((error as Error).message)
    process.exitCode = 1
  }
}
for (const program of ['buildah', 'systemd-analyze'] as const) {
  if (only.length > 0 && !only.includes(program)) continue
  const folder = mkdtempSync(join(tmpdir(), `${program}-`))
  try {
    if (findProgram(program) === undefined) sums.push(`${program}: not installed`)
    else if (program === 'systemd-analyze') sums.push(tryUnit(writeHost('systemd', { outDir })))
    else if (process.getuid?.() !== 0) sums.push('buildah: not tried, it needs root here')
    else sums.push(await tryImage(writeHost('container', { outDir }), folder, await findPort()))
  } catch (error) {
    sums.push(`${program}: ${(error as Error).message}`)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
for (const program of OTHERS)
  sums.push(`${program}: ${findProgram(program) ? 'installed, not run here' : 'not installed'}`)
await node.stop()
rmSync(outDir, { recursive: true, force: true })
console.log(sums.join('\n'))
