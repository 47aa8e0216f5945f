import type { OtherName, QueryWords } from './query.ts'
import { NEAR_NAMES, SAME_NAMES } from './synonyms.ts'
import { splitCompounds, stemWord } from './tokens.ts'

const STOP_WORDS: ReadonlySet<string> = new Set(
  `
  a an the this that these those some any all such
  i me my we us our you your he she his her it its they them their
  is are was were be been am do does did has have had can could will would should may might must
  and or but if so than then as
  of on in into to too from for by at with about over up out off
  how what when where which while who whose why there here
  just also only very please want need needs let lets make get gets help use used using like some
  `
    .trim()
    .split(/\s+/),
)

/** Weight of a synonym relative to the typed word, measured on judged queries. */
const NAME_TABLES = [
  { rows: SAME_NAMES, weight: 0.75 },
  { rows: NEAR_NAMES, weight: 0.25 },
] as const

const listWords = (name: string): string[] =>
  splitCompounds(name)
    .flat()
    .map(({ text }) => text)

const toOtherName = (name: string, weight: number): OtherName => [
  weight,
  ...listWords(name)
    .filter((word) => !STOP_WORDS.has(word))
    .map(stemWord),
]

const readNames = (): Map<string, readonly OtherName[]> => {
  const names = new Map<string, readonly OtherName[]>()
  for (const { rows, weight } of NAME_TABLES)
    for (const row of rows.trim().split('\n')) {
      const group = row.split(',').map((name) => name.trim())
      for (const name of group) {
        const key = listWords(name).map(stemWord).join(' ')
        const others = group.filter((other) => other !== name)
        const known = names.get(key) ?? []
        names.set(key, [...known, ...others.map((other) => toOtherName(other, weight))])
      }
    }
  return names
}

const OTHER_NAMES = readNames()

/** Synonyms and stop words of this version of the code. Searches use those stored in the index instead. */
export const QUERY_WORDS: QueryWords = {
  stopWords: STOP_WORDS,
  otherNames: OTHER_NAMES,
  longestName: Math.max(...[...OTHER_NAMES.keys()].map((key) => key.split(' ').length)),
}
