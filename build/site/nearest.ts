import { KINDS, KIND_BITS, factorOf, isName, kindOf, wordOf } from './nearest-words.ts'
import type { Kind, SkillVector } from './nearest-words.ts'

/*
 * Finds alternatives to a skill and its companions.
 *
 * An author's words come first: "for posters use x" makes x an alternative; any other mention of a skill by the same
 * author makes it a companion. Otherwise similarity decides: the cosine over the rare words in names, descriptions and
 * headings. It separates related skills from unrelated ones, but not alternatives from companions. For that, other
 * signals count: whether each text contains the words of the other's name, whether both have the same author, and
 * whether names or a common product make them a series.
 */

/**
 * Thresholds, tuned on one half of 540 labelled pairs of 1,080 skills (docs/benchmarks.md, `npm run bench:nearest`).
 */
const RULE = {
  /** Added to the length of every text, in words of maximum weight, so that short texts are not similar to everything. */
  words: 0.3,
  /** Minimum similarity of alternatives. */
  near: 0.17,
  /** Bonus if both texts contain all words of the other's name; in proportion if they contain some. */
  named: 0.3,
  /** Penalty for the same author, who rarely writes the same skill twice. */
  ofAuthor: 0.1,
  /** Minimum sum of these for an alternative. */
  alternative: 0.29,
  /** Raises the minimum for each further alternative. */
  further: 0.05,
  /** Minimum similarity of a skill that a description recommends for another task. */
  preferred: 0.15,
  /** Minimum similarity of skills with the same name by different authors. */
  namesake: 0.1,
  /** From this many skills of one author, a common first word makes a family, usually named after a product. */
  family: 3,
  /** Minimum similarity of companions. */
  together: 0.22,
  /** Minimum similarity of companions in a series. */
  togetherOfSeries: 0.15,
}

/** A word shared by more skills says nothing about similarity and would be costly to follow. */
const SHARED_BY_AT_MOST = 200

/** The same for small catalogs, as a share of the skills. */
const SHARED_PART = 1 / 16
const SHARED_BY_FEW = 8

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

const hasInText = ({ words }: SkillVector, word: number): boolean =>
  (findKind(words, word) ?? KINDS.own) <= KINDS.title

/** The words of a skill's name, with their kinds. */
const listNamed = ({ words }: SkillVector): number[] => {
  const named: number[] = []
  for (const placed of words)
    if (kindOf(placed) === KINDS.named || kindOf(placed) === KINDS.title) named.push(placed)
  return named
}

/** The share of a skill's name that another's text contains; words that the description repeats count, if there are any. */
const shareNamed = (named: readonly number[], other: SkillVector): number => {
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
export const familyOf = ({ author, first }: Pick<SkillVector, 'author' | 'first'>): number =>
  (author >>> 8) * 2 ** (32 - KIND_BITS) + first

/** Whether so many skills make a family. */
export const isFamily = (count: number): boolean => count >= RULE.family

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

/**
 * The weight of a word or name that `count` compared skills have, quantized so that one skill more changes few weights.
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

/** Inserts a skill into a list of at most `count`, nearest first. */
const insertNearest = (nearest: Scored[], one: Scored, count: number): void => {
  let at = nearest.length
  while (at > 0 && isNearer(one, nearest[at - 1])) at -= 1
  if (at >= count) return
  nearest.splice(at, 0, one)
  nearest.length = Math.min(nearest.length, count)
}

/** How one of two texts refers to the other skill, or that both have the same name; the highest value wins. */
const MENTIONS = { none: 0, namesake: 1, sends: 2, recommends: 3, prefers: 4 } as const
type Mention = (typeof MENTIONS)[keyof typeof MENTIONS]

const readMention = (kind: Kind, other: Kind): Mention => {
  if (kind !== KINDS.own && other !== KINDS.own) return MENTIONS.none
  const said = Math.min(kind, other)
  if (said === KINDS.own) return MENTIONS.namesake
  if (said === KINDS.preferred) return MENTIONS.prefers
  if (said === KINDS.used) return MENTIONS.recommends
  return said === KINDS.sentTo ? MENTIONS.sends : MENTIONS.none
}

/** A candidate for the page of another skill. */
export interface Related extends Scored {
  kind: keyof Neighbours
  isCompared: boolean
}

/** A hash table of the skills that have each word. */
export class WordIndex {
  readonly magnitude: number
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
  readonly #names: (readonly number[] | undefined)[] = []
  readonly #families = new Map<number, number>()

  constructor(vectors: readonly SkillVector[]) {
    const total = vectors.reduce((sum, { words }) => sum + words.length, 0)
    // Eight words per bucket on average: scanning them costs less than the cache misses of more buckets.
    const bits = Math.max(1, Math.ceil(Math.log2(total + 1)) - 3)
    this.magnitude = magnitudeOf(vectors)
    this.#vectors = vectors
    this.#shift = 32 - KIND_BITS - bits
    this.#starts = new Uint32Array(2 ** bits + 1)
    this.#entries = new Uint32Array(2 * total)
    this.#weights = new Uint8Array(total).fill(UNKNOWN)
    this.#sums = new Float64Array(vectors.length)
    this.#isCompared = Uint8Array.from(vectors, (vector) => Number(vector.isCompared))
    this.#lengths = new Float64Array(vectors.length)
    const greatest = factorOf(KINDS.text) * Math.max(1, Math.log2(this.magnitude))
    this.#leastLength = Math.sqrt(RULE.words) * greatest
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
      if (!vector.isCompared) return
      this.#families.set(familyOf(vector), this.countFamily(familyOf(vector)) + 1)
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
  count(word: number): number {
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
      this.#weights[at] = weighWord(word, this.count(word), this.magnitude)
    return this.#weights[at]!
  }

  /** The length of a skill as a vector of weights. */
  #lengthOf(index: number): number {
    const known = this.#lengths[index]!
    if (known > 0) return known
    let sum = this.#leastLength ** 2
    const { words, isCompared } = this.#vectors[index]!
    // A word that only this skill has is in no bucket of compared skills.
    const alone = isCompared ? weighWord(0, 1, this.magnitude) : UNKNOWN
    for (const placed of words) {
      const factor = factorOf(placed)
      const weight = factor > 0 ? this.#weightOf(wordOf(placed)) : alone
      if (weight !== alone) sum += (factor * (weight % COMMON)) ** 2
    }
    return (this.#lengths[index] = Math.sqrt(sum))
  }

  countFamily = (family: number): number => this.#families.get(family) ?? 0

  /** Lists the indexes of all skills that have a word, compared or not. */
  listSkillsWith(word: number): number[] {
    const indexes: number[] = []
    this.#visit(word, (index) => indexes.push(index))
    return indexes
  }

  #nameOf(at: number): readonly number[] {
    return (this.#names[at] ??= listNamed(this.#vectors[at]!))
  }

  /** Whether a skill is made for a product that its description names and the other's text does not. */
  #isForOther(vector: SkillVector, other: SkillVector): boolean {
    const kind = findKind(vector.words, vector.first)
    return (
      (kind === KINDS.text || kind === KINDS.title) &&
      !hasInText(other, vector.first) &&
      isFamily(this.countFamily(familyOf(vector)))
    )
  }

  /** Classifies the relation of two skills; symmetric. */
  #relate(at: number, index: number, near: number, mention: Mention): Related | undefined {
    const [vector, other] = [this.#vectors[at]!, this.#vectors[index]!]
    const relation = (kind: Related['kind'], score: number): Related => ({
      id: other.id,
      isCompared: other.isCompared,
      kind,
      score,
    })
    const isOfAuthor = vector.author === other.author
    const [named, itsNamed] = [this.#nameOf(at), this.#nameOf(index)]
    // Names by one author with the same first word, or that are nearly the same.
    const isSeries = isOfAuthor && (vector.first === other.first || areAlike(named, itsNamed))
    const isMeant =
      (mention === MENTIONS.namesake && !isOfAuthor && near >= RULE.namesake) ||
      (near >= RULE.preferred &&
        (mention === MENTIONS.prefers || (mention === MENTIONS.recommends && !isSeries)))
    if (isMeant) return relation('alternatives', 1 + near)
    if (mention <= MENTIONS.namesake && !isSeries && near >= RULE.near) {
      const share = Math.min(shareNamed(named, other), shareNamed(itsNamed, vector))
      const score = near + RULE.named * share - (isOfAuthor ? RULE.ofAuthor : 0)
      const isAlternative =
        score >= RULE.alternative &&
        !this.#isForOther(vector, other) &&
        !this.#isForOther(other, vector)
      if (isAlternative) return relation('alternatives', score)
    }
    if (mention >= MENTIONS.sends) return relation('together', 1 + near)
    return near >= (isSeries ? RULE.togetherOfSeries : RULE.together)
      ? relation('together', near)
      : undefined
  }

  /** Finds all related skills, in either direction, among those that share a rare word or a name. */
  listRelated(at: number): Related[] {
    const vector = this.#vectors[at]!
    const sums = this.#sums
    const touched: number[] = []
    const mentions = new Map<number, Mention>()
    for (const placed of vector.words) {
      const factor = factorOf(placed)
      const weight = this.#weightOf(wordOf(placed))
      if (weight >= COMMON) continue
      this.#visit(wordOf(placed), (index, itsPlaced) => {
        if (factor === 0) {
          const mention = readMention(kindOf(placed), kindOf(itsPlaced))
          if (mention > (mentions.get(index) ?? MENTIONS.none)) mentions.set(index, mention)
          return
        }
        if (sums[index] === 0) touched.push(index)
        sums[index]! += factor * factorOf(itsPlaced) * weight ** 2
      })
    }
    for (const index of mentions.keys()) if (sums[index] === 0) touched.push(index)
    const length = this.#lengthOf(at)
    const related: Related[] = []
    for (const index of touched) {
      const sum = sums[index]!
      sums[index] = 0
      const mention = mentions.get(index) ?? MENTIONS.none
      const isNear = (itsLength: number): boolean =>
        sum / (length * itsLength) >= RULE.togetherOfSeries || mention !== MENTIONS.none
      // The cheap bound rules out most before their lengths are computed.
      if (index === at || !isNear(this.#leastLength) || !isNear(this.#lengthOf(index))) continue
      const near = sum / (length * this.#lengthOf(index))
      const found = this.#relate(at, index, near, mention)
      if (found) related.push(found)
    }
    return related
  }

  /** Finds the neighbours on the page of the skill at an index. */
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
