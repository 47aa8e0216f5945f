import SearchableMap from 'minisearch/SearchableMap'
import { allowEdits, canBeCompleted, swapNeighbours } from '../../src/search/format/vocabulary.ts'

/** The words of all skills, as written before stemming. */
export interface OracleVocabulary {
  words: readonly string[]
  /** Returns the longer words with this prefix; none for a single letter, with which too many words start. */
  complete: (prefix: string) => string[]
  /** Returns the known words nearest to an unknown word, all at the same distance. */
  correct: (word: string) => string[]
}

/** Opens a vocabulary over distinct words. */
export const openVocabulary = (words: readonly string[]): OracleVocabulary => {
  const known = SearchableMap.from<true>(words.map((word) => [word, true] as [string, true]))

  const complete = (prefix: string): string[] =>
    canBeCompleted(prefix)
      ? [...known.atPrefix(prefix).keys()].filter((word) => word !== prefix)
      : []

  const correct = (word: string): string[] => {
    const edits = allowEdits(word)
    if (edits === 0) return []
    const swapped = swapNeighbours(word).filter((slip) => slip !== word && known.has(slip))
    const distances = new Map<string, number>()
    for (const [near, [, distance]] of known.fuzzyGet(word, edits))
      if (distance > 0) distances.set(near, distance)
    for (const slip of swapped) distances.set(slip, 1)
    const nearest = Math.min(...distances.values())
    return [...distances].flatMap(([near, distance]) => (distance === nearest ? [near] : []))
  }

  return { words, complete, correct }
}
