import { mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { askFor, packDocuments, sampleDocument } from '../../../testing/sample-documents.ts'
import { joinBytes } from '../format/bytes.ts'
import { HEADER_SIZE, InvalidIndexError } from '../format/layout.ts'
import { openIndexFile } from './index-file.ts'
import { openIndex } from './open.ts'

const BYTES = packDocuments(
  Array.from({ length: 40 }, (_, at) =>
    sampleDocument(at + 1, `skill-${at}`, 'Clean CSV files and deploy 飞书 to a cluster'),
  ),
)

const HEAD_SIZE = new DataView(BYTES.buffer).getUint32(12, true)
const ROWS = HEAD_SIZE + new DataView(BYTES.buffer).getUint32(20, true)
const FOLDER = mkdtempSync(join(tmpdir(), 'packed-'))
const FILE = join(FOLDER, 'search.index')

afterAll(() => rmSync(FOLDER, { recursive: true }))

const change = (edit: (bytes: Uint8Array<ArrayBuffer>, view: DataView) => void) => {
  const bytes = BYTES.slice()
  edit(bytes, new DataView(bytes.buffer))
  return bytes
}

const RUNS = 400
// Most of the file is vectors, so header, postings and rows get extra chances.
const anyPlace = fc.oneof(
  fc.nat(HEADER_SIZE - 1),
  fc.integer({ min: HEAD_SIZE, max: BYTES.length - 1 }),
  fc.nat(BYTES.length - 1),
)

describe('an invalid file -> InvalidIndexError when it is opened', () => {
  test.each([
    ['no bytes', new Uint8Array(), /cut short/],
    ['a few bytes', BYTES.slice(0, 100), /cut short/],
    ['JSON', new TextEncoder().encode('{"version":1}'.padEnd(4096)), /not a search index/],
    [
      'the other byte order',
      change((bytes) => bytes.set(BYTES.slice(0, 4).toReversed())),
      /not a search index/,
    ],
    [
      'another version',
      change((_, view) => view.setUint32(4, view.getUint32(4, true) + 1, true)),
      /version/,
    ],
    ['a byte too few', BYTES.slice(0, -1), /bytes/],
    ['a byte too many', joinBytes([BYTES, new Uint8Array(1)]), /bytes/],
    [
      'a head longer than the file',
      change((_, view) => view.setUint32(12, 2 ** 31, true)),
      /bytes/,
    ],
  ])('%s', (_, bytes, reason) => {
    expect(() => openIndex(bytes)).toThrow(InvalidIndexError)
    expect(() => openIndex(bytes)).toThrow(reason)
  })

  test('any changed byte', () => {
    fc.assert(
      fc.property(anyPlace, fc.integer({ min: 1, max: 255 }), (at, flips) => {
        const bytes = change((copy) => (copy[at] = (copy[at] ?? 0) ^ flips))
        expect(() => openIndex(bytes)).toThrow(InvalidIndexError)
      }),
      { numRuns: RUNS },
    )
  })

  test('any changed run of bytes', () => {
    const run = fc.uint8Array({ minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(anyPlace, run, (at, noise) => {
        const bytes = change((copy) => copy.set(noise.subarray(0, copy.length - at), at))
        fc.pre(!Buffer.from(bytes).equals(BYTES))
        expect(() => openIndex(bytes)).toThrow(InvalidIndexError)
      }),
      { numRuns: RUNS },
    )
  })

  test('cut anywhere', () => {
    fc.assert(
      fc.property(anyPlace, (length) => {
        expect(() => openIndex(BYTES.subarray(0, length))).toThrow(InvalidIndexError)
      }),
      { numRuns: RUNS },
    )
  })
})

const list = (count: number): string => Array.from({ length: count }, (_, at) => `w${at}`).join(' ')

describe('the limit of a field', () => {
  test('a description with 65,536 distinct terms is refused, with 65,535 it is found', () => {
    expect(() => packDocuments([sampleDocument(1, 'n', list(65_536))])).toThrow(/more than 65535/)
    const index = openIndex(packDocuments([sampleDocument(1, 'n', list(65_535))]))
    expect(index.find(askFor({ q: 'w65534' })).total).toBe(1)
  })
})

describe('bytes that are not aligned for typed arrays', () => {
  test('at an odd offset of a larger array', () => {
    const larger = new Uint8Array(BYTES.length + 3)
    larger.set(BYTES, 3)
    expect(openIndex(larger.subarray(3)).find(askFor({ q: 'clean csv' })).total).toBe(40)
  })

  test('at an odd offset of a Buffer', () => {
    const larger = Buffer.concat([Buffer.alloc(5), BYTES])
    expect(openIndex(larger.subarray(5)).find(askFor({ q: 'clean csv' })).total).toBe(40)
  })
})

describe('a file of which only the head is in memory', () => {
  test('gives the same results as an index in memory', () => {
    writeFileSync(FILE, BYTES)
    using index = openIndexFile(FILE)
    for (const q of ['clean csv', 'skill-7', ''])
      expect(index.find(askFor({ q }))).toEqual(openIndex(BYTES).find(askFor({ q })))
  })

  test('a damaged row -> InvalidIndexError when it is read', () => {
    writeFileSync(
      FILE,
      change((bytes) => (bytes[ROWS + 12] = 0)),
    )
    using index = openIndexFile(FILE)
    expect(() => index.find(askFor({ q: 'clean' }))).toThrow(InvalidIndexError)
  })

  test('damaged postings -> InvalidIndexError when the file is opened', () => {
    writeFileSync(
      FILE,
      change((bytes) => (bytes[HEAD_SIZE + 12] = 0xff)),
    )
    expect(() => openIndexFile(FILE)).toThrow(InvalidIndexError)
  })

  test('truncated while it is open -> InvalidIndexError', () => {
    writeFileSync(FILE, BYTES)
    using index = openIndexFile(FILE)
    truncateSync(FILE, HEAD_SIZE)
    expect(() => index.find(askFor({ q: 'clean' }))).toThrow(InvalidIndexError)
  })

  test('replaced by another file while it is open -> results of the old file', () => {
    writeFileSync(FILE, BYTES)
    using index = openIndexFile(FILE)
    writeFileSync(`${FILE}.new`, packDocuments([]))
    renameSync(`${FILE}.new`, FILE)
    expect(index.find(askFor({ q: 'clean' })).total).toBe(40)
  })

  test('a query after it was closed -> InvalidIndexError, and other open files still work', () => {
    writeFileSync(FILE, BYTES)
    const index = openIndexFile(FILE)
    index[Symbol.dispose]()
    index[Symbol.dispose]()
    using other = openIndexFile(FILE)
    expect(() => index.find(askFor({ q: 'clean' }))).toThrow(InvalidIndexError)
    expect(other.find(askFor({ q: 'clean' })).total).toBe(40)
  })

  test.each([0, 10, HEADER_SIZE, HEAD_SIZE, BYTES.length - 1])('cut to %i bytes', (length) => {
    writeFileSync(FILE, BYTES.subarray(0, length))
    expect(() => openIndexFile(FILE)).toThrow(InvalidIndexError)
  })
})
