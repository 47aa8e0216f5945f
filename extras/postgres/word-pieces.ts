import { ALLOWED_EDITS, allowEdits, swapNeighbours } from '../../src/search/read/vocabulary.ts'

// A word within n edits of another keeps one of its n + 1 pieces whole, moved by at most n places. So
// a lookup by pieces finds every near word without walking through all of them, in any database.

const cutWord = (length: number, edits: number): { start: number; end: number }[] =>
  Array.from({ length: edits + 1 }, (_, at) => ({
    start: Math.floor((at * length) / (edits + 1)),
    end: Math.floor(((at + 1) * length) / (edits + 1)),
  }))

// A cut may part a surrogate pair, and a database takes whole characters only.
const nameOf = (edits: number, length: number, at: number, piece: string): string =>
  `${edits}.${length}.${at}.${piece.toWellFormed()}`

/** Gives the pieces that a known word is looked up by. */
export const listPieces = (word: string): string[] =>
  ALLOWED_EDITS.filter(({ length, edits }) => word.length >= length - edits).flatMap(({ edits }) =>
    cutWord(word.length, edits).map(({ start, end }, at) =>
      nameOf(edits, word.length, at, word.slice(start, end)),
    ),
  )

/** Where the words near to a misspelt one are: they have one of the pieces, or are one of the words. */
export interface Probes {
  pieces: string[]
  words: string[]
}

/** Gives the lookups that find every word a correction of this one can be, and some more. */
export const listProbes = (typed: string): Probes => {
  const edits = allowEdits(typed)
  if (edits === 0) return { pieces: [], words: [] }
  const pieces = new Set<string>()
  for (let length = typed.length - edits; length <= typed.length + edits; length++)
    cutWord(length, edits).forEach(({ start, end }, at) => {
      for (let moved = -edits; moved <= edits; moved++)
        if (start + moved >= 0 && end + moved <= typed.length)
          pieces.add(nameOf(edits, length, at, typed.slice(start + moved, end + moved)))
    })
  return { pieces: [...pieces], words: swapNeighbours(typed) }
}
