import { openByteWriter } from './byte-writer.ts'
import type { ByteWriter } from './byte-writer.ts'
import { ALL_ONCE, PLAIN_FIELD, RICH } from './posting-bits.ts'
import type { BuiltTerms, Frequencies } from './pack-terms.ts'

type FieldFrequencies = ReadonlyMap<number, Frequencies>

/** Documents that hold a term in any field; most terms are in one field alone. */
const listDocuments = (fields: FieldFrequencies): Iterable<number> => {
  const [only, ...others] = fields.values()
  if (only && others.length === 0) return only.keys()
  const documents = new Set(only?.keys())
  for (const frequencies of others)
    for (const document of frequencies.keys()) documents.add(document)
  return documents
}

const listOrdinals = (fields: FieldFrequencies, ordinalOf: Uint32Array): Uint32Array =>
  Uint32Array.from(listDocuments(fields), (document) => ordinalOf[document] ?? 0).sort()

const writeRich = (writer: ByteWriter, counts: readonly number[]): void => {
  const once = counts.every((count) => count < 2)
  const mask = counts.reduce((bits, count, field) => (count > 0 ? bits | (1 << field) : bits), 0)
  writer.byte(once ? mask | ALL_ONCE : mask)
  if (!once) for (const count of counts) if (count > 0) writer.number(count)
}

/** Writes what a term is in one skill: how far that is from the one before, and how often each field has it. */
export const writePosting = (writer: ByteWriter, gap: number, counts: readonly number[]): void => {
  const plain = counts.every((count, field) => count === (field === PLAIN_FIELD ? 1 : 0))
  writer.number((gap << 1) | (plain ? 0 : RICH))
  if (!plain) writeRich(writer, counts)
}

/** Writes the postings of all terms (FORMAT.md, "Postings"), and where those of each begin. */
export const writePostings = (
  terms: BuiltTerms['terms'],
  fieldCount: number,
  ordinalOf: Uint32Array,
): { bytes: Uint8Array<ArrayBuffer>; offsets: Uint32Array<ArrayBuffer> } => {
  const documentOf = new Uint32Array(ordinalOf.length)
  ordinalOf.forEach((ordinal, document) => (documentOf[ordinal] = document))
  const fieldNumbers = Array.from({ length: fieldCount }, (_, field) => field)
  const offsets = new Uint32Array(terms.length + 1)
  const writer = openByteWriter()
  terms.forEach(([, fields], term) => {
    const ordinals = listOrdinals(fields, ordinalOf)
    writer.number(ordinals.length)
    for (const field of fieldNumbers) writer.number(fields.get(field)?.size ?? 0)
    let before = -1
    for (const ordinal of ordinals) {
      const document = documentOf[ordinal] ?? 0
      const counts = fieldNumbers.map((field) => fields.get(field)?.get(document) ?? 0)
      writePosting(writer, ordinal - before, counts)
      before = ordinal
    }
    offsets[term + 1] = writer.size
  })
  return { bytes: writer.finish(), offsets }
}
