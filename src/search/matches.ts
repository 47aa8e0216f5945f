import type { QueryPlan } from './query.ts'
import { placeWords, stemWord } from './tokens.ts'
import { canBeCompleted } from './format/vocabulary.ts'

type PlacedWords = ReturnType<typeof placeWords>[number]

/** A part of a text that a query matches, in UTF-16 units. */
interface MatchRange {
  from: number
  to: number
}

/** Search targets: single stems, groups of stems that must all occur, and prefixes. */
interface Targets {
  stems: Set<string>
  runs: (readonly string[])[]
  prefixes: string[]
}

const readTargets = ({ clauses }: QueryPlan): Targets => {
  const targets: Targets = { stems: new Set(), runs: [], prefixes: [] }
  for (const { stems, word, unfinished } of clauses) {
    const [stem, ...others] = stems
    if (stem === undefined) continue
    if (others.length > 0) targets.runs.push(stems)
    else targets.stems.add(stem)
    if (unfinished && word !== undefined && canBeCompleted(word)) targets.prefixes.push(word)
  }
  return targets
}

const listStems = ({ words }: PlacedWords): string[] =>
  words.flatMap(({ text, parts }) => [text, ...parts].map(stemWord))

const hasPrefix = ({ words }: PlacedWords, prefix: string): boolean =>
  words.some(({ text, parts }) => [text, ...parts].some((word) => word.startsWith(prefix)))

const findMatches = (text: string, { stems: single, runs, prefixes }: Targets): MatchRange[] => {
  if (single.size === 0) return []
  const places = placeWords(text).map((place) => ({ place, stems: listStems(place) }))
  const present = new Set(places.flatMap((place) => place.stems))
  const stems = new Set([
    ...single,
    ...runs.filter((run) => run.every((stem) => present.has(stem))).flat(),
  ])
  const found = places.filter(({ place, stems: placeStems }, at) => {
    if (placeStems.some((stem) => stems.has(stem))) return true
    // For the prefix `csv`, only the first word of `csv-clean` is marked, not the whole compound.
    const part = places[at + 1]?.place.from === place.from ? places[at + 1]?.place : undefined
    return prefixes.some((prefix) => hasPrefix(place, prefix) && !(part && hasPrefix(part, prefix)))
  })
  return mergeRanges(found.map(({ place: { from, to } }) => ({ from, to })))
}

/** Joins overlapping ranges, which must be sorted by `from`. */
const mergeRanges = (ranges: readonly MatchRange[]): MatchRange[] => {
  const merged: MatchRange[] = []
  for (const { from, to } of ranges) {
    const last = merged.at(-1)
    if (last !== undefined && from < last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

/** Finds the matches in a text; the ranges are in order and do not overlap. */
export type Matcher = (text: string) => MatchRange[]

/**
 * Makes a matcher for a query. Its words match, and so do their other forms, synonyms, and longer words that start with
 * the last word.
 */
export const openMatcher = (plan: QueryPlan): Matcher => {
  const targets = readTargets(plan)
  return (text) => findMatches(text, targets)
}
