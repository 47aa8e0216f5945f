import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askHandler, askOverHttp } from '../../testing/contract/ask.ts'
import type { AskSite } from '../../testing/contract/ask.ts'
import { needsRawTarget, splitLine } from '../../testing/contract/clause.ts'
import { CONTRACT } from '../../testing/contract/contract.ts'
import { holdContract } from '../../testing/contract/hold.ts'
import { publishFixture, writeFixture } from '../../testing/fixture.ts'
import { bundle } from './bundle.ts'
import { checkCloudflare } from './main.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const outDir = mkdtempSync(join(tmpdir(), 'hosts-'))
afterAll(() => rmSync(outDir, { recursive: true }))

const writeHost = (name: string, ...options: string[]) =>
  promisify(execFile)(process.execPath, ['build/hosts/main.ts', name, ...options], {
    cwd: ROOT,
    env: { ...process.env, OUT_DIR: outDir },
  })

const load = async <Module>(path: string): Promise<Module> =>
  (await import(/* @vite-ignore */ join(outDir, 'hosts', path))) as Module

beforeAll(async () => {
  publishFixture(outDir, 'one')
  await Promise.all(
    ['lambda', 'vercel', 'netlify', 'cloudflare', 'nginx', 'caddy'].map((name) => writeHost(name)),
  )
})

/** The clauses that do not need the raw target: platforms pass a parsed address to a function. */
const PARSED = CONTRACT.filter((clause) => !needsRawTarget(clause))

interface Replied {
  statusCode: number
  headers: Record<string, string>
  body: string
  isBase64Encoded: boolean
}

/** Sends an event as a Lambda function URL would. */
const askLambda =
  (handler: (event: object) => Promise<Replied>): AskSite =>
  async (asked) => {
    const { method, target } = splitLine(asked)
    const mark = target.indexOf('?')
    const [path, query] = mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
    const headers = Object.fromEntries(
      Object.entries(asked.headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    const { statusCode, body, isBase64Encoded, ...answer } = await handler({
      version: '2.0',
      routeKey: '$default',
      rawPath: path,
      rawQueryString: query,
      headers,
      requestContext: { http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1' } },
      isBase64Encoded: false,
    })
    const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
    return { status: statusCode, headers: new Headers(answer.headers), body: bytes }
  }

describe('lambda', () => {
  let ask: AskSite
  beforeAll(async () => {
    ask = askLambda(
      (await load<{ handler: Parameters<typeof askLambda>[0] }>('lambda/index.mjs')).handler,
    )
  })
  holdContract(() => ask, PARSED)
})

describe('netlify', () => {
  let ask: AskSite
  beforeAll(async () => {
    const path = 'netlify/functions/registry/registry.mjs'
    ask = askHandler((await load<{ default: Parameters<typeof askHandler>[0] }>(path)).default)
  })
  holdContract(() => ask, PARSED)
})

describe('vercel', () => {
  let ask: AskSite
  const server = createServer()
  beforeAll(async () => {
    const path = 'vercel/.vercel/output/functions/index.func/index.mjs'
    server.on('request', (await load<{ default: RequestListener }>(path)).default)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ask = askOverHttp((server.address() as AddressInfo).port)
  })
  afterAll(() => server.close())
  // Node's own server refuses a target of 33,000 characters, the platform's proxy one of 14,000.
  holdContract(
    () => ask,
    PARSED.filter(({ line }) => line.length < 14_000),
  )
})

describe('cloudflare', () => {
  const files = writeFixture('one')
  const ASSETS = {
    fetch: async ({ url }: Request) => {
      const bytes = files[decodeURIComponent(new URL(url).pathname.slice(1))]
      return bytes === undefined
        ? new Response('', { status: 404 })
        : new Response(Buffer.from(bytes as string))
    },
  }
  let ask: AskSite
  beforeAll(async () => {
    const { default: worker } = await load<{
      default: { fetch: (request: Request, bindings: object) => Promise<Response> }
    }>('cloudflare/worker.mjs')
    ask = askHandler((request) => worker.fetch(request, { ASSETS }))
  })
  holdContract(() => ask, PARSED)

  test('its folder has what wrangler deploys', () => {
    const folder = join(outDir, 'hosts/cloudflare')
    expect(JSON.parse(readFileSync(join(folder, 'wrangler.jsonc'), 'utf8'))).toMatchObject({
      main: 'worker.mjs',
      assets: { binding: 'ASSETS', run_worker_first: true, html_handling: 'none' },
    })
    expect(existsSync(join(folder, 'assets/public/index.html'))).toBe(true)
    expect(existsSync(join(folder, 'assets/private/search.index'))).toBe(true)
    // At the root of the assets, the platform would apply the file itself.
    expect(existsSync(join(folder, 'assets/_headers'))).toBe(false)
  })

  test.each([
    [20_001, 1, true, /20001 files; Cloudflare takes 20000 from a free account, and 100000/],
    [100_001, 1, false, /100001 files; Cloudflare takes 100000/],
    [1, 26 * 2 ** 20, false, /file-0 has 26\.0 MiB; Cloudflare takes files of 25 MiB/],
  ])('%d files of %d bytes are refused', (count, size, isFree, message) => {
    const many = Array.from({ length: count }, (_, at) => ({ name: `file-${at}`, size }))
    expect(() => checkCloudflare(many, isFree)).toThrow(message)
    expect(() => checkCloudflare(many.slice(0, -1), isFree)).not.toThrow()
  })
})

describe('a site in a bucket', () => {
  test('cloudflare: the worker is bound to it, and the files lie below the name of the build', async () => {
    await writeHost('cloudflare', '--bucket', 'skills')
    const folder = join(outDir, 'hosts/cloudflare')
    expect(JSON.parse(readFileSync(join(folder, 'wrangler.jsonc'), 'utf8'))).toMatchObject({
      vars: { BUILD: 'one' },
      r2_buckets: [{ binding: 'BUCKET', bucket_name: 'skills' }],
    })
    expect(existsSync(join(folder, 'bucket/one/private/search.index'))).toBe(true)
    expect(existsSync(join(folder, 'assets'))).toBe(false)
  })

  test('lambda: the function is told which', async () => {
    await writeHost('lambda', '--bucket', 'skills')
    const folder = join(outDir, 'hosts/lambda')
    expect(JSON.parse(readFileSync(join(folder, 'environment.json'), 'utf8'))).toEqual({
      Variables: { SITE_BUCKET: 'skills', SITE_BUILD: 'one' },
    })
    expect(readdirSync(join(folder, 'code'))).toContain('index.mjs')
    expect(existsSync(join(folder, 'bucket/one/public/index.html'))).toBe(true)
  })

  test('other hosts accept no bucket', async () => {
    await expect(writeHost('vercel', '--bucket', 'skills')).rejects.toMatchObject({
      stderr: expect.stringContaining('vercel takes no bucket'),
    })
  })
})

describe('container', () => {
  test('serves the site from its root file system alone, and exits on SIGTERM', async () => {
    await writeHost('container')
    const root = join(outDir, 'hosts/container/root')
    const dockerfile = readFileSync(join(root, '../Dockerfile'), 'utf8')
    expect(dockerfile).toMatch(/^FROM scratch\n[^]*\nUSER 1000:1000\nHEALTHCHECK CMD \[/)
    const child = spawn(join(root, 'bin/node'), [join(root, 'server/main.mjs')], {
      cwd: '/',
      env: { HOST: '127.0.0.1', PORT: '0', OUT_DIR: join(root, 'site') },
    })
    const [started] = (await once(child.stdout, 'data')) as [Buffer]
    const [address = ''] = /http:\S+/.exec(started.toString()) ?? []
    expect((await fetch(`${address}/skills/csv-clean.md`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

test('the systemd unit sandboxes the service', async () => {
  await writeHost('systemd')
  const unit = readFileSync(join(outDir, 'hosts/systemd/skill-registry.service'), 'utf8')
  for (const line of ['DynamicUser=yes', 'ProtectSystem=strict', 'TimeoutStopSec=35'])
    expect(unit.split('\n')).toContain(line)
})

test('an unknown host is refused with the list of hosts, and nothing is written', async () => {
  await expect(writeHost('gopher')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('caddy, cloudflare, container'),
  })
  expect(readdirSync(join(outDir, 'hosts')).filter((name) => name.includes('gopher'))).toEqual([])
})

test('the function stays small', async () => {
  const [code, ...others] = await bundle(join(ROOT, 'functions/fetch.ts'), { name: 'fetch.mjs' })
  expect(others).toEqual([])
  // 40 KiB with searches, bundles, files as pages and what other clients ask for.
  expect(gzipSync(code!.code).length).toBeLessThan(40 * 1024)
  expect(code!.code).not.toMatch(/\bprocess\.|\bBuffer\.|node:fs/)
})

test('the file of each platform has at most 30 lines', () => {
  const folder = join(ROOT, 'functions/hosts')
  const long = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !['development.ts'].includes(name))
    .filter((name) => readFileSync(join(folder, name), 'utf8').split('\n').length > 31)
  expect(long).toEqual([])
})
