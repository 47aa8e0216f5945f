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

/** Types of a skill's raw files, which no browser may run: Markdown, plain text, or bytes. */
export const RAW_TYPES = {
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  bytes: 'application/octet-stream',
} as const

/** The media type of one of the site's own files; bytes where the extension is not in the table. */
export const mediaTypeOf = (name: string): string => {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return (Object.hasOwn(MEDIA_TYPES, extension) && MEDIA_TYPES[extension]) || RAW_TYPES.bytes
}

/** Whether the head of a file reads as UTF-8 text; `head` may end inside a character. */
export const isText = (head: Uint8Array): boolean => {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
