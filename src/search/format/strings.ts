import { ByteWriter, decodeUnits, encodeUnits, unitWidth } from './bytes.ts'

/** Texts in one block: the first is written whole, the others without what they share with the one before. */
export const BLOCK = 16

/** Most bytes of one text; the longest word is far below. */
const LONGEST = 255

/** Bytes that two texts share at their start, whole UTF-16 units only. */
const countShared = (a: Uint8Array, b: Uint8Array, bLength: number): number => {
  for (let shared = 0; ;) {
    const lead = a[shared]
    if (lead === undefined) return shared
    const end = shared + unitWidth(lead)
    for (let at = shared; at < end; at++) if (at >= bLength || a[at] !== b[at]) return shared
    shared = end
  }
}

/** Writes texts that are distinct and in order (FORMAT.md, "Texts"). */
export class StringsWriter {
  readonly #writer = new ByteWriter()
  readonly #blocks: number[] = []
  readonly #least: number[] = []
  readonly #before = new Uint8Array(LONGEST)
  #length = 0
  #count = 0

  /** Takes the next text, encoded; its bytes are read before this returns. */
  add(encoded: Uint8Array): void {
    if (encoded.length > LONGEST) throw new RangeError(`A word has more than ${LONGEST} bytes.`)
    const shared = countShared(encoded, this.#before, this.#length)
    const isFirst = this.#count++ % BLOCK === 0
    if (isFirst) this.#blocks.push(this.#writer.size)
    const kept = isFirst ? 0 : shared
    this.#writer.byte(shared)
    this.#writer.byte(encoded.length - kept)
    this.#writer.bytes(encoded, kept)
    this.#before.set(encoded)
    this.#length = encoded.length
    const block = this.#blocks.length - 1
    this.#least[block] = Math.min(this.#least[block] ?? shared, shared)
  }

  /** Returns the texts, where each block begins, and the fewest bytes that a text in it shares with the one before. */
  finish() {
    return {
      bytes: this.#writer.finish(),
      blocks: Uint32Array.from(this.#blocks),
      least: Uint8Array.from(this.#least),
    }
  }
}

/** Distinct texts in order, found by binary search; the place of a text is its number. */
export class StringTable {
  readonly size: number
  readonly #bytes: Uint8Array
  readonly #blocks: Uint32Array
  /** The text last read. */
  readonly #text = new Uint8Array(LONGEST)
  #length = 0
  #at = 0

  constructor(bytes: Uint8Array, blocks: Uint32Array, size: number) {
    this.#bytes = bytes
    this.#blocks = blocks
    this.size = size
  }

  /** The number of a text, or -1. */
  find(text: string): number {
    const key = encodeUnits(text)
    const number = this.#halve(key, false, false)
    if (number >= this.size) return -1
    this.#readText(number)
    return this.#compare(key, false) === 0 ? number : -1
  }

  /** The numbers of all texts that begin with this one: from the first to before the second. */
  findStarts(start: string): readonly [number, number] {
    const key = encodeUnits(start)
    return [this.#halve(key, true, false), this.#halve(key, true, true)]
  }

  read(number: number): string {
    this.#readText(number)
    return decodeUnits(this.#text, 0, this.#length)
  }

  readAll(): Uint8Array[] {
    this.#at = 0
    return Array.from({ length: this.size }, (_, number) => {
      this.#readNext(number)
      return this.#text.slice(0, this.#length)
    })
  }

  #readNext(number: number): void {
    const bytes = this.#bytes
    const shared = number % BLOCK === 0 ? 0 : bytes[this.#at]!
    const rest = bytes[this.#at + 1]!
    const from = this.#at + 2
    for (let place = 0; place < rest; place++) this.#text[shared + place] = bytes[from + place]!
    this.#length = shared + rest
    this.#at = from + rest
  }

  #readText(number: number): void {
    this.#at = this.#blocks[Math.floor(number / BLOCK)] ?? 0
    for (let before = number - (number % BLOCK); before <= number; before++) this.#readNext(before)
  }

  /** Compares the text last read, or only its first bytes, with a key. */
  #compare(key: Uint8Array, startOnly: boolean): number {
    const shorter = Math.min(this.#length, key.length)
    for (let place = 0; place < shorter; place++) {
      const difference = this.#text[place]! - key[place]!
      if (difference !== 0) return difference
    }
    return startOnly && this.#length >= key.length ? 0 : this.#length - key.length
  }

  #isNextBefore(number: number, key: Uint8Array, startOnly: boolean, above: boolean): boolean {
    this.#readNext(number)
    const order = this.#compare(key, startOnly)
    return order < 0 || (above && order === 0)
  }

  /** The first number whose text is not below the key or, with `above`, is above it. */
  #halve(key: Uint8Array, startOnly: boolean, above: boolean): number {
    let low = 0
    let high = this.#blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      this.#at = this.#blocks[middle]!
      if (this.#isNextBefore(middle * BLOCK, key, startOnly, above)) low = middle + 1
      else high = middle
    }
    if (low === 0) return 0
    let number = (low - 1) * BLOCK
    const end = Math.min(number + BLOCK, this.size)
    this.#at = this.#blocks[low - 1]!
    while (number < end && this.#isNextBefore(number, key, startOnly, above)) number++
    return number
  }
}
