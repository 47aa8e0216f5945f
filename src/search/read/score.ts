import type { Postings } from '../format/postings.ts'
import type { StringTable } from '../format/bytes.ts'
import type { Vocabulary } from '../format/vocabulary.ts'
import type { Clause, QueryPlan } from '../query.ts'
import { isAnswered } from '../intent.ts'
import type { Intent } from '../intent.ts'
import { PLAIN_WORDS, findShare, joinScores, weighCompletion } from '../rank.ts'
import { VECTOR_SIZE, findNearness } from '../vectors.ts'
import { countWords } from '../word-set.ts'
import type { WordSet } from '../word-set.ts'

interface ScoreParts {
  size: number
  terms: StringTable
  postings: Postings
  vocabulary: Vocabulary
  /** The vector of each skill, one after the other. */
  vectors: Int8Array
}

/** The results of a query; only valid until the next query is scored. */
export interface Scored {
  /** Number of used entries of `ordinals`, which are not sorted. */
  count: number
  ordinals: Int32Array
  /** Scores by ordinal; 0 for a skill that is not a result. */
  scores: Float64Array
  /** False if the catalog has no skill for the query; the results are then the nearest skills. */
  isAnswered: boolean
}

/** Terms searched in place of another term, with their weights, in the order in which scores are added. */
type WeighedTerms = Map<number, number>

const addTerm = (terms: WeighedTerms, term: number, weight: number): void => {
  if (weight > (terms.get(term) ?? 0)) terms.set(term, weight)
}

/**
 * Scores the skills of an index: the sum over all clauses that a skill matches, times the number of query words that it
 * answers, divided by the best score. Sums are in typed arrays, which each call clears at its end.
 */
export class Scoring {
  readonly #parts: ScoreParts
  readonly #scores: Float64Array
  readonly #answers: Int32Array
  readonly #touched: Int32Array
  #count = 0

  constructor(parts: ScoreParts) {
    this.#parts = parts
    this.#scores = new Float64Array(parts.size)
    this.#answers = new Int32Array(parts.size)
    // Has one entry more than there are skills, because `#addScores` writes before it counts.
    this.#touched = new Int32Array(parts.size + 1)
  }

  /**
   * Scores all skills; without an intent, by words alone. `readScores` must be done with the scores when it returns,
   * because they are cleared afterwards.
   */
  score<Result>(
    plan: QueryPlan,
    intent: Intent | undefined,
    readScores: (scored: Scored) => Result,
  ): Result {
    try {
      for (const clause of plan.clauses) this.#addClause(clause)
      const { best, bestAnswers } = this.#finish()
      this.#dropWeak(best, findShare(plan.wordCount))
      const nearest = intent?.meaning ? this.#addNear(intent.meaning) : 0
      return readScores({
        count: this.#count,
        ordinals: this.#touched,
        scores: this.#scores,
        isAnswered: !intent || isAnswered(intent, bestAnswers, nearest),
      })
    } finally {
      for (let at = 0; at < this.#count; at++) {
        this.#scores[this.#touched[at]!] = 0
        this.#answers[this.#touched[at]!] = 0
      }
      this.#count = 0
    }
  }

  #addClause(clause: Clause): void {
    const found = clause.stems.map((stem) => this.#parts.terms.find(stem))
    if (!found.includes(-1)) {
      if (found.length === 1) this.#addScores(found[0]!, clause.answers, clause.weight)
      else this.#addShared(found, clause.answers, clause.weight)
    }
    if (!clause.unfinished || clause.word === undefined) return
    const completions: WeighedTerms = new Map()
    this.#addCompletions(completions, clause.word)
    this.#addTermScores(clause, found, completions)
  }

  #addCompletions(terms: WeighedTerms, prefix: string): void {
    const { vocabulary } = this.#parts
    const [from, to] = vocabulary.complete(prefix)
    // MiniSearch walks its tree backwards, and sums are equal to the bit only in the same order.
    for (let word = to - 1; word >= from; word--) {
      const share = weighCompletion(prefix.length, vocabulary.lengthOf(word))
      addTerm(terms, vocabulary.termOf(word), share)
    }
  }

  #addTermScores(clause: Clause, known: readonly number[], terms: WeighedTerms): void {
    for (const [term, share] of terms) {
      // The clause has already counted its own stem.
      if (known.includes(term)) continue
      this.#addScores(term, clause.answers, clause.weight * share)
    }
  }

  #addScores(term: number, words: WordSet, weight: number): void {
    const scores = this.#scores
    const answers = this.#answers
    const touched = this.#touched
    this.#parts.postings.visit(term, (ordinals, values, read) => {
      let end = this.#count
      for (let at = 0; at < read; at++) {
        const ordinal = ordinals[at]!
        const matched = answers[ordinal]!
        // Written even if the skill is not new, but then not counted: a branch would be mispredicted too often.
        touched[end] = ordinal
        end += Number(matched === 0)
        answers[ordinal] = matched | words
        scores[ordinal] = scores[ordinal]! + weight * values[at]!
      }
      this.#count = end
    })
  }

  /** Adds the mean score of several terms to the skills that contain all of them. */
  #addShared(terms: readonly number[], words: WordSet, weight: number): void {
    const { postings } = this.#parts
    const byCount = terms
      .map((term) => ({ term, holders: postings.count(term) }))
      .sort((a, b) => a.holders - b.holders)
    const [rarest, ...others] = byCount
    const shared = new SharedSkills(postings, rarest!.term, rarest!.holders)
    for (const { term } of others) shared.keep(term)
    for (let at = 0; at < shared.count; at++) {
      const ordinal = shared.ordinals[at]!
      if (this.#answers[ordinal] === 0) this.#touched[this.#count++] = ordinal
      this.#scores[ordinal]! += weight * (shared.sums[at]! / terms.length)
      this.#answers[ordinal]! |= words
    }
  }

  /** Multiplies each sum by the number of answered words. Returns the best score, and the words its skill answers. */
  #finish(): { best: number; bestAnswers: WordSet } {
    const scores = this.#scores
    const answers = this.#answers
    const touched = this.#touched
    let best = 0
    let bestAnswers = 0
    for (let at = 0; at < this.#count; at++) {
      const ordinal = touched[at]!
      const words = answers[ordinal]!
      const score = scores[ordinal]! * Math.min(PLAIN_WORDS, countWords(words))
      answers[ordinal] = 0
      scores[ordinal] = score
      if (score > best || (score === best && words > bestAnswers)) {
        best = score
        bestAnswers = words
      }
    }
    return { best, bestAnswers }
  }

  /** Divides scores by the best. Drops skills below this share of it: they answer too little to be results. */
  #dropWeak(best: number, share: number): void {
    const scores = this.#scores
    const touched = this.#touched
    let end = 0
    for (let at = 0; at < this.#count; at++) {
      const ordinal = touched[at]!
      const isWeak = scores[ordinal]! < best * share
      scores[ordinal] = isWeak ? 0 : scores[ordinal]! / best
      touched[end] = ordinal
      end += Number(!isWeak)
    }
    this.#count = end
  }

  /** Adds nearness to word scores, and adds skills that are near but match no word. Returns the greatest nearness. */
  #addNear({ vector, share, fit }: NonNullable<Intent['meaning']>): number {
    const scores = this.#scores
    const touched = this.#touched
    this.#count = 0
    let nearest = 0
    for (let ordinal = 0; ordinal < this.#parts.size; ordinal++) {
      const nearness = share * findNearness(vector, this.#parts.vectors, ordinal * VECTOR_SIZE)
      nearest = Math.max(nearest, nearness)
      const score = scores[ordinal]!
      if (score === 0 && nearness < fit.alone) continue
      touched[this.#count++] = ordinal
      scores[ordinal] = joinScores(score, nearness)
    }
    return nearest
  }
}

/** Skills that contain all of several terms, by ascending ordinal, with the sums of their scores. */
class SharedSkills {
  readonly ordinals: Int32Array
  readonly sums: Float64Array
  count = 0
  readonly #postings: Postings

  /** Starts with all skills that contain a term; `holders` is their number. */
  constructor(postings: Postings, term: number, holders: number) {
    this.#postings = postings
    this.ordinals = new Int32Array(holders)
    this.sums = new Float64Array(holders)
    postings.visit(term, (ordinals, scores, count) => {
      this.ordinals.set(ordinals.subarray(0, count), this.count)
      this.sums.set(scores.subarray(0, count), this.count)
      this.count += count
    })
  }

  /** Keeps only the skills that also contain another term, and adds its scores. */
  keep(term: number): void {
    const shared = this.ordinals
    let end = 0
    let next = 0
    this.#postings.visit(term, (ordinals, scores, count) => {
      for (let at = 0; at < count && next < this.count; at++) {
        const ordinal = ordinals[at]!
        while (next < this.count && shared[next]! < ordinal) next++
        if (next === this.count || shared[next] !== ordinal) continue
        shared[end] = ordinal
        this.sums[end++] = this.sums[next++]! + scores[at]!
      }
    })
    this.count = end
  }
}

/** Selects the skills with the highest scores; of equal scores, those with the lowest ordinals. */
export class TopSkills {
  // A heap: each skill is worse than its two children, so the worst of all is at 0.
  //
  //          0
  //       1     2        children of n: 2n + 1 and 2n + 2
  //      3 4   5 6
  readonly #ordinals: Int32Array
  readonly #scores: Float64Array
  #count = 0

  /** Selects the best `limit` of at most `most` skills. */
  constructor(limit: number, most: number) {
    const size = Math.min(limit, most)
    this.#ordinals = new Int32Array(size)
    this.#scores = new Float64Array(size)
  }

  add(ordinal: number, score: number): void {
    if (this.#count < this.#ordinals.length) this.#raise(ordinal, score)
    else if (this.#count > 0 && !this.#isBetter(0, ordinal, score)) this.#replace(ordinal, score)
  }

  /** Removes and returns the ordinals, best first. */
  takeAll(): number[] {
    const worstFirst: number[] = []
    while (this.#count > 0) {
      worstFirst.push(this.#ordinals[0]!)
      this.#count--
      this.#replace(this.#ordinals[this.#count]!, this.#scores[this.#count]!)
    }
    return worstFirst.toReversed()
  }

  /** Adds a skill at the end, and moves it up to its place. */
  #raise(ordinal: number, score: number): void {
    let at = this.#count++
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!this.#isBetter(above, ordinal, score)) break
      this.#put(at, this.#ordinals[above]!, this.#scores[above]!)
      at = above
    }
    this.#put(at, ordinal, score)
  }

  /** Replaces the worst skill, and moves the new one down to its place. */
  #replace(ordinal: number, score: number): void {
    let at = 0
    for (let below = 1; below < this.#count; below = 2 * at + 1) {
      const other = below + 1
      const isOtherWorse =
        other < this.#count && this.#isBetter(below, this.#ordinals[other]!, this.#scores[other]!)
      const worse = isOtherWorse ? other : below
      if (this.#isBetter(worse, ordinal, score)) break
      this.#put(at, this.#ordinals[worse]!, this.#scores[worse]!)
      at = worse
    }
    this.#put(at, ordinal, score)
  }

  #isBetter(at: number, ordinal: number, score: number): boolean {
    const present = this.#scores[at]!
    return present > score || (present === score && this.#ordinals[at]! < ordinal)
  }

  #put(at: number, ordinal: number, score: number): void {
    this.#ordinals[at] = ordinal
    this.#scores[at] = score
  }
}
