import type { QueryPlan } from '../../src/search/query.ts'
import {
  ALLOWED_EDITS,
  allowEdits,
  canBeCompleted,
  swapNeighbours,
} from '../../src/search/format/vocabulary.ts'
import type { WordSet } from '../../src/search/word-set.ts'

/** An unfinished word: all words that start with it match. Ranking skips its own stem, which is already counted. */
interface Prefix {
  choice: number
  prefix: string
  length: number
  skipped: string
  answers: WordSet
  weight: number
}

/** The terms of a query plan, as rows for the ranking statement. */
export interface QueryTerms {
  /** Stems that match alone. */
  singles: { stem: string; weight: number; answers: WordSet }[]
  /** Stems that match only if a skill contains all `needed` stems of a run. */
  runs: { run: number; needed: number; stem: string; weight: number; answers: WordSet }[]
  prefixes: Prefix[]
}

export const listQueryTerms = ({ clauses }: QueryPlan): QueryTerms => {
  const terms: QueryTerms = { singles: [], runs: [], prefixes: [] }
  clauses.forEach(({ stems, weight, answers, unfinished, word: prefix = '' }, at) => {
    const [stem = ''] = stems
    if (stems.length === 1) terms.singles.push({ stem, weight, answers })
    else
      for (const part of stems)
        terms.runs.push({ run: at, needed: stems.length, stem: part, weight, answers })
    if (unfinished && canBeCompleted(prefix)) {
      const { length } = prefix
      terms.prefixes.push({ choice: at, prefix, length, skipped: stem, answers, weight })
    }
  })
  return terms
}

// If a word is cut into n + 1 pieces, n edits leave at least one piece unchanged, moved by at most n places. So a
// lookup of pieces finds all near words without reading the whole vocabulary, in any database.

const cutIntoPieces = (length: number, edits: number): { start: number; end: number }[] =>
  Array.from({ length: edits + 1 }, (_, at) => ({
    start: Math.floor((at * length) / (edits + 1)),
    end: Math.floor(((at + 1) * length) / (edits + 1)),
  }))

// Databases reject half of a surrogate pair, which a cut can leave.
const namePiece = (edits: number, length: number, at: number, piece: string): string =>
  `${edits}.${length}.${at}.${piece.toWellFormed()}`

/** Lists the pieces by which a word of the vocabulary is found. */
export const listPieces = (word: string): string[] =>
  ALLOWED_EDITS.filter(({ length, edits }) => word.length >= length - edits).flatMap(({ edits }) =>
    cutIntoPieces(word.length, edits).map(({ start, end }, at) =>
      namePiece(edits, word.length, at, word.slice(start, end)),
    ),
  )

/** Lists pieces and words whose lookup finds all possible corrections of a misspelt word, and some other words. */
export const listProbes = (typed: string): { pieces: string[]; words: string[] } => {
  const edits = allowEdits(typed)
  if (edits === 0) return { pieces: [], words: [] }
  const pieces = new Set<string>()
  for (let length = typed.length - edits; length <= typed.length + edits; length++)
    cutIntoPieces(length, edits).forEach(({ start, end }, at) => {
      for (let moved = -edits; moved <= edits; moved++)
        if (start + moved >= 0 && end + moved <= typed.length)
          pieces.add(namePiece(edits, length, at, typed.slice(start + moved, end + moved)))
    })
  return { pieces: [...pieces], words: swapNeighbours(typed) }
}
