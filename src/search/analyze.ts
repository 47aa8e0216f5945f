import { FIELDS, FIELD_NAMES } from './fields.ts'
import type { FieldName, SearchDocument } from './fields.ts'
import { ByteWriter } from './format/bytes.ts'
import { toLetters, toSpelling } from './exact-name.ts'
import { listIndexWords, listNameWords } from './index-words.ts'
import { listNameHashes } from './packed/names.ts'
import { encodeUnits } from './packed/text-bytes.ts'
import { writePosting } from './packed/write-postings.ts'
import { stemWord } from './stem.ts'

/** The words of one field, in order and as often as it holds them. */
export const listFieldWords = (document: SearchDocument, field: FieldName): string[] => {
  const text = FIELDS[field].read(document)
  return field === 'name' ? listNameWords(text) : listIndexWords(text)
}

/** A term of a skill, and what of the skill stands behind it. */
export interface AnalyzedTerm {
  term: string
  /** The distinct words whose stem it is, at least one. */
  words: string[]
  /** How often each field holds it, in the order of `FIELD_NAMES`. */
  frequencies: number[]
}

/** Everything that the search needs to know of the text of one skill. */
export interface SkillAnalysis {
  /** Each once, in the order in which the fields hold them first. */
  terms: AnalyzedTerm[]
  /** Distinct terms of each field, which is what the ranking calls its length. */
  lengths: number[]
  /** The name without what people vary, and its letters in lower case (`names.ts`). */
  name: { spelling: string; letters: string; hashes: number[] }
}

/** Analyses the text of one skill: all that search, index and database hold of it comes from here. */
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
    for (const word of listFieldWords(document, field)) {
      const { frequencies } = byWord.get(word) ?? addWord(word)
      if (frequencies[at]!++ === 0) lengths[at]!++
    }
  })
  const { name } = document.listed
  return {
    terms: [...terms.values()],
    lengths,
    name: { spelling: toSpelling(name), letters: toLetters(name), hashes: listNameHashes(name) },
  }
}

/** Bytes in which one analysis after the other is written; to make new ones each time costs as much as the rest. */
const scratch = new ByteWriter()

const writeText = (writer: ByteWriter, text: string): void => {
  const encoded = encodeUnits(text)
  writer.number(encoded.length)
  writer.bytes(encoded)
}

/** Writes what makes a term of a word: how many bytes are cut off its end, and what is added. */
const writeStem = (writer: ByteWriter, word: string, term: string): void => {
  let shared = 0
  while (shared < term.length && word[shared] === term[shared]) shared++
  writer.number(shared === word.length ? 0 : encodeUnits(word.slice(shared)).length)
  writer.shortText(term.slice(shared))
}

/**
 * Writes an analysis as `packIndex` reads it: count of terms, lengths, name, and of each term how many words
 * it has, its fields as the index file has them, and its words. The first word is followed by what makes
 * it the term. There is no version and no checksum: whoever keeps it drops it when the code changes.
 */
export const encodeAnalysis = ({ terms, lengths, name }: SkillAnalysis): Uint8Array => {
  const writer = scratch
  writer.clear()
  writer.number(terms.length)
  for (const length of lengths) writer.number(length)
  writer.number(name.hashes.length)
  for (const hash of name.hashes) writer.number(hash)
  writeText(writer, name.spelling)
  writeText(writer, name.letters)
  for (const { term, words, frequencies } of terms) {
    writePosting(writer, words.length, frequencies)
    words.forEach((word, at) => {
      writer.shortText(word)
      if (at === 0) writeStem(writer, word, term)
    })
  }
  return writer.finish()
}
