import { stemWord } from './stem.ts'
import { isStopWord } from './stop-words.ts'
import { NEAR_NAMES, SAME_NAMES } from './synonym-table.ts'
import { splitCompounds } from './tokenize.ts'

/** Another name of what was asked: all its stems must be in a skill for it to count. */
export interface OtherName {
  stems: string[]
  /** How much it counts beside the word that was typed, measured on judged queries. */
  weight: number
}

const TABLES = [
  { rows: SAME_NAMES, weight: 0.75 },
  { rows: NEAR_NAMES, weight: 0.25 },
] as const

const stemAll = (name: string): string[] =>
  splitCompounds(name)
    .flat()
    .map((word) => stemWord(word.text))

const readGroups = (rows: string): string[][] =>
  rows
    .trim()
    .split('\n')
    .map((row) => row.split(',').map((name) => name.trim()))

const toOtherName = (name: string, weight: number): OtherName => ({
  stems: splitCompounds(name)
    .flat()
    .filter((word) => !isStopWord(word.text))
    .map((word) => stemWord(word.text)),
  weight,
})

const readTables = (): Map<string, OtherName[]> => {
  const names = new Map<string, OtherName[]>()
  for (const { rows, weight } of TABLES)
    for (const group of readGroups(rows))
      for (const name of group) {
        const key = stemAll(name).join(' ')
        const others = group.filter((other) => other !== name)
        const known = names.get(key) ?? []
        names.set(key, [...known, ...others.map((other) => toOtherName(other, weight))])
      }
  return names
}

const OTHER_NAMES = readTables()

/** The most words a name in the tables has. */
export const LONGEST_NAME = Math.max(...[...OTHER_NAMES.keys()].map((key) => key.split(' ').length))

/** Gives the other names of a run of stems, the strongest first; most runs have none. */
export const findOtherNames = (stems: readonly string[]): readonly OtherName[] =>
  OTHER_NAMES.get(stems.join(' ')) ?? []
