import { crc32 } from 'node:zlib'
import { SORTS } from '../../catalog/browse.ts'
import type { Sort } from '../../catalog/browse.ts'
import { CATEGORIES } from '../../catalog/categories.ts'
import type { SearchDocument } from '../fields.ts'
import { FIELD_NAMES } from '../fields.ts'
import { LONGEST_FIELD, joinParts, writeHead } from './layout.ts'
import { writeNames } from './names.ts'
import { buildPackTerms } from './pack-terms.ts'
import type { BuiltTerms } from './pack-terms.ts'
import { BLOCK, writeStrings } from './string-table.ts'
import { writePostings } from './write-postings.ts'

/** Gives the most units of a word in each block. */
export const listLongest = (lengths: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: Math.ceil(lengths.length / BLOCK) }, (_, block) =>
    lengths.subarray(block * BLOCK, (block + 1) * BLOCK).reduce((a, b) => Math.max(a, b), 0),
  )

/** Writes the words of an index, each with the number of its stem; both are in order. */
const writeWords = (words: BuiltTerms['words'], terms: readonly string[]) => {
  const termNumbers = new Map(terms.map((term, number) => [term, number]))
  const written = words.map(([word]) => word)
  const table = writeStrings(written)
  const wordLengths = Uint8Array.from(written, (word) => word.length)
  return {
    wordBytes: table.bytes,
    wordBlocks: table.blocks,
    wordLeast: table.least,
    wordLongest: listLongest(wordLengths),
    wordTerms: Uint32Array.from(words, ([, stem]) => termNumbers.get(stem) ?? 0),
    wordLengths,
  }
}

/** Writes how many distinct terms a field has in each skill. */
export const writeLengths = (lengths: readonly number[] = []): Uint16Array<ArrayBuffer> => {
  if (lengths.some((length) => length > LONGEST_FIELD))
    throw new RangeError(`A field of a skill has more than ${LONGEST_FIELD} distinct terms.`)
  return Uint16Array.from(lengths)
}

/** Writes the rows that a search answers with, in the order of their ordinals. */
const writeDocuments = (documents: readonly SearchDocument[]) => {
  const rows = documents.map(({ listed }) => Buffer.from(JSON.stringify(listed)))
  const documentOffsets = new Uint32Array(rows.length + 1)
  rows.forEach((row, at) => (documentOffsets[at + 1] = (documentOffsets[at] ?? 0) + row.length))
  return {
    bytes: Buffer.concat(rows),
    documentOffsets,
    documentChecksums: Uint32Array.from(rows, (row) => crc32(row)),
  }
}

/** Counts the skills of each category. */
const countCategories = (documents: readonly SearchDocument[]): Uint32Array<ArrayBuffer> => {
  const counts = new Uint32Array(CATEGORIES.length)
  for (const { listed } of documents) counts[CATEGORIES.indexOf(listed.category)]!++
  return counts
}

/**
 * Writes the index of some skills as one file (FORMAT.md): the same skills give the same bytes, in whatever
 * order they come. A skill's ordinal in the file is its place in popular order, so ties need no lookup.
 */
export const packIndex = (documents: readonly SearchDocument[]): Uint8Array<ArrayBuffer> => {
  // MiniSearch's averages depend on the order of documents, so that is by id.
  const byId = documents.toSorted((a, b) => a.listed.id - b.listed.id)
  const built = buildPackTerms(byId)
  const documentOf = Uint32Array.from(byId.keys()).sort((a, b) =>
    SORTS.popular(byId[a]!.listed, byId[b]!.listed),
  )
  const ordinalOf = new Uint32Array(byId.length)
  documentOf.forEach((document, ordinal) => (ordinalOf[document] = ordinal))
  const ordered = Array.from(documentOf, (document) => byId[document]!)

  const sortBy = (sort: Sort): Uint32Array<ArrayBuffer> =>
    Uint32Array.from(ordered.keys()).sort((a, b) =>
      SORTS[sort](ordered[a]!.listed, ordered[b]!.listed),
    )
  const listLengths = (field: number): number[] =>
    Array.from(documentOf, (document) => built.readLength(document, field))
  const lengths = FIELD_NAMES.map((_, field) => listLengths(field))
  const [nameLengths, authorLengths, categoryLengths, descriptionLengths] = lengths

  const termTexts = built.terms.map(([term]) => term)
  const terms = writeStrings(termTexts)
  const postings = writePostings(built.terms, FIELD_NAMES.length, ordinalOf)
  const names = writeNames(ordered.map(({ listed }) => listed.name))
  const { bytes, ...rows } = writeDocuments(ordered)
  const head = writeHead(
    ordered.length,
    {
      averages: Float64Array.from(built.averages),
      longest: Uint32Array.from(lengths, (of) => of.reduce((a, b) => Math.max(a, b), 0)),
      categoryCounts: countCategories(ordered),
      termBytes: terms.bytes,
      termBlocks: terms.blocks,
      postingOffsets: postings.offsets,
      ...writeWords(built.words, termTexts),
      nameLengths: writeLengths(nameLengths),
      authorLengths: writeLengths(authorLengths),
      categoryLengths: writeLengths(categoryLengths),
      descriptionLengths: writeLengths(descriptionLengths),
      categories: Uint8Array.from(ordered, ({ listed }) => CATEGORIES.indexOf(listed.category)),
      byInstalls: sortBy('installs'),
      byViews: sortBy('views'),
      byName: sortBy('name'),
      nameHashes: names.hashes,
      nameOrdinals: names.ordinals,
      ...rows,
    },
    { size: postings.bytes.length, checksum: crc32(postings.bytes) },
    { size: bytes.length, checksum: crc32(bytes) },
  )
  return joinParts([head, postings.bytes, bytes])
}
