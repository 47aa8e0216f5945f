import { hash } from 'node:crypto'

const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Where scripts begin that write words without blanks: each of their signs is a word. */
const FIRST_OF_HAN = 0x2e80

const SPACES_AND_SIGNS = { from: 0x2000, to: 0x2e80 }

/** Signs between scripts without blanks: ideographic punctuation, and its full-width kin. */
const isWideSign = (code: number): boolean =>
  (code >= 0x3000 && code <= 0x303f) || (code >= 0xff00 && code <= 0xff0f)

const isWordUnit = (code: number): boolean =>
  code < 128
    ? (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)
    : code >= 0xc0 && !(code >= SPACES_AND_SIGNS.from && code < SPACES_AND_SIGNS.to)

const toLower = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code)

const addUnit = (value: number, code: number): number => Math.imul(value ^ code, FNV_PRIME)

/**
 * Gives the words of a text as numbers: letters and digits alone, in lower case, so that no mark of
 * Markdown, blank or line end makes a difference. One pass, since a catalog has a gigabyte of text.
 */
export const hashWords = (text: string): Uint32Array => {
  const words = new Uint32Array(text.length)
  let count = 0
  let value = FNV_START
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const isWide = code >= FIRST_OF_HAN
    if (isWordUnit(code) && !isWide) value = addUnit(value, toLower(code))
    else {
      if (value !== FNV_START) words[count++] = value
      if (isWide && !isWideSign(code)) words[count++] = addUnit(FNV_START, code)
      value = FNV_START
    }
  }
  if (value !== FNV_START) words[count++] = value
  return words.slice(0, count)
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

/** Gives the share of two sets of shingles that both have, from 0 to 1. */
export const measureOverlap = (one: Uint32Array, other: Uint32Array): number => {
  const left = new Set(one)
  const right = new Set(other)
  let shared = 0
  for (const shingle of left) if (right.has(shingle)) shared += 1
  const all = left.size + right.size - shared
  return all === 0 ? 0 : shared / all
}
