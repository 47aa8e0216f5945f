import type { SkillIndex } from '../src/search/index.ts'
import type { Body } from './answer.ts'
import type { ByteRange } from './ranges.ts'

/** A file of the build output; its bytes do not change while it is held. */
export interface StoredFile {
  size: number
  /** SHA-256 of the bytes, in hex. */
  digest(): Promise<string>
  /** All bytes, in memory once and never twice. */
  bytes(): Promise<Uint8Array>
  /** The bytes, or the part of them that a range inside the file asks for. */
  body(range?: ByteRange): Promise<Body>
  /** Opens it as a search index that is read a piece at a time; only a disk can do that. */
  openIndex?(): SkillIndex
}

/** One finished build, read by name: `public/…` has addresses of its own, `private/…` has none. */
export interface Store {
  read(name: string): Promise<StoredFile | undefined>
}

/** Says whether a name can be one of a store: below its root, and nothing a file system may bend. */
export const isStoreName = (name: string): boolean =>
  !/[\\\0]/.test(name) && name.split('/').every((part) => !['', '.', '..'].includes(part))

/** Reads a whole file as text. */
export const readText = async (file: StoredFile): Promise<string> =>
  new Response(await file.body()).text()
