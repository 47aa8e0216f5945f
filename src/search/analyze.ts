import { readNameKeys } from './format/names.ts'
import { FIELDS, FIELD_NAMES } from './rank.ts'
import type { FieldName, SearchDocument } from './rank.ts'
import { joinCompound, splitCompounds, stemWord } from './tokens.ts'

/** All searchable words of a text: its words, their camelCase parts, and its joined compounds. */
const listWords = (text: string): string[] =>
  splitCompounds(text).flatMap((compound) =>
    compound
      .flatMap(({ text: word, parts }) => (parts.length > 1 ? [word, ...parts] : [word]))
      .concat(compound.length > 1 ? [joinCompound(compound)] : []),
  )

/** The words of the text of a field, in order, with repetitions. A name is one compound: `CSV Clean` is also `csvclean`. */
export const listFieldWords = (text: string, field: FieldName): string[] =>
  listWords(field === 'name' ? text.trim().replace(/[\s-]+/gu, '-') : text)

/** A term of a skill, and the words it comes from. */
interface AnalyzedTerm {
  term: string
  /** The distinct words whose stem it is, at least one. */
  words: string[]
  /** How often each field holds it, in the order of `FIELD_NAMES`. */
  frequencies: number[]
}

/** The text of one skill, analysed for the search. */
interface SkillAnalysis {
  /** Each term once, in the order of first occurrence in the fields. */
  terms: AnalyzedTerm[]
  /** Distinct terms of each field, which is what the ranking calls its length. */
  lengths: number[]
  name: ReturnType<typeof readNameKeys>
}

/** Analyses the text of one skill as MiniSearch does with `listFieldWords`, for PostgreSQL. */
export const analyzeSkill = (document: SearchDocument): SkillAnalysis => {
  const terms = new Map<string, AnalyzedTerm>()
  const byWord = new Map<string, AnalyzedTerm>()
  const lengths = FIELD_NAMES.map(() => 0)
  const addWord = (word: string): AnalyzedTerm => {
    const term = stemWord(word)
    const known = terms.get(term) ?? { term, words: [], frequencies: FIELD_NAMES.map(() => 0) }
    known.words.push(word)
    terms.set(term, known)
    byWord.set(word, known)
    return known
  }
  FIELD_NAMES.forEach((field, at) => {
    for (const word of listFieldWords(FIELDS[field].read(document), field)) {
      const { frequencies } = byWord.get(word) ?? addWord(word)
      if (frequencies[at]!++ === 0) lengths[at]!++
    }
  })
  return { terms: [...terms.values()], lengths, name: readNameKeys(document.listed.name) }
}
