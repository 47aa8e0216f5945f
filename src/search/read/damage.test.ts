import { mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { askFor, packDocuments, sampleDocument } from '../../../testing/sample-documents.ts'
import { HEADER_SIZE, InvalidIndexError } from '../format/layout.ts'
import { openIndexFile } from './index-file.ts'
import { openIndex } from './open.ts'

const BYTES = packDocuments(
  Array.from({ length: 40 }, (_, at) =>
    sampleDocument(at + 1, `skill-${at}`, 'Clean CSV files and deploy 飞书 to a cluster'),
  ),
)
const VIEW = new DataView(BYTES.buffer)
const HEAD_SIZE = VIEW.getUint32(12, true)
const ROWS = HEAD_SIZE + VIEW.getUint32(20, true)
const FOLDER = mkdtempSync(join(tmpdir(), 'packed-'))
const FILE = join(FOLDER, 'search.index')
afterAll(() => rmSync(FOLDER, { recursive: true }))

/** The index with other bytes from `at` on. */
const put = (at: number, ...bytes: number[]) => {
  const changed = BYTES.slice()
  changed.set(bytes, at)
  return changed
}

const write = (bytes: Uint8Array): string => {
  writeFileSync(FILE, bytes)
  return FILE
}

const countClean = (index: ReturnType<typeof openIndex>): number =>
  index.find(askFor({ q: 'clean' })).total

test.each([
  ['cut in its header', BYTES.slice(0, HEADER_SIZE - 1), /cut short/],
  ['cut at its end', BYTES.slice(0, -1), /bytes/],
  ['another file', new TextEncoder().encode('{"version":1}'.padEnd(4096)), /not a search index/],
  ['of another version', put(4, BYTES[4]! + 1), /version/],
  ['a head longer than the file', put(12, 0, 0, 0, 128), /bytes/],
  ['a byte of its header', put(HEADER_SIZE - 1, BYTES[HEADER_SIZE - 1]! ^ 1), /checksum/],
  ['a byte of its head', put(HEAD_SIZE - 9, BYTES[HEAD_SIZE - 9]! ^ 1), /checksum/],
  ['a byte of its postings', put(ROWS - 1, BYTES[ROWS - 1]! ^ 1), /checksum/],
])('damaged: %s -> InvalidIndexError when it is opened', (_, bytes, reason) => {
  for (const open of [() => openIndex(bytes), () => openIndexFile(write(bytes))]) {
    expect(open).toThrow(InvalidIndexError)
    expect(open).toThrow(reason)
  }
})

test('damaged: a row -> InvalidIndexError, from a file when the row is read', () => {
  const bytes = put(ROWS + 12, 0)
  expect(() => openIndex(bytes)).toThrow(InvalidIndexError)
  using index = openIndexFile(write(bytes))
  expect(() => countClean(index)).toThrow(InvalidIndexError)
})

test('an open file: cut short or closed -> InvalidIndexError; replaced -> results of the old file', () => {
  using cut = openIndexFile(write(BYTES))
  truncateSync(FILE, HEAD_SIZE)
  expect(() => countClean(cut)).toThrow(InvalidIndexError)
  const closed = openIndexFile(write(BYTES))
  using replaced = openIndexFile(FILE)
  closed[Symbol.dispose]()
  closed[Symbol.dispose]()
  expect(() => countClean(closed)).toThrow(InvalidIndexError)
  writeFileSync(`${FILE}.new`, packDocuments([]))
  renameSync(`${FILE}.new`, FILE)
  expect(countClean(replaced)).toBe(40)
})

test('bytes at an odd offset, which typed arrays cannot read -> the same results', () => {
  const larger = Buffer.concat([Buffer.alloc(5), BYTES])
  expect(countClean(openIndex(larger.subarray(5)))).toBe(40)
})

const list = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ')

test('a description with 65,536 distinct terms is refused, with 65,535 it is found', () => {
  expect(() => packDocuments([sampleDocument(1, 'n', list(65_536))])).toThrow(/more than 65535/)
  const index = openIndex(packDocuments([sampleDocument(1, 'n', list(65_535))]))
  expect(index.find(askFor({ q: 'w65534' })).total).toBe(1)
})
