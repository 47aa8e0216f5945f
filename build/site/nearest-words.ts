import type { Skill } from '../../src/catalog/skill.ts'
import { isAscii, remember } from '../../src/catalog/text.ts'
import { hashText } from '../../src/search/format/bytes.ts'
import { splitCompounds, stemWord } from '../../src/search/tokens.ts'

/* Reads of a skill's texts what it is compared by, as numbers (`nearest.ts`). */

/**
 * How a skill has a word: in a heading, in its description, in its name, or in both; or as the name of a skill that its
 * text mentions, recommends for another task ("for posters use x") or prefers ("use x instead"), or as its own whole name.
 */
export const KINDS = {
  heading: 0,
  text: 1,
  named: 2,
  title: 3,
  sentTo: 4,
  used: 5,
  preferred: 6,
  own: 7,
} as const
export type Kind = (typeof KINDS)[keyof typeof KINDS]
export const KIND_BITS = 3

/** What a word counts for by its kind. */
const FACTORS = [1, 2, 2, 2, 0, 0, 0, 0]

export const wordOf = (placed: number): number => placed >>> KIND_BITS

export const kindOf = (placed: number): Kind => (placed & (2 ** KIND_BITS - 1)) as Kind

export const factorOf = (placed: number): number => FACTORS[kindOf(placed)]!

/** Set in the number of a whole name, so that it is never that of a word. */
const NAME_BIT = 2 ** (31 - KIND_BITS)

export const isName = (word: number): boolean => word >= NAME_BIT

const numberOf = (word: string): number => wordOf(hashText(word)) & (NAME_BIT - 1)

/** A skill that looks for its nearest; it is one of others' only where it is compared. */
export interface Reader {
  id: number
  author: number
  /** The first word of its slug. */
  first: number
  /** Sorted, each of a bit for names, 28 bits of a hash and its kind. */
  words: Uint32Array
  isCompared: boolean
}

const numberOfStem = remember((word) => numberOf(stemWord(word)), 16_384)

/** Words that say nothing, in a name or beside it. */
const EMPTY_WORDS = new Set(
  `and any are best but can common for from how into like need not other overview practices quick reference skill start
  that the this use used user using want what when whenever with you your`
    .split(/\s+/)
    .map(numberOfStem),
)

/** The words of a text; scripts without blanks are read in pairs of signs, as the search reads them. */
const readWords = (text: string): number[] =>
  (isAscii(text)
    ? (text.toLowerCase().match(/[a-z0-9]{3,}/g) ?? []).map(numberOfStem)
    : splitCompounds(text).flatMap((compound) =>
        compound.flatMap((one) => (/^[a-z0-9]{1,2}$/.test(one.text) ? [] : numberOfStem(one.text))),
      )
  ).filter((word) => !EMPTY_WORDS.has(word))

/** Headings that are read, characters of each, and different words of all. */
const HEADINGS = 40
const HEADING = 200
const HEADING_WORDS = 64

/** The words of the headings of a Markdown text, but for its first line; a line of code is none. */
const readHeadingWords = (text: string): number[] => {
  const headings: string[] = []
  let fence = text.indexOf('\n```')
  let at = text.indexOf('\n#')
  while (at >= 0 && headings.length < HEADINGS) {
    if (fence >= 0 && fence < at) {
      const end = text.indexOf('\n```', fence + 4)
      if (end < 0) break
      fence = text.indexOf('\n```', end + 4)
      if (at < end) at = text.indexOf('\n#', end)
      continue
    }
    headings.push(text.slice(at + 2, at + HEADING).split('\n', 1)[0]!)
    at = text.indexOf('\n#', at + 2)
  }
  return [...new Set(readWords(headings.join('\n')))].slice(0, HEADING_WORDS)
}

const NAME = '[a-z0-9]{1,60}(?:-[a-z0-9]{1,60}){0,9}'

/** Names of two words or more; in a sentence a name of one word cannot be told from an ordinary word. */
const WHOLE_NAME = /[a-z0-9]+(?:-[a-z0-9]+)+/g
const RECOMMENDATION = new RegExp(
  `\\b(use|see) (?:the )?[\`"*]{0,2}(${NAME})[\`"*]{0,2}((?: skill)? instead\\b)?`,
  'gi',
)

/** A name between marks or slashes, or before the word "skill"; one in bold or in a path may be of one word. */
const MARKED_NAME = new RegExp(
  `(\\*\\*|[\`"/])(?:[a-z0-9-]{1,60}:)?(${NAME})(?:(\\*\\*|/SKILL\\.md|[\`"]{0,1} skill\\b)|\\1)`,
  'g',
)

/** Names of others that are read of a text. */
const NAMES = 40

/** With an author, since a text means skills of its own author. */
const numberOfName = (name: string, author = ''): number =>
  NAME_BIT + numberOf(`${author.toLowerCase()}=${name.toLowerCase()}`)

type Told = Pick<Skill, 'slug' | 'name' | 'author' | 'description'>

/** The names that a skill's texts mention, by how they do. */
const readNames = (description: string, text: string): Map<string, Kind> => {
  const names = new Map<string, Kind>()
  const add = (name: string, kind: Kind): void => {
    const key = name.toLowerCase()
    if (names.size < NAMES || names.has(key))
      names.set(key, Math.max(kind, names.get(key) ?? kind) as Kind)
  }
  for (const [, verb, name, instead] of description.matchAll(RECOMMENDATION)) {
    const kind = verb!.toLowerCase() === 'use' ? KINDS.used : KINDS.sentTo
    add(name!, instead === undefined ? kind : KINDS.preferred)
  }
  if (description.includes('-'))
    for (const [name] of description.matchAll(WHOLE_NAME)) add(name, KINDS.sentTo)
  for (const [, , name, sign] of text.matchAll(MARKED_NAME))
    if (sign !== undefined || name!.includes('-')) add(name!, KINDS.sentTo)
  return names
}

/**
 * What a skill is compared by, out of its facts and the text of its SKILL.md, as a text to keep, so that none is split
 * again after a change. Bytes would be slow to read: SQLite makes a buffer for each row.
 */
export const encodeWords = ({ slug, name, author, description }: Told, text: string): string => {
  const words = new Map<number, Kind>()
  for (const word of readHeadingWords(text)) words.set(word, KINDS.heading)
  for (const word of readWords(description)) words.set(word, KINDS.text)
  for (const word of readWords(name)) {
    const before = words.get(word)
    words.set(word, before === KINDS.text || before === KINDS.title ? KINDS.title : KINDS.named)
  }
  for (const [other, kind] of readNames(description, text))
    words.set(numberOfName(other, author), kind)
  words.set(numberOfName(name), KINDS.own)
  words.set(numberOfName(name, author), KINDS.own)
  const [first = ''] = slug.split('-', 1)
  const numbers = new Uint32Array(2 + words.size)
  numbers[0] = hashText(author.toLowerCase())
  numbers[1] = numberOfStem(first)
  let at = 2
  for (const [word, kind] of words) numbers[at++] = word * 2 ** KIND_BITS + kind
  numbers.subarray(2).sort()
  return Buffer.from(numbers.buffer).toString('base64')
}

/** Reads what `encodeWords` gave. */
export const decodeWords = (text: string): Pick<Reader, 'author' | 'first' | 'words'> => {
  const { buffer, byteOffset, length } = Buffer.from(text, 'base64')
  const numbers = new Uint32Array(buffer, byteOffset, length / Uint32Array.BYTES_PER_ELEMENT)
  const [author = 0, first = 0] = numbers
  return { author, first, words: numbers.subarray(2) }
}
