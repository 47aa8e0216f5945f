/**
 * Writes a text as CESU-8: each UTF-16 unit by itself, a lone surrogate too. Bytes so written compare
 * as JavaScript compares the texts.
 */
export const encodeUnits = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length * 3)
  let end = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) bytes[end++] = unit
    else if (unit < 0x800) {
      bytes[end++] = 0xc0 | (unit >> 6)
      bytes[end++] = 0x80 | (unit & 0x3f)
    } else {
      bytes[end++] = 0xe0 | (unit >> 12)
      bytes[end++] = 0x80 | ((unit >> 6) & 0x3f)
      bytes[end++] = 0x80 | (unit & 0x3f)
    }
  }
  return bytes.subarray(0, end)
}

/** Gives the bytes of the unit that starts with this one. */
export const unitWidth = (lead: number): number => (lead < 0x80 ? 1 : lead < 0xe0 ? 2 : 3)

/** Reads the unit at a place of bytes that `encodeUnits` wrote. */
export const readUnit = (bytes: Uint8Array, at: number): number => {
  const lead = bytes[at] ?? 0
  if (lead < 0x80) return lead
  const second = (bytes[at + 1] ?? 0) & 0x3f
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | second
  return ((lead & 0x0f) << 12) | (second << 6) | ((bytes[at + 2] ?? 0) & 0x3f)
}

/** Reads the text between two places of such bytes. */
export const decodeUnits = (bytes: Uint8Array, from: number, to: number): string => {
  let text = ''
  for (let at = from; at < to; at += unitWidth(bytes[at] ?? 0))
    text += String.fromCharCode(readUnit(bytes, at))
  return text
}
