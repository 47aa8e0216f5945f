/**
 * What each way of matching counts beside the typed word itself, which counts 1. Measured with
 * `npm run bench:quality`; every one may move by half without moving nDCG@10 by .005.
 */
export const WEIGHTS = {
  /** A longer word that starts as the typed one, before its length is taken into account. */
  completed: 0.25,
  /** A word that was probably meant, before its distance is taken into account. */
  corrected: 0.45,
  /** A compound of the query written as one word. */
  joined: 1,
  /** Two neighbouring words of the query written as one. */
  paired: 0.5,
  /** The parts of a camelCase word, all of them. */
  humps: 0.5,
} as const

/** The constants of BM25+, MiniSearch's own. */
export const BM25 = { saturation: 1.2, lengthShare: 0.7, lowest: 0.5 } as const

/** Misspelt words of a query that are corrected, the first ones: each costs a walk through all words. */
export const MAX_CORRECTED_WORDS = 6

/**
 * How much a missing character takes from a completion: the more is missing, the less sure it is. This is
 * MiniSearch's own decay.
 */
export const MISSING_DECAY = 0.3

/** A word of the query found in fewer skills than this may be misspelt. */
export const RARE = 3

/**
 * Share of the best score below which a match is left out of results and `total`, for queries of at least
 * so many words: it answers too little of what was asked. The best match is always left, so no query loses
 * its last result. Measured from .03 to .3: these cut the mean total to a third and cost .001 nDCG@10.
 */
const SCORE_FLOORS = [
  { words: 3, share: 0.1 },
  { words: 2, share: 0.05 },
] as const

/** Gives the share of the best score that a match of so many words must reach. */
export const findShare = (wordCount: number): number =>
  SCORE_FLOORS.find(({ words }) => wordCount >= words)?.share ?? 0

/** Weighs a longer word by MiniSearch's own decay: the more is missing, the less sure the completion. */
export const weighCompletion = (startLength: number, wordLength: number): number =>
  (WEIGHTS.completed * wordLength) / (wordLength + MISSING_DECAY * (wordLength - startLength))

/** Weighs a word that was probably meant by the edits between it and the typed one. */
export const weighCorrection = (wordLength: number, distance: number): number =>
  (WEIGHTS.corrected * wordLength) / (wordLength + distance)
