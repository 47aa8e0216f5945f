import { countBits } from '../query-plan.ts'
import type { Clause, QueryPlan } from '../query-plan.ts'
import { MAX_CORRECTED_WORDS, RARE, findShare } from '../weights.ts'
import type { Postings } from './postings.ts'
import { collect, keepShared } from './shared.ts'
import type { StringTable } from './string-table.ts'
import type { PackedVocabulary } from './vocabulary.ts'
import { addCompletions, correctWord } from './weigh-terms.ts'
import type { WeighedTerms } from './weigh-terms.ts'

/** What scoring reads of a file. */
export interface ScoreParts {
  size: number
  terms: StringTable
  postings: Postings
  vocabulary: PackedVocabulary
}

/** One thing that was looked for: skills that hold all the terms gain `weight` times their mean. */
export interface ScoreStep {
  clause: Clause
  how: 'read' | 'completed' | 'corrected'
  /** Terms by number; -1 is one that no skill holds. */
  terms: readonly number[]
  weight: number
}

/** Is told each step as it is taken; answers do without. */
export type NoteStep = (step: ScoreStep) => void

const forget: NoteStep = () => {}

/** The skills that may be results of a query, good until the next one is scored. */
export interface Scored {
  /** How many of `ordinals` count; they are in no order, and some may be below the floor. */
  count: number
  ordinals: Int32Array
  /** Scores by ordinal. */
  scores: Float64Array
  /** The score below which a skill answers too little to be a result. */
  floor: number
}

/** Scores all skills; `take` reads what they scored, and the next query finds nothing of it. */
export type ScoreQuery = <Result>(
  plan: QueryPlan,
  take: (scored: Scored) => Result,
  noteStep?: NoteStep,
) => Result

/**
 * Opens the scoring of queries: the sum over all ways a skill answers, times the number of words it
 * answers. Sums stand in one number a skill and not in objects; each call gives them back clean.
 */
export const openScoring = ({ size, terms, postings, vocabulary }: ScoreParts): ScoreQuery => {
  const scores = new Float64Array(size)
  const answers = new Int32Array(size)
  // One place more than there are skills: `addScores` writes before it counts.
  const touched = new Int32Array(size + 1)
  let count = 0
  let note = forget

  const addPosting = (ordinal: number, score: number, bits: number): void => {
    if (answers[ordinal] === 0) touched[count++] = ordinal
    scores[ordinal]! += score
    answers[ordinal]! |= bits
  }

  const addScores = (term: number, bits: number, weight: number): void =>
    postings.visit(term, (ordinals, values, read) => {
      // `addPosting`, written out: a common word comes here with a third of all skills.
      let end = count
      for (let at = 0; at < read; at++) {
        const ordinal = ordinals[at]!
        const answered = answers[ordinal]!
        // Written in any case and counted where it is new: a branch would be guessed wrong too often.
        touched[end] = ordinal
        end += Number(answered === 0)
        answers[ordinal] = answered | bits
        scores[ordinal] = scores[ordinal]! + weight * values[at]!
      }
      count = end
    })

  const addShared = (found: readonly number[], bits: number, weight: number): void => {
    const [rarest, ...others] = found
      .map((term) => ({ term, held: postings.count(term) }))
      .sort((a, b) => a.held - b.held)
    if (rarest === undefined) return
    const shared = collect(postings, rarest.term)
    for (const { term } of others) keepShared(postings, shared, term)
    for (let at = 0; at < shared.count; at++)
      addPosting(shared.ordinals[at]!, weight * (shared.sums[at]! / found.length), bits)
  }

  const addTerms = (
    clause: Clause,
    how: ScoreStep['how'],
    known: readonly number[],
    weighed: WeighedTerms,
  ): void => {
    for (const [term, weight] of weighed) {
      // The clause has counted its own stem already.
      if (known.includes(term)) continue
      note({ clause, how, terms: [term], weight: clause.weight * weight })
      addScores(term, clause.answers, clause.weight * weight)
    }
  }

  const addClause = (clause: Clause): void => {
    const found = clause.stems.map(terms.find)
    const [first = -1, ...others] = found
    note({ clause, how: 'read', terms: found, weight: clause.weight })
    if (!found.includes(-1)) {
      if (others.length === 0) addScores(first, clause.answers, clause.weight)
      else addShared(found, clause.answers, clause.weight)
    }
    if (!clause.unfinished || clause.word === undefined) return
    const weighed: WeighedTerms = new Map()
    addCompletions(weighed, vocabulary, clause.word, 1)
    addTerms(clause, 'completed', found, weighed)
  }

  /** Gives the words of the query, one bit each, that too few skills answer. */
  const findRareWords = (wordCount: number): number => {
    const counts = Array.from({ length: wordCount }, () => 0)
    let rare = 2 ** wordCount - 1
    for (let at = 0; at < count && rare !== 0; at++)
      for (let bits = answers[touched[at]!]! & rare; bits !== 0; bits &= bits - 1) {
        const word = 31 - Math.clz32(bits & -bits)
        counts[word] = (counts[word] ?? 0) + 1
        if (counts[word] === RARE) rare &= ~(1 << word)
      }
    return rare
  }

  const addCorrections = (plan: QueryPlan): void => {
    const rare = findRareWords(plan.wordCount)
    plan.clauses
      .filter(({ typed, answers: bits }) => typed && (bits & rare) !== 0)
      .slice(0, MAX_CORRECTED_WORDS)
      .forEach((clause) =>
        addTerms(
          clause,
          'corrected',
          clause.stems.map(terms.find),
          correctWord(vocabulary, clause, clause.word ?? ''),
        ),
      )
  }

  return <Result>(
    plan: QueryPlan,
    take: (scored: Scored) => Result,
    noteStep: NoteStep = forget,
  ): Result => {
    note = noteStep
    try {
      for (const clause of plan.clauses) addClause(clause)
      addCorrections(plan)
      const share = findShare(plan.wordCount)
      let best = 0
      let floor = 0
      let kept = 0
      // One walk: the floor only rises, so whatever is below it now is no result.
      for (let at = 0; at < count; at++) {
        const ordinal = touched[at]!
        const score = scores[ordinal]! * countBits(answers[ordinal]!)
        answers[ordinal] = 0
        if (score > best) {
          best = score
          floor = best * share
        }
        scores[ordinal] = score < floor ? 0 : score
        touched[kept] = ordinal
        kept += Number(score >= floor)
      }
      count = kept
      return take({ count, ordinals: touched, scores, floor })
    } finally {
      for (let at = 0; at < count; at++) {
        scores[touched[at]!] = 0
        answers[touched[at]!] = 0
      }
      count = 0
    }
  }
}
