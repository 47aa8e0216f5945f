import { FIELD_NAMES } from '../fields.ts'
import type { SearchDocument } from '../fields.ts'
import { listFieldWords } from '../analyze.ts'
import { stemWord } from '../stem.ts'

/** What the index holds of one skill. */
export interface DocumentTerms {
  /** How often each field has a stem. */
  counts: Map<string, number[]>
  /** Distinct stems of each field. */
  lengths: number[]
  /** Words before stemming, each with its stem. */
  words: Map<string, string>
}

const NONE = FIELD_NAMES.map(() => 0)

/** Analyses one skill as MiniSearch is given it. */
export const countTerms = (document: SearchDocument): DocumentTerms => {
  const counts: DocumentTerms['counts'] = new Map()
  const words: DocumentTerms['words'] = new Map()
  const lengths = FIELD_NAMES.map((name, field) => {
    const stems = listFieldWords(document, name).map((word) => {
      const stem = words.get(word) ?? stemWord(word)
      words.set(word, stem)
      return stem
    })
    for (const stem of stems) {
      const known = counts.get(stem) ?? NONE
      counts.set(
        stem,
        known.map((count, at) => (at === field ? count + 1 : count)),
      )
    }
    return new Set(stems).size
  })
  return { counts, lengths, words }
}
