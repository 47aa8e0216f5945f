import { KINDS, KIND_BITS, factorOf, isName, kindOf, wordOf } from './nearest-words.ts'
import type { Kind, Reader } from './nearest-words.ts'

/*
 * Finds alternatives to a skill, and skills that go with it.
 *
 * What an author says comes first: "for posters use x" makes x an alternative, any other mention of a skill of the same
 * author makes it one that goes together. Else nearness decides: the cosine of the rare words of two skills, in names,
 * descriptions and headings. It tells related skills from unrelated ones, but not alternatives from companions. That
 * takes other signs: whether what each is named after stands in the other's text, who wrote the two, and whether their
 * names or the product they are made for make them a series.
 */

/**
 * The thresholds, chosen on one half of 540 labelled pairs of 1,080 skills (docs/benchmarks.md; `npm run bench:nearest`
 * measures again).
 */
const RULE = {
  /** Added to the length of every text, in words of the greatest weight, or short texts would be near to everything. */
  words: 0.3,
  /** Least nearness of alternatives. */
  near: 0.17,
  /** What is added to the nearness of two that have all of each other's names in their texts; the share counts. */
  named: 0.3,
  /** What is taken from the nearness of two of one author, who rarely writes the same twice. */
  ofAuthor: 0.1,
  /** Least sum of these. */
  alternative: 0.29,
  /** So much more is asked of each further alternative. */
  further: 0.05,
  /** Least nearness of one that a description sends to for another task. */
  preferred: 0.15,
  /** Least nearness of two of the same name and different authors. */
  namesake: 0.1,
  /** From so many skills of one author on, a common first word is a family: usually the product they are made for. */
  family: 3,
  /** Least nearness of any two skills that go together. */
  together: 0.22,
  /** The same, for two of a series. */
  togetherOfSeries: 0.15,
}

/** A word that more skills than this share says nothing about nearness; following it would cost too much. */
const SHARED_BY_AT_MOST = 200

/** In a small catalog, neither does a word that more than this part of it shares, but for a few. */
const SHARED_PART = 1 / 16
const SHARED_BY_FEW = 8

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
  (findKind(words, word) ?? KINDS.own) <= KINDS.title

/** The words that a name consists of, with their kinds. */
const listNamed = ({ words }: Reader): number[] => {
  const named: number[] = []
  for (const placed of words)
    if (kindOf(placed) === KINDS.named || kindOf(placed) === KINDS.title) named.push(placed)
  return named
}

/** The share of what a skill is named after that stands in another's text: words of its name that its description has too, if any. */
const shareNamed = (named: readonly number[], other: Reader): number => {
  const titles = named.filter((placed) => kindOf(placed) === KINDS.title)
  const subjects = titles.length > 0 ? titles : named
  const shared = subjects.filter((placed) => hasInText(other, wordOf(placed)))
  return shared.length / (subjects.length || 1)
}

/** Whether two names differ in one word, or share two. */
const areAlike = (named: readonly number[], others: readonly number[]): boolean => {
  const shared = named.filter((one) => others.some((other) => wordOf(one) === wordOf(other))).length
  return shared > 1 || (shared > 0 && named.length === others.length && shared === named.length - 1)
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

/** Stands for a weight that was not asked for yet. */
const UNKNOWN = 255

/** Added to the weight of a word that is not followed. */
const COMMON = 128

/**
 * The weight of a word or name that so many compared skills have. It is the same for many counts, so that one skill more
 * changes few.
 */
export const weighWord = (word: number, count: number, magnitude: number): number => {
  const most = isName(word) ? SHARED_BY_AT_MOST : Math.max(SHARED_BY_FEW, magnitude * SHARED_PART)
  const isFollowed = count > 0 && count <= Math.min(SHARED_BY_AT_MOST, most)
  const octaves = Math.floor(Math.log2(magnitude)) - Math.floor(Math.log2(Math.max(1, count)))
  return Math.max(1, octaves) + (isFollowed ? 0 : COMMON)
}

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

/** What one of two texts says about the other skill, by its name, or that both have the same name; the greatest counts. */
const SAYINGS = { nothing: 0, namesake: 1, sends: 2, recommends: 3, prefers: 4 } as const
type Saying = (typeof SAYINGS)[keyof typeof SAYINGS]

const readSaying = (kind: Kind, other: Kind): Saying => {
  if (kind !== KINDS.own && other !== KINDS.own) return SAYINGS.nothing
  const said = Math.min(kind, other)
  if (said === KINDS.own) return SAYINGS.namesake
  if (said === KINDS.preferred) return SAYINGS.prefers
  if (said === KINDS.used) return SAYINGS.recommends
  return said === KINDS.sentTo ? SAYINGS.sends : SAYINGS.nothing
}

/** A skill that may stand on the page of another. */
export interface Related extends Scored {
  kind: keyof Neighbours
  isCompared: boolean
}

/** The words of some skills: those that start with the same bits lie in one bucket. */
export class WordIndex {
  readonly magnitude: number
  readonly #readers: readonly Reader[]
  readonly #shift: number
  readonly #starts: Uint32Array
  /** Words as readers have them, each before the place of the reader: two arrays would be fetched twice. */
  readonly #entries: Uint32Array
  /** Weights of words, each at the first place of its word. */
  readonly #weights: Uint8Array
  readonly #isCompared: Uint8Array
  /** Sums of one comparison. */
  readonly #sums: Float64Array
  /** Found when asked for. */
  readonly #lengths: Float64Array
  readonly #leastLength: number
  readonly #names: (readonly number[] | undefined)[] = []
  readonly #families = new Map<number, number>()

  constructor(readers: readonly Reader[]) {
    const total = readers.reduce((sum, { words }) => sum + words.length, 0)
    // Eight words a bucket, on average: fewer would lie further apart in memory, which costs more than to look at all.
    const bits = Math.max(1, Math.ceil(Math.log2(total + 1)) - 3)
    this.magnitude = magnitudeOf(readers)
    this.#readers = readers
    this.#shift = 32 - KIND_BITS - bits
    this.#starts = new Uint32Array(2 ** bits + 1)
    this.#entries = new Uint32Array(2 * total)
    this.#weights = new Uint8Array(total).fill(UNKNOWN)
    this.#sums = new Float64Array(readers.length)
    this.#isCompared = Uint8Array.from(readers, (reader) => Number(reader.isCompared))
    this.#lengths = new Float64Array(readers.length)
    const greatest = factorOf(KINDS.text) * Math.max(1, Math.log2(this.magnitude))
    this.#leastLength = Math.sqrt(RULE.words) * greatest
    for (const { words } of readers)
      for (const placed of words) this.#starts[(wordOf(placed) >>> this.#shift) + 1]! += 1
    for (let at = 1; at < this.#starts.length; at += 1) this.#starts[at]! += this.#starts[at - 1]!
    const next = this.#starts.slice()
    readers.forEach((reader, holder) => {
      for (const placed of reader.words) {
        const at = next[wordOf(placed) >>> this.#shift]!++
        this.#entries[2 * at] = placed
        this.#entries[2 * at + 1] = holder
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
      const placed = this.#entries[2 * at]!
      if (wordOf(placed) === word) see(this.#entries[2 * at + 1]!, placed)
    }
  }

  /** Counts the compared skills that have a word. */
  count(word: number): number {
    let count = 0
    this.#visit(word, (holder) => (count += this.#isCompared[holder]!))
    return count
  }

  #weightOf(word: number): number {
    const bucket = word >>> this.#shift
    const end = this.#starts[bucket + 1]!
    let at = this.#starts[bucket]!
    while (at < end && wordOf(this.#entries[2 * at]!) !== word) at += 1
    if (at === end) return COMMON
    if (this.#weights[at] === UNKNOWN)
      this.#weights[at] = weighWord(word, this.count(word), this.magnitude)
    return this.#weights[at]!
  }

  /** The length of a skill as a vector of weights. */
  #lengthOf(holder: number): number {
    const known = this.#lengths[holder]!
    if (known > 0) return known
    let sum = this.#leastLength ** 2
    const { words, isCompared } = this.#readers[holder]!
    // A word that only this skill has is shared with nobody.
    const alone = isCompared ? weighWord(0, 1, this.magnitude) : UNKNOWN
    for (const placed of words) {
      const factor = factorOf(placed)
      const weight = factor > 0 ? this.#weightOf(wordOf(placed)) : alone
      if (weight !== alone) sum += (factor * (weight % COMMON)) ** 2
    }
    return (this.#lengths[holder] = Math.sqrt(sum))
  }

  countFamily = (family: number): number => this.#families.get(family) ?? 0

  /** Lists the places of all skills that have a word, compared or not. */
  listHolders(word: number): number[] {
    const holders: number[] = []
    this.#visit(word, (holder) => holders.push(holder))
    return holders
  }

  #nameOf(at: number): readonly number[] {
    return (this.#names[at] ??= listNamed(this.#readers[at]!))
  }

  /** Whether a skill is made for a product, which its description names and the other's text does not. */
  #isForOther(reader: Reader, other: Reader): boolean {
    const kind = findKind(reader.words, reader.first)
    return (
      (kind === KINDS.text || kind === KINDS.title) &&
      !hasInText(other, reader.first) &&
      isFamily(this.countFamily(familyOf(reader)))
    )
  }

  /** Decides what two skills are to one another; the same both ways. */
  #relate(at: number, holder: number, near: number, saying: Saying): Related | undefined {
    const [reader, other] = [this.#readers[at]!, this.#readers[holder]!]
    const relation = (kind: Related['kind'], score: number): Related => ({
      id: other.id,
      isCompared: other.isCompared,
      kind,
      score,
    })
    const isOfAuthor = reader.author === other.author
    const [named, itsNamed] = [this.#nameOf(at), this.#nameOf(holder)]
    // Names of one author that begin alike, or nearly are the same.
    const isSeries = isOfAuthor && (reader.first === other.first || areAlike(named, itsNamed))
    const isMeant =
      (saying === SAYINGS.namesake && !isOfAuthor && near >= RULE.namesake) ||
      (near >= RULE.preferred &&
        (saying === SAYINGS.prefers || (saying === SAYINGS.recommends && !isSeries)))
    if (isMeant) return relation('alternatives', 1 + near)
    if (saying <= SAYINGS.namesake && !isSeries && near >= RULE.near) {
      const share = Math.min(shareNamed(named, other), shareNamed(itsNamed, reader))
      const score = near + RULE.named * share - (isOfAuthor ? RULE.ofAuthor : 0)
      const isAlternative =
        score >= RULE.alternative &&
        !this.#isForOther(reader, other) &&
        !this.#isForOther(other, reader)
      if (isAlternative) return relation('alternatives', score)
    }
    if (saying >= SAYINGS.sends) return relation('together', 1 + near)
    return near >= (isSeries ? RULE.togetherOfSeries : RULE.together)
      ? relation('together', near)
      : undefined
  }

  /** Finds all that may stand on the page of a skill, or it on theirs, looking only at skills that share a rare word or a name. */
  listRelated(at: number): Related[] {
    const reader = this.#readers[at]!
    const sums = this.#sums
    const touched: number[] = []
    const sayings = new Map<number, Saying>()
    for (const placed of reader.words) {
      const factor = factorOf(placed)
      const weight = this.#weightOf(wordOf(placed))
      if (weight >= COMMON) continue
      this.#visit(wordOf(placed), (holder, itsPlaced) => {
        if (factor === 0) {
          const saying = readSaying(kindOf(placed), kindOf(itsPlaced))
          if (saying > (sayings.get(holder) ?? SAYINGS.nothing)) sayings.set(holder, saying)
          return
        }
        if (sums[holder] === 0) touched.push(holder)
        sums[holder]! += factor * factorOf(itsPlaced) * weight ** 2
      })
    }
    for (const holder of sayings.keys()) if (sums[holder] === 0) touched.push(holder)
    const length = this.#lengthOf(at)
    const related: Related[] = []
    for (const holder of touched) {
      const sum = sums[holder]!
      sums[holder] = 0
      const saying = sayings.get(holder) ?? SAYINGS.nothing
      const isNear = (itsLength: number): boolean =>
        sum / (length * itsLength) >= RULE.togetherOfSeries || saying !== SAYINGS.nothing
      // Most are ruled out without asking for their lengths.
      if (holder === at || !isNear(this.#leastLength) || !isNear(this.#lengthOf(holder))) continue
      const near = sum / (length * this.#lengthOf(holder))
      const found = this.#relate(at, holder, near, saying)
      if (found) related.push(found)
    }
    return related
  }

  /** Finds what stands on the page of a skill, given by its place among the readers. */
  findNeighbours(at: number, most: number): Neighbours {
    const nearest: Record<keyof Neighbours, Scored[]> = { alternatives: [], together: [] }
    for (const one of this.listRelated(at))
      if (one.isCompared) insertNearest(nearest[one.kind], one, most)
    const alternatives = nearest.alternatives.filter(
      ({ score }, rank) => score >= RULE.alternative + rank * RULE.further,
    )
    const idsOf = (found: readonly Scored[]): number[] => found.map(({ id }) => id)
    return { alternatives: idsOf(alternatives), together: idsOf(nearest.together) }
  }
}
