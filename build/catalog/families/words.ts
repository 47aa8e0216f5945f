import { hash } from 'node:crypto'

const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Where scripts begin that write words without blanks: each of their signs is a word. */
const FIRST_OF_HAN = 0x2e80

/** Signs that part words: all of ASCII but letters and digits, and the blocks of punctuation. */
const isSign = (code: number): boolean =>
  code < 0xc0
    ? !/[a-z0-9]/i.test(String.fromCharCode(code))
    : (code >= 0x2000 && code < FIRST_OF_HAN) ||
      (code >= 0x3000 && code <= 0x303f) ||
      (code >= 0xff00 && code <= 0xff0f)

/** What each code unit is in a word: itself, a letter of ASCII in lower case, or 0 for none. */
const UNITS = Uint16Array.from({ length: 0x10000 }, (_, code) => {
  if (isSign(code)) return 0
  return code >= 65 && code <= 90 ? code + 32 : code
})

const addUnit = (value: number, code: number): number => Math.imul(value ^ code, FNV_PRIME)

/** Where words are put until their number is known; every text uses it in turn. */
let scratch = new Uint32Array(0)

/**
 * Gives the words of a text as numbers: letters and digits alone, in lower case, so that no mark of
 * Markdown, blank or line end makes a difference. One pass, since a catalog has a gigabyte of text.
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

/** Digests words in their order: two texts share one when they are the same but for marks. */
export const digestWords = (words: Uint32Array): string =>
  hash('sha256', Buffer.from(words.buffer, words.byteOffset, words.byteLength), 'base64url')

/** Spreads a number over all its bits (the last steps of MurmurHash3). */
const mix = (value: number): number => {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Gives each three words that stand side by side as one number. */
export const hashShingles = (words: Uint32Array): Uint32Array => {
  const shingles = new Uint32Array(Math.max(0, words.length - 2))
  for (let at = 0; at < shingles.length; at += 1) {
    const [first = 0, second = 0, third = 0] = [words[at], words[at + 1], words[at + 2]]
    shingles[at] = mix(Math.imul(mix(Math.imul(mix(first), 31) + second), 31) + third)
  }
  return shingles
}

/** Gives the numbers of a list in order, each once. */
export const sortSet = (numbers: Uint32Array): Uint32Array => {
  const sorted = numbers.toSorted()
  return sorted.filter((number, at) => at === 0 || number !== sorted[at - 1])
}

/** Gives the share of two sorted sets that both have, from 0 to 1. */
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
