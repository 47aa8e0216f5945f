import { stemWord } from './stem.ts'
import { isStopWord } from './stop-words.ts'
import { LONGEST_NAME, findOtherNames } from './synonyms.ts'
import { isUnspaced, joinCompound, splitCompounds } from './tokenize.ts'
import { WEIGHTS } from './weights.ts'

/** Distinct words of a query that are searched, the first ones; it fits the bits of a number. */
export const MAX_QUERY_WORDS = 24

/** Words of a query that are read at all, the same or stop words included; 10 KB of query cost no more. */
const MAX_READ_WORDS = 100

/** One way a skill can answer a part of the query. */
export interface Clause {
  /** Stems that must all be in the skill. */
  stems: string[]
  /** The words of the query it answers, one bit each. */
  answers: number
  weight: number
  /** The single word behind the stem, as typed. */
  word?: string | undefined
  /** True where the word ends the query, so that more of it may be to come. */
  unfinished: boolean
  /** True where the word was typed so, and not put together here: it may be misspelt. */
  typed: boolean
}

/** A query read: how many words count, and every way to answer them. No words: nothing to search. */
export interface QueryPlan {
  wordCount: number
  clauses: Clause[]
}

/** A word at its place in the query. */
interface Place {
  word: string
  stem: string
  parts: string[]
  /** Which compound of the query it stands in. */
  compound: number
  /** The bit of the word; 0 for a word that is not searched. */
  bit: number
}

const readPlaces = (q: string): Place[] =>
  splitCompounds(q).flatMap((words, compound) =>
    words.map(({ text, parts }) => ({
      word: text,
      stem: stemWord(text),
      parts,
      compound,
      bit: 0,
    })),
  )

const giveBits = (places: Place[]): Place[] => {
  // A query of nothing but stop words means them: "how to" finds skills that say so.
  const searched = places.every(({ word }) => isStopWord(word))
    ? places
    : places.filter(({ word }) => !isStopWord(word))
  const bits = new Map<string, number>()
  for (const { stem } of searched)
    if (!bits.has(stem) && bits.size < MAX_QUERY_WORDS) bits.set(stem, 1 << bits.size)
  const meant = new Set(searched)
  return places.map((place) =>
    meant.has(place) ? { ...place, bit: bits.get(place.stem) ?? 0 } : place,
  )
}

const addBits = (places: readonly Place[]): number =>
  places.reduce((bits, place) => bits | place.bit, 0)

const readWords = (places: readonly Place[]): Clause[] => {
  const last = places.findLast(({ bit }) => bit !== 0)
  return places.map((place) => ({
    stems: [place.stem],
    answers: place.bit,
    weight: 1,
    word: place.word,
    unfinished: place === last,
    typed: true,
  }))
}

const readHumps = (places: readonly Place[]): Clause[] =>
  places
    .filter(({ parts }) => parts.length > 1)
    .map(({ parts, bit }) => ({
      stems: parts.map(stemWord),
      answers: bit,
      weight: WEIGHTS.humps,
      unfinished: false,
      typed: false,
    }))

const joinPlaces = (joined: readonly Place[], weight: number, unfinished: boolean): Clause => {
  const word = joinCompound(joined.map(({ word: text, parts }) => ({ text, parts })))
  return {
    stems: [stemWord(word)],
    answers: addBits(joined),
    weight,
    word,
    unfinished,
    typed: false,
  }
}

const readCompounds = (places: readonly Place[]): Clause[] =>
  [...Map.groupBy(places, ({ compound }) => compound).values()]
    .filter((compound) => compound.length > 1)
    .map((compound) => joinPlaces(compound, WEIGHTS.joined, compound.at(-1) === places.at(-1)))

const readPairs = (places: readonly Place[]): Clause[] =>
  places.slice(1).flatMap((place, index) => {
    const before = places[index]
    if (before === undefined || before.compound === place.compound || isUnspaced(place.word))
      return []
    return [joinPlaces([before, place], WEIGHTS.paired, place === places.at(-1))]
  })

const readOtherNames = (places: readonly Place[]): Clause[] =>
  places.flatMap((_, start) =>
    Array.from({ length: LONGEST_NAME }, (__, more) => places.slice(start, start + more + 1))
      .filter((run, more) => run.length === more + 1)
      .flatMap((run) =>
        findOtherNames(run.map(({ stem }) => stem)).map(({ stems, weight }) => ({
          stems,
          answers: addBits(run),
          weight,
          unfinished: false,
          typed: false,
        })),
      ),
  )

/** The ways to read a query, the surest first. */
const READINGS = [readWords, readHumps, readCompounds, readPairs, readOtherNames] as const

const isUseful = ({ answers, stems }: Clause): boolean => answers !== 0 && stems.length > 0

/** Reads a query into everything that can answer it. Any string is one; most of a hostile one is dropped. */
export const planQuery = (q: string): QueryPlan => {
  const places = giveBits(readPlaces(q).slice(0, MAX_READ_WORDS))
  const clauses = new Map<string, Clause>()
  for (const clause of READINGS.flatMap((read) => read(places)).filter(isUseful)) {
    const key = `${clause.answers} ${clause.stems.join(' ')}`
    if (!clauses.has(key)) clauses.set(key, clause)
  }
  const answers = addBits(places)
  return { wordCount: countBits(answers), clauses: [...clauses.values()] }
}

/** Counts the words in a set of them. */
export const countBits = (bits: number): number => {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
