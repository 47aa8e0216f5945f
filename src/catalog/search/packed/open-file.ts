import { crc32 } from 'node:zlib'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { InvalidIndexError } from '../invalid-index.ts'
import type { ReadBytes } from './documents.ts'
import { HEADER_SIZE, documentsStart, readHeader } from './layout.ts'
import type { Header } from './layout.ts'
import { openHead } from './open.ts'
import type { PackedIndex } from './open.ts'

const fill = (file: number, bytes: Uint8Array, from: number): Uint8Array => {
  for (let read = 0; read < bytes.length;) {
    const more = readSync(file, bytes, read, bytes.length - read, from + read)
    if (more === 0) throw new InvalidIndexError('it is cut short')
    read += more
  }
  return bytes
}

const readPart = (file: number, from: number, to: number): Uint8Array =>
  fill(file, Buffer.allocUnsafeSlow(to - from), from)

/** Bytes read at once where more of them will be asked for soon. */
const WINDOW = 16 * 1024

/**
 * Reads small parts through a window and large ones into bytes that are used again. The window ends where
 * the asked part ends, for the completions of a word are asked for backwards.
 */
const openWindow = (file: number, first: number): ReadBytes => {
  const window = Buffer.allocUnsafeSlow(WINDOW)
  let start = 0
  let end = 0
  let large: Buffer = Buffer.alloc(0)
  return (from, to) => {
    if (to - from > WINDOW) {
      if (large.length < to - from) large = Buffer.allocUnsafeSlow(2 * (to - from))
      return fill(file, large.subarray(0, to - from), from)
    }
    if (from < start || to > end) {
      end = 0
      start = Math.max(first, to - WINDOW)
      fill(file, window.subarray(0, to - start), start)
      end = to
    }
    return window.subarray(from - start, to - start)
  }
}

/** Reads rows one at a time: they lie apart, so no window helps. */
const openRow = (file: number): ReadBytes => {
  const bytes = Buffer.allocUnsafeSlow(WINDOW)
  return (from, to) =>
    to - from > WINDOW ? readPart(file, from, to) : fill(file, bytes.subarray(0, to - from), from)
}

/** Checks the postings without keeping them. */
const checkPostings = (file: number, header: Header): void => {
  const bytes = Buffer.allocUnsafeSlow(8 * WINDOW)
  const end = documentsStart(header)
  let checksum = 0
  for (let from = header.headSize; from < end; from += bytes.length)
    checksum = crc32(
      fill(file, bytes.subarray(0, Math.min(bytes.length, end - from)), from),
      checksum,
    )
  if (checksum !== header.postingsChecksum) throw new InvalidIndexError('its checksum is another')
}

/**
 * Opens an index file and keeps only its head in memory. Postings are checked once, and read from the
 * disk for the terms of a query; rows are read when a page shows them, each with a checksum of its own.
 * The file must not be written to while it is open.
 */
export const openIndexFile = (path: string): PackedIndex & Disposable => {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const header = readHeader(readPart(file, 0, Math.min(size, HEADER_SIZE)), size)
    const index = openHead(header, readPart(file, 0, header.headSize), {
      readPostings: openWindow(file, header.headSize),
      readRow: openRow(file),
    })
    checkPostings(file, header)
    return { ...index, [Symbol.dispose]: () => closeSync(file) }
  } catch (error) {
    closeSync(file)
    throw error
  }
}
