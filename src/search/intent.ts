import type { Clause, QueryPlan } from './query.ts'
import { FITS, shareOfWords, weighRarity } from './rank.ts'
import { isUnspaced } from './tokens.ts'
import type { WordVectors } from './vectors.ts'
import { hasWord, joinSets } from './word-set.ts'
import type { WordSet } from './word-set.ts'

/** The meaning of a query as a vector. */
interface Meaning {
  vector: Int8Array
  /** Share of the query's weight that belongs to words with a vector. Nearness is multiplied by it. */
  share: number
  fit: (typeof FITS)[keyof typeof FITS]
}

/** What a reader wants, as far as the words of the query show it. */
export interface Intent {
  /** The weight of each word, by its place in a `WordSet`. */
  weights: readonly number[]
  /** Undefined if no word has a vector. */
  meaning: Meaning | undefined
}

/**
 * Short common words that show that a query is in another language than English: German, Spanish, French, Portuguese,
 * Italian, Dutch, Polish or Turkish. Words that also occur in English or in software names, such as `die`, `per` and
 * `com`, are left out.
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

/** A letter outside the Latin script. */
const OTHER_ALPHABET = /(?!\p{Script=Latin})\p{L}/u

/** If at least this share of skills contains a foreign word, the catalog counts as written in that language. */
const SPOKEN = 0.05

/** Sums the weights of some words. */
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
  const sum = (clauses: readonly Clause[]): number =>
    weigh(joinSets(clauses.map(({ answers }) => answers)), weights)
  return {
    vector: vectors.ofStems(known.map(({ stems: [stem = ''] }) => stem)),
    share: sum(known) / sum(all),
    fit: words.every(isSpaced) ? FITS.spaced : FITS.unspaced,
  }
}

/**
 * Weighs query words by their rarity. If the query is in a language that the catalog is not written in, only words that
 * some skill contains count: `terraform` shows the need, whereas the absence of `einrichten` means nothing. This rule
 * reduces the refused tasks from 33 to 4 of 45, and, among tasks that no skill does, from 15 to 10 of 15.
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

/** Reads the intent of a query. `countHolders` returns how many of all `skills` contain a stem. */
export const readIntent = (
  { clauses }: QueryPlan,
  vectors: WordVectors,
  countHolders: (stem: string) => number,
  skills: number,
): Intent => {
  // One clause per word, in the order of the words' places.
  const words = clauses.filter(({ typed }) => typed)
  const weights = weighWords(words, countHolders, skills)
  return { weights, meaning: readMeaning(words, weights, vectors) }
}

/**
 * Whether the catalog has a skill for the query. `answers` are the query words in the skill with the best score,
 * `nearest` is the greatest nearness of any skill.
 */
export const isAnswered = (
  { weights, meaning }: Intent,
  answers: WordSet,
  nearest: number,
): boolean => {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const answered = weigh(answers, weights)
  if (answered > 0 && answered >= shareOfWords(weights.length) * all) return true
  return meaning !== undefined && nearest >= meaning.fit[answered > 0 ? 'partly' : 'alone']
}
