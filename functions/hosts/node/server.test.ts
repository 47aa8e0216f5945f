import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeApi } from '../../../src/api/openapi.ts'
import { SCHEMAS } from '../../../src/api/openapi-schemas.ts'
import { API_GROUPS } from '../../../testing/contract/api-clauses.ts'
import { ORIGIN, ZIPS, publishFixture } from '../../../testing/fixture.ts'
import { askOverHttp, startSiteServer } from '../../../testing/contract/ask.ts'
import type { AskSite } from '../../../testing/contract/ask.ts'

const outDir = mkdtempSync(join(tmpdir(), 'server-'))
publishFixture(outDir, 'one')
let server: Awaited<ReturnType<typeof startSiteServer>>
let ask: AskSite
beforeAll(async () => {
  server = await startSiteServer(outDir)
  ask = askOverHttp(server.port)
})
afterAll(async () => {
  await server.stop()
  rmSync(outDir, { recursive: true })
})

const GZIP = { 'Accept-Encoding': 'gzip' }
const MARKDOWN = { Accept: 'text/markdown' }

const VARIABLE = new Set(['date', 'transfer-encoding'])
const fieldsOf = (headers: Headers): object =>
  Object.fromEntries([...headers].filter(([name]) => !VARIABLE.has(name)))

const tagOf = async (address: string, headers = {}): Promise<string> =>
  (await ask({ line: `GET ${address}`, headers })).headers.get('etag') ?? ''

describe('compression', () => {
  test.for([
    '/',
    '/skills/csv-clean.md',
    '/openapi.json',
    '/api/v1/skills',
    '/skills/csv-clean/scripts/run.py',
    '/catalog.ndjson',
  ])('GET %s with Accept-Encoding: gzip is the same text', async (address) => {
    const line = `GET ${address}`
    const plain = await ask({ line, headers: {} })
    const coded = await ask({ line, headers: GZIP })
    expect(coded.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(coded.body).equals(plain.body)).toBe(true)
    expect(coded.headers.get('etag')).toBe(plain.headers.get('etag'))
    expect(plain.headers.get('vary')).toMatch(/Accept-Encoding/)
    expect(coded.headers.get('vary')).toBe(plain.headers.get('vary'))
  })

  test('GET / with Accept-Encoding: gzip, br is brotli', async () => {
    const { headers, body } = await ask({
      line: 'GET /',
      headers: { 'Accept-Encoding': 'gzip, br' },
    })
    expect(headers.get('content-encoding')).toBe('br')
    expect(brotliDecompressSync(body).toString()).toMatch(/^<!doctype html>/)
  })

  test.for([{}, GZIP])('HEAD / has the header fields of GET, with %j', async (headers) => {
    const [get, head] = [
      await ask({ line: 'GET /', headers }),
      await ask({ line: 'HEAD /', headers }),
    ]
    expect(fieldsOf(head.headers)).toEqual(fieldsOf(get.headers))
    expect(head.body.length).toBe(0)
  })

  test.for([
    ['GET /api/skills/download/13', {}],
    ['GET /skills/csv-clean/assets/logo.png', {}],
    ['GET /skills/csv-clean/scripts/run.py', { Range: 'bytes=0-5000' }],
    ['GET /robots.txt', {}],
  ] as const)('%s is not coded, with %j', async ([line, headers]) => {
    const answer = await ask({ line, headers: { ...headers, ...GZIP } })
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(answer.headers.get('content-length')).toBe(String(answer.body.length))
  })
})

describe('validators', () => {
  test.for([
    '/',
    '/skills/csv-clean.md',
    '/llms.txt',
    '/api/v1/skills?q=csv',
    '/api/skills/download/12',
  ])('GET %s with its ETag -> 304 without a body', async (address) => {
    const tag = await tagOf(address)
    const headers = { 'If-None-Match': `"other", ${tag}`, ...GZIP }
    const answer = await ask({ line: `GET ${address}`, headers })
    expect([answer.status, answer.body.length]).toEqual([304, 0])
    expect(answer.headers.get('etag')).toBe(tag)
    expect(answer.headers.get('cache-control')).not.toBeNull()
    expect(answer.headers.get('content-encoding')).toBeNull()
  })

  test('the ETag of one form never gives 304 for the other', async () => {
    const [html, markdown] = [await tagOf('/'), await tagOf('/', MARKDOWN)]
    const asMarkdown = { ...MARKDOWN, 'If-None-Match': html }
    expect((await ask({ line: 'GET /', headers: asMarkdown })).status).toBe(200)
    expect((await ask({ line: 'GET /', headers: { 'If-None-Match': markdown } })).status).toBe(200)
    expect(await tagOf('/index.md')).toBe(markdown)
  })

  test('If-None-Match comes before Range, and If-Range with the ETag gives the part', async () => {
    const [line, tag] = ['GET /api/skills/download/12', await tagOf('/api/skills/download/12')]
    const unchanged = { Range: 'bytes=0-9', 'If-None-Match': tag }
    expect((await ask({ line, headers: unchanged })).status).toBe(304)
    const part = await ask({ line, headers: { Range: 'bytes=0-9', 'If-Range': tag } })
    expect([part.status, part.body]).toEqual([
      206,
      Buffer.from(ZIPS[12]?.bytes.subarray(0, 10) ?? []),
    ])
  })

  test('If-None-Match does not turn a 404 into a 304', async () => {
    expect((await ask({ line: 'GET /nope', headers: { 'If-None-Match': '*' } })).status).toBe(404)
  })
})

test('the negotiated Markdown and the twin are the same bytes with the same header fields', async () => {
  const twin = await ask({ line: 'GET /skills/csv-clean.md', headers: {} })
  const negotiated = await ask({ line: 'GET /skills/csv-clean', headers: MARKDOWN })
  expect(negotiated.body.equals(twin.body)).toBe(true)
  expect(fieldsOf(negotiated.headers)).toEqual(fieldsOf(twin.headers))
})

describe('live answers are as openapi.json says', () => {
  interface Described {
    headers?: Record<string, { schema: { type: string } }>
    content?: Record<string, { schema: object }>
  }
  type Paths = Record<string, { get: { responses: Record<string, Described> } }>
  const api = describeApi({ name: 'Fixture', description: 'A fixture.', origin: ORIGIN })
  const { paths } = api as { paths: Paths }
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'api', components: { schemas: SCHEMAS } })
  const isValid = (schema: object, value: unknown): boolean =>
    ajv.validate(JSON.parse(JSON.stringify(schema).replace('"#/', '"api#/')) as object, value)
  const isWell = (schema: { type: string }, field: string | null): boolean =>
    field !== null && isValid(schema, schema.type === 'integer' ? Number(field) : field)

  const spoken = Object.values(API_GROUPS)
    .flat()
    .flatMap((clause) => {
      const path =
        /^(?:GET|POST) (\/api\/v1\/skills(?=[?#]|$)|\/api\/search(?=[?#]|$)|\/api\/skills\/download\/(?=[^/]*$))/.exec(
          clause.line,
        )?.[1]
      return path ? [[clause.line.slice(0, 80), clause, path.replace(/\/$/, '/{id}')] as const] : []
    })

  test.for(spoken)('%s', async ([, clause, path]) => {
    const { status, headers, body } = await ask(clause)
    const described = paths[path]?.get.responses[String(status)]
    expect(described).toBeDefined()
    const wrong = Object.entries(described?.headers ?? {}).filter(
      ([name, { schema }]) => !isWell(schema, headers.get(name)),
    )
    expect(wrong).toEqual([])
    const type = headers.get('content-type') ?? ''
    const schema = described?.content?.[type]?.schema
    expect(schema === undefined).toBe(body.length === 0)
    const isJson = type === 'application/json'
    expect(isJson ? isValid(schema ?? {}, JSON.parse(body.toString())) : true).toBe(true)
  })
})
