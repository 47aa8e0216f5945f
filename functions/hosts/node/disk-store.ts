import { createHash, hash } from 'node:crypto'
import { closeSync, createReadStream, openSync, readFileSync, readSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { unavailable } from '../../../src/api/errors.ts'
import { DIGESTS_NAME, KEY_BYTES, ROW_BYTES, findRow } from '../../../src/catalog/tables.ts'
import { CODED_ENDINGS, isCoded } from '../../../src/api/policies.ts'
import { openIndexFile } from '../../../src/search/read/index-file.ts'
import { isStoreName, readBody } from '../../store.ts'
import type { ByteRange, Store, StoredFile } from '../../store.ts'

/** Files above this size are streamed, smaller ones read at once. */
const STREAMED = 256 * 1024

/** Digests kept; some 150 bytes each. */
const DIGESTS = 20_000

/** Digests of the files most recently asked for, by path and version. */
class DigestCache {
  readonly #kept = new Map<string, Promise<string>>()

  async find(key: string, make: () => Promise<string>): Promise<string> {
    const digest = this.#kept.get(key) ?? make()
    // A Map remembers the order its keys were set in, so the first is the one least recently asked for.
    this.#kept.delete(key)
    this.#kept.set(key, digest)
    if (this.#kept.size > DIGESTS) this.#kept.delete(this.#kept.keys().next().value ?? '')
    try {
      return await digest
    } catch (error) {
      // A failure is not kept: the next reader tries again.
      this.#kept.delete(key)
      throw error
    }
  }
}

/** Error codes for a name that no file has. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'])

// A page is read in some 20 µs where its bytes are in the system's memory, as they mostly are; handing
// each step to another thread costs five times that.
const findFile = (path: string): Stats | undefined => {
  try {
    const stats = statSync(path)
    return stats.isFile() ? stats : undefined
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** Files up to this size are hashed in one step, which takes 3 ms: a build may be removed between several. */
const HASHED_AT_ONCE = 4 * 1024 * 1024

const hashFile = async (path: string, size: number): Promise<string> => {
  if (size <= HASHED_AT_ONCE) return hash('sha256', readFileSync(path))
  const sum = createHash('sha256')
  for await (const chunk of createReadStream(path)) sum.update(chunk as Buffer)
  return sum.digest('hex')
}

const readPart = async (
  path: string,
  { first, last }: ByteRange,
): Promise<Uint8Array<ArrayBuffer>> => {
  const length = last - first + 1
  await using file = await open(path)
  const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, first)
  if (bytesRead < length) throw new Error(`${path} is shorter than it was`)
  return buffer
}

const openBody = async (path: string, size: number, range?: ByteRange) => {
  const { first: start, last: end } = range ?? { first: 0, last: size - 1 }
  if (end - start >= STREAMED) {
    return Readable.toWeb(createReadStream(path, { start, end })) as ReadableStream<Uint8Array>
  }
  return range ? readPart(path, range) : readFileSync(path)
}

/** What the system runs short of, or fails at; it may go well a moment later. */
const SHORT: Readonly<Record<string, string>> = {
  EMFILE: 'raise the limit of open files, "ulimit -n"',
  ENFILE: 'the system has too many open files',
  ENOMEM: 'the system has no memory left',
  EIO: 'see that the disk is well',
}

const toUnavailable = (error: unknown): unknown => {
  const { code = '', message } = error as NodeJS.ErrnoException
  const remedy = SHORT[code]
  return remedy === undefined
    ? error
    : unavailable(new Error(`${message}; ${remedy}`, { cause: error }))
}

const guarded = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work()
  } catch (error) {
    throw toUnavailable(error)
  }
}

const ENDINGS = { br: CODED_ENDINGS[0], gzip: CODED_ENDINGS[1] }

/** Whether a file has the size and the time that it was compared at. */
const isUnchanged = (path: string, { size, ctimeMs }: Stats): boolean => {
  const now = statSync(path, { throwIfNoEntry: false })
  return now?.size === size && now.ctimeMs === ctimeMs
}

const describe = (path: string, stats: Stats, digest: string): StoredFile => ({
  size: stats.size,
  isSame: () => isUnchanged(path, stats),
  digest: async () => digest,
  body: (range) => guarded(() => openBody(path, stats.size, range)),
  openIndex: () => openIndexFile(path),
})

/** Finds the digest of a file in the table that the build left; undefined where that has none. */
type FindDigest = (name: string) => string | undefined

/** Opens the table of digests. Its rows are read by place, so that it takes no memory. */
const openDigests = (root: string): FindDigest => {
  const path = join(root, DIGESTS_NAME)
  const stats = findFile(path)
  if (!stats) return () => undefined
  const row = Buffer.alloc(ROW_BYTES)
  return (name) => {
    const key = hash('sha256', name, 'buffer').subarray(0, KEY_BYTES)
    const descriptor = openSync(path, 'r')
    try {
      const found = findRow(key, Math.floor(stats.size / ROW_BYTES), (at) => {
        readSync(descriptor, row, 0, ROW_BYTES, at * ROW_BYTES)
        return row
      })
      return found.row?.toString('hex', KEY_BYTES)
    } finally {
      closeSync(descriptor)
    }
  }
}

/**
 * Opens a store over a folder of files that do not change. A file is compared with the digest of what the build
 * wrote when it is first opened at its size and time. Throws UNAVAILABLE where it differs.
 */
export const openDiskStore = (root: string): Store => {
  const digests = new DigestCache()
  const findDigest = openDigests(root)
  const check = async (name: string, path: string, size: number): Promise<string> => {
    const digest = await hashFile(path, size)
    const expected = findDigest(name)
    if (expected !== undefined && !digest.startsWith(expected))
      throw unavailable(new Error(`${path} differs from what the build wrote`))
    return digest
  }
  const readCoded = async (name: string): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    try {
      const file = await read(name)
      return file && (await readBody(await file.body()))
    } catch {
      // Whatever is wrong with it, the file that it was made from is well.
      return undefined
    }
  }
  const read = async (name: string): Promise<StoredFile | undefined> => {
    if (!isStoreName(name)) return undefined
    const path = join(root, name)
    const stats = findFile(path)
    // Without its findings a file would look clean.
    if (!stats && name.startsWith('private/') && findDigest(name) !== undefined)
      throw unavailable(new Error(`${path} is missing`))
    if (!stats) return undefined
    const { size, ctimeMs } = stats
    const digest = await digests.find(`${path}\0${ctimeMs}\0${size}`, () => check(name, path, size))
    const file = describe(path, stats, digest)
    return isCoded(name) ? { ...file, coded: (coding) => readCoded(name + ENDINGS[coding]) } : file
  }
  return { read: (name) => guarded(() => read(name)) }
}
