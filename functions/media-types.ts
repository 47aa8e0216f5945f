import { readBody } from './store.ts'
import type { StoredFile } from './store.ts'

/** Media types of the site's own files, by extension; text is always UTF-8. */
const MEDIA_TYPES: Record<string, string> = {
  atom: 'application/atom+xml; charset=utf-8',
  avif: 'image/avif',
  css: 'text/css; charset=utf-8',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff2: 'font/woff2',
  xml: 'application/xml; charset=utf-8',
}

const BYTES = 'application/octet-stream'

/** The media type of one of the site's own files; bytes where the extension is not in the table. */
export const mediaTypeOf = (name: string): string => {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return (Object.hasOwn(MEDIA_TYPES, extension) && MEDIA_TYPES[extension]) || BYTES
}

/** How much of a file is looked at to tell text from bytes. */
const HEAD = 8 * 1024

/** Whether the head of a file reads as UTF-8 text; `head` may end inside a character. */
const isText = (head: Uint8Array): boolean => {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** The media type of a raw file of a skill, which no browser may run: Markdown, plain text, or bytes. */
export const rawTypeOf = async (name: string, file: StoredFile): Promise<string> => {
  if (/\.md$/i.test(name)) return 'text/markdown; charset=utf-8'
  const end = Math.min(file.size, HEAD) - 1
  const head = end < 0 ? null : await file.body({ first: 0, last: end })
  return isText(await readBody(head)) ? 'text/plain; charset=utf-8' : BYTES
}
