import type { Sections } from './layout.ts'
import { findNear } from './near-words.ts'
import { openStrings } from './string-table.ts'
import { allowEdits, isStart, swapNeighbours } from '../spelling.ts'

/** The words of all skills, by number; each leads to the term of its stem. */
export interface PackedVocabulary {
  size: number
  /** Units of a word. */
  lengthOf: (word: number) => number
  termOf: (word: number) => number
  read: (word: number) => string
  /** Gives the range of longer words that start so, the word itself left out. */
  complete: (start: string) => readonly [number, number]
  /** Gives the known words nearest to an unknown one, and how many edits away they all are. */
  correct: (word: string) => { words: readonly number[]; distance: number }
}

const NONE = [0, 0] as const
const NO_CORRECTION = { words: [], distance: 0 }

/** Opens the words of a file. */
export const openPackedVocabulary = (sections: Sections): PackedVocabulary => {
  const { wordBytes, wordBlocks, wordTerms, wordLengths } = sections
  const table = openStrings(wordBytes, wordBlocks, wordTerms.length)

  const complete = (start: string): readonly [number, number] => {
    if (!isStart(start)) return NONE
    const [from, to] = table.findStarts(start)
    // The word itself is the first of its longer ones.
    return from < to && wordLengths[from] === start.length ? [from + 1, to] : [from, to]
  }

  const correct = (word: string): ReturnType<PackedVocabulary['correct']> => {
    const edits = allowEdits(word)
    if (edits === 0) return NO_CORRECTION
    const swapped = swapNeighbours(word)
      .filter((slip) => slip !== word)
      .map(table.find)
      .filter((slip) => slip !== -1)
    const nearest = [...new Set([...findNear(sections, word, 1), ...swapped])]
    // Two edits reach every swap, so they stand among the rest in order.
    if (edits > 1) nearest.sort((a, b) => a - b)
    if (nearest.length > 0) return { words: nearest, distance: 1 }
    return edits > 1 ? { words: findNear(sections, word, 2), distance: 2 } : NO_CORRECTION
  }

  return {
    size: table.size,
    lengthOf: (word) => wordLengths[word] ?? 0,
    termOf: (word) => wordTerms[word] ?? 0,
    read: table.read,
    complete,
    correct,
  }
}
