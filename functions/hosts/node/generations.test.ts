import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { publishFixture, writeFixture } from '../../../testing/fixture.ts'
import { serve } from '../../respond.ts'
import { readBody } from '../../store.ts'
import type { SiteSource } from '../../respond.ts'
import { openGenerations } from './generations.ts'

let outDir: string
let causes: unknown[]
const report = (cause: unknown): void => {
  causes.push(cause)
}
beforeEach(() => {
  outDir = mkdtempSync(join(tmpdir(), 'generations-'))
  causes = []
})
afterEach(() => rmSync(outDir, { recursive: true }))

const ask = async (target: string, source: SiteSource = openGenerations(outDir)) => {
  const { status, headers, body } = await serve({ method: 'GET', target }, source, report)
  const text = Buffer.from(await readBody(body)).toString()
  return { status, headers: new Headers(headers), text }
}

describe('without a build', () => {
  test('GET /api/v1/skills -> 503 UNAVAILABLE with Retry-After', async () => {
    const { status, headers, text } = await ask('/api/v1/skills')
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 'UNAVAILABLE', docs: 'http://localhost:4321/openapi.json' },
    })
    expect(causes).toHaveLength(1)
  })

  test('GET / -> 503 in plain text', async () => {
    const { status, headers } = await ask('/')
    expect([status, headers.get('content-type')]).toEqual([503, 'text/plain; charset=utf-8'])
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('the first build is picked up', async () => {
    const source = openGenerations(outDir)
    expect((await ask('/', source)).status).toBe(503)
    publishFixture(outDir, 'one')
    expect((await ask('/', source)).status).toBe(200)
    rmSync(join(outDir, 'current'))
    expect((await ask('/', source)).status).toBe(503)
  })
})

describe('with a damaged build', () => {
  test.for(['site.json', 'search.index'])(
    '%s is truncated: GET /api/v1/skills -> 503',
    async (name) => {
      publishFixture(outDir, 'one', { ...writeFixture(), [`private/${name}`]: '{' })
      expect((await ask('/api/v1/skills')).status).toBe(503)
    },
  )

  test.for([
    ['moves.json', '{"slugs"', '/api/v1/skills'],
    ['site.json', '{', '/api/v1/skills'],
  ] as const)('%s is %s: GET %s -> 503 UNAVAILABLE', async ([name, content, target]) => {
    publishFixture(outDir, 'one', { ...writeFixture(), [`private/${name}`]: content })
    const { status, text } = await ask(target)
    expect([status, JSON.parse(text).error.code]).toEqual([503, 'UNAVAILABLE'])
    expect(String(causes.at(-1))).toContain(`private/${name}`)
  })

  test('the index of csv-clean is truncated: GET of the index at its zip -> 503', async () => {
    const name = 'public/skills/csv-clean/.well-known/agent-skills/index.json'
    const damaged = { [name]: '{' }
    publishFixture(outDir, 'one', { ...writeFixture(), ...damaged })
    expect((await ask('/api/skills/download/12/.well-known/agent-skills/index.json')).status).toBe(
      503,
    )
    expect(String(causes.at(-1))).toContain(name)
    expect((await ask('/skills/csv-clean')).status).toBe(200)
  })

  test('a row of search.index is damaged: a page that shows it -> 503, others are served', async () => {
    const files = writeFixture()
    const index = Uint8Array.from(Buffer.from(files['private/search.index'] ?? ''))
    index[index.length - 2] = 0
    publishFixture(outDir, 'one', { ...files, 'private/search.index': index })
    expect((await ask('/api/v1/skills?offset=129')).status).toBe(503)
    expect(String(causes.at(-1))).toContain('is damaged')
    expect((await ask('/api/v1/skills')).status).toBe(200)
  })

  test('search.index is missing: pages are served, and a bad query is still refused', async () => {
    const { 'private/search.index': _, ...files } = writeFixture()
    publishFixture(outDir, 'one', files)
    expect((await ask('/')).status).toBe(200)
    expect((await ask('/api/v1/skills')).status).toBe(503)
    expect((await ask('/api/v1/skills?limit=0')).status).toBe(400)
    const searched = await ask('/skills?q=csv')
    expect([searched.status, searched.headers.get('retry-after')]).toEqual([503, '10'])
    expect(searched.text).toMatch(/<title>[^]*value="csv"[^]*does not answer at the moment/)
  })

  test('a zip is missing: its download -> 503, an unknown id -> 404', async () => {
    const { 'public/api/skills/download/12': _, ...files } = writeFixture()
    publishFixture(outDir, 'one', files)
    expect((await ask('/api/skills/download/12')).status).toBe(503)
    expect((await ask('/api/skills/download/1')).status).toBe(404)
  })

  test('404.html is missing: GET /nope -> 404 in plain text', async () => {
    const { 'public/404.html': _, ...files } = writeFixture()
    publishFixture(outDir, 'one', files)
    const { status, headers } = await ask('/nope')
    expect([status, headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8'])
  })
})

test('a copied output, where `current` is a folder and not a link, is served', async () => {
  for (const [name, content] of Object.entries(writeFixture())) {
    const path = join(outDir, 'current', name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, content)
  }
  expect((await ask('/skills')).status).toBe(200)
})

test('an internal error -> 500 INTERNAL_ERROR, with the cause only in the log', async () => {
  publishFixture(outDir, 'one')
  const site = await openGenerations(outDir).current()
  const broken = { ...site, search: () => Promise.reject(new Error('secret path /x/y')) }
  const request = { method: 'GET', target: '/api/v1/skills' }
  const source = { origin: site.origin, current: async () => broken }
  const { status, body } = await serve(request, source, report)
  const text = Buffer.from(await readBody(body)).toString()
  expect([status, JSON.parse(text)]).toMatchObject([500, { error: { code: 'INTERNAL_ERROR' } }])
  expect(text).not.toMatch(/secret/)
  expect(causes).toEqual([new Error('secret path /x/y')])
})

test('a build is removed during a request: the next build answers', async () => {
  publishFixture(outDir, 'old', { 'private/site.json': writeFixture()['private/site.json'] ?? '' })
  const old = await openGenerations(outDir).current()
  publishFixture(outDir, 'new')
  const fresh = await openGenerations(outDir).current()
  const sites = [old, fresh]
  const source = { origin: fresh.origin, current: async () => sites.shift() ?? fresh }
  expect((await ask('/skills', source)).text).toMatch(/<title>skills new</)
})

test('builds are swapped and removed under load: every answer is complete and from one build', async () => {
  publishFixture(outDir, 'b0')
  const source = openGenerations(outDir)
  const seen = new Set<string>()
  const over = new AbortController()
  const askAll = async (): Promise<void> => {
    const [page, listing, zip] = await Promise.all([
      ask('/skills', source),
      ask('/api/v1/skills?q=csv', source),
      ask('/api/skills/download/13', source),
    ])
    expect([page.status, listing.status, zip.status]).toEqual([200, 200, 200])
    seen.add(/<title>skills (\w+)</.exec(page.text)?.[1] ?? page.text)
    // Builds are swapped between two turns of the event loop.
    await new Promise((next) => setImmediate(next))
  }
  const rounds = Array.from({ length: 8 }, () => 0)
  const readers = rounds.map(async (_, at) => {
    while (!over.signal.aborted) {
      await askAll()
      rounds[at]! += 1
    }
  })
  // Waits for two rounds, since the first may have started before. So no request lasts longer than two builds.
  const untilAllAnswered = async (): Promise<void> => {
    const before = [...rounds]
    while (rounds.some((count, at) => count < before[at]! + 2)) {
      await Promise.race([Promise.all(readers), new Promise((next) => setImmediate(next))])
    }
  }
  for (let build = 1; build <= 5; build += 1) {
    await untilAllAnswered()
    publishFixture(outDir, `b${build}`)
    // Like the builder, keeps only the served build and the previous one.
    rmSync(join(outDir, 'generations', `b${build - 2}`), { recursive: true, force: true })
    const { text } = await ask('/skills', source)
    expect(text).toMatch(new RegExp(`<title>skills b${build}<`))
  }
  await untilAllAnswered()
  over.abort()
  await Promise.all(readers)
  expect([...seen].toSorted()).toEqual(['b0', 'b1', 'b2', 'b3', 'b4', 'b5'])
  expect(causes).toEqual([])
})
