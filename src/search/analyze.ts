import { listBodyStems } from './body.ts'
import { readNameKeys } from './format/names.ts'
import { FIELDS, FIELD_NAMES } from './rank.ts'
import type { FieldName, SearchDocument } from './rank.ts'
import { isUnspaced, joinCompound, splitCompounds, stemWord } from './tokens.ts'

/** Only the first words of a name count: a name made of many names would be found for anything. */
const NAME_WORDS = 6

/** Pairs of letters of a script without spaces that count as one word of a name. */
const PAIRS_OF_WORD = 3

type Compounds = ReturnType<typeof splitCompounds>

/** Keeps the first words of a name; a camelCase word counts with all of its parts. */
const cutName = (compounds: Compounds): Compounds => {
  let left = NAME_WORDS * PAIRS_OF_WORD
  return compounds.map((compound) =>
    compound.flatMap(({ text, parts }) => {
      const kept = parts.slice(0, Math.max(0, Math.ceil(left / PAIRS_OF_WORD)))
      left -= isUnspaced(text) ? 1 : parts.length * PAIRS_OF_WORD
      return kept.length === 0 ? [] : [{ text, parts: kept }]
    }),
  )
}

/** Lists all searchable words: words, their camelCase parts, and joined compounds. */
const listWords = (compounds: Compounds): string[] =>
  compounds.flatMap((compound) =>
    compound
      .flatMap(({ text: word, parts }) => (parts.length > 1 ? [word, ...parts] : [word]))
      .concat(compound.length > 1 ? [joinCompound(compound)] : []),
  )

/**
 * Lists the terms of a field's text, in order, with repetitions. `findTerm` returns the term of a word. A name is one
 * compound: `CSV Clean` is also `csvclean`. A body has stems but no words: prefixes and misspelt words do not match it.
 */
export const listFieldTerms = (
  text: string,
  field: FieldName,
  findTerm: (word: string) => string,
): string[] => {
  if (field === 'body') return listBodyStems(text)
  if (field !== 'name') return listWords(splitCompounds(text)).map(findTerm)
  const compounds = splitCompounds(text.trim().replace(/[\s-]+/gu, '-'))
  return listWords(cutName(compounds)).map(findTerm)
}

/** A term of a skill, and the words it comes from. */
interface AnalyzedTerm {
  term: string
  /** The distinct words with this stem; empty if the term is only in the body. */
  words: string[]
  /** How often each field contains the term, in the order of `FIELD_NAMES`. */
  frequencies: number[]
}

/**
 * Analyses one skill for PostgreSQL: its terms in the order of first occurrence, and the number of distinct terms in
 * each field, which ranking uses as the field's length. MiniSearch with `listFieldTerms` gives the same result.
 */
export const analyzeSkill = (document: SearchDocument) => {
  const terms = new Map<string, AnalyzedTerm>()
  const termOf = new Map<string, string>()
  const lengths = FIELD_NAMES.map(() => 0)
  const recordOf = (term: string): AnalyzedTerm => {
    const known = terms.get(term) ?? { term, words: [], frequencies: FIELD_NAMES.map(() => 0) }
    terms.set(term, known)
    return known
  }
  const findTerm = (word: string): string => {
    const known = termOf.get(word)
    if (known !== undefined) return known
    const term = stemWord(word)
    termOf.set(word, term)
    recordOf(term).words.push(word)
    return term
  }
  FIELD_NAMES.forEach((field, at) => {
    for (const term of listFieldTerms(FIELDS[field].read(document), field, findTerm)) {
      const { frequencies } = recordOf(term)
      if (frequencies[at]!++ === 0) lengths[at]!++
    }
  })
  return { terms: [...terms.values()], lengths, name: readNameKeys(document.listed.name) }
}
