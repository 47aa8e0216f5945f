import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { publishFixture, writeFixture } from '../../../testing/fixture.ts'
import { addFiles, makeSampleFolder } from '../../../testing/sample-folders.ts'
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
  outDir = makeSampleFolder()
  causes = []
})

const ask = async (target: string, source: SiteSource = openGenerations(outDir)) => {
  const { status, headers, body } = await serve({ method: 'GET', target }, source, report)
  const text = Buffer.from(await readBody(body)).toString()
  return { status, headers: new Headers(headers), text }
}

test('without a build -> 503 with Retry-After, in JSON or plain text; the first build is picked up', async () => {
  const source = openGenerations(outDir)
  const { status, headers, text } = await ask('/api/v1/skills', source)
  expect([status, headers.get('retry-after')]).toEqual([503, '10'])
  expect(JSON.parse(text)).toMatchObject({
    error: { code: 'UNAVAILABLE', docs: 'http://localhost:4321/openapi.json' },
  })
  expect(causes).toHaveLength(1)
  const home = await ask('/', source)
  expect([home.status, home.headers.get('content-type')]).toEqual([
    503,
    'text/plain; charset=utf-8',
  ])
  expect(home.headers.get('cache-control')).toBe('no-store')
  publishFixture(outDir, 'one')
  expect((await ask('/', source)).status).toBe(200)
  rmSync(join(outDir, 'current'))
  expect((await ask('/', source)).status).toBe(503)
})

const INDEX = '.well-known/agent-skills/index.json'
/** The index, of which the last row is damaged. */
const index = Uint8Array.from(Buffer.from(writeFixture()['private/search.index'] ?? ''))
index[index.length - 2] = 0

test.for<[string, string | Uint8Array | undefined, Record<string, number>, cause?: string]>([
  ['private/site.json', '{', { '/api/v1/skills': 503 }, 'private/site.json'],
  ['private/moves.json', '{"slugs"', { '/api/v1/skills': 503 }, 'private/moves.json'],
  ['private/search.index', '{', { '/api/v1/skills': 503, '/': 200 }],
  [
    'private/search.index',
    index,
    { '/api/v1/skills': 200, '/api/v1/skills?offset=129': 503 },
    'is damaged',
  ],
  [
    'private/search.index',
    undefined,
    { '/': 200, '/api/v1/skills?limit=0': 400, '/skills?q=csv': 503 },
  ],
  [
    `public/skills/csv-clean/${INDEX}`,
    '{',
    { '/skills/csv-clean': 200, [`/api/skills/download/12/${INDEX}`]: 503 },
    `skills/csv-clean/${INDEX}`,
  ],
  [
    'public/api/skills/download/12',
    undefined,
    { '/api/skills/download/1': 404, '/api/skills/download/12': 503 },
  ],
  ['public/404.html', undefined, { '/nope': 404 }],
])('%s is %s -> %j', async ([name, content, statuses, cause = '']) => {
  const { [name]: _, ...files } = writeFixture()
  publishFixture(outDir, 'one', content === undefined ? files : { ...files, [name]: content })
  for (const [target, status] of Object.entries(statuses)) {
    const answer = await ask(target)
    expect([target, answer.status]).toEqual([target, status])
    if (target.startsWith('/skills?'))
      expect(answer.text).toMatch(/<title>[^]*value="csv"[^]*does not answer at the moment/)
    if (target === '/nope')
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  }
  expect(String(causes.at(-1))).toContain(cause)
})

test('a build by other code, without a template -> 503 where that is needed, and the log says to build again', async () => {
  const name = 'private/answered.json'
  publishFixture(outDir, 'one', { ...writeFixture(), [name]: '{"templates":{"results":[]}}' })
  expect((await ask('/skills/csv-clean')).status).toBe(200)
  expect((await ask('/skills?q=csv')).status).toBe(503)
  expect(String(causes.at(-1))).toContain(`${name} has no template "search": build again`)
})

test('a copied output, where `current` is a folder and not a link, is served', async () => {
  addFiles(join(outDir, 'current'), writeFixture())
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
  const rounds = Array.from({ length: 4 }, () => 0)
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
  for (let build = 1; build <= 4; build += 1) {
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
  expect([...seen].toSorted()).toEqual(['b0', 'b1', 'b2', 'b3', 'b4'])
  expect(causes).toEqual([])
})
