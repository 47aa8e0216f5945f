import { hash } from 'node:crypto'
import { BYTES } from '../src/api/policies.ts'
import type { SearchBackend } from '../src/search/read/open.ts'

/** A part of a file, in bytes, both ends included. */
export interface ByteRange {
  first: number
  last: number
}

/** The body of an answer: bytes in memory, or a stream if the file is large. */
export type Body = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

/** A file of the build output; its bytes do not change while it is open. */
export interface StoredFile {
  size: number
  /** SHA-256 of the bytes in hex. */
  digest(): Promise<string>
  /** The bytes, or a range inside the file. */
  body(range?: ByteRange): Promise<Body>
  /** Opens the file as a search index that is read in pieces. Only a store on disk has this method. */
  openIndex?(): SearchBackend
}

/** The files of one build by name. Files in `public/…` have addresses on the site, files in `private/…` do not. */
export interface Store {
  read(name: string): Promise<StoredFile | undefined>
}

/** Whether a name stays inside the store and means the same on every file system. */
export const isStoreName = (name: string): boolean =>
  !/[\\\0]/.test(name) && name.split('/').every((part) => !['', '.', '..'].includes(part))

export const readBody = async (body: Body | null): Promise<Uint8Array<ArrayBuffer>> =>
  body instanceof Uint8Array ? body : new Uint8Array(await new Response(body).arrayBuffer())

/** Largest accepted request body, in bytes. */
export const BODY_LIMIT = 64 * 1024

/** A request body sent to `MCP_PATH`, with the header fields of the request. */
export interface Posted {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Undefined if it is larger than `BODY_LIMIT`. */
  body: Uint8Array<ArrayBuffer> | undefined
}

/** Reads a body to its end, so that the connection can be reused. A body over the limit is discarded. */
export const readPosted = async (
  chunks: AsyncIterable<Uint8Array>,
  headers: Posted['headers'],
): Promise<Posted> => {
  const body = new Uint8Array(BODY_LIMIT)
  let length = 0
  for await (const chunk of chunks) {
    if (length + chunk.length <= BODY_LIMIT) body.set(chunk, length)
    length += chunk.length
  }
  return { headers, body: length > BODY_LIMIT ? undefined : body.slice(0, length) }
}

export const readText = async (file: StoredFile): Promise<string> =>
  new TextDecoder().decode(await readBody(await file.body()))

/** Keeps a file in memory. */
export const storeBytes = (content: string | Uint8Array): StoredFile => {
  const bytes =
    typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
  return {
    size: bytes.length,
    digest: async () => hash('sha256', bytes),
    body: async (range) => (range ? bytes.slice(range.first, range.last + 1) : bytes),
  }
}

/** Makes a store from a function that returns a file's content by name, such as a lookup in a map. */
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

/** Number of leading bytes that decide whether a file is text. */
const HEAD = 8 * 1024

/** Whether the start of a file is UTF-8 text. `head` can end in the middle of a character. */
const isText = (head: Uint8Array): boolean => {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** The media type of a skill's raw file: Markdown, plain text or bytes. Browsers run none of these. */
export const rawTypeOf = async (name: string, file: StoredFile): Promise<string> => {
  if (/\.md$/i.test(name)) return 'text/markdown; charset=utf-8'
  const end = Math.min(file.size, HEAD) - 1
  const head = end < 0 ? null : await file.body({ first: 0, last: end })
  return isText(await readBody(head)) ? 'text/plain; charset=utf-8' : BYTES
}
