import type { ListedSkill, SkillCard } from '../catalog/skill.ts'

/** A skill as the search knows it. */
export interface SearchDocument {
  /** The row that it answers with. */
  listed: ListedSkill
  /** The whole description, which is searched. */
  description: string
  /** The stems of its SKILL.md by which it is found, from `pickBody`. */
  body: string
  /** Day of the last change, by which popular order breaks ties; undefined where it is not known. */
  updated?: string | undefined
  /** Further facts for the rows of pages. */
  facts: Omit<SkillCard, 'updated'>
  /** Its facets as bits, from `packFacets`. */
  facets: number
  /** Its vector, from `WordVectors.ofSkill`. */
  vector: Int8Array
}

interface Field {
  /** How much a match here counts compared with one in the description. */
  boost: number
  read: (document: SearchDocument) => string
}

/**
 * The searched fields and their weights, measured with `npm run bench:quality`. Above 2,
 * names drown out descriptions; at 2 for the author, a publisher's own skills come first. The body of a skill weighs
 * little, but a query word found in it counts as answered.
 */
export const FIELDS = {
  name: { boost: 2, read: ({ listed }) => listed.name },
  author: { boost: 2, read: ({ listed }) => listed.author },
  category: { boost: 1, read: ({ listed }) => listed.category },
  description: { boost: 1, read: ({ description }) => description },
  body: { boost: 0.2, read: ({ body }) => body },
} as const satisfies Record<string, Field>

export type FieldName = keyof typeof FIELDS

/** The names of the searched fields. Where a field is a number, it is the place of its name here. */
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[]

/**
 * The weight of each way of matching; the typed word itself has 1. Measured with `npm run bench:quality`; each may
 * change by half without changing nDCG@10 by .005.
 */
export const WEIGHTS = {
  /** A longer word that begins with the typed one, before its length is taken into account. */
  completed: 0.25,
  /** A correction, before its distance is taken into account. */
  corrected: 0.45,
  /** A compound of the query written as one word: `data-base` finds `database`. */
  joined: 1,
  /** Two neighbouring words of the query written as one: `data base` finds `database`. */
  paired: 0.5,
  /** The parts of a camelCase word, all of them. */
  parts: 0.5,
  /** Another name of the same thing. */
  same: 0.75,
  /** A related word, which adds to the score of skills that are found by others, and finds none by itself. */
  related: 0.25,
} as const

/** Share of its weight that a completion loses for the characters that are missing; MiniSearch's own decay. */
export const MISSING_DECAY = 0.3

/**
 * Share of the best score below which a match is left out of results and `total`, by the number of words in the
 * query: it answers too little of what was asked. The best match always stays, so no query loses its last
 * result. Measured from .03 to .3: these cut the mean total to a third and cost .001 nDCG@10.
 */
const SCORE_FLOORS = [
  { words: 3, share: 0.1 },
  { words: 2, share: 0.05 },
] as const

/** The share of the best score that a match must reach in a query of `wordCount` words. */
export const findShare = (wordCount: number): number =>
  SCORE_FLOORS.find(({ words }) => wordCount >= words)?.share ?? 0

/** The weight of a longer word that begins with the typed one, by their lengths. */
export const weighCompletion = (prefixLength: number, wordLength: number): number =>
  (WEIGHTS.completed * wordLength) / (wordLength + MISSING_DECAY * (wordLength - prefixLength))

/** The weight of a correction, by its length and the edits between it and the typed word. */
export const weighCorrection = (wordLength: number, distance: number): number =>
  (WEIGHTS.corrected * wordLength) / (wordLength + distance)

/** The constants of BM25+, MiniSearch's own. */
export const BM25 = { saturation: 1.2, lengthShare: 0.7, lowest: 0.5 } as const

/**
 * How the nearness of vectors counts beside words: the best score of words is 1, and nearness above `from` adds its part of
 * this weight. Measured with `npm run bench:quality`.
 */
const NEARNESS = { weight: 0.5, from: 0.2 } as const

/** Joins what words and vectors say of a skill; `share` is its score of words, where the best skill has 1. */
export const joinScores = (share: number, nearness: number): number =>
  share + NEARNESS.weight * Math.max(0, nearness - NEARNESS.from)

/**
 * A score is multiplied by the number of query words that it answers, at most this many: further words mostly tell the story
 * around a task. Without this
 * bound a description made of frequent words came first for 13 of 148 tasks of others, with it for 5.
 */
export const PLAIN_WORDS = 6

/**
 * The share of a query's words, weighed by rarity, that the best skill must have; else some skill must be near. It
 * falls beyond six words, most of which are context: of 297 long tasks 3 are refused instead of 16, and of 36 that no
 * skill does, 30 instead of 32.
 */
export const shareOfWords = (words: number): number => 0.4 * Math.min(1, PLAIN_WORDS / words)

/** How near a skill must be, measured with `npm run bench:quality`. */
interface Fit {
  /** The least nearness of the nearest skill where the best one has too few of the words. */
  partly: number
  /** The least nearness of a result that has none of the words. */
  alone: number
}

/**
 * Of 60 queries that 1,080 skills cannot answer, 56 stay below, and none of 154 that they can. Scripts without spaces
 * have measures of their own, since skills in another language are less near.
 */
export const FITS = {
  spaced: { partly: 0.5, alone: 0.65 },
  unspaced: { partly: 0.3, alone: 0.3 },
} as const satisfies Record<string, Fit>

/** The weight of a word that `holders` of all skills have: the rarity (IDF) of BM25. */
export const weighRarity = (holders: number, skills: number): number =>
  Math.log(1 + (skills - holders + 0.5) / (holders + 0.5))

/**
 * The factor for the score of a skill whose text is not here, so that at equal fit skills with a text come first.
 * Measured with `npm run bench:quality -- --absent 10`, as pairs of 100 in which that is so, and the loss of nDCG@10:
 *
 *     1    60   0
 *      .9  70   .001
 *      .8  73   .004
 */
export const NO_TEXT_SHARE = 0.9

/**
 * If the first ten results are all of one author, the skills of this author after the first nine lose a tenth of their
 * score, so that equally good ones of others come up.
 */
export const SINGLE_AUTHOR = { results: 10, unchanged: 9, factor: 0.9 } as const
