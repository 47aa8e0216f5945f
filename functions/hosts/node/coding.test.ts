import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readBody } from '../../store.ts'
import type { Body } from '../../store.ts'
import { Compressor, chooseCoding } from './coding.ts'
import type { Coding } from './coding.ts'

describe('Accept-Encoding', () => {
  test.for([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=0.8,\tBR ; Q=0.2', 'gzip'],
    ['br;q=0', undefined],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['*;q=0', undefined],
    ['br;q=0.5, identity;q=0.6', undefined],
    ['br;q=0.5, identity;q=0.5', 'br'],
    ['br;q=2, gzip', 'gzip'],
    ['br gzip', undefined],
    ['deflate', undefined],
  ])('%j -> %s', ([accepted, coding]) => {
    expect(chooseCoding(accepted)).toBe(coding)
  })
})

describe('what is compressed', () => {
  const TEXT = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': '2000' }
  test.for([
    [200, {}, true],
    [200, { 'Content-Type': 'application/json' }, true],
    [200, { 'Content-Type': 'application/manifest+json' }, true],
    [200, { 'Content-Type': 'application/atom+xml; charset=utf-8' }, true],
    [200, { 'Content-Type': 'image/svg+xml' }, true],
    [200, { 'Content-Type': 'application/zip' }, false],
    [200, { 'Content-Type': 'font/woff2' }, false],
    [200, { 'Content-Length': '1023' }, false],
    [200, { 'Content-Type': 'application/x-ndjson' }, true],
    [206, {}, false],
    [404, {}, false],
  ] as const)('%i with %j: %s', async ([status, own, isCoded]) => {
    const answer = { status, headers: { ...TEXT, ...own }, body: null }
    const { headers } = await new Compressor(0).codeAnswer(answer, 'br')
    expect('Content-Encoding' in headers).toBe(isCoded)
  })
})

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const streamOf = (text: string): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new Response(text).body as ReadableStream<Uint8Array<ArrayBuffer>>

test('what the build compressed is sent instead, unless it is gone', async () => {
  const compressor = new Compressor(1_000)
  const built = new Uint8Array([1, 2, 3])
  const find = (found: typeof built | undefined, tag: string) =>
    compressor.code(streamOf('text'), 4, tag, 'gzip', async () => found)
  expect(await find(built, 'one')).toBe(built)
  expect(compressor.find('one', 'gzip')).toBe(built)
  expect(gunzipSync(await readBody(await find(undefined, 'two'))).toString()).toBe('text')
})

const code = (
  compressor: Compressor,
  body: Body,
  tag: string,
  coding: Coding,
  size = 1,
): Promise<Uint8Array> => compressor.code(body, size, tag, coding).then(readBody)

describe('a body with a tag', () => {
  test('is compressed once for each coding, also when it is asked for meanwhile', async () => {
    const compressor = new Compressor(1_000_000)
    const text = 'text '.repeat(1_000)
    const [first, second] = await Promise.all([
      code(compressor, bytesOf(text), '"a"', 'br'),
      code(compressor, streamOf(text), '"a"', 'br'),
    ])
    expect(second).toBe(first)
    expect(await code(compressor, streamOf(text), '"a"', 'br')).toBe(first)
    expect(brotliDecompressSync(first).toString()).toBe(text)
    const other = await code(compressor, streamOf(text), '"a"', 'gzip')
    expect(gunzipSync(other).toString()).toBe(text)
  })

  test('that could not be read is tried again', async () => {
    const compressor = new Compressor(1_000_000)
    const broken = new ReadableStream({ start: (end) => end.error(new Error('broken')) })
    await expect(code(compressor, broken, '"a"', 'br')).rejects.toThrow('broken')
    const coded = await code(compressor, bytesOf('whole'), '"a"', 'br')
    expect(brotliDecompressSync(coded).toString()).toBe('whole')
  })

  test('is dropped where what is kept grows beyond its bound', async () => {
    const compressor = new Compressor(1_000)
    const first = await code(compressor, bytesOf('first'), '"first"', 'br')
    expect(compressor.find('"first"', 'br')).toBe(first)
    for (let at = 0; at < 200; at += 1) await code(compressor, bytesOf(`${at}`), `"${at}"`, 'br')
    expect(compressor.find('"first"', 'br')).toBeUndefined()
    expect(compressor.find('"199"', 'br')).toBeDefined()
  })
})

test.for(['br', 'gzip'] as const)(
  'a stream too large to be held is compressed on its way: %s',
  async (coding) => {
    const compressor = new Compressor(1_000_000)
    const coded = await code(compressor, streamOf('text '.repeat(1_000)), '"a"', coding, 20_000_000)
    const read = { br: brotliDecompressSync, gzip: gunzipSync }[coding]
    expect(read(coded).toString()).toBe('text '.repeat(1_000))
    expect(compressor.find('"a"', coding)).toBeUndefined()
  },
)
