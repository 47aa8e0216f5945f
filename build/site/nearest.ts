import { CATEGORIES } from '../../src/catalog/categories.ts'
import type { Category } from '../../src/catalog/categories.ts'
import type { Skill } from '../../src/catalog/skill.ts'
import { isAscii } from '../../src/catalog/text.ts'
import { hashText } from './digest.ts'

/** A skill that looks for its nearest; it is one of others' only where it is compared. */
export interface Reader {
  id: number
  category: Category
  /** Of each word 31 bits of a hash, and a lowest bit that is 1 where it stands in the name. */
  words: Uint32Array
  isCompared: boolean
}

/** Rare words of a skill that are compared; more would cost time and change nothing. */
const WORDS_PER_SKILL = 12

/** A word that more skills than this share says nothing about nearness. */
const SHARED_BY_AT_MOST = 200

/** What sharing the category adds, in units of one rare word's weight. */
const SAME_CATEGORY = 1.5

/** How much more a word counts that stands in the names of both. */
const IN_BOTH_NAMES = 3

/** A word that too many compared skills share says nothing of nearness. */
export const isRare = (count: number): boolean => count > 0 && count <= SHARED_BY_AT_MOST

const splitWords = (text: string): readonly string[] =>
  (isAscii(text)
    ? text.toLowerCase().match(/[a-z0-9]{3,}/g)
    : text
        .normalize('NFKD')
        .toLowerCase()
        .match(/[\p{L}\p{N}]{3,}/gu)) ?? []

/**
 * The words of a skill in their order, as a text to keep, so that no text is split again after a change. Bytes would
 * be slow to read: SQLite makes a buffer for each row.
 */
export const encodeWords = ({ name, description }: Pick<Skill, 'name' | 'description'>): string => {
  const words = new Map<string, number>()
  for (const word of splitWords(description)) words.set(word, 0)
  for (const word of splitWords(name)) words.set(word, 1)
  // Two words of one hash are one, or the skill would have it twice.
  const named = new Map<number, number>()
  for (const word of [...words.keys()].sort()) {
    const number = hashText(word) & ~1
    named.set(number, (named.get(number) ?? 0) | words.get(word)!)
  }
  const placed = Uint32Array.from(named, ([number, bit]) => number | bit)
  return Buffer.from(placed.buffer).toString('base64')
}

/** Reads what `encodeWords` gave. */
export const decodeWords = (text: string): Uint32Array => {
  const { buffer, byteOffset, length } = Buffer.from(text, 'base64')
  return new Uint32Array(buffer, byteOffset, length / Uint32Array.BYTES_PER_ELEMENT)
}

/** The number of a word alone, wherever the word stands. */
export const wordOf = (placed: number): number => placed >>> 1

const isNamed = (placed: number): boolean => (placed & 1) === 1

/** What the nearest skills of all depend on, beside the words of each. */
interface Surroundings {
  /**
   * What the number of compared skills counts in the weight of a word: a power of two, so that one skill more or
   * less changes no weight but those of its words, but for once in a doubling.
   */
  magnitude: number
  /** The first compared skills of each category by id, as many as can ever fill a short list up. */
  firsts: Record<Category, number[]>
}

/** Looks at all skills by id, for lists of so many. */
export const findSurroundings = (readers: readonly Reader[], count: number): Surroundings => {
  const firsts = Object.fromEntries(
    CATEGORIES.map((category): [Category, number[]] => [category, []]),
  ) as Surroundings['firsts']
  let compared = 0
  for (const { id, category, isCompared } of readers) {
    if (!isCompared) continue
    compared += 1
    // Beside those that are near already, the skill itself may be among them.
    if (firsts[category].length <= count) firsts[category].push(id)
  }
  return { magnitude: 2 ** Math.floor(Math.log2(Math.max(1, compared))), firsts }
}

interface Scored {
  id: number
  score: number
}

const isNearer = (a: Scored, b: Scored | undefined): boolean =>
  b === undefined || a.score > b.score || (a.score === b.score && a.id < b.id)

/** Puts a skill into a short list, nearest first, that keeps no more than it is asked for. */
const insertNearest = (nearest: Scored[], one: Scored, count: number): void => {
  let at = nearest.length
  while (at > 0 && isNearer(one, nearest[at - 1])) at -= 1
  if (at >= count) return
  nearest.splice(at, 0, one)
  nearest.length = Math.min(nearest.length, count)
}

/** The words of some skills: those that start with the same bits lie in one bucket. */
export class WordIndex {
  readonly #readers: readonly Reader[]
  readonly #shift: number
  readonly #starts: Uint32Array
  /** As readers have them. */
  readonly #placed: Uint32Array
  /** Which readers have them. */
  readonly #holders: Uint32Array
  readonly #counts = new Map<number, number>()
  readonly #scores: Float64Array

  constructor(readers: readonly Reader[]) {
    const total = readers.reduce((sum, { words }) => sum + words.length, 0)
    const bits = Math.ceil(Math.log2(total + 1))
    this.#readers = readers
    this.#shift = 31 - bits
    this.#starts = new Uint32Array(2 ** bits + 1)
    this.#placed = new Uint32Array(total)
    this.#holders = new Uint32Array(total)
    this.#scores = new Float64Array(readers.length)
    for (const { words } of readers)
      for (const placed of words) this.#starts[(wordOf(placed) >>> this.#shift) + 1]! += 1
    for (let at = 1; at < this.#starts.length; at += 1) this.#starts[at]! += this.#starts[at - 1]!
    const next = this.#starts.slice()
    readers.forEach(({ words }, holder) => {
      for (const placed of words) {
        const at = next[wordOf(placed) >>> this.#shift]!++
        this.#placed[at] = placed
        this.#holders[at] = holder
      }
    })
  }

  /** Lists where a word lies in its bucket. */
  #find(word: number): number[] {
    const bucket = word >>> this.#shift
    const places: number[] = []
    for (let at = this.#starts[bucket]!; at < this.#starts[bucket + 1]!; at += 1)
      if (wordOf(this.#placed[at]!) === word) places.push(at)
    return places
  }

  #readerAt = (at: number): Reader => this.#readers[this.#holders[at]!]!

  /** Counts the compared skills that have a word. */
  count = (word: number): number => {
    const known = this.#counts.get(word)
    if (known !== undefined) return known
    const count = this.#find(word).filter((at) => this.#readerAt(at).isCompared).length
    this.#counts.set(word, count)
    return count
  }

  /** Lists all skills that have a word, compared or not. */
  listReaders(word: number): Reader[] {
    return this.#find(word).map(this.#readerAt)
  }

  /**
   * Finds the ids of the skills nearest to one: those that share its rarest words, nearer within its category.
   * Common words are never followed. A short list is filled up with others of the category, so a small catalog
   * compares too.
   */
  findNeighbours(reader: Reader, { magnitude, firsts }: Surroundings, count: number): number[] {
    const scores = this.#scores
    const touched: number[] = []
    for (const placed of pickRare(reader, this.count)) {
      const weight = Math.log(1 + magnitude / this.count(wordOf(placed)))
      for (const at of this.#find(wordOf(placed))) {
        const holder = this.#holders[at]!
        if (!this.#readers[holder]!.isCompared) continue
        if (scores[holder] === 0) touched.push(holder)
        scores[holder]! +=
          weight * (isNamed(placed) && isNamed(this.#placed[at]!) ? IN_BOTH_NAMES : 1)
      }
    }
    const nearest: Scored[] = []
    for (const holder of touched) {
      const { id, category } = this.#readers[holder]!
      const score = scores[holder]! + (category === reader.category ? SAME_CATEGORY : 0)
      if (id !== reader.id) insertNearest(nearest, { id, score }, count)
      scores[holder] = 0
    }
    const ids = nearest.map(({ id }) => id)
    for (const id of firsts[reader.category])
      if (ids.length < count && id !== reader.id && !ids.includes(id)) ids.push(id)
    return ids
  }
}

/** The words by which a skill is compared, rarest first: its rarest, and the rare ones of its name. */
export const pickRare = ({ words }: Reader, count: (word: number) => number): number[] =>
  Array.from(words, (placed) => ({ placed, count: count(wordOf(placed)) }))
    .filter((one) => isRare(one.count))
    .sort((a, b) => a.count - b.count)
    .filter(({ placed }, rank) => rank < WORDS_PER_SKILL || isNamed(placed))
    .map(({ placed }) => placed)
