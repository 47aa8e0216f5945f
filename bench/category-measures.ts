import { CATEGORIES } from '../src/catalog/categories.ts'
import type { LabelledSkill } from './category-judges.ts'
import type { Category } from '../src/catalog/categories.ts'

/** How often answers agree with labels: over all rows, and averaged over the categories. */
export interface Agreement {
  strict: number
  lenient: number
  strictMacro: number
  lenientMacro: number
}

const share = (hits: readonly boolean[]): number => hits.filter(Boolean).length / hits.length

/** Compares answers with labels; lenient ones may also be the label's second reading. */
export const measureAgreement = (
  rows: readonly LabelledSkill[],
  answers: readonly Category[],
): Agreement => {
  const judged = rows.map(({ category, also }, at) => ({
    category,
    strict: answers[at] === category,
    lenient: answers[at] === category || answers[at] === also,
  }))
  const macro = (kind: 'strict' | 'lenient'): number => {
    const shares = CATEGORIES.map((one) => judged.filter(({ category }) => category === one))
      .filter((group) => group.length > 0)
      .map((group) => share(group.map((row) => row[kind])))
    return shares.reduce((sum, one) => sum + one, 0) / shares.length
  }
  return {
    strict: share(judged.map(({ strict }) => strict)),
    lenient: share(judged.map(({ lenient }) => lenient)),
    strictMacro: macro('strict'),
    lenientMacro: macro('lenient'),
  }
}
