import { DEFAULT_SORT } from '../catalog/browse.ts'
import { NAMED } from './format/names.ts'
import { countBits } from './query.ts'
import type { PackedIndex } from './read/open.ts'
import type { ScoreStep } from './read/score.ts'

/** One clause of the query, and its contribution to the score. */
export interface ExplainedStep {
  /** The words of the query that it matches, one bit each; 0 if the skill lacks a stem. */
  answers: number
  how: ScoreStep['how']
  /** Stems that must all be in the skill. */
  stems: string[]
  weight: number
  /** Its contribution to the score; 0 if the skill lacks a stem. */
  score: number
  /** The score of each stem in each field, before the weight. */
  fields: (ReturnType<PackedIndex['postings']['explain']>[number] & { stem: string })[]
  missing: string[]
}

/** The reasons why a query finds a skill or does not. */
export interface Explanation {
  q: string
  slug: string
  /** Its rank among all results, from 1; undefined if it is not a result. */
  place?: number
  total: number
  named: 'letter for letter' | 'otherwise spelled' | 'no'
  /** Number of searched words, and how many of them the skill matches. */
  words: number
  answered: number
  /** The sum of all steps, times the number of matched words. */
  score: number
  /** The score below which a skill is no result. */
  floor: number
  /** One step for each typed word, found or not, and for each other match. */
  steps: ExplainedStep[]
  /** One plain sentence. */
  verdict: string
}

const describeNamed = (certainty: number | undefined): Explanation['named'] => {
  if (certainty === NAMED.letterForLetter) return 'letter for letter'
  return certainty === NAMED.otherwiseSpelled ? 'otherwise spelled' : 'no'
}

const findOrdinal = ({ size, documents }: PackedIndex, slug: string): number => {
  for (let ordinal = 0; ordinal < size; ordinal++)
    if (documents.read(ordinal).slug === slug) return ordinal
  return -1
}

const explainStep = (index: PackedIndex, ordinal: number, step: ScoreStep): ExplainedStep => {
  const found = step.terms.map((term, at) => ({
    stem: term === -1 ? (step.clause.stems[at] ?? '') : index.terms.read(term),
    held: term === -1 ? 0 : index.postings.count(term),
    fields: term === -1 ? [] : index.postings.explain(term, ordinal),
  }))
  const missing = found.filter(({ fields }) => fields.length === 0).map(({ stem }) => stem)
  // Added in the order of scoring, the rarest stem first, so that the sum is bit-identical.
  const sum = found
    .toSorted((a, b) => a.held - b.held)
    .map(({ fields }) => fields.reduce((fieldSum, { score }) => fieldSum + score, 0))
    .reduce((total, score) => total + score, 0)
  return {
    how: step.how,
    stems: found.map(({ stem }) => stem),
    weight: step.weight,
    answers: missing.length > 0 ? 0 : step.clause.answers,
    score: missing.length > 0 ? 0 : step.weight * (sum / found.length),
    fields: found.flatMap(({ stem, fields }) => fields.map((field) => ({ stem, ...field }))),
    missing,
  }
}

const judge = (explanation: Omit<Explanation, 'verdict'>): string => {
  const { place, total, named, score, floor, words, steps } = explanation
  if (place !== undefined)
    return named === 'no'
      ? `Result ${place} of ${total}.`
      : `Result ${place} of ${total}: the query is its name, ${named}.`
  if (words === 0) return 'Not found: the query holds no word that is searched.'
  if (score > 0)
    return `Not found: its score of ${score.toFixed(2)} is below the floor of ${floor.toFixed(2)}.`
  const missing = steps.filter(({ how }) => how === 'typed').flatMap((step) => step.missing)
  return `Not found: it holds none of ${[...new Set(missing)].join(', ')}.`
}

/** Explains how a query matches one skill; undefined if no listed skill has the slug. */
export const explainMatch = (
  index: PackedIndex,
  q: string,
  slug: string,
): Explanation | undefined => {
  const ordinal = findOrdinal(index, slug)
  if (ordinal === -1) return undefined
  const plan = index.plan(q)
  const taken: ScoreStep[] = []
  const floor = index.scoring.score(
    plan,
    (scored) => scored.floor,
    (step) => taken.push(step),
  )
  const steps = taken.map((step) => explainStep(index, ordinal, step))
  const answered = countBits(steps.reduce((bits, { answers }) => bits | answers, 0))
  const request = { q, sort: DEFAULT_SORT, categories: [], limit: index.size, offset: 0 }
  const { skills, total } = index.find(request)
  const place = skills.findIndex((skill) => skill.slug === slug) + 1
  const explanation = {
    q,
    slug,
    ...(place === 0 ? {} : { place }),
    total,
    named: describeNamed(index.names.find(q).get(ordinal)),
    words: plan.wordCount,
    answered,
    score: answered * steps.reduce((sum, { score }) => sum + score, 0),
    floor,
    steps: steps.filter(({ how, score }) => how === 'typed' || score > 0),
  }
  return { ...explanation, verdict: judge(explanation) }
}
