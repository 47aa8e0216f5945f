import type { Skill } from '../../src/catalog/skill.ts'
import { isAscii, remember } from '../../src/catalog/text.ts'
import { hashText } from '../../src/search/format/bytes.ts'
import { splitCompounds, stemWord } from '../../src/search/tokens.ts'

/* Encodes the words of a skill as numbers, for the comparison in `nearest.ts`. */

/**
 * Where a word occurs: in a heading, the description, the name, or the last two. Or what a skill name is: one that the
 * text mentions, recommends for another task ("for posters use x") or prefers ("use x instead"), or the skill's own.
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

/** Weight factors by kind. */
const FACTORS = [1, 2, 2, 2, 0, 0, 0, 0]

export const wordOf = (placed: number): number => placed >>> KIND_BITS

export const kindOf = (placed: number): Kind => (placed & (2 ** KIND_BITS - 1)) as Kind

export const factorOf = (placed: number): number => FACTORS[kindOf(placed)]!

/** Set for whole names, which keeps their numbers apart from those of words. */
const NAME_BIT = 2 ** (31 - KIND_BITS)

export const isName = (word: number): boolean => word >= NAME_BIT

const numberOf = (word: string): number => wordOf(hashText(word)) & (NAME_BIT - 1)

/** A skill that gets neighbours; it is a neighbour of others only if it is compared. */
export interface SkillVector {
  id: number
  author: number
  /** Hash of the first word of its slug. */
  first: number
  /** Sorted; each has a bit for names, 28 bits of hash and its kind. */
  words: Uint32Array
  isCompared: boolean
}

const numberOfStem = remember((word) => numberOf(stemWord(word)), 16_384)

/** Words without meaning in or next to a name. */
const EMPTY_WORDS = new Set(
  `and any are best but can common for from how into like need not other overview practices quick reference skill start
  that the this use used user using want what when whenever with you your`
    .split(/\s+/)
    .map(numberOfStem),
)

/** The words of a text; scripts without spaces are split into pairs of characters, as in the search. */
const readWords = (text: string): number[] =>
  (isAscii(text)
    ? (text.toLowerCase().match(/[a-z0-9]{3,}/g) ?? []).map(numberOfStem)
    : splitCompounds(text).flatMap((compound) =>
        compound.flatMap((one) => (/^[a-z0-9]{1,2}$/.test(one.text) ? [] : numberOfStem(one.text))),
      )
  ).filter((word) => !EMPTY_WORDS.has(word))

/** Limits: headings read, characters of each, distinct words in all. */
const HEADINGS = 40
const HEADING = 200
const HEADING_WORDS = 64

/** The words of Markdown headings, except on the first line or in code blocks. */
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

/** Names of two words or more; in a sentence, a one-word name looks like an ordinary word. */
const WHOLE_NAME = /[a-z0-9]+(?:-[a-z0-9]+)+/g
const RECOMMENDATION = new RegExp(
  `\\b(use|see) (?:the )?[\`"*]{0,2}(${NAME})[\`"*]{0,2}((?: skill)? instead\\b)?`,
  'gi',
)

/** A name in quotes, slashes or before the word "skill"; one in bold or in a path may be a single word. */
const MARKED_NAME = new RegExp(
  `(\\*\\*|[\`"/])(?:[a-z0-9-]{1,60}:)?(${NAME})(?:(\\*\\*|/SKILL\\.md|[\`"]{0,1} skill\\b)|\\1)`,
  'g',
)

/** Maximum names of other skills read from a text. */
const NAMES = 40

/** Includes the author, since texts refer to skills of the same author. */
const numberOfName = (name: string, author = ''): number =>
  NAME_BIT + numberOf(`${author.toLowerCase()}=${name.toLowerCase()}`)

type Told = Pick<Skill, 'slug' | 'name' | 'author' | 'description'>

/** The skill names that a text mentions, and how. */
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
 * Encodes what a skill is compared by, as text for the state. Bytes would be slower to read: SQLite allocates a buffer
 * for each row.
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

/** Decodes the text of `encodeWords`. */
export const decodeWords = (text: string): Pick<SkillVector, 'author' | 'first' | 'words'> => {
  const { buffer, byteOffset, length } = Buffer.from(text, 'base64')
  const numbers = new Uint32Array(buffer, byteOffset, length / Uint32Array.BYTES_PER_ELEMENT)
  const [author = 0, first = 0] = numbers
  return { author, first, words: numbers.subarray(2) }
}
