import { factorOf, wordOf } from './nearest-words.ts'
import type { SkillVector } from './nearest-words.ts'

/*
 * Finds the skills that are most similar to a skill: by the cosine over the rare words in names, descriptions and headings.
 */

/** Least similarity of two skills that a reader calls related (docs/benchmarks.md, `npm run bench:nearest`). */
const FLOOR = 0.2

/** Added to the length of every text, in words of maximum weight, so that short texts are not similar to everything. */
const ADDED_WORDS = 0.3

/** A word shared by more skills says nothing about similarity and would be costly to follow. */
const SHARED_BY_AT_MOST = 200

/** The same for small catalogs, as a share of the skills. */
const SHARED_PART = 1 / 16
const SHARED_BY_FEW = 8

/**
 * The number of compared skills as word weights see it, rounded to a power of two: one skill more or less changes only
 * the weights of its own words, except once per doubling.
 */
const magnitudeOf = (vectors: readonly SkillVector[]): number =>
  2 ** Math.floor(Math.log2(Math.max(1, vectors.filter((one) => one.isCompared).length)))

/** Marks a weight that is not computed yet. */
const UNKNOWN = 255

/** Flag in the weight of a word that is too common to follow. */
const COMMON = 128

/** The weight of a word that `count` compared skills have, quantized so that one skill more changes few weights. */
const weighWord = (count: number, magnitude: number): number => {
  const most = Math.min(SHARED_BY_AT_MOST, Math.max(SHARED_BY_FEW, magnitude * SHARED_PART))
  const isFollowed = count > 0 && count <= most
  const octaves = Math.floor(Math.log2(magnitude)) - Math.floor(Math.log2(Math.max(1, count)))
  return Math.max(1, octaves) + (isFollowed ? 0 : COMMON)
}

/** A skill that is similar to another. */
interface Scored {
  id: number
  score: number
  isCompared: boolean
}

const isNearer = (a: Scored, b: Scored | undefined): boolean =>
  b === undefined || a.score > b.score || (a.score === b.score && a.id < b.id)

/** Inserts a skill into a list of at most `count`, nearest first. */
const insertNearest = (nearest: Scored[], one: Scored, count: number): void => {
  let at = nearest.length
  while (at > 0 && isNearer(one, nearest[at - 1])) at -= 1
  if (at >= count) return
  nearest.splice(at, 0, one)
  nearest.length = Math.min(nearest.length, count)
}

/** A hash table of the skills that have each word. */
export class WordIndex {
  readonly #magnitude: number
  readonly #vectors: readonly SkillVector[]
  readonly #shift: number
  readonly #starts: Uint32Array
  /** Pairs of a word and the index of its skill, interleaved for memory locality. */
  readonly #entries: Uint32Array
  /** Weight of each word, stored at its first entry. */
  readonly #weights: Uint8Array
  readonly #isCompared: Uint8Array
  /** Scratch sums of one comparison, by index. */
  readonly #sums: Float64Array
  /** Computed lazily. */
  readonly #lengths: Float64Array
  readonly #leastLength: number

  constructor(vectors: readonly SkillVector[]) {
    const total = vectors.reduce((sum, { words }) => sum + words.length, 0)
    // Eight words per bucket on average: scanning them costs less than the cache misses of more buckets.
    const bits = Math.max(1, Math.ceil(Math.log2(total + 1)) - 3)
    this.#magnitude = magnitudeOf(vectors)
    this.#vectors = vectors
    this.#shift = 31 - bits
    this.#starts = new Uint32Array(2 ** bits + 1)
    this.#entries = new Uint32Array(2 * total)
    this.#weights = new Uint8Array(total).fill(UNKNOWN)
    this.#sums = new Float64Array(vectors.length)
    this.#isCompared = Uint8Array.from(vectors, (vector) => Number(vector.isCompared))
    this.#lengths = new Float64Array(vectors.length)
    const greatest = 2 * Math.max(1, Math.log2(this.#magnitude))
    this.#leastLength = Math.sqrt(ADDED_WORDS) * greatest
    for (const { words } of vectors)
      for (const placed of words) this.#starts[(wordOf(placed) >>> this.#shift) + 1]! += 1
    for (let at = 1; at < this.#starts.length; at += 1) this.#starts[at]! += this.#starts[at - 1]!
    const next = this.#starts.slice()
    vectors.forEach((vector, index) => {
      for (const placed of vector.words) {
        const at = next[wordOf(placed) >>> this.#shift]!++
        this.#entries[2 * at] = placed
        this.#entries[2 * at + 1] = index
      }
    })
  }

  /** Calls `see` for each skill that has a word; the inner loop of a comparison. */
  #visit(word: number, see: (index: number, placed: number) => void): void {
    const bucket = word >>> this.#shift
    const end = this.#starts[bucket + 1]!
    for (let at = this.#starts[bucket]!; at < end; at += 1) {
      const placed = this.#entries[2 * at]!
      if (wordOf(placed) === word) see(this.#entries[2 * at + 1]!, placed)
    }
  }

  /** Counts the compared skills that have a word. */
  #count(word: number): number {
    let count = 0
    this.#visit(word, (index) => (count += this.#isCompared[index]!))
    return count
  }

  #weightOf(word: number): number {
    const bucket = word >>> this.#shift
    const end = this.#starts[bucket + 1]!
    let at = this.#starts[bucket]!
    while (at < end && wordOf(this.#entries[2 * at]!) !== word) at += 1
    if (at === end) return COMMON
    if (this.#weights[at] === UNKNOWN)
      this.#weights[at] = weighWord(this.#count(word), this.#magnitude)
    return this.#weights[at]!
  }

  /** The length of a skill as a vector of weights. */
  #lengthOf(index: number): number {
    const known = this.#lengths[index]!
    if (known > 0) return known
    let sum = this.#leastLength ** 2
    const { words, isCompared } = this.#vectors[index]!
    // A word that only this skill has is in no bucket of compared skills.
    const alone = isCompared ? weighWord(1, this.#magnitude) : UNKNOWN
    for (const placed of words) {
      const weight = this.#weightOf(wordOf(placed))
      if (weight !== alone) sum += (factorOf(placed) * (weight % COMMON)) ** 2
    }
    return (this.#lengths[index] = Math.sqrt(sum))
  }

  /** Finds all similar skills among those that share a rare word. */
  #listSimilar(at: number): Scored[] {
    const vector = this.#vectors[at]!
    const sums = this.#sums
    const touched: number[] = []
    for (const placed of vector.words) {
      const weight = this.#weightOf(wordOf(placed))
      if (weight >= COMMON) continue
      const factor = factorOf(placed)
      this.#visit(wordOf(placed), (index, itsPlaced) => {
        if (sums[index] === 0) touched.push(index)
        sums[index]! += factor * factorOf(itsPlaced) * weight ** 2
      })
    }
    const length = this.#lengthOf(at)
    const similar: Scored[] = []
    for (const index of touched) {
      const sum = sums[index]!
      sums[index] = 0
      // The cheap bound rules out most before their lengths are computed.
      if (index === at || sum / (length * this.#leastLength) < FLOOR) continue
      const score = sum / (length * this.#lengthOf(index))
      const { id, isCompared } = this.#vectors[index]!
      if (score >= FLOOR) similar.push({ id, score, isCompared })
    }
    return similar
  }

  /** Finds the ids of the skills on the page of the skill at an index, closest first. */
  findNearest(at: number, most: number): number[] {
    const nearest: Scored[] = []
    for (const one of this.#listSimilar(at)) if (one.isCompared) insertNearest(nearest, one, most)
    return nearest.map(({ id }) => id)
  }
}
