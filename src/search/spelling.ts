import { isUnspaced } from './tokenize.ts'

/** Letters a word must have to be completed; a single one starts too many. */
const SHORTEST_START = 2

/** Edits allowed in a word of at least so many characters. */
export const ALLOWED_EDITS = [
  { length: 8, edits: 2 },
  { length: 4, edits: 1 },
] as const

/** Says whether a text is enough of a word to be completed. */
export const isStart = (text: string): boolean => text.length >= SHORTEST_START || isUnspaced(text)

/** Says how many edits may lie between a typed word and the one that was meant. */
export const allowEdits = (word: string): number =>
  isUnspaced(word) || !/\p{L}/u.test(word)
    ? 0
    : (ALLOWED_EDITS.find(({ length }) => word.length >= length)?.edits ?? 0)

/** Writes a word with each pair of neighbouring characters swapped, the commonest slip of all. */
export const swapNeighbours = (word: string): string[] =>
  Array.from(
    { length: word.length - 1 },
    (_, at) => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
  )
