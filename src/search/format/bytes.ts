/** Bytes of the widest UTF-16 unit. */
const MOST_WIDTH = 3

/**
 * Encodes a text as CESU-8: each UTF-16 unit separately, including lone surrogates. The bytes sort as JavaScript sorts
 * the texts.
 */
const encodeUnits = (text: string): Uint8Array => {
  const bytes = new Uint8Array(MOST_WIDTH * text.length)
  let size = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) bytes[size++] = unit
    else {
      if (unit < 0x800) bytes[size++] = 0xc0 | (unit >> 6)
      else {
        bytes[size++] = 0xe0 | (unit >> 12)
        bytes[size++] = 0x80 | ((unit >> 6) & 0x3f)
      }
      bytes[size++] = 0x80 | (unit & 0x3f)
    }
  }
  return bytes.subarray(0, size)
}

/** A growing buffer of bytes. */
export class ByteWriter {
  size = 0
  #buffer: Uint8Array<ArrayBuffer>

  constructor(capacity = 1024) {
    this.#buffer = new Uint8Array(capacity)
  }

  byte(value: number): void {
    if (this.size === this.#buffer.length) this.#grow(this.size + 1)
    this.#buffer[this.size++] = value
  }

  /** Writes an integer below 2 ** 32 as a varint: seven bits per byte, lowest first. */
  number(value: number): void {
    let rest = value >>> 0
    for (; rest > 0x7f; rest >>>= 7) this.byte((rest & 0x7f) | 0x80)
    this.byte(rest)
  }

  bytes(from: Uint8Array): void {
    const next = this.size + from.length
    if (next > this.#buffer.length) this.#grow(next)
    this.#buffer.set(from, this.size)
    this.size = next
  }

  /** Returns the bytes written so far, valid until the next write. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.size)
  }

  /** Returns a copy of the written bytes. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.view().slice()
  }

  #grow(least: number): void {
    const longer = new Uint8Array(Math.max(this.#buffer.length * 2, least))
    longer.set(this.#buffer)
    this.#buffer = longer
  }
}

/** Reads the output of a `ByteWriter`; past the end, it reads zeros. */
export class ByteReader {
  bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array = new Uint8Array()) {
    this.bytes = bytes
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

/** Returns the number of bytes of the UTF-16 unit that starts with this byte. */
export const unitWidth = (lead: number): number => (lead < 0x80 ? 1 : lead < 0xe0 ? 2 : 3)

/** Decodes the UTF-16 unit at an offset. */
export const readUnit = (bytes: Uint8Array, at: number): number => {
  const lead = bytes[at] ?? 0
  if (lead < 0x80) return lead
  const second = (bytes[at + 1] ?? 0) & 0x3f
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | second
  return ((lead & 0x0f) << 12) | (second << 6) | ((bytes[at + 2] ?? 0) & 0x3f)
}

/** Decodes the text in the first `size` bytes. */
const decodeUnits = (bytes: Uint8Array, size: number): string => {
  let text = ''
  for (let at = 0; at < size; at += unitWidth(bytes[at] ?? 0))
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

/** Texts in a block. The first is written in full, the others without the bytes they share with the previous text. */
export const BLOCK = 16

/** Maximum length of one text in bytes; the longest word has 192. */
const LONGEST_TEXT = 255

/** Counts the bytes that two texts share at their start, in whole UTF-16 units. */
const countShared = (a: Uint8Array, b: Uint8Array): number => {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  // Steps back if this is in the middle of a unit.
  while (((a[at] ?? 0) & 0xc0) === 0x80 || ((b[at] ?? 0) & 0xc0) === 0x80) at--
  return at
}

/**
 * Writes distinct, sorted texts (FORMAT.md, "Texts"). Returns the bytes, the offset of each block, and the fewest bytes
 * that a text in each block shares with the previous text.
 */
export const writeStrings = (texts: readonly string[]) => {
  const writer = new ByteWriter()
  const blocks = new Uint32Array(Math.ceil(texts.length / BLOCK))
  const least = new Uint8Array(blocks.length).fill(LONGEST_TEXT)
  let before: Uint8Array = new Uint8Array()
  texts.forEach((text, at) => {
    const encoded = encodeUnits(text)
    if (encoded.length > LONGEST_TEXT)
      throw new RangeError(`A word has more than ${LONGEST_TEXT} bytes.`)
    const shared = countShared(encoded, before)
    const isFirst = at % BLOCK === 0
    const block = Math.floor(at / BLOCK)
    if (isFirst) blocks[block] = writer.size
    least[block] = Math.min(least[block]!, shared)
    const skipped = isFirst ? 0 : shared
    writer.byte(shared)
    writer.byte(encoded.length - skipped)
    writer.bytes(encoded.subarray(skipped))
    before = encoded
  })
  return { bytes: writer.finish(), blocks, least }
}

/** Distinct, sorted texts, found by binary search. The number of a text is its index. */
export class StringTable {
  readonly size: number
  readonly #bytes: Uint8Array
  readonly #blocks: Uint32Array
  /** The text last read. */
  readonly #text = new Uint8Array(LONGEST_TEXT)
  #length = 0
  #at = 0

  constructor(bytes: Uint8Array, blocks: Uint32Array, size: number) {
    this.#bytes = bytes
    this.#blocks = blocks
    this.size = size
  }

  /** Returns the number of a text, or -1. */
  find(text: string): number {
    const key = encodeUnits(text)
    const number = this.#findIndex(key, false, false)
    if (number >= this.size) return -1
    this.#readText(number)
    return this.#compare(key, false) === 0 ? number : -1
  }

  /** Returns the range of texts that start with a prefix; its end is exclusive. */
  findPrefix(prefix: string): readonly [number, number] {
    const key = encodeUnits(prefix)
    return [this.#findIndex(key, true, false), this.#findIndex(key, true, true)]
  }

  read(number: number): string {
    this.#readText(number)
    return decodeUnits(this.#text, this.#length)
  }

  #readNext(number: number): void {
    const bytes = this.#bytes
    const shared = number % BLOCK === 0 ? 0 : bytes[this.#at]!
    const added = bytes[this.#at + 1]!
    const from = this.#at + 2
    for (let place = 0; place < added; place++) this.#text[shared + place] = bytes[from + place]!
    this.#length = shared + added
    this.#at = from + added
  }

  #readText(number: number): void {
    this.#at = this.#blocks[Math.floor(number / BLOCK)] ?? 0
    for (let before = number - (number % BLOCK); before <= number; before++) this.#readNext(before)
  }

  /** Compares the text last read with a key; with `prefixOnly`, texts that start with the key are equal to it. */
  #compare(key: Uint8Array, prefixOnly: boolean): number {
    const shorter = Math.min(this.#length, key.length)
    for (let place = 0; place < shorter; place++) {
      const difference = this.#text[place]! - key[place]!
      if (difference !== 0) return difference
    }
    return prefixOnly && this.#length >= key.length ? 0 : this.#length - key.length
  }

  #isNextBefore(number: number, key: Uint8Array, prefixOnly: boolean, above: boolean): boolean {
    this.#readNext(number)
    const order = this.#compare(key, prefixOnly)
    return order < 0 || (above && order === 0)
  }

  /** Returns the first number whose text is not less than the key or, with `above`, is greater than it. */
  #findIndex(key: Uint8Array, prefixOnly: boolean, above: boolean): number {
    let low = 0
    let high = this.#blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      this.#at = this.#blocks[middle]!
      if (this.#isNextBefore(middle * BLOCK, key, prefixOnly, above)) low = middle + 1
      else high = middle
    }
    if (low === 0) return 0
    let number = (low - 1) * BLOCK
    const end = Math.min(number + BLOCK, this.size)
    this.#at = this.#blocks[low - 1]!
    while (number < end && this.#isNextBefore(number, key, prefixOnly, above)) number++
    return number
  }
}
