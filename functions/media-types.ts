import { BYTES } from '../src/api/media-types.ts'
import { readBody } from './store.ts'
import type { StoredFile } from './store.ts'

/** Bytes examined to tell text from binary files. */
const HEAD = 8 * 1024

/** Whether the beginning of a file is UTF-8 text; `head` may end inside a character. */
const isText = (head: Uint8Array): boolean => {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** The media type of a raw file of a skill: Markdown, plain text or bytes, none of which a browser runs. */
export const rawTypeOf = async (name: string, file: StoredFile): Promise<string> => {
  if (/\.md$/i.test(name)) return 'text/markdown; charset=utf-8'
  const end = Math.min(file.size, HEAD) - 1
  const head = end < 0 ? null : await file.body({ first: 0, last: end })
  return isText(await readBody(head)) ? 'text/plain; charset=utf-8' : BYTES
}
