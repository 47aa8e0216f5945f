import type { Skill } from '../../src/catalog/skill.ts'
import { isAscii, remember } from '../../src/catalog/text.ts'
import { splitCompounds, stemWord } from '../../src/search/tokens.ts'
import { hashText } from './digest.ts'

/*
 * Finds alternatives to a skill, and skills that go with it, from names, authors and descriptions alone.
 *
 * Nearness is the summed weight of the rare words that two skills share, divided by the geometric mean of their numbers
 * of words. It tells related skills from unrelated ones. It cannot tell alternatives from companions: both are equally
 * near. That takes other signs: whether the words of each name appear in the other's text, who wrote the two, and
 * whether a description sends to the other by name.
 */

/**
 * The thresholds, chosen on one half of 390 labelled pairs of 1,080 skills. On the other half all 13 rows were
 * alternatives or copies; of 60 rows drawn at random 49 were, and none was unrelated (docs/benchmarks.md;
 * `npm run bench:nearest` measures again).
 */
const RULE = {
  /** Texts with fewer words than this count as having so many, or short texts would be near to everything. */
  words: 12,
  /** Each name must have at least this share of its words in the other's text. */
  named: 0.3,
  /** Alternatives of different authors: least nearness times the mean of those two shares. */
  alternative: 0.09,
  /** Alternatives of one author: least nearness. Both names must be in the other's text in full. */
  alternativeOfAuthor: 0.15,
  /** Alternatives of different authors with the same name: least nearness. */
  alternativeOfName: 0.05,
  /** From so many skills of one author on, a common first word is a family: usually the product they are made for. */
  family: 3,
  /** Least nearness of any two skills that go together. */
  together: 0.16,
  /** The same, for two of one author whose names begin with the same word. */
  togetherOfFamily: 0.07,
}

/** Rare words of a skill that are compared; more would cost time and change little. */
const WORDS_PER_SKILL = 24

/** A word that more skills than this share says nothing about nearness. */
const SHARED_BY_AT_MOST = 200

/** In a small catalog, neither does a word that more than this part of it shares. */
const SHARED_PART = 1 / 4

/** Whether so few compared skills have a word that it says something about nearness. */
export const isRare = (count: number, magnitude: number): boolean =>
  count > 0 && count <= Math.min(SHARED_BY_AT_MOST, Math.max(2, magnitude * SHARED_PART))

/** How a skill has a word: in its text or its name, as a name it refers to (`preferred`: "use x instead"), or as its own whole name. */
const KINDS = { text: 0, named: 1, sentTo: 2, preferred: 3, own: 4 } as const
type Kind = (typeof KINDS)[keyof typeof KINDS]
const KIND_BITS = 3

/** The number of a word without its kind. */
export const wordOf = (placed: number): number => placed >>> KIND_BITS

const kindOf = (placed: number): Kind => (placed & (2 ** KIND_BITS - 1)) as Kind

const isOfText = (placed: number): boolean => kindOf(placed) <= KINDS.named

const numberOf = (word: string): number => wordOf(hashText(word))

/** A skill that looks for its nearest; it is one of others' only where it is compared. */
export interface Reader {
  id: number
  author: number
  /** The first word of its slug. */
  first: number
  /** Sorted, each of 29 bits of a hash and its kind. */
  words: Uint32Array
  isCompared: boolean
}

const numberOfStem = remember((word) => numberOf(stemWord(word)), 16_384)

/** Words of names that say nothing. */
const EMPTY_WORDS = new Set(['and', 'for', 'from', 'skill', 'the', 'with'].map(numberOfStem))

/** The words of a text; scripts without blanks are read in pairs of signs, as the search reads them. */
const readWords = (text: string): number[] =>
  isAscii(text)
    ? (text.toLowerCase().match(/[a-z0-9]{3,}/g) ?? []).map(numberOfStem)
    : splitCompounds(text).flatMap((compound) =>
        compound.flatMap((one) => (/^[a-z0-9]{1,2}$/.test(one.text) ? [] : numberOfStem(one.text))),
      )

/** Names of two words or more; a name of one word cannot be told from an ordinary word. */
const WHOLE_NAME = /[a-z0-9]+(?:-[a-z0-9]+)+/g
const PREFERENCE = /\buse (?:the )?[`"]?([a-z0-9]+(?:-[a-z0-9]+)*)[`"]?(?: skill)? instead\b/gi

/** The sign in front keeps whole names apart from words of texts. */
const numberOfName = (name: string): number => numberOf(`=${name.toLowerCase()}`)

type Told = Pick<Skill, 'slug' | 'name' | 'author' | 'description'>

/**
 * What a skill is compared by, as a text to keep, so that none is split again after a change. Bytes would be slow to
 * read: SQLite makes a buffer for each row.
 */
export const encodeWords = ({ slug, name, author, description }: Told): string => {
  const words = new Map<number, Kind>()
  const place = (found: readonly number[], kind: Kind): void => {
    for (const word of found) words.set(word, kind)
  }
  place(readWords(description), KINDS.text)
  place(
    readWords(name).filter((word) => !EMPTY_WORDS.has(word)),
    KINDS.named,
  )
  if (description.includes('-'))
    place((description.match(WHOLE_NAME) ?? []).map(numberOfName), KINDS.sentTo)
  if (description.includes('instead'))
    place(
      Array.from(description.matchAll(PREFERENCE), ([, preferred = '']) => numberOfName(preferred)),
      KINDS.preferred,
    )
  place([numberOfName(name)], KINDS.own)
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

/** Finds how a skill has a word. */
const findKind = (words: Uint32Array, word: number): Kind | undefined => {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (wordOf(words[middle]!) < word) low = middle + 1
    else high = middle
  }
  const placed = words[low]
  return placed !== undefined && wordOf(placed) === word ? kindOf(placed) : undefined
}

const hasInText = ({ words }: Reader, word: number): boolean =>
  (findKind(words, word) ?? KINDS.own) <= KINDS.named

/** The divisor of nearness that a skill contributes. */
const lengthOf = ({ words }: Reader): number => Math.sqrt(Math.max(words.length, RULE.words))

/** The share of the words of a name that stand in another's text. */
const shareNamed = ({ words }: Reader, other: Reader): number => {
  const named = words.filter((placed) => kindOf(placed) === KINDS.named)
  return named.filter((placed) => hasInText(other, wordOf(placed))).length / (named.length || 1)
}

/** The author and the first word as one number, with 24 bits of the author. */
export const familyOf = ({ author, first }: Pick<Reader, 'author' | 'first'>): number =>
  (author >>> 8) * 2 ** (32 - KIND_BITS) + first

/** Whether so many skills make a family. */
export const isFamily = (count: number): boolean => count >= RULE.family

/**
 * What the number of compared skills counts in the weight of a word: a power of two, so that one skill more or less
 * changes no weight but those of its words, but for once in a doubling.
 */
const magnitudeOf = (readers: readonly Reader[]): number =>
  2 ** Math.floor(Math.log2(Math.max(1, readers.filter((one) => one.isCompared).length)))

/** Ids of the alternatives to a skill and of the skills that go with it, nearest first. */
export interface Neighbours {
  alternatives: number[]
  together: number[]
}

export const NO_NEIGHBOURS: Neighbours = { alternatives: [], together: [] }

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

/** What one of two descriptions says about the other skill, by its name, or that both have the same name. */
type Saying = 'sends' | 'prefers' | 'namesake' | undefined

const readSaying = (kind: Kind, other: Kind): Saying => {
  if (kind !== KINDS.own && other !== KINDS.own) return undefined
  const said = Math.min(kind, other)
  if (said === KINDS.own) return 'namesake'
  if (said === KINDS.preferred) return 'prefers'
  return said === KINDS.sentTo ? 'sends' : undefined
}

/** The words of some skills: those that start with the same bits lie in one bucket. */
export class WordIndex {
  readonly magnitude: number
  readonly #readers: readonly Reader[]
  readonly #shift: number
  readonly #starts: Uint32Array
  /** As readers have them. */
  readonly #placed: Uint32Array
  /** Which readers have them. */
  readonly #holders: Uint32Array
  readonly #counts = new Map<number, number>()
  readonly #isCompared: Uint8Array
  readonly #scores: Float64Array
  readonly #lengths: Float64Array
  readonly #families = new Map<number, number>()

  constructor(readers: readonly Reader[]) {
    const total = readers.reduce((sum, { words }) => sum + words.length, 0)
    const bits = Math.ceil(Math.log2(total + 1))
    this.magnitude = magnitudeOf(readers)
    this.#readers = readers
    this.#shift = 32 - KIND_BITS - bits
    this.#starts = new Uint32Array(2 ** bits + 1)
    this.#placed = new Uint32Array(total)
    this.#holders = new Uint32Array(total)
    this.#scores = new Float64Array(readers.length)
    this.#isCompared = Uint8Array.from(readers, (reader) => Number(reader.isCompared))
    this.#lengths = Float64Array.from(readers, lengthOf)
    for (const { words } of readers)
      for (const placed of words) this.#starts[(wordOf(placed) >>> this.#shift) + 1]! += 1
    for (let at = 1; at < this.#starts.length; at += 1) this.#starts[at]! += this.#starts[at - 1]!
    const next = this.#starts.slice()
    readers.forEach((reader, holder) => {
      for (const placed of reader.words) {
        const at = next[wordOf(placed) >>> this.#shift]!++
        this.#placed[at] = placed
        this.#holders[at] = holder
      }
      if (!reader.isCompared) return
      this.#families.set(familyOf(reader), this.countFamily(familyOf(reader)) + 1)
    })
  }

  /** Calls `see` for each skill that has a word: the inner loop of a comparison. */
  #visit(word: number, see: (holder: number, placed: number) => void): void {
    const bucket = word >>> this.#shift
    const end = this.#starts[bucket + 1]!
    for (let at = this.#starts[bucket]!; at < end; at += 1) {
      const placed = this.#placed[at]!
      if (wordOf(placed) === word) see(this.#holders[at]!, placed)
    }
  }

  /** Counts the compared skills that have a word. */
  count = (word: number): number => {
    const known = this.#counts.get(word)
    if (known !== undefined) return known
    let count = 0
    this.#visit(word, (holder) => (count += this.#isCompared[holder]!))
    this.#counts.set(word, count)
    return count
  }

  /** Counts the compared skills of a family. */
  countFamily = (family: number): number => this.#families.get(family) ?? 0

  /** Lists all skills that have a word, compared or not. */
  listReaders(word: number): Reader[] {
    const readers: Reader[] = []
    this.#visit(word, (holder) => readers.push(this.#readers[holder]!))
    return readers
  }

  /** Whether a skill is made for a product that the other's text does not name. */
  #isForOther(reader: Reader, other: Reader): boolean {
    return isFamily(this.countFamily(familyOf(reader))) && !hasInText(other, reader.first)
  }

  #isAlternative(reader: Reader, other: Reader, near: number, saying: Saying): boolean {
    const isOfAuthor = reader.author === other.author
    if (saying === 'prefers' && (isOfAuthor || near >= RULE.togetherOfFamily)) return true
    if (saying === 'namesake' && !isOfAuthor && near >= RULE.alternativeOfName) return true
    if (near < (isOfAuthor ? RULE.alternativeOfAuthor : RULE.alternative)) return false
    const [given, taken] = [shareNamed(reader, other), shareNamed(other, reader)]
    if (isOfAuthor) return given === 1 && taken === 1 && reader.first !== other.first
    return (
      Math.min(given, taken) >= RULE.named &&
      near * ((given + taken) / 2) >= RULE.alternative &&
      !this.#isForOther(reader, other) &&
      !this.#isForOther(other, reader)
    )
  }

  /** Looks only at skills that share a rare word: following common words would cost too much. */
  findNeighbours(reader: Reader, most: number): Neighbours {
    const scores = this.#scores
    const touched: number[] = []
    const sayings = new Map<number, Saying>()
    for (const placed of pickRare(reader, this.count, this.magnitude)) {
      const weight = isOfText(placed)
        ? Math.log(1 + this.magnitude / this.count(wordOf(placed))) / Math.log(1 + this.magnitude)
        : Number.MIN_VALUE
      this.#visit(wordOf(placed), (holder, itsPlaced) => {
        if (this.#isCompared[holder] === 0) return
        if (scores[holder] === 0) touched.push(holder)
        scores[holder]! += weight
        if (isOfText(placed)) return
        const saying = readSaying(kindOf(placed), kindOf(itsPlaced))
        if (saying !== undefined && sayings.get(holder) !== 'prefers') sayings.set(holder, saying)
      })
    }
    const length = lengthOf(reader)
    const [alternatives, together]: [Scored[], Scored[]] = [[], []]
    for (const holder of touched) {
      const near = scores[holder]! / (length * this.#lengths[holder]!)
      scores[holder] = 0
      const saying = sayings.get(holder)
      if (near < RULE.togetherOfFamily && saying === undefined) continue
      const other = this.#readers[holder]!
      if (other.id === reader.id) continue
      const one = { id: other.id, score: near }
      const isOfAuthor = reader.author === other.author
      if (this.#isAlternative(reader, other, near, saying)) insertNearest(alternatives, one, most)
      else if (
        near >= RULE.together ||
        (isOfAuthor && (saying !== undefined || reader.first === other.first))
      )
        insertNearest(together, one, most)
    }
    const idsOf = (found: readonly Scored[]): number[] => found.map(({ id }) => id)
    return { alternatives: idsOf(alternatives), together: idsOf(together) }
  }
}

/** The words by which a skill is compared, rarest first: its rarest, and whole names. */
export const pickRare = (
  { words, isCompared }: Reader,
  count: (word: number) => number,
  magnitude: number,
): number[] => {
  const rare: { placed: number; count: number }[] = []
  for (const placed of words) {
    const shared = count(wordOf(placed))
    // A word that only this skill has is shared with nobody.
    if (shared > Number(isCompared) && isRare(shared, magnitude))
      rare.push({ placed, count: shared })
  }
  return rare
    .sort((a, b) => a.count - b.count)
    .filter(({ placed }, rank) => rank < WORDS_PER_SKILL || !isOfText(placed))
    .map(({ placed }) => placed)
}
