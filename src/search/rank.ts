import type { ListedSkill, SkillCard } from '../catalog/skill.ts'

/** The data of a skill that is indexed. */
export interface SearchDocument {
  /** The row that the API returns. */
  listed: ListedSkill
  /** The full description, which is searched, together with the asks; the row's can be cut. */
  description: string
  /** Frequent stems of its SKILL.md, from `pickBody`. */
  body: string
  /** Day of the last change, which breaks ties in popular order; undefined if unknown. */
  updated?: string | undefined
  /** Additional facts for rows on pages. */
  facts: Omit<SkillCard, 'updated'>
  /** Its facets as bits, from `packFacets`. */
  facets: number
  /** Its vector, from `WordVectors.ofSkill`. */
  vector: Int8Array
}

interface Field {
  /** Weight of a match in this field, relative to a match in the description. */
  boost: number
  read: (document: SearchDocument) => string
}

/**
 * The searched fields and their weights, measured with `npm run bench:quality`. With a boost above 2, names drown out
 * descriptions; with a boost of 2 for the author, a publisher's own skills come first. The body has little weight, but
 * a query word that it contains counts as answered. Asks are words of the description, but not of the vector: with asks
 * for all of 1,080 skills, that lowered nDCG@10 of the judged queries by .007, and of 50 Chinese tasks by .05.
 */
export const FIELDS = {
  name: { boost: 2, read: ({ listed }) => listed.name },
  author: { boost: 2, read: ({ listed }) => listed.author },
  category: { boost: 1, read: ({ listed }) => listed.category },
  description: {
    boost: 1,
    read: ({ description, facts: { asks = [] } }) => [description, ...asks].join('\n'),
  },
  body: { boost: 0.2, read: ({ body }) => body },
} as const satisfies Record<string, Field>

export type FieldName = keyof typeof FIELDS

/** The names of the searched fields. The number of a field is its index in this list. */
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[]

/**
 * The weights of the ways to match; the typed word itself has 1. Measured with `npm run bench:quality`: changing any
 * weight by half changes nDCG@10 by less than .005.
 */
export const WEIGHTS = {
  /** A longer word that starts with the typed word; `weighCompletion` reduces the weight by length. */
  completed: 0.25,
  /** A compound of the query written as one word: `data-base` finds `database`. */
  joined: 1,
  /** Two neighbouring words of the query written as one: `data base` finds `database`. */
  paired: 0.5,
  /** All parts of a camelCase word. */
  parts: 0.5,
  /** A synonym. */
  same: 0.75,
} as const

/** How fast a completion's weight decays with the number of missing characters; MiniSearch's own constant. */
export const MISSING_DECAY = 0.3

/**
 * A match below this share of the best score answers too little of the query: it is left out of results and `total`.
 * The share depends on the number of query words. The best match always stays, so no query loses its last result.
 * Of shares from .03 to .3, the shares below cut the mean total to a third and cost .001 of nDCG@10.
 */
const SCORE_FLOORS = [
  { words: 3, share: 0.1 },
  { words: 2, share: 0.05 },
] as const

/** The share of the best score that a match must reach in a query of `wordCount` words. */
export const findShare = (wordCount: number): number =>
  SCORE_FLOORS.find(({ words }) => wordCount >= words)?.share ?? 0

/** Returns the weight of a longer word that starts with the typed word. */
export const weighCompletion = (prefixLength: number, wordLength: number): number =>
  (WEIGHTS.completed * wordLength) / (wordLength + MISSING_DECAY * (wordLength - prefixLength))

/** The constants of BM25+, MiniSearch's own. */
export const BM25 = { saturation: 1.2, lengthShare: 0.7, lowest: 0.5 } as const

/**
 * The part of nearness above `from`, times `weight`, is added to word scores, the best of which is 1. Measured with
 * `npm run bench:quality`.
 */
const NEARNESS = { weight: 0.5, from: 0.2 } as const

/** Joins a skill's word score with its nearness; `share` is the word score divided by the best word score. */
export const joinScores = (share: number, nearness: number): number =>
  share + NEARNESS.weight * Math.max(0, nearness - NEARNESS.from)

/**
 * A score is multiplied by the number of query words that the skill answers, up to this limit: further words mostly
 * tell the story around a task. Without the limit, a description made of frequent words came first for 13 of 148 tasks
 * that other skills do; with the limit, for 5.
 */
export const PLAIN_WORDS = 6

/**
 * The best skill must contain this share of the query words, weighed by rarity; otherwise some skill must be near. The
 * share falls beyond seven words, because most further words are context: of 297 long tasks that a skill does, 2 are
 * refused instead of 16. With six, 14 of 30 whole tasks that none of 1,080 skills with asks does were answered, with
 * seven 9, with eight 8; but with eight, 7 of the 297 were refused if no skill had asks.
 */
export const shareOfWords = (words: number): number => 0.4 * Math.min(1, 7 / words)

/**
 * How near a skill must be to be a result, measured with `npm run bench:quality`. `partly` is the minimum nearness of
 * the nearest skill if the best-scored skill has some of the query words, but too few; `alone` is that of a result that
 * contains none of the query words.
 *
 * Of 60 queries that no skill of 1,080 answers, 56 stay below these limits; of 154 that a skill answers, none.
 * Scripts without spaces have their own limits, because skills in another language are less near.
 */
export const FITS = {
  spaced: { partly: 0.5, alone: 0.65 },
  unspaced: { partly: 0.3, alone: 0.3 },
} as const

/** Returns the rarity of a word that `holders` of all skills contain: the IDF of BM25, computed as by MiniSearch. */
export const weighRarity = (holders: number, skills: number): number =>
  Math.log(1 + (skills - holders + 0.5) / (holders + 0.5))

/**
 * Factor for the scores of deprecated skills and skills without a text, so that equally good other skills come first.
 * Measured with `npm run bench:quality -- --absent 10`: the factor, the number of 100 pairs in which the skill with a
 * text comes first, and the loss of nDCG@10.
 *
 *     1    60   0
 *      .9  70   .001
 *      .8  73   .004
 */
export const LOW_RANK_FACTOR = 0.9

/**
 * Of two results, the score of the one that must come first is at least this multiple of the other's: of a skill that
 * replaces a deprecated one, and of the eldest skill of a name. The first is above 1 / SINGLE_AUTHOR.factor, so that the
 * order stays if only the scores of its author are lowered.
 */
export const AHEAD = { successor: 1.25, eldest: 1.01 } as const

/**
 * If one author has all of the first ten results, the scores of this author's skills after the first nine are reduced
 * by a tenth, so that equally good skills by other authors move up.
 */
export const SINGLE_AUTHOR = { results: 10, unchanged: 9, factor: 0.9 } as const
