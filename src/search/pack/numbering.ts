/** Room for texts at first; it doubles. */
const FIRST_ROOM = 1 << 12

const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193

const lengthen = <Numbers extends Int32Array | Uint32Array | Uint8Array>(
  numbers: Numbers,
): Numbers => {
  const longer = new (numbers.constructor as new (length: number) => Numbers)(numbers.length * 2)
  longer.set(numbers)
  return longer
}

/**
 * Numbers distinct texts by their bytes, from 0 on in the order in which they come: an open hash table over
 * typed arrays. A Map would want a string for each of the millions of words that are looked up.
 */
export class TextNumbering {
  size = 0
  /** Number of the text in each slot, and 1; 0 in an empty one. Half of them are empty at least. */
  #slots = new Int32Array(2 * FIRST_ROOM)
  #hashes = new Int32Array(FIRST_ROOM)
  #ends = new Uint32Array(FIRST_ROOM)
  #bytes = new Uint8Array(8 * FIRST_ROOM)

  /** The number of the text between two places; a new text gets the next one. */
  add(bytes: Uint8Array, from: number, to: number): number {
    let hash = FNV_START
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, FNV_PRIME)
    // The low bits, which choose the slot, are the poorest of FNV-1a.
    hash ^= hash >>> 15
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1
      if (number === -1) return this.#append(slot, hash, bytes.subarray(from, to))
      if (this.#hashes[number] === hash && this.#isText(number, bytes, from, to)) return number
    }
  }

  /** The bytes of a text. */
  read(number: number): Uint8Array {
    return this.#bytes.subarray(this.#start(number), this.#ends[number])
  }

  #start(number: number): number {
    return number === 0 ? 0 : this.#ends[number - 1]!
  }

  #isText(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#start(number)
    if (this.#ends[number]! - start !== to - from) return false
    for (let at = from; at < to; at++)
      if (this.#bytes[start + at - from] !== bytes[at]) return false
    return true
  }

  #append(slot: number, hash: number, text: Uint8Array): number {
    const number = this.size++
    if (number === this.#ends.length) {
      this.#ends = lengthen(this.#ends)
      this.#hashes = lengthen(this.#hashes)
    }
    const start = this.#start(number)
    while (start + text.length > this.#bytes.length) this.#bytes = lengthen(this.#bytes)
    this.#bytes.set(text, start)
    this.#ends[number] = start + text.length
    this.#hashes[number] = hash
    this.#slots[slot] = this.size
    if (2 * this.size > this.#slots.length) this.#rehash()
    return number
  }

  #rehash(): void {
    this.#slots = new Int32Array(2 * this.#slots.length)
    const mask = this.#slots.length - 1
    for (let number = 0; number < this.size; number++) {
      let slot = this.#hashes[number]! & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = number + 1
    }
  }
}
