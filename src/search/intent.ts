import type { Clause, QueryPlan } from './query.ts'
import { FITS, shareOfWords, weighRarity } from './rank.ts'
import { isUnspaced } from './tokens.ts'
import type { WordVectors } from './vectors.ts'
import { hasWord, joinSets } from './word-set.ts'
import type { WordSet } from './word-set.ts'

/** What a query is about. */
interface Meaning {
  vector: Int8Array
  /** The share of the query whose words have a vector, by which nearness is multiplied. */
  share: number
  fit: (typeof FITS)[keyof typeof FITS]
}

/** The meaning of a query, as far as its words show it. */
export interface Intent {
  /** The weight of each word, by its place in the set of words. */
  weights: readonly number[]
  /** Undefined if no word has a vector. */
  meaning: Meaning | undefined
}

/**
 * Short common words by which a query is recognized as being in another language: German, Spanish, French, Portuguese,
 * Italian, Dutch, Polish and Turkish. Left out are those that English or names in software have too, such as `die`,
 * `per` and `com`.
 */
const LITTLE_WORDS: ReadonlySet<string> = new Set(
  `
  der das dem ein eine einen einer und oder ich wie ist nicht mit von auf aus bei mein meine meinen
  el los las del un una la de en y para por con que como
  le les des du une pour avec dans sur et je
  um uma da
  il gli di della nel
  het een voor van naar mijn ik
  jak dla bir icin nasil
  `
    .trim()
    .split(/\s+/),
)

/** A letter that English does not have, of a script with spaces. */
const OTHER_ALPHABET = /(?!\p{Script=Latin})\p{L}/u

/** The least share of skills with a word of another language in a catalog that is written in it. */
const SPOKEN = 0.05

/** The sum of the weights of some words. */
const weigh = (words: WordSet, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => (hasWord(words, at) ? sum + weight : sum), 0)

const isSpaced = ({ word = '' }: Clause): boolean => !isUnspaced(word)

const readMeaning = (
  words: readonly Clause[],
  weights: readonly number[],
  vectors: WordVectors,
): Meaning | undefined => {
  const known = words.filter(({ stems: [stem = ''] }) => vectors.has(stem))
  if (known.length === 0) return undefined
  // Pairs of characters without a vector do not count: most are the end of one word and the start of another.
  const all = words.filter((clause) => known.includes(clause) || isSpaced(clause))
  const sum = (some: readonly Clause[]): number =>
    weigh(joinSets(some.map(({ answers }) => answers)), weights)
  return {
    vector: vectors.ofStems(known.map(({ stems: [stem = ''] }) => stem)),
    share: sum(known) / sum(all),
    fit: words.every(isSpaced) ? FITS.spaced : FITS.unspaced,
  }
}

/**
 * Weighs the words of a query by their rarity. In a language that the catalog is not written in, only words that some
 * skill has count: `terraform` says what is wanted, and that no skill has `einrichten` says nothing. Of 45 such tasks,
 * 4 are refused instead of 33, and of 15 that no skill does, 10 instead of 15.
 */
const weighWords = (
  words: readonly Clause[],
  countHolders: (stem: string) => number,
  skills: number,
): number[] => {
  const read = words.map(({ word = '', stems: [stem = ''] }) => ({
    holders: countHolders(stem),
    isLittle: LITTLE_WORDS.has(word),
    isForeign: LITTLE_WORDS.has(word) || OTHER_ALPHABET.test(word),
  }))
  const foreign = read.filter(({ isForeign }) => isForeign)
  const isUnspoken = foreign.length > 0 && foreign.every(({ holders }) => holders < SPOKEN * skills)
  const known = read.filter(({ holders, isLittle }) => holders > 0 && !isLittle)
  const counted = isUnspoken && words.every(isSpaced) && known.length > 0 ? known : read
  return read.map((word) => (counted.includes(word) ? weighRarity(word.holders, skills) : 0))
}

/** Reads what a query asks for; `countHolders` tells how many of all `skills` have a stem. */
export const readIntent = (
  { clauses }: QueryPlan,
  vectors: WordVectors,
  countHolders: (stem: string) => number,
  skills: number,
): Intent => {
  // One clause for each word, in the order of their places.
  const words = clauses.filter(({ typed }) => typed)
  const weights = weighWords(words, countHolders, skills)
  return { weights, meaning: readMeaning(words, weights, vectors) }
}

/**
 * Whether the catalog has what was asked for: `answers` are the words of the skill with the best score, `nearest` is the
 * greatest nearness.
 */
export const isAnswered = (
  { weights, meaning }: Intent,
  answers: WordSet,
  nearest: number,
): boolean => {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const had = weigh(answers, weights)
  if (had > 0 && had >= shareOfWords(weights.length) * all) return true
  return meaning !== undefined && nearest >= (had > 0 ? meaning.fit.partly : meaning.fit.alone)
}
