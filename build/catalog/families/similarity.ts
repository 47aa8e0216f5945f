import { hash } from 'node:crypto'

const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Where scripts begin that write words without blanks: each of their characters is a word. */
const FIRST_OF_HAN = 0x2e80

/** Characters that part words: all of ASCII but letters and digits, and the blocks of punctuation. */
const isSeparator = (code: number): boolean =>
  code < 0xc0
    ? !/[a-z0-9]/i.test(String.fromCharCode(code))
    : (code >= 0x2000 && code < FIRST_OF_HAN) ||
      (code >= 0x3000 && code <= 0x303f) ||
      (code >= 0xff00 && code <= 0xff0f)

/** What each code unit is in a word: itself, a letter of ASCII in lower case, or 0 for none. */
const UNITS = Uint16Array.from({ length: 0x10000 }, (_, code) => {
  if (isSeparator(code)) return 0
  return code >= 65 && code <= 90 ? code + 32 : code
})

const addUnit = (value: number, code: number): number => Math.imul(value ^ code, FNV_PRIME)

/** Holds words until their number is known; shared by all texts. */
let scratch = new Uint32Array(0)

/**
 * Hashes the words of a text: letters and digits alone, in lower case, so that no mark of Markdown, blank or
 * line end makes a difference. One pass, since a catalog has a gigabyte of text.
 */
export const hashWords = (text: string): Uint32Array => {
  if (scratch.length < text.length) scratch = new Uint32Array(text.length * 2)
  let count = 0
  let value = FNV_START
  for (let at = 0; at < text.length; at += 1) {
    const unit = UNITS[text.charCodeAt(at)] ?? 0
    if (unit !== 0 && unit < FIRST_OF_HAN) value = addUnit(value, unit)
    else {
      if (value !== FNV_START) scratch[count++] = value
      if (unit !== 0) scratch[count++] = addUnit(FNV_START, unit)
      value = FNV_START
    }
  }
  if (value !== FNV_START) scratch[count++] = value
  return scratch.slice(0, count)
}

/** Two texts share a digest when their words are the same, in the same order. */
export const digestWords = (words: Uint32Array): string =>
  hash('sha256', Buffer.from(words.buffer, words.byteOffset, words.byteLength), 'base64url')

/** Spreads a number over all its bits (the last steps of MurmurHash3). */
const mix = (value: number): number => {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Hashes each run of three words. */
export const hashShingles = (words: Uint32Array): Uint32Array => {
  const shingles = new Uint32Array(Math.max(0, words.length - 2))
  for (let at = 0; at < shingles.length; at += 1) {
    const [first = 0, second = 0, third = 0] = [words[at], words[at + 1], words[at + 2]]
    shingles[at] = mix(Math.imul(mix(Math.imul(mix(first), 31) + second), 31) + third)
  }
  return shingles
}

/** Sorts numbers and keeps each once. */
export const sortSet = (numbers: Uint32Array): Uint32Array => {
  const sorted = numbers.toSorted()
  return sorted.filter((number, at) => at === 0 || number !== sorted[at - 1])
}

/** Share of two sorted sets that both have (Jaccard), from 0 to 1. */
export const measureOverlap = (one: Uint32Array, other: Uint32Array): number => {
  let shared = 0
  let right = 0
  for (const number of one) {
    while (right < other.length && (other[right] ?? 0) < number) right += 1
    if (other[right] === number) shared += 1
  }
  const all = one.length + other.length - shared
  return all === 0 ? 0 : shared / all
}

/** Slots of a sketch; its bands take three each. */
const SLOTS = 126
const ROWS = 3
const BANDS = SLOTS / ROWS

const EMPTY = 0xffffffff

/** Numbers of the smallest shingle in each of many parts of all shingles: a text in half a kilobyte. */
export type Sketch = Uint32Array

/**
 * Sketches a text by one-permutation MinHash: each shingle falls into one slot, which keeps the
 * smallest. An empty slot borrows from the next, so that short texts compare too.
 */
export const sketchShingles = (shingles: Uint32Array): Sketch => {
  const kept = new Uint32Array(SLOTS).fill(EMPTY)
  for (const shingle of shingles) {
    const slot = shingle % SLOTS
    const value = Math.floor(shingle / SLOTS)
    if (value < (kept[slot] ?? 0)) kept[slot] = value
  }
  return kept.map((value, slot) => (value === EMPTY ? borrow(kept, slot) : value))
}

const borrow = (kept: Uint32Array, slot: number): number => {
  for (let step = 1; step < SLOTS; step += 1) {
    const value = kept[(slot + step) % SLOTS]
    // How far it was borrowed is part of it, or two texts would agree by their gaps.
    if (value !== undefined && value !== EMPTY) return (value ^ Math.imul(step, 0x9e3779b1)) >>> 0
  }
  return EMPTY
}

/** Share of slots on which two sketches agree: about the overlap of their shingles. */
export const compareSketches = (one: Sketch, other: Sketch): number => {
  let same = 0
  for (let slot = 0; slot < SLOTS; slot += 1) if (one[slot] === other[slot]) same += 1
  return same / SLOTS
}

/** A band as one number; that two share one by chance costs a closer look, no more. */
const bandKey = (sketch: Sketch, band: number): number => {
  const at = band * ROWS
  const [first = 0, second = 0, third = 0] = [sketch[at], sketch[at + 1], sketch[at + 2]]
  return Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) ^ third
}

/** Texts of one band that are looked at; a band that more share is boilerplate and says nothing. */
const SHARED_BY_AT_MOST = 200

const NONE = -1

/**
 * Finds texts that may be alike without comparing each with each: those that agree on a whole band. Texts that
 * overlap by 0.7 miss each other once in 10^7.
 */
export class SketchIndex {
  private readonly keys: number[] = []
  /** The texts of a band as chains: the latest text of each band key, and before each text the one before it. */
  private readonly bands = Array.from({ length: BANDS }, () => ({
    latest: new Map<number, number>(),
    before: [] as number[],
  }))

  add(key: number, sketch: Sketch): void {
    const text = this.keys.push(key) - 1
    for (const [number, { latest, before }] of this.bands.entries()) {
      const name = bandKey(sketch, number)
      before.push(latest.get(name) ?? NONE)
      latest.set(name, text)
    }
  }

  /** Keys of texts that agree with a sketch on a whole band. */
  find(sketch: Sketch): Set<number> {
    const found = new Set<number>()
    for (const [number, { latest, before }] of this.bands.entries()) {
      let text = latest.get(bandKey(sketch, number)) ?? NONE
      for (let seen = 0; text !== NONE && seen < SHARED_BY_AT_MOST; seen += 1) {
        found.add(this.keys[text] ?? NONE)
        text = before[text] ?? NONE
      }
    }
    return found
  }
}
