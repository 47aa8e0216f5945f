import MiniSearch from 'minisearch'
import { listFieldWords } from '../analyze.ts'
import { ByteWriter, writeStrings } from '../format/bytes.ts'
import { LONGEST_FIELD } from '../format/layout.ts'
import { writePosting } from '../format/postings.ts'
import { writeWords } from '../format/vocabulary.ts'
import { FIELDS, FIELD_NAMES } from '../rank.ts'
import type { FieldName, SearchDocument } from '../rank.ts'
import { stemWord } from '../tokens.ts'

/** The postings of a term (FORMAT.md, "Postings"), while skills are added by ascending ordinal. */
class TermPostings {
  /** Most terms are those of one skill. */
  readonly #writer = new ByteWriter(8)
  readonly #holders = FIELD_NAMES.map(() => 0)
  #count = 0
  #last = -1

  add(ordinal: number, frequencies: readonly number[]): void {
    writePosting(this.#writer, ordinal - this.#last, frequencies)
    this.#last = ordinal
    this.#count++
    for (let field = 0; field < frequencies.length; field++)
      if (frequencies[field]! > 0) this.#holders[field]!++
  }

  writeTo(writer: ByteWriter): void {
    writer.number(this.#count)
    for (const count of this.#holders) writer.number(count)
    writer.bytes(this.#writer.view())
  }
}

/** Skills that one MiniSearch takes in: the JSON of 100,000 would take more than 2 GB. */
const SLICE = 10_000

/** Has MiniSearch index skills; `termOf` gets the term of each of their words. */
export const indexSkills = (documents: readonly SearchDocument[], termOf: Map<string, string>) => {
  const findTerm = (word: string): string => {
    const term = termOf.get(word) ?? stemWord(word)
    termOf.set(word, term)
    return term
  }
  const index = new MiniSearch<SearchDocument>({
    fields: FIELD_NAMES,
    extractField: (document, field) =>
      field === 'id' ? document.listed.id : FIELDS[field as FieldName].read(document),
    // Stemmed before `processTerm`, since MiniSearch counts the distinct tokens of a field before it calls that.
    tokenize: (text, field) => listFieldWords(text, field as FieldName).map(findTerm),
    processTerm: (term) => term,
  })
  index.addAll(documents)
  return index.toJSON()
}

/** Indexes skills in the order of their ordinals, and joins what MiniSearch has of each term. */
export const gatherTerms = (documents: readonly SearchDocument[], size = SLICE) => {
  const lengths = FIELD_NAMES.map(() => new Uint16Array(documents.length))
  const termOf = new Map<string, string>()
  const byTerm = new Map<string, TermPostings>()
  for (let from = 0; from < documents.length; from += size) {
    const slice = indexSkills(documents.slice(from, from + size), termOf)
    for (const [place, ofSkill] of Object.entries(slice.fieldLength))
      ofSkill.forEach((length, field) => {
        if (length > LONGEST_FIELD)
          throw new RangeError(`A field of a skill has more than ${LONGEST_FIELD} distinct terms.`)
        lengths[field]![from + Number(place)] = length
      })
    for (const [term, fields] of slice.index) {
      const postings = byTerm.get(term) ?? new TermPostings()
      byTerm.set(term, postings)
      const places = new Set(Object.values(fields).flatMap((counts) => Object.keys(counts)))
      for (const place of [...places].map(Number).sort((a, b) => a - b))
        postings.add(
          from + place,
          FIELD_NAMES.map((_, field) => fields[field]?.[place] ?? 0),
        )
    }
  }
  const terms = [...byTerm.keys()].sort()
  const writer = new ByteWriter()
  const postingOffsets = new Uint32Array(terms.length + 1)
  terms.forEach((term, number) => {
    byTerm.get(term)!.writeTo(writer)
    postingOffsets[number + 1] = writer.size
  })
  const numbers = new Map(terms.map((term, number) => [term, number]))
  const words = [...termOf.keys()].sort()
  const wordTerms = Uint32Array.from(words, (word) => numbers.get(termOf.get(word)!)!)
  return {
    terms: writeStrings(terms),
    postings: writer.finish(),
    postingOffsets,
    words: writeWords(words, wordTerms),
    /** The number of distinct terms of each field in each skill. */
    lengths,
  }
}
