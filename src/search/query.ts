import { InvalidIndexError } from './format/layout.ts'
import { WEIGHTS } from './rank.ts'
import { isUnspaced, joinCompound, splitCompounds, stemWord } from './tokens.ts'
import { MOST_WORDS, countWords, joinSets, wordAt } from './word-set.ts'
import type { WordSet } from './word-set.ts'

/** Further words of a query are ignored, to bound the cost of a 10 KB query. Repeated words and stop words count. */
const MAX_READ_WORDS = 100

/** Further misspelt words are not corrected: each correction costs a walk through the vocabulary. */
const MAX_CORRECTED_WORDS = 6

/** One of the alternative ways to match a part of the query. */
export interface Clause {
  /** Stems that must all be in the skill. */
  stems: string[]
  /** The query words that a match answers; never empty. */
  answers: WordSet
  weight: number
  /** The word before stemming, as typed, corrected or joined; undefined for other clauses. */
  word?: string | undefined
  /** True for the last word of the query, which may still be incomplete. */
  unfinished: boolean
  /** True for a word of the query; false if the clause was derived from its words. */
  typed: boolean
}

/** A parsed query: the number of distinct words to search for, and all clauses. Without words, nothing is searched. */
export interface QueryPlan {
  wordCount: number
  clauses: Clause[]
}

/** Synonyms and stop words. Each index stores its own copy. */
export interface QueryWords {
  /**
   * English stop words. They are dropped from queries but not from the
   * index, which therefore still answers a query of stop words alone.
   */
  stopWords: ReadonlySet<string>
  /** Synonyms by name: the stems that must all be in a skill. A name is written as its stems, with blanks between them. */
  otherNames: ReadonlyMap<string, readonly string[][]>
  /** Number of words in the longest name. */
  longestName: number
}

/** A misspelt word of a query, and the word that is searched instead. */
export type Corrected = readonly [typed: string, shown: string]

interface Place {
  word: string
  stem: string
  parts: string[]
  /** Number of the compound that contains the word. */
  compound: number
  /** The set with only this word; empty if the word is not searched. */
  answers: WordSet
}

const readPlaces = (q: string, corrected: readonly Corrected[]): Place[] => {
  const corrections = new Map(corrected)
  return splitCompounds(q, MAX_READ_WORDS).flatMap((words, compound) =>
    words.map(({ text, parts }) => {
      const word = corrections.get(text) ?? text
      return {
        word,
        stem: stemWord(word),
        parts: word === text ? parts : [word],
        compound,
        answers: 0,
      }
    }),
  )
}

/** Marks the words that are searched: the first `MOST_WORDS` distinct stems. */
const markSearched = (places: readonly Place[], stopWords: QueryWords['stopWords']): Place[] => {
  // A query of stop words alone searches for them: "how to" finds skills with these words.
  const isStopped = places.every(({ word }) => stopWords.has(word))
    ? () => false
    : ({ word }: Place) => stopWords.has(word)
  const sets = new Map<string, WordSet>()
  return places.map((place) => {
    if (isStopped(place)) return place
    if (!sets.has(place.stem) && sets.size < MOST_WORDS) sets.set(place.stem, wordAt(sets.size))
    return { ...place, answers: sets.get(place.stem) ?? 0 }
  })
}

const answersOf = (places: readonly Place[]): WordSet =>
  joinSets(places.map(({ answers }) => answers))

const readWords = (places: readonly Place[]): Clause[] => {
  const last = places.findLast(({ answers }) => answers !== 0)
  return places.map((place) => ({
    stems: [place.stem],
    answers: place.answers,
    weight: 1,
    word: place.word,
    unfinished: place === last,
    typed: true,
  }))
}

/** Makes a clause whose stems were derived from typed words. */
const derive = (places: readonly Place[], stems: string[], weight: number): Clause => ({
  stems,
  answers: answersOf(places),
  weight,
  unfinished: false,
  typed: false,
})

const readParts = (places: readonly Place[]): Clause[] =>
  places
    .filter(({ parts }) => parts.length > 1)
    .map((place) => derive([place], place.parts.map(stemWord), WEIGHTS.parts))

const joinPlaces = (joined: readonly Place[], weight: number, unfinished: boolean): Clause => {
  const word = joinCompound(joined.map(({ word: text, parts }) => ({ text, parts })))
  return { ...derive(joined, [stemWord(word)], weight), word, unfinished }
}

const readCompounds = (places: readonly Place[]): Clause[] =>
  [...Map.groupBy(places, ({ compound }) => compound).values()]
    .filter((compound) => compound.length > 1)
    .map((compound) => joinPlaces(compound, WEIGHTS.joined, compound.at(-1) === places.at(-1)))

const readNeighbours = (places: readonly Place[]): Clause[] =>
  places.slice(1).flatMap((place, index) => {
    const before = places[index]
    if (before === undefined || before.compound === place.compound || isUnspaced(place.word))
      return []
    return [joinPlaces([before, place], WEIGHTS.paired, place === places.at(-1))]
  })

const readOtherNames = (
  places: readonly Place[],
  { otherNames, longestName }: QueryWords,
): Clause[] =>
  places.flatMap((_, start) =>
    Array.from({ length: longestName }, (__, last) => places.slice(start, start + last + 1))
      .filter((run, last) => run.length === last + 1)
      .flatMap((run) =>
        (otherNames.get(run.map(({ stem }) => stem).join(' ')) ?? []).map((stems) =>
          derive(run, stems, WEIGHTS.same),
        ),
      ),
  )

/** The interpretations of a query, most likely first. */
const READINGS = [readWords, readParts, readCompounds, readNeighbours, readOtherNames] as const

const isUseful = ({ answers, stems }: Clause): boolean => answers !== 0 && stems.length > 0

/**
 * Plans a query, with its misspelt words replaced by their corrections. Any string is valid; the limits above bound the
 * cost of a hostile query.
 */
export const planQuery = (
  q: string,
  words: QueryWords,
  corrected: readonly Corrected[] = [],
): QueryPlan => {
  const places = markSearched(readPlaces(q, corrected).slice(0, MAX_READ_WORDS), words.stopWords)
  const clauses = new Map<string, Clause>()
  for (const clause of READINGS.flatMap((read) => read(places, words)).filter(isUseful)) {
    const key = `${clause.answers} ${clause.stems.join(' ')}`
    if (!clauses.has(key)) clauses.set(key, clause)
  }
  return { wordCount: countWords(answersOf(places)), clauses: [...clauses.values()] }
}

/** Lists the unknown words of a query, which may be misspelt. */
export const listMisspelt = (
  { clauses }: QueryPlan,
  isKnown: (clause: Clause) => boolean,
): string[] =>
  clauses
    .filter((clause) => clause.typed && !isKnown(clause))
    .slice(0, MAX_CORRECTED_WORDS)
    .map(({ word = '' }) => word)

/** Chooses, of the known words nearest to each unknown word, the one that most skills contain. */
export const chooseCorrections = (
  corrections: readonly { typed: string; words: readonly string[] }[],
  countSkillsWith: (word: string) => number,
): Corrected[] =>
  corrections.flatMap(({ typed, words }): Corrected[] => {
    const candidates = words.map((word) => ({ word, count: countSkillsWith(word) }))
    const [best] = candidates.sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    return best === undefined ? [] : [[typed, best.word]]
  })

/** Encodes synonyms and stop words as JSON. */
export const writeQueryWords = ({
  stopWords,
  otherNames,
  longestName,
}: QueryWords): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(
    JSON.stringify({ stopWords: [...stopWords], otherNames: [...otherNames], longestName }),
  )

/** Decodes the output of `writeQueryWords`. Throws InvalidIndexError if it is not JSON. */
export const readQueryWords = (bytes: Uint8Array): QueryWords => {
  try {
    const { stopWords, otherNames, longestName } = JSON.parse(new TextDecoder().decode(bytes)) as {
      stopWords: string[]
      otherNames: [string, string[][]][]
      longestName: number
    }
    return { stopWords: new Set(stopWords), otherNames: new Map(otherNames), longestName }
  } catch (cause) {
    throw new InvalidIndexError('its query words are not valid JSON', { cause })
  }
}
