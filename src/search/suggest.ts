import type { QueryPlan } from './query.ts'
import { countEdits } from '../catalog/edits.ts'
import { allowEdits } from './format/vocabulary.ts'
import { isUnspaced, stemWord } from './tokens.ts'

/** An unknown word and its possible corrections. */
export interface Correction<Word = string> {
  typed: string
  words: readonly Word[]
}

/** The correction as shown to the reader. */
export type Corrected = readonly [typed: string, shown: string]

/** Chooses what a page says was shown: of the words that may have been meant, the one that most skills hold. */
export const chooseShown = (
  corrections: readonly Correction[],
  countSkillsWith: (word: string) => number,
): Corrected[] =>
  corrections.flatMap(({ typed, words }): Corrected[] => {
    const held = words.map((word) => ({ word, count: countSkillsWith(word) }))
    const [best] = held.sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    return best === undefined ? [] : [[typed, best.word]]
  })

/** The beginning by which words of the same stem are looked up. */
export const startOfStem = (stem: string): string => stem.slice(0, Math.max(START, stem.length - 1))

/**
 * The word that was meant by one that no skill has though its stem is known, as `kubernets` and `kubernetes` have the
 * same; undefined where it is an ending put on a known word, or taken off one.
 */
export const findMeant = (typed: string, words: readonly string[]): string | undefined => {
  const stem = stemWord(typed)
  const related = words.filter((word) => stemWord(word) === stem)
  if (related.some((word) => word.startsWith(typed) || typed.startsWith(word))) return undefined
  const most = allowEdits(typed) + 1
  return related
    .map((word) => ({ word, edits: countEdits(typed, word, most) }))
    .filter(({ edits }) => edits < most)
    .sort((a, b) => a.edits - b.edits || (a.word < b.word ? -1 : 1))[0]?.word
}

/** Words of a query that are looked at, near words that are weighed, and those that are suggested. */
const [MOST_WORDS, MOST_WEIGHED, MOST_SUGGESTED] = [3, 20, 5]

/** Characters that a suggested word must begin with as the typed one does. */
const START = 3

/** The beginning by which suggestions for a word are looked up; empty where it is too short. */
export const startOf = (word: string): string => {
  if (isUnspaced(word)) return [...word][0] ?? ''
  const start = word.slice(0, Math.min(START, word.length - 1)).replace(/[\ud800-\udbff]$/, '')
  return start.length < 2 ? '' : start
}

/** The typed words that no skill holds, of which suggestions are looked up. */
export const listUnknown = ({ clauses }: QueryPlan, isHeld: (stem: string) => boolean): string[] =>
  clauses
    .filter(({ typed, stems }) => typed && !stems.every(isHeld))
    .flatMap(({ word }) => word ?? [])
    .slice(0, MOST_WORDS)

/** A possible correction with its edit distance. */
interface NearWord {
  word: string
  edits: number
}

/** Chooses the words nearest to some unknown ones; more than half of a word must be right. */
export const chooseNearest = (
  unknown: readonly { typed: string; words: readonly string[] }[],
): NearWord[] =>
  unknown
    .flatMap(({ typed, words }) => {
      const most = Math.ceil(typed.length / 2)
      return words
        .map((word) => ({ word, edits: countEdits(typed, word, most) }))
        .filter(({ edits }) => edits < most)
    })
    .sort((a, b) => a.edits - b.edits || (a.word < b.word ? -1 : 1))
    .slice(0, MOST_WEIGHED)

/** Sorts corrections: being in ten times as many skills outweighs one edit. */
export const rankNearest = (
  near: readonly NearWord[],
  countSkillsWith: (word: string) => number,
): string[] => {
  const weighed = near.map(({ word, edits }) => ({
    word,
    weight: edits - Math.log10(1 + countSkillsWith(word)),
  }))
  weighed.sort((a, b) => a.weight - b.weight || (a.word < b.word ? -1 : 1))
  return [...new Set(weighed.map(({ word }) => word))].slice(0, MOST_SUGGESTED)
}
