/** A set of query words: bit n stands for the word at place n. Sets are joined with `|`. */
export type WordSet = number

/** The most words that a set can hold. */
export const MOST_WORDS = 24

export const wordAt = (place: number): WordSet => 1 << place

export const hasWord = (words: WordSet, place: number): boolean => ((words >> place) & 1) === 1

export const joinSets = (sets: readonly WordSet[]): WordSet =>
  sets.reduce((all, set) => all | set, 0)

export const countWords = (words: WordSet): number => {
  let count = 0
  for (let rest = words; rest !== 0; rest &= rest - 1) count++
  return count
}
