import { open } from 'node:fs/promises'
import { Readable, pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CommandError } from '../cli/errors.ts'

/** The name that stands for standard input. */
export const STANDARD_INPUT = '-'

/** What every gzip begins with (RFC 1952 2.3.1). */
const MAGIC = Buffer.from([0x1f, 0x8b])

async function* putBack(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      yield next.value
    }
  } finally {
    // Who stops reading early closes the file.
    await rest.return?.()
  }
}

async function* unzip(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  // What goes wrong ends the loop below, which says so.
  pipeline(Readable.from(chunks), gunzip, () => undefined)
  try {
    for await (const chunk of gunzip) yield chunk as Buffer
  } catch (error) {
    throw new CommandError(
      `${name}: gzip that cannot be read to its end (${(error as Error).message}); nothing was counted. Give the whole file.`,
    )
  }
}

const CHUNK = 64 * 1024

/** Reads a file into one buffer again and again: a large log leaves nothing to be collected. */
async function* readFile(path: string): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(CHUNK)
  await using file = await open(path)
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK, null)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

async function* copyChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}

/**
 * Opens a log, plain or gzip whatever its name; `-` is standard input. A chunk is good until the next
 * is asked for.
 */
export async function* openLog(path: string): AsyncGenerator<Buffer> {
  const source: AsyncIterable<Buffer> = path === STANDARD_INPUT ? process.stdin : readFile(path)
  const chunks = source[Symbol.asyncIterator]()
  const head: Buffer[] = []
  let isOver = false
  while (!isOver && Buffer.concat(head).length < MAGIC.length) {
    const next = await chunks.next()
    isOver = next.done === true
    if (next.done !== true) head.push(Buffer.from(next.value))
  }
  const first = Buffer.concat(head)
  const all = putBack(first, chunks)
  const isGzip = first.subarray(0, MAGIC.length).equals(MAGIC)
  // The stream that unzips reads ahead, so its chunks must not be used again.
  yield* isGzip ? unzip(copyChunks(all), path) : all
}
