import { once } from 'node:events'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ERRORS } from '../../../src/api/errors.ts'
import { describeApi } from '../../../src/api/openapi.ts'
import { API_CLAUSES } from '../../../testing/contract/api-clauses.ts'
import { ORIGIN, publishFixture } from '../../../testing/fixture.ts'
import { sendOverHttp, sendRaw, startSiteServer } from '../../../testing/contract/requests.ts'
import type { SendRequest } from '../../../testing/contract/requests.ts'
import { makeSampleFolder, removeFolders } from '../../../testing/sample-folders.ts'
import { openGenerations } from './generations.ts'
import { createSiteServer, drain } from './server.ts'

const outDir = makeSampleFolder()
publishFixture(outDir, 'one')
let server: Awaited<ReturnType<typeof startSiteServer>>
let ask: SendRequest
beforeAll(async () => {
  server = await startSiteServer(outDir)
  ask = sendOverHttp(server.port)
})
afterAll(async () => {
  await server.stop()
  removeFolders()
})

const GZIP = { 'Accept-Encoding': 'gzip' }
const MARKDOWN = { Accept: 'text/markdown' }

const VARIABLE = new Set(['date', 'transfer-encoding', 'x-request-id'])
const fieldsOf = (headers: Headers): object =>
  Object.fromEntries([...headers].filter(([name]) => !VARIABLE.has(name)))

const tagOf = async (address: string, headers = {}): Promise<string> =>
  (await ask({ line: `GET ${address}`, headers })).headers.get('etag') ?? ''

test.for([
  ['/', 'gzip', gunzipSync],
  ['/', 'gzip, br', brotliDecompressSync],
  ['/api/v1/skills', 'gzip', gunzipSync],
] as const)(
  'GET %s with Accept-Encoding: %s -> the same text, compressed',
  async ([address, accepted, read]) => {
    const coding = { 'Accept-Encoding': accepted }
    const plain = await ask({ line: `GET ${address}`, headers: {} })
    const coded = await ask({ line: `GET ${address}`, headers: coding })
    expect(coded.headers.get('content-encoding')).toBe(accepted.split(', ').at(-1))
    expect(read(coded.body).equals(plain.body)).toBe(true)
    for (const name of ['etag', 'vary'])
      expect(coded.headers.get(name)).toBe(plain.headers.get(name))
    expect(plain.headers.get('vary')).toMatch(/Accept-Encoding/)
    const head = await ask({ line: `HEAD ${address}`, headers: coding })
    expect(fieldsOf(head.headers)).toEqual(fieldsOf(coded.headers))
    expect(head.body.length).toBe(0)
  },
)

const statusOf = async (headers: Record<string, string>): Promise<number> =>
  (await ask({ line: 'GET /', headers: { ...headers, ...GZIP } })).status

test('the ETag of one form never gives 304 for the other', async () => {
  const [html, markdown] = [await tagOf('/'), await tagOf('/', MARKDOWN)]
  expect(await statusOf({ 'If-None-Match': html })).toBe(304)
  expect(await statusOf({ 'If-None-Match': markdown })).toBe(200)
  expect(await statusOf({ ...MARKDOWN, 'If-None-Match': html })).toBe(200)
  expect(await tagOf('/index.md')).toBe(markdown)
})

describe('answers match their description in openapi.json', () => {
  interface Described {
    headers?: Record<string, { schema: { type: string } }>
    content?: Record<string, { schema: object }>
  }
  type Paths = Record<string, { get: { responses: Record<string, Described> } }>
  const api = describeApi({ name: 'Fixture', description: 'A fixture.', origin: ORIGIN })
  const named: Readonly<Record<string, Record<string, unknown>>> = api.components
  /** Replaces references to headers and responses with their definitions. References to schemas stay. */
  const inline = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const [, kind, name] =
      /^#\/components\/(headers|responses)\/(.*)/.exec(String(value['$ref' as never])) ?? []
    if (kind && name) return inline(named[kind]![name])
    return Array.isArray(value)
      ? value.map(inline)
      : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inline(one)]))
  }
  const paths = inline(api.paths) as Paths
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'api', components: api.components })
  const isValid = (schema: object, value: unknown): boolean =>
    ajv.validate(JSON.parse(JSON.stringify(schema).replace('"#/', '"api#/')) as object, value)
  const isValidField = (schema: { type: string }, field: string | null): boolean =>
    field !== null && isValid(schema, schema.type === 'integer' ? Number(field) : field)

  const cases = API_CLAUSES.flatMap((clause) => {
    const path =
      /^(?:GET|POST) (\/api\/v1\/skills(?=[?#]|$)|\/api\/search(?=[?#]|$)|\/api\/skills\/download\/(?=[^/]*$))/.exec(
        clause.line,
      )?.[1]
    return path ? [[clause.line.slice(0, 80), clause, path.replace(/\/$/, '/{id}')] as const] : []
  })

  test.for(cases)('%s', async ([, clause, path]) => {
    const { status, headers, body } = await ask(clause)
    const described = paths[path]?.get.responses[String(status)]
    expect(described).toBeDefined()
    const wrong = Object.entries(described?.headers ?? {}).filter(
      ([name, { schema }]) => !isValidField(schema, headers.get(name)),
    )
    expect(wrong).toEqual([])
    const type = headers.get('content-type') ?? ''
    const schema = described?.content?.[type]?.schema
    expect(schema === undefined).toBe(body.length === 0)
    const isJson = type === 'application/json'
    expect(isJson ? isValid(schema ?? {}, JSON.parse(body.toString())) : true).toBe(true)
  })
})

test.for(['/healthz', '/readyz'])('the probe %s -> 200, not cached', async (address) => {
  const { status, headers, body } = await ask({ line: `GET ${address}`, headers: {} })
  expect([status, body.toString()]).toEqual([200, 'ok\n'])
  expect(headers.get('cache-control')).toBe('no-store')
  const head = await ask({ line: `HEAD ${address}`, headers: {} })
  expect([head.status, head.body.length, head.headers.get('content-length')]).toEqual([200, 0, '3'])
  expect((await ask({ line: `POST ${address}`, headers: {} })).status).toBe(405)
})

const sendId = async (id: string, address = '/'): Promise<string | null> => {
  const { headers } = await ask({ line: `GET ${address}`, headers: { 'X-Request-Id': id } })
  return headers.get('x-request-id')
}

test('X-Request-Id is the sent id if it has 1 to 64 visible ASCII characters, else a new one', async () => {
  for (const id of ['from-the:proxy/1', 'a'.repeat(64)]) expect(await sendId(id)).toBe(id)
  for (const id of ['a'.repeat(65), 'a b', 'caf\xe9', ''])
    expect(await sendId(id)).toMatch(/^[0-9a-f-]{36}$/)
  expect(await sendId('', '/healthz')).not.toBe(await sendId('', '/healthz'))
})

/** More bytes than the buffers between server and client can hold. */
const LARGE = 20_000_000

const HOST = 'Host: localhost\r\n'
const END = `${HOST}\r\n`
const long = (length: number): string => 'a'.repeat(length)
const asking = (target: string): string => `GET ${target} HTTP/1.1\r\n${END}`
const askingLast = (target: string): string =>
  `GET ${target} HTTP/1.1\r\nConnection: close\r\n${END}`
const statusesOf = (text: string): string[] => text.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? []

/** Invalid requests, each answered with the API's error envelope. */
const GARBAGE: [code: string, ...sent: string[]][] = [
  ['BAD_REQUEST', asking('/api/v1/skills?q=a\0b')],
  ['BAD_REQUEST', `BREW /api/v1/skills HTTP/1.1\r\n${END}`],
  ['BAD_REQUEST', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['BAD_REQUEST', 'GET /api HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['BAD_REQUEST', `GET /api HTTP/1.1\r\nConnection: close\r\n${HOST}${END}`],
  ['HEADERS_TOO_LARGE', asking(`/${long(70_000)}`)],
  ['HEADERS_TOO_LARGE', 'GET / HTTP/1.1\r\nX: ', long(35_000), long(35_000), `\r\n${END}`],
  ['URI_TOO_LONG', askingLast(`/api?q=${long(40_000)}`)],
]

describe('raw bytes', () => {
  test.for(GARBAGE)('%s (%#) -> an error envelope', async ([code, ...sent]) => {
    const status = ERRORS[code as keyof typeof ERRORS]
    const text = await sendRaw(server.port, sent)
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} [^]*content-length: ${body.length}`, 'i'),
    )
    expect(JSON.parse(body)).toMatchObject({
      error: { code, docs: `${ORIGIN}/openapi.json` },
    })
  })

  test('garbage while an answer is pending -> the connection is closed without a second answer', async () => {
    const sent = asking('/api/skills/download/13') + asking('/api/v1/skills?q=\0')
    expect(statusesOf(await sendRaw(server.port, [sent])).length).toBeLessThanOrEqual(1)
  })

  test('a client that keeps sending and reads late -> 50 answers, and no reset', async () => {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    const faults: unknown[] = []
    socket.on('error', (error) => faults.push(error))
    for (let sent = 0; sent < 100; sent += 10) {
      socket.write(asking('/llms.txt').repeat(10))
      await pause(20)
    }
    await pause(300)
    let text = ''
    socket.on('data', (data) => (text += data.toString('latin1')))
    socket.on('end', () => socket.destroy())
    await once(socket, 'close')
    expect(statusesOf(text)).toHaveLength(50)
    expect(faults).toEqual([])
  })

  test.for(['100-continue', 'x'])('an unexpected body with Expect: %s', async (expectation) => {
    const head = `POST /api HTTP/1.1\r\nContent-Length: 9\r\nExpect: ${expectation}\r\n${END}`
    const text = await sendRaw(server.port, [head, long(9), askingLast('/llms.txt')])
    const refused = expectation === 'x' ? ['417'] : ['100', '405']
    expect(statusesOf(text)).toEqual([...refused, '200'])
  })

  test('two Accept lines count as one', async () => {
    const accepts = 'Accept: text/html;q=0.5\r\nAccept: text/markdown\r\n'
    const text = await sendRaw(server.port, [
      `GET / HTTP/1.1\r\nConnection: close\r\n${accepts}${END}`,
    ])
    expect(text).toMatch(/content-type: text\/markdown/i)
  })
})

type Source = Parameters<typeof createSiteServer>[0]

/** Starts another server, of which the test counts something. */
const startCounted = async (current: Source['current']) => {
  const counted = createSiteServer({ origin: ORIGIN, current }, () => () => undefined)
  await once(counted.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void counted.close())
  return { counted, port: (counted.address() as AddressInfo).port }
}

test('3,600 requests and garbage in one packet -> 50 answers, the connection is closed, no dropRequest event', async () => {
  const { counted, port } = await startCounted(() => openGenerations(outDir).current())
  let dropped = 0
  counted.on('dropRequest', () => (dropped += 1))
  const text = await sendRaw(port, [`${'GET / HTTP/1.1\r\n\r\n'.repeat(3_600)}\0`])
  expect(statusesOf(text)).toEqual(Array.from({ length: 50 }, () => '400'))
  expect(text.match(/^Connection: close\r$/gim) ?? []).toHaveLength(1)
  expect(dropped).toBe(0)
})

test('requests that arrive together are answered one at a time, in order', async () => {
  const site = await openGenerations(outDir).current()
  let [open, maximum] = [0, 0]
  const { port } = await startCounted(async () => {
    maximum = Math.max(maximum, (open += 1))
    await new Promise((next) => setImmediate(next))
    open -= 1
    return site
  })
  const sent = (asking('/') + asking('/api/nope')).repeat(20) + askingLast('/llms.txt')
  const answered = Array.from({ length: 20 }, () => ['200', '404']).flat()
  expect(statusesOf(await sendRaw(port, [sent]))).toEqual([...answered, '200'])
  expect(maximum).toBe(1)
})

test('drain waits for a pending answer', async () => {
  const parts = [new Uint8Array(LARGE), new Uint8Array(LARGE)]
  const large = createServer((_, outgoing) => void pipeline(parts, outgoing).catch(() => undefined))
  await once(large.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((large.address() as AddressInfo).port, '127.0.0.1')
  socket.write(askingLast('/'))
  await once(socket, 'readable')
  const drained = drain(large, 3_600_000)
  const chunks = (await socket.toArray()) as Buffer[]
  expect(Buffer.concat(chunks).length).toBeGreaterThan(LARGE)
  await drained
})
