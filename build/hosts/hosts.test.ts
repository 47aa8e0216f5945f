import { execFile } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import type { OutputChunk } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendToHandler } from '../../testing/contract/requests.ts'
import type { SendRequest } from '../../testing/contract/requests.ts'
import { needsRawTarget } from '../../testing/contract/clause.ts'
import { CONTRACT } from '../../testing/contract/contract.ts'
import { testContract } from '../../testing/contract/tests.ts'
import { publishFixture, writeFixture } from '../../testing/fixture.ts'
import { makeSampleFolder, removeFolders } from '../../testing/sample-folders.ts'
import { bundle } from './bundle.ts'
import { checkCloudflare } from './main.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const outDir = makeSampleFolder()
afterAll(removeFolders)

const writeHost = (name: string, ...options: string[]) =>
  promisify(execFile)(process.execPath, ['build/hosts/main.ts', name, ...options], {
    cwd: ROOT,
    env: { ...process.env, OUT_DIR: outDir },
  })

const load = async <Module>(path: string): Promise<Module> =>
  (await import(/* @vite-ignore */ join(outDir, 'hosts', path))) as Module

beforeAll(async () => {
  publishFixture(outDir, 'one')
  await writeHost('cloudflare')
})

/** Clauses that do not need the raw request target, because platforms pass only the parsed address to a function. */
const PARSED = CONTRACT.filter((clause) => !needsRawTarget(clause))

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
  let ask: SendRequest
  beforeAll(async () => {
    const { default: worker } = await load<{
      default: { fetch: (request: Request, bindings: object) => Promise<Response> }
    }>('cloudflare/worker/worker.mjs')
    ask = sendToHandler((request) => worker.fetch(request, { ASSETS }))
  })
  testContract(() => ask, PARSED)

  test('its folder has the files that wrangler deploys', () => {
    const folder = join(outDir, 'hosts/cloudflare')
    const settings = JSON.parse(readFileSync(join(folder, 'wrangler.jsonc'), 'utf8')) as {
      main: string
    }
    // Wrangler would upload any other file in this folder as a module of the worker.
    const beside = readdirSync(join(folder, dirname(settings.main)), { recursive: true })
    expect(beside).toEqual([basename(settings.main)])
    expect(settings).toMatchObject({
      no_bundle: true,
      assets: { binding: 'ASSETS', run_worker_first: true, html_handling: 'none' },
    })
    expect(existsSync(join(folder, 'assets/public/index.html'))).toBe(true)
    expect(existsSync(join(folder, 'assets/private/search.index'))).toBe(true)
  })

  test.each([
    [20_001, 1, true, /20001 files; .* at most 20000 from a free account, and 100000/],
    [100_001, 1, false, /100001 files; Cloudflare accepts at most 100000$/],
    [1, 26 * 2 ** 20, false, /file-0 has 26\.0 MiB; Cloudflare accepts files of at most 25 MiB/],
  ])('%d files of %d bytes are refused', (count, size, isFree, message) => {
    const many = Array.from({ length: count }, (_, at) => ({ name: `file-${at}`, size }))
    expect(() => checkCloudflare(many, isFree)).toThrow(message)
    expect(() => checkCloudflare(many.slice(0, -1), isFree)).not.toThrow()
  })
})

test('an unknown host -> prints the usage, and writes nothing', async () => {
  await expect(writeHost('gopher')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Usage: npm run host -- cloudflare'),
  })
  expect(readdirSync(join(outDir, 'hosts')).filter((name) => name.includes('gopher'))).toEqual([])
})

/** Lists the packages whose code is in chunks. */
const listPackages = (chunks: readonly OutputChunk[]): string[] => {
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
  const names = modules.map((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))].toSorted()
}

test('the function stays small, and uses no file system, process or Buffer', async () => {
  const [code, ...others] = await bundle(join(ROOT, 'functions/fetch.ts'), { name: 'fetch.mjs' })
  expect(others).toEqual([])
  expect(gzipSync(code!.code).length).toBeLessThan(38 * 1024)
  expect(code!.imports.toSorted()).toEqual(['node:crypto', 'node:zlib'])
  expect(code!.code.match(/\bprocess\.|\bBuffer\b|\b__dirname\b/g)).toBeNull()
  expect(code!.moduleIds.filter((id) => id.includes('/search/pack/'))).toEqual([])
  expect(listPackages([code!])).toEqual(['stemmer'])
})

// For example, zod, which a build uses to check records, takes 0.1 s to load.
test('the Node server loads no package except the stemmer when it starts', async () => {
  const input = join(ROOT, 'functions/hosts/node/main.ts')
  const build = await rolldown({ input, platform: 'node', external: /^(?:node:|pg-)/ })
  const { output } = await build.generate({ entryFileNames: 'main.mjs' })
  const chunks = output.filter((part) => part.type === 'chunk')
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry))
  for (const { imports } of loaded)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk)
  expect(chunks.length).toBeGreaterThan(loaded.size)
  expect(listPackages([...loaded])).toEqual(['stemmer'])
})
