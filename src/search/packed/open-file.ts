import { crc32 } from 'node:zlib'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { InvalidIndexError } from '../invalid-index.ts'
import type { ReadBytes } from './documents.ts'
import { HEADER_SIZE, documentsStart, readHeader } from './layout.ts'
import type { Header } from './layout.ts'
import { openHead } from './open.ts'
import type { PackedIndex } from './open.ts'

/** An open file; all that read it hold this, so it is closed where nobody can read it any more. */
interface OpenFile {
  /** The number the system gave it; -1 once it is closed, for the number may be another file's then. */
  descriptor: number
}

const FORGOTTEN = new FinalizationRegistry<number>((descriptor) => closeSync(descriptor))

const openPath = (path: string): OpenFile => {
  const file = { descriptor: openSync(path, 'r') }
  FORGOTTEN.register(file, file.descriptor, file)
  return file
}

const closeFile = (file: OpenFile): void => {
  if (file.descriptor === -1) return
  FORGOTTEN.unregister(file)
  closeSync(file.descriptor)
  file.descriptor = -1
}

const fill = (file: OpenFile, bytes: Uint8Array, from: number): Uint8Array => {
  if (file.descriptor === -1) throw new InvalidIndexError('it was closed')
  for (let read = 0; read < bytes.length;) {
    const more = readSync(file.descriptor, bytes, read, bytes.length - read, from + read)
    if (more === 0) throw new InvalidIndexError('it is cut short')
    read += more
  }
  return bytes
}

const readPart = (file: OpenFile, from: number, to: number): Uint8Array =>
  fill(file, Buffer.allocUnsafeSlow(to - from), from)

/** Bytes read at once where more of them will be asked for soon. */
const WINDOW = 16 * 1024

/**
 * Reads small parts through a window and large ones into bytes that are used again. The window ends where
 * the asked part ends, for the completions of a word are asked for backwards.
 */
const openWindow = (file: OpenFile, first: number): ReadBytes => {
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
const openRow = (file: OpenFile): ReadBytes => {
  const bytes = Buffer.allocUnsafeSlow(WINDOW)
  return (from, to) =>
    to - from > WINDOW ? readPart(file, from, to) : fill(file, bytes.subarray(0, to - from), from)
}

/** Checks the postings without keeping them. */
const checkPostings = (file: OpenFile, header: Header): void => {
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
 * The file must not be written to while it is open; another may take its name. It is closed when it is
 * disposed of or forgotten.
 */
export const openIndexFile = (path: string): PackedIndex & Disposable => {
  const file = openPath(path)
  try {
    const { size } = fstatSync(file.descriptor)
    const header = readHeader(readPart(file, 0, Math.min(size, HEADER_SIZE)), size)
    const index = openHead(header, readPart(file, 0, header.headSize), {
      readPostings: openWindow(file, header.headSize),
      readRow: openRow(file),
    })
    checkPostings(file, header)
    return { ...index, [Symbol.dispose]: () => closeFile(file) }
  } catch (error) {
    closeFile(file)
    throw error
  }
}
