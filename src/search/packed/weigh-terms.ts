import type { Clause } from '../query-plan.ts'
import { WEIGHTS, weighCompletion, weighCorrection } from '../weights.ts'
import type { PackedVocabulary } from './vocabulary.ts'

/** Terms that stand for another one, each with what it counts, in the order they are added. */
export type WeighedTerms = Map<number, number>

const addTerm = (terms: WeighedTerms, term: number, weight: number): void => {
  if (weight > (terms.get(term) ?? 0)) terms.set(term, weight)
}

/** Adds the terms of the longer words that start so. */
export const addCompletions = (
  terms: WeighedTerms,
  vocabulary: PackedVocabulary,
  start: string,
  weight: number,
): void => {
  const [from, to] = vocabulary.complete(start)
  // MiniSearch walks its tree backwards, and sums are equal to the bit only in the same order.
  for (let word = to - 1; word >= from; word--)
    addTerm(
      terms,
      vocabulary.termOf(word),
      weight * weighCompletion(start.length, vocabulary.lengthOf(word)),
    )
}

/** Gives the terms of the words that were probably meant, and of what they may go on as. */
export const correctWord = (
  vocabulary: PackedVocabulary,
  clause: Clause,
  typed: string,
): WeighedTerms => {
  const terms: WeighedTerms = new Map()
  const { words, distance } = vocabulary.correct(typed)
  for (const word of words) {
    addTerm(terms, vocabulary.termOf(word), weighCorrection(vocabulary.lengthOf(word), distance))
    if (clause.unfinished)
      addCompletions(terms, vocabulary, vocabulary.read(word), WEIGHTS.corrected)
  }
  return terms
}
