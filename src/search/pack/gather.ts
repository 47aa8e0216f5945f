import MiniSearch from 'minisearch'
import { listFieldTerms } from '../analyze.ts'
import { listBodyStems } from '../body.ts'
import { ByteWriter, writeStrings } from '../format/bytes.ts'
import { LONGEST_FIELD } from '../format/layout.ts'
import { writePosting } from '../format/postings.ts'
import { writeWords } from '../format/vocabulary.ts'
import { FIELDS, FIELD_NAMES } from '../rank.ts'
import type { FieldName, SearchDocument } from '../rank.ts'
import { stemWord } from '../tokens.ts'

/** Collects the postings of a term (FORMAT.md, "Postings"). Skills must be added by ascending ordinal. */
class TermPostings {
  /** Starts small, because most terms occur in one skill only. */
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

/** Skills per MiniSearch index: the JSON of 100,000 skills would take more than 2 GB. */
const SLICE = 10_000

/** Indexes some fields of skills with MiniSearch, and adds the term of each word to `termOf`. */
export const indexSkills = (
  documents: readonly SearchDocument[],
  fields: readonly FieldName[],
  termOf: Map<string, string>,
) => {
  const findTerm = (word: string): string => {
    const known = termOf.get(word)
    if (known !== undefined) return known
    const term = stemWord(word)
    termOf.set(word, term)
    return term
  }
  const index = new MiniSearch<SearchDocument>({
    fields: [...fields],
    extractField: (document, field) =>
      field === 'id' ? document.listed.id : FIELDS[field as FieldName].read(document),
    // Words are stemmed here, because MiniSearch counts the distinct tokens of a field before it calls `processTerm`.
    tokenize: (text, field) => listFieldTerms(text, field as FieldName, findTerm),
    processTerm: (term) => term,
  })
  index.addAll(documents)
  return index.toJSON()
}

/** The fields that MiniSearch indexes. It would take longer for the stems of bodies than for all other fields. */
const MINISEARCH_FIELDS = FIELD_NAMES.filter((name) => name !== 'body')

/** Maps each stem to the places of the skills whose body contains it, ascending. */
const groupByStem = (bodies: readonly string[][]): Map<string, number[]> => {
  const holders = new Map<string, number[]>()
  bodies.forEach((stems, place) => {
    for (const stem of stems) {
      const known = holders.get(stem)
      if (known === undefined) holders.set(stem, [place])
      else known.push(place)
    }
  })
  return holders
}

const BODY = FIELD_NAMES.indexOf('body')

/** Joins the frequencies of a term in all fields of a slice's skills; the result is sorted by place. */
const joinFields = (
  fields: Readonly<Record<string, Readonly<Record<string, number>>>>,
  inBody: readonly number[],
): [place: number, frequencies: number[]][] => {
  const byPlace = new Map<number, number[]>()
  const note = (place: number, field: number, count: number): void => {
    const frequencies = byPlace.get(place) ?? FIELD_NAMES.map(() => 0)
    frequencies[field] = count
    byPlace.set(place, frequencies)
  }
  for (const [field, counts] of Object.entries(fields))
    for (const [place, count] of Object.entries(counts)) note(Number(place), Number(field), count)
  for (const place of inBody) note(place, BODY, 1)
  return [...byPlace].sort(([a], [b]) => a - b)
}

/** Indexes skills, given in the order of their ordinals, by joining the output of MiniSearch with the bodies. */
export const gatherTerms = (documents: readonly SearchDocument[], size = SLICE) => {
  const lengths = FIELD_NAMES.map(() => new Uint16Array(documents.length))
  const termOf = new Map<string, string>()
  const byTerm = new Map<string, TermPostings>()
  for (let from = 0; from < documents.length; from += size) {
    const slice = documents.slice(from, from + size)
    const { fieldLength, index } = indexSkills(slice, MINISEARCH_FIELDS, termOf)
    const bodies = slice.map(({ body }) => listBodyStems(body))
    for (const [place, fieldLengths] of Object.entries(fieldLength))
      [...fieldLengths, bodies[Number(place)]!.length].forEach((length, field) => {
        if (length > LONGEST_FIELD)
          throw new RangeError(`A field of a skill has more than ${LONGEST_FIELD} distinct terms.`)
        lengths[field]![from + Number(place)] = length
      })
    const byStem = groupByStem(bodies)
    const fieldsOf = new Map(index)
    for (const term of new Set([...fieldsOf.keys(), ...byStem.keys()])) {
      const postings = byTerm.get(term) ?? new TermPostings()
      byTerm.set(term, postings)
      const joined = joinFields(fieldsOf.get(term) ?? {}, byStem.get(term) ?? [])
      for (const [place, frequencies] of joined) postings.add(from + place, frequencies)
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
    /** Number of distinct terms, by field and by ordinal. */
    lengths,
  }
}
