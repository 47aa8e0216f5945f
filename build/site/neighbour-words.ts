import type { Skill } from '../../src/catalog/skill.ts'
import { dropFences, remember } from '../../src/catalog/text.ts'
import { hashText } from '../../src/search/format/bytes.ts'
import { splitCompounds, stemWord } from '../../src/search/tokens.ts'

/* Encodes the words of a skill as numbers, for the comparison in `neighbours.ts`. */

/** Set if the word is from the name or description. Such a word counts twice as much as a word of a heading. */
const STRONG_BIT = 1

export const wordOf = (placed: number): number => placed >>> STRONG_BIT

export const factorOf = (placed: number): number => 1 + (placed & STRONG_BIT)

/** A skill that gets neighbours. It can be a neighbour of others only if `isCompared` is set. */
export interface ComparableSkill {
  id: number
  /** Sorted. Each word has 31 bits of hash and `STRONG_BIT`. */
  words: Uint32Array
  vector: Int8Array
  isCompared: boolean
}

const numberOfStem = remember((word) => wordOf(hashText(stemWord(word))), 16_384)

/** Words without meaning in or next to a name. */
const EMPTY_WORDS = new Set(
  `and any are best but can common for from how into like need not other overview practices quick reference skill start
  that the this use used user using want what when whenever with you your`
    .split(/\s+/)
    .map(numberOfStem),
)

/** A word too short to mean anything. (In scripts without spaces, pairs of characters count as words.) */
const SHORT = /^[a-z0-9]{1,2}$/

/** Splits a text into words as the search does, and hashes them. */
const hashWords = (text: string): number[] =>
  splitCompounds(text)
    .flat()
    .filter((word) => !SHORT.test(word.text))
    .map((word) => numberOfStem(word.text))
    .filter((word) => !EMPTY_WORDS.has(word))

/** Limits: number of headings, characters of each, and distinct words in total. */
const HEADINGS = 40
const HEADING = 200
const HEADING_WORDS = 64

/** Reads the words of Markdown headings, except on the first line and in code blocks. */
const readHeadingWords = (text: string): number[] => {
  const headings = dropFences(text)
    .split('\n')
    .slice(1)
    .filter((line) => line.startsWith('#'))
    .slice(0, HEADINGS)
    .map((line) => line.slice(1, HEADING))
  return [...new Set(hashWords(headings.join('\n')))].slice(0, HEADING_WORDS)
}

type Described = Pick<Skill, 'name' | 'description'>

/**
 * Encodes the words for comparing a skill as text, for the saved state. Bytes would be slower to read: SQLite allocates
 * a buffer for each row.
 */
export const encodeWords = ({ name, description }: Described, text: string): string => {
  const strong = new Set([...hashWords(description), ...hashWords(name)])
  const weak = readHeadingWords(text).filter((word) => !strong.has(word))
  const numbers = Uint32Array.from([
    ...Array.from(strong, (word) => word * 2 + STRONG_BIT),
    ...weak.map((word) => word * 2),
  ]).sort()
  return Buffer.from(numbers.buffer).toString('base64')
}

/** Decodes hashes of words, or of runs of words. */
export const decodeHashes = (text: string): Uint32Array => {
  const { buffer, byteOffset, length } = Buffer.from(text, 'base64')
  return new Uint32Array(buffer, byteOffset, length / Uint32Array.BYTES_PER_ELEMENT)
}
