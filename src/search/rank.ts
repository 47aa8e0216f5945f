import type { FacetFacts } from '../catalog/facets.ts'
import type { ListedSkill, SkillCard } from '../catalog/skill.ts'

/** A skill as the search knows it. */
export interface SearchDocument {
  /** The row that it answers with. */
  listed: ListedSkill
  /** The whole description, which is searched. */
  description: string
  /** Day of the last change, by which popular order breaks ties; undefined where it is not known. */
  updated?: string | undefined
  /** What facets are read from, and what rows of pages show. */
  facts: FacetFacts & Pick<SkillCard, 'summary'>
}

interface Field {
  /** How much a match here counts compared with one in the description. */
  boost: number
  read: (document: SearchDocument) => string
}

/**
 * The searched fields and their weights, measured with `npm run bench:quality`: with more
 * than 2 names drown out descriptions, with 2 for the author a publisher's own skills come first.
 */
export const FIELDS = {
  name: { boost: 2, read: ({ listed }) => listed.name },
  author: { boost: 2, read: ({ listed }) => listed.author },
  category: { boost: 1, read: ({ listed }) => listed.category },
  description: { boost: 1, read: ({ description }) => description },
} as const satisfies Record<string, Field>

export type FieldName = keyof typeof FIELDS

/** The names of the searched fields. Where a field is a number, it is the place of its name here. */
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[]

/**
 * What each way of matching counts, where the typed word itself counts 1. Measured with
 * `npm run bench:quality`; each may change by half without changing nDCG@10 by .005.
 */
export const WEIGHTS = {
  /** A longer word that begins with the typed one, before its length is taken into account. */
  completed: 0.25,
  /** A correction, before its distance is taken into account. */
  corrected: 0.45,
  /** A compound of the query written as one word. */
  joined: 1,
  /** Two neighbouring words of the query written as one. */
  paired: 0.5,
  /** The parts of a camelCase word, all of them. */
  humps: 0.5,
} as const

/** Share of its weight that a completion loses for the characters that are missing; MiniSearch's own decay. */
export const MISSING_DECAY = 0.3

/** A word of the query found in fewer skills than this may be misspelt. */
export const RARE_BELOW = 3

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
export const weighCompletion = (startLength: number, wordLength: number): number =>
  (WEIGHTS.completed * wordLength) / (wordLength + MISSING_DECAY * (wordLength - startLength))

/** The weight of a correction, by its length and the edits between it and the typed word. */
export const weighCorrection = (wordLength: number, distance: number): number =>
  (WEIGHTS.corrected * wordLength) / (wordLength + distance)

/** The constants of BM25+, MiniSearch's own. */
export const BM25 = { saturation: 1.2, lengthShare: 0.7, lowest: 0.5 } as const
