import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../build/hosts/bundle.ts'
import { PROJECT_ROOT } from '../build/site/settings.ts'
import { writeFixture } from '../testing/fixture.ts'

/** Serves files and parts of them, as a bucket does. */
const serveFiles = async (files: Readonly<Record<string, string | Uint8Array>>) => {
  const server = createServer(({ url = '', headers }, response) => {
    const file = files[decodeURIComponent(url.slice(1))]
    if (file === undefined) return response.writeHead(404).end()
    const bytes = Buffer.from(file as string)
    const [, first = '0', last = String(bytes.length - 1)] =
      /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    const part = bytes.subarray(Number(first), Number(last) + 1)
    return response.writeHead(200, { 'X-Size': bytes.length }).end(part)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

/** A worker around ours, whose bucket is that server, or whose assets are. */
const wrap = (port: number, isBucket: boolean): string => `import worker from 'worker.mjs'
const ask = (name, headers = {}) => fetch('http://127.0.0.1:${port}/' + name, { headers })
const BUCKET = { get: async (key, { range } = {}) => {
  const last = range && range.offset + range.length - 1
  const { ok, headers, body } = await ask(key.slice(2), range && { range: 'bytes=' + range.offset + '-' + last })
  return ok ? { size: Number(headers.get('X-Size')), etag: 'v', body } : null
} }
const ASSETS = { fetch: ({ url }) => ask(new URL(url).pathname.slice(1)) }
const bindings = ${isBucket ? "{ BUCKET, BUILD: '1' }" : '{ ASSETS }'}
export default { fetch: (request) => worker.fetch(request, bindings) }
`

const configure = (port: number): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .site), (name = "internet", network = (allow = ["local"])) ],
  sockets = [ (name = "http", address = "127.0.0.1:${port}", http = (), service = "main") ],
);
const site :Workerd.Worker = (
  modules = [ (name = "main.mjs", esModule = embed "main.mjs"), (name = "worker.mjs", esModule = embed "worker.mjs") ],
  compatibilityDate = "2026-01-01", compatibilityFlags = ["nodejs_compat"],
);
`

/** Seconds of processor time of a process, and its largest memory in MiB. */
const readCost = (pid: number) => {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = rest.split(' ').slice(11, 13).map(Number)
  const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { seconds: (user + system) / 100, peak: Math.round(Number(peak) / 1024) }
}

const measureOne = async (program: string, folder: string, port: number): Promise<string> => {
  const child = spawn(program, ['serve', join(folder, 'config.capnp')], { stdio: 'inherit' })
  const ask = (target: string) => fetch(`http://127.0.0.1:${port}${target}`)
  try {
    for (let tries = 0; ; tries += 1) {
      const answer = await ask('/robots.txt').catch(() => undefined)
      if (answer?.ok) break
      if (tries > 100) throw new Error('the worker does not answer')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const before = readCost(child.pid!)
    if (!(await ask('/api/v1/skills?q=clean+csv+files')).ok) throw new Error('it does not search')
    const first = readCost(child.pid!)
    for (const q of ['review code', 'kubernets', 'data', 'write tests for python', 'pdf', 'sql'])
      await ask(`/api/v1/skills?q=${encodeURIComponent(q)}`)
    const seconds = (first.seconds - before.seconds).toFixed(2)
    return `first search ${seconds} CPU s, ${first.seconds} since the start; at most ${readCost(child.pid!).peak} MiB`
  } finally {
    child.kill()
  }
}

/** Measures a worker of Cloudflare over files that lie in a bucket, and over the same files read whole. */
export const measureWorker = async (
  program: string,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<string> => {
  const { server, port } = await serveFiles({ ...writeFixture(), ...files })
  const folder = mkdtempSync(join(tmpdir(), 'workerd-'))
  const [chunk] = await bundle(join(PROJECT_ROOT, 'functions/hosts/cloudflare.ts'), {
    name: 'w.mjs',
  })
  const lines: string[] = []
  try {
    for (const isBucket of [true, false]) {
      writeFileSync(join(folder, 'worker.mjs'), chunk!.code)
      writeFileSync(join(folder, 'main.mjs'), wrap(port, isBucket))
      const own = 20_000 + (port % 10_000) + Number(isBucket)
      writeFileSync(join(folder, 'config.capnp'), configure(own))
      lines.push(`${isBucket ? 'bucket' : 'whole'}: ${await measureOne(program, folder, own)}`)
    }
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
  return lines.join('\n')
}
