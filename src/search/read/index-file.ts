import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { HEADER_SIZE, InvalidIndexError, documentsStart, readHeader } from '../format/layout.ts'
import type { Header, ReadBytes } from '../format/layout.ts'
import { PackedIndex } from './open.ts'

const CLOSE_WHEN_COLLECTED = new FinalizationRegistry<number>((descriptor) => closeSync(descriptor))

/** Bytes of the read-ahead window. */
const WINDOW = 16 * 1024

/** An open file. All its readers refer to this object: once it is garbage-collected, the file is closed. */
class OpenFile {
  /** The file descriptor; -1 once it is closed, because the system can reuse the number. */
  #descriptor: number

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r')
    CLOSE_WHEN_COLLECTED.register(this, this.#descriptor, this)
  }

  get size(): number {
    return fstatSync(this.#descriptor).size
  }

  close(): void {
    if (this.#descriptor === -1) return
    CLOSE_WHEN_COLLECTED.unregister(this)
    closeSync(this.#descriptor)
    this.#descriptor = -1
  }

  /** Fills `bytes` from the file, starting at an offset. */
  fill(bytes: Uint8Array, from: number): Uint8Array {
    if (this.#descriptor === -1) throw new InvalidIndexError('it was closed')
    for (let read = 0; read < bytes.length;) {
      const count = readSync(this.#descriptor, bytes, read, bytes.length - read, from + read)
      if (count === 0) throw new InvalidIndexError('it is cut short')
      read += count
    }
    return bytes
  }

  readPart(from: number, to: number): Uint8Array {
    return this.fill(Buffer.allocUnsafeSlow(to - from), from)
  }

  /** Checks the postings without keeping them in memory. */
  checkPostings(header: Header): void {
    const bytes = Buffer.allocUnsafeSlow(8 * WINDOW)
    const end = documentsStart(header)
    let checksum = 0
    for (let from = header.headSize; from < end; from += bytes.length) {
      const part = bytes.subarray(0, Math.min(bytes.length, end - from))
      checksum = crc32(this.fill(part, from), checksum)
    }
    if (checksum !== header.postingsChecksum)
      throw new InvalidIndexError('its checksum does not match')
  }
}

/**
 * Reads small parts through a window, and large parts into a buffer that is reused. The window ends where the requested
 * part ends, because the completions of a word are read backwards.
 */
const openWindow = (file: OpenFile, first: number): ReadBytes => {
  const window = Buffer.allocUnsafeSlow(WINDOW)
  let start = 0
  let end = 0
  let large: Buffer = Buffer.alloc(0)
  return (from, to) => {
    if (to - from > WINDOW) {
      if (large.length < to - from) large = Buffer.allocUnsafeSlow(2 * (to - from))
      return file.fill(large.subarray(0, to - from), from)
    }
    if (from < start || to > end) {
      end = 0
      start = Math.max(first, to - WINDOW)
      file.fill(window.subarray(0, to - start), start)
      end = to
    }
    return window.subarray(from - start, to - start)
  }
}

/** An index that closes its file when it is disposed of or garbage-collected. */
class IndexFile extends PackedIndex implements Disposable {
  readonly #file: OpenFile

  constructor(file: OpenFile, header: Header) {
    super(
      header,
      file.readPart(0, header.headSize),
      openWindow(file, header.headSize),
      // Rows are far apart, so a window would not help.
      (from, to) => file.readPart(from, to),
    )
    this.#file = file
  }

  [Symbol.dispose](): void {
    this.#file.close()
  }
}

/**
 * Opens an index file and keeps only its head in memory. Postings are checked once, and read for the terms of a query;
 * rows, each with its own checksum, are read when a page shows them. Do not write to the file while it is open;
 * replacing it is safe. Throws InvalidIndexError if the file is damaged, and errors of `node:fs` if it cannot be read.
 */
export const openIndexFile = (path: string): PackedIndex & Disposable => {
  const file = new OpenFile(path)
  try {
    const { size } = file
    const header = readHeader(file.readPart(0, Math.min(size, HEADER_SIZE)), size)
    const index = new IndexFile(file, header)
    file.checkPostings(header)
    return index
  } catch (error) {
    file.close()
    throw error
  }
}
