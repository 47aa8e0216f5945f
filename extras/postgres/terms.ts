import type { Clause, QueryPlan } from '../../src/search/query.ts'
import { isStart } from '../../src/search/read/vocabulary.ts'
import type { Vocabulary } from '../../src/search/read/vocabulary.ts'
import { stemWord } from '../../src/search/tokens.ts'
import { WEIGHTS, weighCorrection } from '../../src/search/rank.ts'

/** Other words that stand for the one word of a clause: its stem, which they do not repeat, and what they answer. */
interface Family {
  family: number
  own: string
  answers: number
  weight: number
}

/** Everything that can answer a query, as rows that the ranking statement reads. */
export interface Terms {
  /** Stems that answer alone. */
  singles: { stem: string; weight: number; answers: number }[]
  /** Stems that answer only together, `needed` of them. */
  runs: { run: number; needed: number; stem: string; weight: number; answers: number }[]
  families: Family[]
  /** Stems of a family. */
  members: { family: number; stem: string; share: number }[]
  /** Beginnings of words, all of which are members of a family. */
  starts: { family: number; start: string; length: number; factor: number }[]
}

const noTerms = (): Terms => ({ singles: [], runs: [], families: [], members: [], starts: [] })

const addFamily = (terms: Terms, { stems, answers, weight }: Clause): number => {
  const family = terms.families.length
  terms.families.push({ family, own: stems[0] ?? '', answers, weight })
  return family
}

const addStart = (terms: Terms, family: number, start: string, factor: number): void => {
  if (isStart(start)) terms.starts.push({ family, start, length: start.length, factor })
}

/** Gives the terms of a query as it was typed. */
export const listTerms = ({ clauses }: QueryPlan): Terms => {
  const terms = noTerms()
  clauses.forEach((clause, run) => {
    const { stems, weight, answers } = clause
    const [stem] = stems
    if (stem !== undefined && stems.length === 1) terms.singles.push({ stem, weight, answers })
    else
      for (const part of stems)
        terms.runs.push({ run, needed: stems.length, stem: part, weight, answers })
    if (clause.unfinished && clause.word !== undefined)
      addStart(terms, addFamily(terms, clause), clause.word, 1)
  })
  return terms
}

/** Adds the words that were probably meant by misspelt ones. */
export const addCorrections = (
  terms: Terms,
  misspelt: readonly Clause[],
  vocabulary: Vocabulary,
): Terms => {
  const more = structuredClone(terms)
  for (const clause of misspelt) {
    const family = addFamily(more, clause)
    const { words, distance } = vocabulary.correct(clause.word ?? '')
    for (const word of words.map((number) => vocabulary.read(number))) {
      const share = weighCorrection(word.length, distance)
      more.members.push({ family, stem: stemWord(word), share })
      if (clause.unfinished) addStart(more, family, word, WEIGHTS.corrected)
    }
  }
  return more
}
