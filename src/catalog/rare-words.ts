import type { WordTable } from './word-table.ts'

/** Rare words of a skill that are compared; more would cost time and change nothing. */
const WORDS_PER_SKILL = 12

/** A word that more skills than this share says nothing about nearness. */
const SHARED_BY_AT_MOST = 200

/** Says whether so many skills share a word that it is followed. */
export const isRare = (count: number | undefined): boolean =>
  count !== undefined && count > 0 && count <= SHARED_BY_AT_MOST

/** Picks the words of a skill that are compared, by `counts` of all: its rarest, and rare ones of its name. */
export const pickRare = (table: WordTable, place: number, counts: Uint32Array): number[] => {
  const { words, starts, named, texts } = table
  const start = starts[place]!
  const inName = start + named[place]!
  const own: { word: number; isNamed: boolean; count: number }[] = []
  for (let at = start; at < starts[place + 1]!; at += 1) {
    const word = words[at]!
    const count = counts[word] ?? 0
    if (isRare(count)) own.push({ word, isNamed: at < inName, count })
  }
  return own
    .sort((a, b) => a.count - b.count || (texts[a.word]! < texts[b.word]! ? -1 : 1))
    .filter(({ isNamed }, rank) => rank < WORDS_PER_SKILL || isNamed)
    .map(({ word }) => word)
}
