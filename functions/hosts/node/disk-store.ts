import { createHash, hash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { unavailable } from '../../../src/api/errors.ts'
import { DISK_REMEDIES } from '../../../src/catalog/disk-errors.ts'
import { openIndexFile } from '../../../src/search/read/index-file.ts'
import { isStoreName } from '../../store.ts'
import type { Body, ByteRange, Store } from '../../store.ts'
import { Recent } from './recent.ts'

/** Files above this size are streamed; smaller ones are read in one step. */
const STREAM_ABOVE_BYTES = 256 * 1024

/** Files up to this size are hashed in one step (3 ms), because a build can be removed between two steps. */
const MAX_SYNC_HASH_BYTES = 4 * 1024 * 1024

/** Number of cached digests, of some 150 bytes each. */
const DIGESTS_CACHED = 20_000

/** Error codes for a name that no file has. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'])

/** Error codes of failures that end without a new build: the next try can succeed. */
const TEMPORARY = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'EACCES', 'EPERM'])

/** Error codes for a file or folder that this process may not read. */
const DENIED = new Set(['EACCES', 'EPERM'])

/** Says which path this process may not read, if that is why a build cannot be opened. */
export const describeDenied = (error: unknown): string | undefined => {
  const { code = '', path = '', cause } = error as NodeJS.ErrnoException
  if (!DENIED.has(code)) return cause === undefined ? undefined : describeDenied(cause)
  return `permission denied: ${path}; let the server's user read the folders and files on this path`
}

/** Runs `work`. Throws UNAVAILABLE, with a remedy, for a failure that the operator can end. */
const guarded = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (!TEMPORARY.has(code)) throw error
    throw unavailable(new Error(`${message}; ${DISK_REMEDIES[code]}`, { cause: error }))
  }
}

// Synchronous, because files are mostly in the system's cache: reading a page then takes some 20 µs, and five times as
// long with asynchronous calls.
const findFile = (path: string): Stats | undefined => {
  try {
    const stats = statSync(path)
    return stats.isFile() ? stats : undefined
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

const hashFile = async (path: string, size: number): Promise<string> => {
  if (size <= MAX_SYNC_HASH_BYTES) return hash('sha256', readFileSync(path))
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

const readFile = async (path: string, size: number, range?: ByteRange): Promise<Body> => {
  const { first: start, last: end } = range ?? { first: 0, last: size - 1 }
  if (end - start >= STREAM_ABOVE_BYTES) {
    return Readable.toWeb(createReadStream(path, { start, end })) as ReadableStream<Uint8Array>
  }
  return range ? readPart(path, range) : readFileSync(path)
}

/** Opens a folder as a store. Its files must not change. */
export const openDiskStore = (root: string): Store => {
  const digests = new Recent<string>(DIGESTS_CACHED)
  const findDigest = async (path: string, { size, ctimeMs }: Stats): Promise<string> => {
    const key = `${path}\0${ctimeMs}\0${size}`
    const known = digests.get(key)
    if (known !== undefined) return known
    const digest = await hashFile(path, size)
    digests.set(key, digest)
    return digest
  }
  return {
    read: (name) =>
      guarded(async () => {
        const path = join(root, name)
        const stats = isStoreName(name) ? findFile(path) : undefined
        return (
          stats && {
            size: stats.size,
            digest: () => guarded(() => findDigest(path, stats)),
            body: (range) => guarded(() => readFile(path, stats.size, range)),
            openIndex: () => openIndexFile(path),
          }
        )
      }),
  }
}
