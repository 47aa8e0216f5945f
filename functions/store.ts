import { hash } from 'node:crypto'
import type { DistantFile, SearchBackend } from '../src/search/index.ts'

/** A part of a file, in bytes, both ends included. */
export interface ByteRange {
  first: number
  last: number
}

/** The body of an answer: bytes in memory, or a stream of what is too much for it. */
export type Body = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

/** A file of the build output; its bytes do not change while it is held. */
export interface StoredFile {
  size: number
  /** Another for other bytes: their SHA-256 in hex, or what a store over a network has instead. */
  digest(): Promise<string>
  /** The bytes, or the part of them that a range inside the file asks for. */
  body(range?: ByteRange): Promise<Body>
  /** The bytes as one of these codings has them, where the build left them so. */
  coded?(coding: 'br' | 'gzip'): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Whether its bytes are still those, where that can be told at once. */
  isSame?(): boolean
  /** Opens it as a search index that is read a piece at a time; only a disk can do that. */
  openIndex?(): SearchBackend
}

/** One finished build, read by name: `public/…` has addresses of its own, `private/…` has none. */
export interface Store {
  read(name: string): Promise<StoredFile | undefined>
  /** Opens a file that is read by parts; only a store over a network has it, for files that are too large to be held. */
  open?(name: string): Promise<Pick<DistantFile, 'size' | 'ask' | 'read'>>
  /** Opens such a file as a search index. */
  openIndex?(name: string): Promise<SearchBackend>
}

/** Whether a name stays below the root of a store and means the same to every file system. */
export const isStoreName = (name: string): boolean =>
  !/[\\\0]/.test(name) && name.split('/').every((part) => !['', '.', '..'].includes(part))

export const readBody = async (body: Body | null): Promise<Uint8Array<ArrayBuffer>> =>
  body instanceof Uint8Array ? body : new Uint8Array(await new Response(body).arrayBuffer())

const storeBytes = (content: string | Uint8Array): StoredFile => {
  const bytes =
    typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
  return {
    size: bytes.length,
    digest: async () => hash('sha256', bytes),
    body: async (range) => (range ? bytes.slice(range.first, range.last + 1) : bytes),
  }
}

/** Makes a store from a function that reads a file by its name: from a map, a bucket, a build in memory. */
export const createStore = (
  read: (
    name: string,
  ) => Promise<string | Uint8Array | undefined> | string | Uint8Array | undefined,
): Store => ({
  read: async (name) => {
    const content = isStoreName(name) ? await read(name) : undefined
    return content === undefined ? undefined : storeBytes(content)
  },
})
