import { analyzeSkill } from '../analyze.ts'
import { ByteWriter, writeStrings } from '../format/bytes.ts'
import { LONGEST_FIELD } from '../format/layout.ts'
import { writePosting } from '../format/postings.ts'
import { writeWords } from '../format/vocabulary.ts'
import { FIELD_NAMES } from '../rank.ts'
import type { SearchDocument } from '../rank.ts'

/** The postings of a term (FORMAT.md, "Postings"), while skills are added by ascending ordinal. */
class TermPostings {
  /** The number of the term, once all terms are known. */
  number = 0
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

/** Analyses skills in the order of their ordinals, and gathers what they hold term by term. */
export const gatherTerms = (documents: readonly SearchDocument[]) => {
  const lengths = FIELD_NAMES.map(() => new Uint16Array(documents.length))
  const byTerm = new Map<string, TermPostings>()
  const byWord = new Map<string, TermPostings>()
  const findPostings = (word: string, term: string): TermPostings => {
    const known = byWord.get(word)
    if (known !== undefined) return known
    const postings = byTerm.get(term) ?? new TermPostings()
    byTerm.set(term, postings)
    byWord.set(word, postings)
    return postings
  }
  documents.forEach((document, ordinal) => {
    const analysis = analyzeSkill(document)
    analysis.lengths.forEach((length, field) => {
      if (length > LONGEST_FIELD)
        throw new RangeError(`A field of a skill has more than ${LONGEST_FIELD} distinct terms.`)
      lengths[field]![ordinal] = length
    })
    for (const { term, words, frequencies } of analysis.terms) {
      const [postings] = words.map((word) => findPostings(word, term))
      postings!.add(ordinal, frequencies)
    }
  })
  const terms = [...byTerm.keys()].sort()
  const writer = new ByteWriter()
  const postingOffsets = new Uint32Array(terms.length + 1)
  terms.forEach((term, number) => {
    const postings = byTerm.get(term)!
    postings.number = number
    postings.writeTo(writer)
    postingOffsets[number + 1] = writer.size
  })
  const words = [...byWord.keys()].sort()
  return {
    terms: writeStrings(terms),
    postings: writer.finish(),
    postingOffsets,
    words: writeWords(
      words,
      Uint32Array.from(words, (word) => byWord.get(word)!.number),
    ),
    /** The number of distinct terms of each field in each skill. */
    lengths,
  }
}
