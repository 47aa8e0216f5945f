import { classify, listPlaces } from '../build/catalog/classify/classify.ts'
import type { Described } from '../build/catalog/classify/classify.ts'
import { CATEGORIES } from '../src/catalog/categories.ts'
import type { Category } from '../src/catalog/categories.ts'

/** A skill with the category a reader gave it, and a second one where readers would split. */
export interface LabelledSkill extends Described {
  category: Category
  also?: Category | undefined
  /** Where it comes from; skills of one repository are worded alike. */
  repository: string
}

/** Chooses a category for every row. */
export type Judge = (rows: readonly LabelledSkill[]) => Category[]

const termsOf = (row: Described): Set<string> =>
  new Set(listPlaces(row).flatMap(({ terms }) => Array.from(terms)))

const textOf = ({ name, description }: Described): string => `${name}\n${description}`

/** Judges by the table of words, without the words that no other row (as `isElsewhere` defines it) has. */
const judgeBySharedWords =
  (isElsewhere: (row: LabelledSkill, other: LabelledSkill) => boolean): Judge =>
  (rows) => {
    const known = new Map<string, LabelledSkill[]>()
    const read = rows.map((row) => ({ row, terms: termsOf(row), text: textOf(row) }))
    const holdersOf = (term: string): LabelledSkill[] => {
      const holders =
        known.get(term) ??
        read
          .filter(({ terms, text }) => terms.has(term) || text.includes(term))
          .map(({ row }) => row)
      known.set(term, holders)
      return holders
    }
    return rows.map(
      (row) =>
        classify(row, (term) => holdersOf(term).some((one) => isElsewhere(row, one))).category,
    )
  }

const FOLDS = 10

interface Learned {
  /** Rows of each category that hold a term. */
  counts: Map<string, number[]>
  rows: number[]
}

const learn = (rows: readonly LabelledSkill[]): Learned => {
  const learned: Learned = { counts: new Map(), rows: CATEGORIES.map(() => 0) }
  for (const row of rows) {
    const at = CATEGORIES.indexOf(row.category)
    learned.rows[at]! += 1
    for (const term of termsOf(row)) {
      const counts = learned.counts.get(term) ?? CATEGORIES.map(() => 0)
      counts[at]! += 1
      learned.counts.set(term, counts)
    }
  }
  return learned
}

/** Added to every count, so that a term a category never had does not rule it out. */
const SMOOTHING = 0.2

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/**
 * Complement naive Bayes: a term counts against each category by how common it is outside of it, which suits
 * categories of very different size. Terms of a single row are not used.
 */
const answerLearned = ({ counts, rows }: Learned, skill: Described): Category => {
  const total = sum(rows)
  const scores = rows.map(() => 0)
  for (const term of termsOf(skill)) {
    const held = counts.get(term)
    if (!held || sum(held) < 2) continue
    for (const [at, count] of held.entries()) {
      scores[at]! -= Math.log((sum(held) - count + SMOOTHING) / (total - rows[at]! + 1))
    }
  }
  return CATEGORIES[scores.indexOf(Math.max(...scores))] ?? 'Coding'
}

const judgeByLearning: Judge = (rows) => {
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    learn(rows.filter((_row, at) => at % FOLDS !== fold)),
  )
  return rows.map((row, at) => answerLearned(models[at % FOLDS] as Learned, row))
}

/** The judges that are measured, the simplest first. */
export const JUDGES: Readonly<Record<string, Judge>> = {
  'always Coding': (rows) => rows.map(() => 'Coding'),
  'learned from the other rows alone': judgeByLearning,
  'table, words of other repositories': judgeBySharedWords(
    (row, one) => one.repository !== row.repository,
  ),
  'table, words of other rows': judgeBySharedWords((row, one) => one !== row),
  'table as it ships': (rows) => rows.map((row) => classify(row).category),
}
