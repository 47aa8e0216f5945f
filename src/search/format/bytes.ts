/** Below this many bytes a loop copies faster than a call of `set`. */
const WORTH_A_CALL = 32

/** Bytes of the widest UTF-16 unit. */
const MOST_WIDTH = 3

/**
 * Writes a text as CESU-8 from a place on, and returns its end: each UTF-16 unit by itself, a lone surrogate too.
 * Bytes so written compare as JavaScript compares the texts.
 */
const writeUnits = (text: string, room: Uint8Array, from: number): number => {
  let size = from
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) room[size++] = unit
    else {
      if (unit < 0x800) room[size++] = 0xc0 | (unit >> 6)
      else {
        room[size++] = 0xe0 | (unit >> 12)
        room[size++] = 0x80 | ((unit >> 6) & 0x3f)
      }
      room[size++] = 0x80 | (unit & 0x3f)
    }
  }
  return size
}

/** Bytes that grow as they are written. */
export class ByteWriter {
  size = 0
  #room: Uint8Array<ArrayBuffer>

  constructor(room = 1024) {
    this.#room = new Uint8Array(room)
  }

  byte(value: number): void {
    if (this.size === this.#room.length) this.#grow(this.size + 1)
    this.#room[this.size++] = value
  }

  /** Writes a whole number below 2 ** 32 as a varint: seven bits a byte, the lowest first. */
  number(value: number): void {
    let rest = value >>> 0
    for (; rest > 0x7f; rest >>>= 7) this.byte((rest & 0x7f) | 0x80)
    this.byte(rest)
  }

  /** Copies the bytes from one place to before another. */
  bytes(from: Uint8Array, start = 0, end = from.length): void {
    const next = this.size + end - start
    if (next > this.#room.length) this.#grow(next)
    if (end - start < WORTH_A_CALL)
      for (let at = start; at < end; at++) this.#room[this.size++] = from[at]!
    else this.#room.set(from.subarray(start, end), this.size)
    this.size = next
  }

  text(text: string): void {
    const most = this.size + MOST_WIDTH * text.length
    if (most > this.#room.length) this.#grow(most)
    this.size = writeUnits(text, this.#room, this.size)
  }

  /** Writes a text of at most 85 units after a byte with its length in bytes. */
  shortText(text: string): void {
    const start = this.size
    this.byte(0)
    this.text(text)
    this.#room[start] = this.size - start - 1
  }

  /** The bytes written so far; only valid until more are written. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#room.subarray(0, this.size)
  }

  clear(): void {
    this.size = 0
  }

  /** A copy of what was written. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#room.slice(0, this.size)
  }

  #grow(least: number): void {
    const longer = new Uint8Array(Math.max(this.#room.length * 2, least))
    longer.set(this.#room)
    this.#room = longer
  }
}

/** A cursor over what a `ByteWriter` wrote. Past the end it reads zeros. */
export class ByteReader {
  bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array = new Uint8Array(), at = 0) {
    this.bytes = bytes
    this.at = at
  }

  byte(): number {
    return this.bytes[this.at++] ?? 0
  }

  number(): number {
    let byte = this.byte()
    let value = byte & 0x7f
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = this.byte()
      value |= (byte & 0x7f) << shift
    }
    return value >>> 0
  }
}

/** The bytes of a text as `ByteWriter.text` writes them. */
export const encodeUnits = (text: string): Uint8Array => {
  const room = new Uint8Array(MOST_WIDTH * text.length)
  return room.subarray(0, writeUnits(text, room, 0))
}

/** Bytes of the UTF-16 unit that begins with this one. */
export const unitWidth = (lead: number): number => (lead < 0x80 ? 1 : lead < 0xe0 ? 2 : 3)

/** The UTF-16 unit at a place of encoded text. */
export const readUnit = (bytes: Uint8Array, at: number): number => {
  const lead = bytes[at] ?? 0
  if (lead < 0x80) return lead
  const second = (bytes[at + 1] ?? 0) & 0x3f
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | second
  return ((lead & 0x0f) << 12) | (second << 6) | ((bytes[at + 2] ?? 0) & 0x3f)
}

/** The text between two places of encoded text. */
export const decodeUnits = (bytes: Uint8Array, from = 0, to = bytes.length): string => {
  let text = ''
  for (let at = from; at < to; at += unitWidth(bytes[at] ?? 0))
    text += String.fromCharCode(readUnit(bytes, at))
  return text
}

/** Hashes a text to 32 bits, unit by unit (FNV-1a). */
export const hashText = (text: string): number => {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum >>> 0
}

export const joinBytes = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
