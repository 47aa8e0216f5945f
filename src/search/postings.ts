import { FIELDS, FIELD_NAMES } from './fields.ts'
import type { SearchDocument } from './fields.ts'
import { listStems } from './index-words.ts'
import { listFieldWords } from './minisearch-options.ts'

/** How often a field of a skill holds a stem; `field` is the place of its name in `FIELD_NAMES`. */
export interface Posting {
  stem: string
  field: number
  frequency: number
  /** Distinct stems of the whole field, which is what the ranking calls its length. */
  length: number
}

/** Everything a skill is found by, for engines that keep it as rows. */
export interface SkillTerms {
  postings: Posting[]
  /** Length of each field, in the order of `FIELD_NAMES`. */
  lengths: number[]
  /** The distinct words behind the stems, for completions and corrections. */
  words: string[]
}

const countStems = (stems: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return counts
}

/** Reads a skill into the terms that the index file would hold of it. */
export const readTerms = (document: SearchDocument): SkillTerms => {
  const words = FIELD_NAMES.map((name) => listFieldWords(FIELDS[name].read(document), name))
  const counts = words.map((ofField) => countStems(listStems(ofField)))
  return {
    postings: counts.flatMap((ofField, field) =>
      [...ofField].map(([stem, frequency]) => ({ stem, field, frequency, length: ofField.size })),
    ),
    lengths: counts.map(({ size }) => size),
    words: [...new Set(words.flat())].sort(),
  }
}
