import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readBody } from '../../store.ts'
import { chooseCoding, createCompressor } from './coding.ts'

test.for([
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP;q=0.8,\tBR ; Q=0.2', 'gzip'],
  ['*, br;q=0', 'gzip'],
  ['*;q=0', undefined],
  ['br;q=0.5, identity;q=0.6', undefined],
  ['br;q=2, gzip', 'gzip'],
  ['br gzip', undefined],
])('Accept-Encoding: %j -> %s', ([accepted, coding]) => {
  expect(chooseCoding(accepted)).toBe(coding)
})

const TEXT = 'text '.repeat(400)
const FIELDS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Length': String(TEXT.length),
  Vary: 'Accept, Accept-Encoding',
}

test.for([
  [200, {}, true],
  [200, { 'Content-Type': 'application/json' }, true],
  [200, { 'Content-Type': 'application/atom+xml; charset=utf-8' }, true],
  [200, { 'Content-Type': 'image/svg+xml' }, true],
  [200, { 'Content-Type': 'application/x-ndjson' }, true],
  [200, { 'Content-Type': 'application/zip' }, false],
  [200, { 'Content-Type': 'font/woff2' }, false],
  [200, { 'Content-Length': '1023' }, false],
  [200, { Vary: 'Accept' }, false],
  [206, {}, false],
  [404, {}, false],
] as const)('compression: %i with %j is compressed: %s', ([status, own, isCoded]) => {
  const answer = { status, headers: { ...FIELDS, ...own }, body: null }
  expect('Content-Encoding' in createCompressor()(answer, 'br').headers).toBe(isCoded)
})

test.for(['br', 'gzip'] as const)(
  'compression: a body with an ETag is compressed only once, with %s',
  (coding) => {
    const code = createCompressor()
    const body = new TextEncoder().encode(TEXT)
    const answer = { status: 200, headers: { ...FIELDS, ETag: 'W/"a"' }, body }
    const [first, second] = [code(answer, coding), code(answer, coding)]
    const read = { br: brotliDecompressSync, gzip: gunzipSync }[coding]
    expect(read(first.body as Uint8Array).toString()).toBe(TEXT)
    expect(first.headers['Content-Length']).toBe(String((first.body as Uint8Array).length))
    expect(second.body).toBe(first.body)
  },
)

test('compression: a stream is compressed while it is sent', async () => {
  const body = new Response(TEXT).body as ReadableStream<Uint8Array>
  const { headers, body: coded } = createCompressor()({ status: 200, headers: FIELDS, body }, 'br')
  expect(headers['Content-Length']).toBeUndefined()
  expect(brotliDecompressSync(await readBody(coded)).toString()).toBe(TEXT)
})
