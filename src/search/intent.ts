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

/** What a query asks for, as far as its words tell. */
export interface Intent {
  /** How telling each word is, by its place in the set of words. */
  weights: readonly number[]
  /** Undefined if no word has a vector. */
  meaning: Meaning | undefined
}

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

/** Reads what a query asks for; `countHolders` tells how many of all `skills` have a stem. */
export const readIntent = (
  { clauses }: QueryPlan,
  vectors: WordVectors,
  countHolders: (stem: string) => number,
  skills: number,
): Intent => {
  // One clause for each word, in the order of their places.
  const words = clauses.filter(({ typed }) => typed)
  const weights = words.map(({ stems: [stem = ''] }) => weighRarity(countHolders(stem), skills))
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
