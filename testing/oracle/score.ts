import type { Clause, QueryPlan } from '../../src/search/query.ts'
import { PLAIN_WORDS, findShare, weighCompletion } from '../../src/search/rank.ts'
import { stemWord } from '../../src/search/tokens.ts'
import { countWords } from '../../src/search/word-set.ts'
import type { WordSet } from '../../src/search/word-set.ts'
import type { OracleVocabulary } from './vocabulary.ts'

/** The BM25 scores, weighed by field, of the skills that contain one stem, by ordinal. */
export type TermScores = ReadonlyMap<number, number>

type MatchStem = (stem: string) => TermScores

/** A skill's score, and the words of the query that it matches. */
interface Match {
  score: number
  answers: WordSet
}

type Matches = Map<number, Match>

/** Stems that are used in place of another stem, each with its weight. */
type WeighedStems = Map<string, number>

const addStem = (stems: WeighedStems, word: string, weight: number): void => {
  const stem = stemWord(word)
  if (weight > (stems.get(stem) ?? 0)) stems.set(stem, weight)
}

const completeWord = (vocabulary: OracleVocabulary, prefix: string): WeighedStems => {
  const stems: WeighedStems = new Map()
  for (const word of vocabulary.complete(prefix))
    addStem(stems, word, weighCompletion(prefix.length, word.length))
  return stems
}

/** Scores the skills that contain all stems of a name, by the mean of the stems' scores. */
const matchAll = (match: MatchStem, stems: readonly string[]): TermScores => {
  const found = stems.map((stem) => match(stem)).sort((a, b) => a.size - b.size)
  const [rarest, ...others] = found
  const scores = new Map<number, number>()
  for (const [ordinal, score] of rarest ?? [])
    if (others.every((other) => other.has(ordinal)))
      scores.set(
        ordinal,
        others.reduce((sum, other) => sum + (other.get(ordinal) ?? 0), score) / found.length,
      )
  return scores
}

const addScores = (matches: Matches, scores: TermScores, clause: Clause, weight: number): void => {
  for (const [ordinal, score] of scores) {
    const match = matches.get(ordinal)
    if (match === undefined) {
      matches.set(ordinal, { score: weight * score, answers: clause.answers })
    } else {
      match.score += weight * score
      match.answers |= clause.answers
    }
  }
}

const addStems = (
  matches: Matches,
  match: MatchStem,
  clause: Clause,
  stems: WeighedStems,
): void => {
  for (const [stem, weight] of stems)
    // The clause's own stems are already counted.
    if (!clause.stems.includes(stem))
      addScores(matches, match(stem), clause, clause.weight * weight)
}

const dropWeak = (scores: Map<number, number>, wordCount: number): Map<number, number> => {
  const share = findShare(wordCount)
  let best = 0
  for (const score of scores.values()) best = Math.max(best, score)
  const strong = [...scores].filter(([, score]) => score >= best * share)
  return new Map(strong.map(([ordinal, score]) => [ordinal, score / best]))
}

/**
 * Scores every skill that matches a query: the sum of the scores of its matches, times the number of words that it
 * matches, divided by the best score. Scores are by ordinal, unsorted.
 */
export const scoreQuery = (
  plan: QueryPlan,
  match: MatchStem,
  vocabulary: OracleVocabulary,
): { scores: Map<number, number>; bestAnswers: WordSet } => {
  const matches: Matches = new Map()
  for (const clause of plan.clauses) {
    addScores(matches, matchAll(match, clause.stems), clause, clause.weight)
    if (clause.unfinished && clause.word !== undefined)
      addStems(matches, match, clause, completeWord(vocabulary, clause.word))
  }
  const scores = new Map<number, number>()
  let [best, bestAnswers] = [0, 0]
  for (const [ordinal, { score, answers }] of matches) {
    const own = score * Math.min(PLAIN_WORDS, countWords(answers))
    scores.set(ordinal, own)
    if (own > best || (own === best && answers > bestAnswers)) [best, bestAnswers] = [own, answers]
  }
  return { scores: dropWeak(scores, plan.wordCount), bestAnswers }
}
