import type { Clause, QueryPlan } from '../../src/search/query.ts'
import { WEIGHTS, weighCorrection } from '../../src/search/rank.ts'
import {
  ALLOWED_EDITS,
  allowEdits,
  isPrefix,
  swapNeighbours,
} from '../../src/search/format/vocabulary.ts'
import type { Correction } from '../../src/search/correction.ts'
import { stemWord } from '../../src/search/tokens.ts'
import type { WordSet } from '../../src/search/word-set.ts'

/** Alternative stems for the single word of a clause, without its own stem. */
interface Choice {
  choice: number
  own: string
  answers: WordSet
  weight: number
}

/** The terms of a query plan, as rows for the ranking statement. */
export interface QueryTerms {
  /** Stems that answer alone. */
  singles: { stem: string; weight: number; answers: WordSet }[]
  /** Stems that answer only together, `needed` of them. */
  runs: { run: number; needed: number; stem: string; weight: number; answers: WordSet }[]
  choices: Choice[]
  /** The stems of a choice, each with what it counts. */
  members: { choice: number; stem: string; share: number }[]
  /** Prefixes; every word with the prefix belongs to the choice. */
  prefixes: { choice: number; prefix: string; length: number; factor: number }[]
}

const addChoice = (terms: QueryTerms, { stems, answers, weight }: Clause): number => {
  const choice = terms.choices.length
  terms.choices.push({ choice, own: stems[0] ?? '', answers, weight })
  return choice
}

const addPrefix = (terms: QueryTerms, choice: number, prefix: string, factor: number): void => {
  if (isPrefix(prefix)) terms.prefixes.push({ choice, prefix, length: prefix.length, factor })
}

/** The corrections of a misspelt word, all of the same distance. */
export interface CorrectedClause extends Correction {
  clause: Clause
  distance: number
}

/** The terms of a query, and those of its corrections. */
export const listQueryTerms = (
  { clauses }: QueryPlan,
  corrections: readonly CorrectedClause[],
): QueryTerms => {
  const terms: QueryTerms = { singles: [], runs: [], choices: [], members: [], prefixes: [] }
  clauses.forEach((clause, run) => {
    const { stems, weight, answers } = clause
    const [stem] = stems
    if (stem !== undefined && stems.length === 1) terms.singles.push({ stem, weight, answers })
    else
      for (const part of stems)
        terms.runs.push({ run, needed: stems.length, stem: part, weight, answers })
    if (clause.unfinished && clause.word !== undefined)
      addPrefix(terms, addChoice(terms, clause), clause.word, 1)
  })
  for (const { clause, words, distance } of corrections) {
    const choice = addChoice(terms, clause)
    for (const word of words) {
      const share = weighCorrection(word.length, distance)
      terms.members.push({ choice, stem: stemWord(word), share })
      if (clause.unfinished) addPrefix(terms, choice, word, WEIGHTS.corrected)
    }
  }
  return terms
}

// A word within n edits of another keeps one of its n + 1 pieces whole, moved by at most n places. So
// a lookup by pieces finds every near word without walking through all of them, in any database.

const cutIntoPieces = (length: number, edits: number): { start: number; end: number }[] =>
  Array.from({ length: edits + 1 }, (_, at) => ({
    start: Math.floor((at * length) / (edits + 1)),
    end: Math.floor(((at + 1) * length) / (edits + 1)),
  }))

// A cut may split a surrogate pair, which a database rejects.
const nameOf = (edits: number, length: number, at: number, piece: string): string =>
  `${edits}.${length}.${at}.${piece.toWellFormed()}`

/** The pieces that a word of the vocabulary is looked up by. */
export const listPieces = (word: string): string[] =>
  ALLOWED_EDITS.filter(({ length, edits }) => word.length >= length - edits).flatMap(({ edits }) =>
    cutIntoPieces(word.length, edits).map(({ start, end }, at) =>
      nameOf(edits, word.length, at, word.slice(start, end)),
    ),
  )

/** Words near to a misspelt one have one of the pieces, or are one of the words. */
interface Probes {
  pieces: string[]
  words: string[]
}

/** Lookups that find every word that can be a correction of this one, and some more. */
export const listProbes = (typed: string): Probes => {
  const edits = allowEdits(typed)
  if (edits === 0) return { pieces: [], words: [] }
  const pieces = new Set<string>()
  for (let length = typed.length - edits; length <= typed.length + edits; length++)
    cutIntoPieces(length, edits).forEach(({ start, end }, at) => {
      for (let moved = -edits; moved <= edits; moved++)
        if (start + moved >= 0 && end + moved <= typed.length)
          pieces.add(nameOf(edits, length, at, typed.slice(start + moved, end + moved)))
    })
  return { pieces: [...pieces], words: swapNeighbours(typed) }
}
