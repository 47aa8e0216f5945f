import type { Clause, QueryPlan } from './query.ts'
import type { Corrected } from './correction.ts'
import { placeWords, stemWord } from './tokens.ts'
import { isPrefix } from './format/vocabulary.ts'
import { countWords, joinSets } from './word-set.ts'
import type { WordSet } from './word-set.ts'

type PlacedWords = ReturnType<typeof placeWords>[number]

/** A part of a text that a query matches, in UTF-16 units. */
interface MatchRange {
  from: number
  to: number
}

/** Search targets: single stems, groups of stems, and prefixes, each with the words of the query it matches. */
interface Targets {
  stems: Map<string, WordSet>
  runs: Pick<Clause, 'stems' | 'answers'>[]
  prefixes: { prefix: string; answers: WordSet }[]
}

const addStem = ({ stems }: Targets, stem: string, answers: WordSet): void => {
  stems.set(stem, (stems.get(stem) ?? 0) | answers)
}

const readTargets = ({ clauses }: QueryPlan, corrected: readonly Corrected[]): Targets => {
  const shown = new Map(corrected)
  const targets: Targets = { stems: new Map(), runs: [], prefixes: [] }
  for (const { stems, answers, word, unfinished } of clauses) {
    const [stem, ...others] = stems
    if (stem === undefined) continue
    if (others.length > 0) targets.runs.push({ stems, answers })
    else addStem(targets, stem, answers)
    const correction = word === undefined ? undefined : shown.get(word)
    if (correction !== undefined) addStem(targets, stemWord(correction), answers)
    if (unfinished)
      for (const prefix of [word, correction])
        if (prefix !== undefined && isPrefix(prefix)) targets.prefixes.push({ prefix, answers })
  }
  return targets
}

/** A range with the words of the query that it matches. */
interface Match extends MatchRange {
  answers: WordSet
}

const listStems = ({ words }: PlacedWords): string[] =>
  words.flatMap(({ text, parts }) => [text, ...parts].map(stemWord))

const hasPrefix = ({ words }: PlacedWords, prefix: string): boolean =>
  words.some(({ text, parts }) => [text, ...parts].some((one) => one.startsWith(prefix)))

const findMatches = (text: string, { stems: single, runs, prefixes }: Targets): Match[] => {
  if (single.size === 0) return []
  const places = placeWords(text).map((place) => ({ place, stems: listStems(place) }))
  const held = new Set(places.flatMap((one) => one.stems))
  const stems = new Map(single)
  for (const run of runs)
    if (run.stems.every((stem) => held.has(stem)))
      for (const stem of run.stems) stems.set(stem, (stems.get(stem) ?? 0) | run.answers)
  const found = places.flatMap(({ place, stems: own }, at): Match[] => {
    const { from, to } = place
    let answers = joinSets(own.map((stem) => stems.get(stem) ?? 0))
    // In `csv-clean` only the first part counts as beginning with `csv`, not the whole.
    const part = places[at + 1]?.place.from === from ? places[at + 1]?.place : undefined
    for (const { prefix, answers: more } of prefixes)
      if (hasPrefix(place, prefix) && !(part && hasPrefix(part, prefix))) answers |= more
    return answers === 0 ? [] : [{ from, to, answers }]
  })
  return mergeMatches(found)
}

/** Joins ranges that overlap; they come in the order of their beginnings. */
const mergeMatches = (matches: readonly Match[]): Match[] => {
  const merged: Match[] = []
  for (const match of matches) {
    const last = merged.at(-1)
    if (last !== undefined && match.from < last.to) {
      last.to = Math.max(last.to, match.to)
      last.answers |= match.answers
    } else merged.push({ ...match })
  }
  return merged
}

/** A text or an excerpt, with `…` at each cut, and the matches of a query in it. */
interface MarkedText {
  text: string
  matches: MatchRange[]
  /** Number of different words of the query that match. */
  words: number
}

const toMarked = (text: string, matches: readonly Match[], shift = 0): MarkedText => ({
  text,
  matches: matches.map(({ from, to }) => ({ from: from + shift, to: to + shift })),
  words: countWords(joinSets(matches.map(({ answers }) => answers))),
})

/**
 * Longest excerpt in UTF-16 units; units before its best match; and units that are certainly visible, two lines
 * of a phone: later matches may be out of sight.
 */
const [EXCERPT, BEFORE, IN_SIGHT] = [200, 30, 70]

const ELLIPSIS = '…'

/** How many different words of the query, and how many matches, stand within an excerpt that begins with one of them. */
const countFrom = (matches: readonly Match[], first: number): { words: number; count: number } => {
  const isWithin = ({ to }: Match): boolean => to - matches[first]!.from <= EXCERPT - BEFORE
  let end = first
  while (end < matches.length && isWithin(matches[end]!)) end++
  const within = matches.slice(first, end)
  return { words: countWords(joinSets(within.map(({ answers }) => answers))), count: within.length }
}

/** The match with the most different words behind it, then with the most matches; of equal ones the first. */
const findBest = (matches: readonly Match[]): Match | undefined =>
  matches
    .map((match, at) => ({ match, ...countFrom(matches, at) }))
    .sort((a, b) => b.words - a.words || b.count - a.count)[0]?.match

/** The place of the first word from `at` on, at most `within` units further; no surrogate pair is cut. */
const toWordStart = (text: string, at: number, within: number): number => {
  if (at <= 0) return 0
  const blank = text.slice(at - 1, at + within).search(/\s/)
  if (blank !== -1) return at + blank
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at + 1 : at
}

const toWordEnd = (text: string, at: number, least: number): number => {
  if (at >= text.length) return text.length
  const kept = text.slice(least, at + 1)
  const blank = kept.search(/\s\S*$/)
  if (blank > 0) return least + blank
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at - 1 : at
}

const excerptMatches = (text: string, targets: Targets): MarkedText => {
  const matches = findMatches(text, targets)
  const best = findBest(matches)
  const isInSight = best === undefined || best.to <= IN_SIGHT
  if (isInSight && text.length <= EXCERPT) return toMarked(text, matches)
  const room = EXCERPT - 2 * ELLIPSIS.length
  const first = isInSight ? 0 : best.from - BEFORE
  const from = toWordStart(text, first, best === undefined ? 0 : Math.max(0, best.from - first))
  const to = toWordEnd(text, from + room, Math.max(from, best?.to ?? from))
  const head = from > 0 ? ELLIPSIS : ''
  return toMarked(
    `${head}${text.slice(from, to)}${to < text.length ? ELLIPSIS : ''}`,
    matches.filter((match) => match.from >= from && match.to <= to),
    head.length - from,
  )
}

/** Finds what one query matches in texts. */
export interface Matcher {
  /** How many different words the query has. */
  words: number
  /** Marks a whole text; ranges are in order and do not overlap. */
  mark(text: string): MarkedText
  /**
   * Cuts a text to at most 200 units around the place where the query matches best, whole words of it where they are
   * not too long; from its beginning where nothing matches, or that place is in sight.
   */
  excerpt(text: string): MarkedText
}

/**
 * Reads a query for the places where texts match it: its words as typed, other forms and names of them, longer words
 * that begin with the last one, and `corrected` ones as `findPage` tells them.
 */
export const openMatcher = (plan: QueryPlan, corrected: readonly Corrected[] = []): Matcher => {
  const targets = readTargets(plan, corrected)
  return {
    words: plan.wordCount,
    mark: (text) => toMarked(text, findMatches(text, targets)),
    excerpt: (text) => excerptMatches(text, targets),
  }
}
