import { createHash } from 'node:crypto'
import { isStoreName } from './store.ts'
import type { Store, StoredFile } from './store.ts'

/** Holds bytes as a stored file. */
export const storeBytes = (bytes: Uint8Array<ArrayBuffer>): StoredFile => ({
  size: bytes.length,
  digest: async () => createHash('sha256').update(bytes).digest('hex'),
  bytes: async () => bytes,
  body: async (range) => (range ? bytes.slice(range.first, range.last + 1) : bytes),
})

/** Opens a store over files in memory, for tests and for hosts without a disk. */
export const openMemoryStore = (files: Record<string, string | Uint8Array>): Store => {
  const stored = new Map(
    Object.entries(files).map(([name, content]) => [
      name,
      storeBytes(new Uint8Array(Buffer.from(content))),
    ]),
  )
  return { read: async (name) => (isStoreName(name) ? stored.get(name) : undefined) }
}
