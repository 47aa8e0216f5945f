/** Says why bytes are not the text of a SKILL.md. */
export class NotTextError extends Error {
  override name = 'NotTextError'
}

const startsWith = (bytes: Uint8Array, ...head: number[]): boolean =>
  head.every((value, index) => bytes[index] === value)

const UTF8 = new TextDecoder('utf-8', { fatal: true })
const LOOSE_UTF8 = new TextDecoder('utf-8')

/**
 * Decodes a SKILL.md: UTF-8, a byte order mark dropped.
 * Throws NotTextError for UTF-16, NUL bytes and anything that is not valid UTF-8.
 */
export const decodeText = (bytes: Uint8Array): string => {
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)) {
    throw new NotTextError('the file is UTF-16; save it as UTF-8')
  }
  const nul = bytes.indexOf(0)
  if (nul >= 0) throw new NotTextError(`NUL at byte ${nul}; the file is not text`)
  try {
    return UTF8.decode(bytes)
  } catch {
    throw new NotTextError('the file is not valid UTF-8; save it as UTF-8')
  }
}

/** Decodes what can be shown of a file: invalid bytes become U+FFFD, never an error. */
export const decodeLoosely = (bytes: Uint8Array): string => LOOSE_UTF8.decode(bytes)
