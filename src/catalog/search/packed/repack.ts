import { crc32 } from 'node:zlib'
import { SORTS } from '../../browse.ts'
import { CATEGORIES } from '../../categories.ts'
import type { SearchDocument } from '../fields.ts'
import { FIELD_NAMES } from '../fields.ts'
import { InvalidIndexError } from '../invalid-index.ts'
import { checkSections } from './check.ts'
import { countTerms } from './document-terms.ts'
import { HEADER_SIZE, documentsStart, openSections, readHeader, writeHead } from './layout.ts'
import type { Sections } from './layout.ts'
import { countCategories, writeDocuments, writeLengths, writeWords } from './pack.ts'
import { readPostingList, writePostingList } from './posting-list.ts'
import { openStrings, writeStrings } from './string-table.ts'
import type { StringTable } from './string-table.ts'

/** A skill as an index has it, and as it is now. */
export interface ChangedDocument {
  before: SearchDocument
  after: SearchDocument
}

/** Says whether a change leaves every skill of an index in its place. */
export const isInPlace = ({ before, after }: ChangedDocument): boolean =>
  before.listed.id === after.listed.id &&
  SORTS.popular(before.listed, after.listed) === 0 &&
  before.listed.name === after.listed.name

const openPacked = (bytes: Uint8Array) => {
  const header = readHeader(bytes.subarray(0, HEADER_SIZE), bytes.length)
  const sections = openSections(bytes.subarray(0, header.headSize), header)
  checkSections(header, sections)
  const postings = bytes.subarray(header.headSize, documentsStart(header))
  if (crc32(postings) !== header.postingsChecksum)
    throw new InvalidIndexError('its checksum is another')
  return { header, sections, postings }
}

const listTexts = (table: StringTable): string[] =>
  Array.from({ length: table.size }, (_, number) => table.read(number))

/** The postings of each term as bytes, of which few are written anew. */
const openPostings = ({ termBytes, termBlocks, postingOffsets }: Sections, bytes: Uint8Array) => {
  const texts = listTexts(openStrings(termBytes, termBlocks, postingOffsets.length - 1))
  return new Map(
    texts.map((text, at) => [text, bytes.subarray(postingOffsets[at], postingOffsets[at + 1])]),
  )
}

const replacePosting = (
  postings: Map<string, Uint8Array>,
  term: string,
  ordinal: number,
  counts: readonly number[] | undefined,
): void => {
  const known = postings.get(term)
  const list = known ? readPostingList(known) : new Map<number, readonly number[]>()
  if (counts) list.set(ordinal, counts)
  else list.delete(ordinal)
  if (list.size > 0) postings.set(term, writePostingList(list))
  else postings.delete(term)
}

const joinPostings = (terms: readonly string[], postings: ReadonlyMap<string, Uint8Array>) => {
  const offsets = new Uint32Array(terms.length + 1)
  const parts = terms.map((term, at) => {
    const bytes = postings.get(term) ?? new Uint8Array()
    offsets[at + 1] = (offsets[at] ?? 0) + bytes.length
    return bytes
  })
  return { bytes: Buffer.concat(parts), offsets }
}

// As MiniSearch goes from one average to the next, so that the last bit is the same too.
const averageById = (lengths: Uint16Array, byId: readonly number[]): number =>
  byId.reduce((mean, ordinal, count) => (mean * count + (lengths[ordinal] ?? 0)) / (count + 1), 0)

/**
 * Writes the index of `documents` out of the one that was made before some of them changed in their places:
 * the bytes are those of `packIndex`. Throws InvalidIndexError where the old one is damaged.
 */
export const repackIndex = (
  old: Uint8Array,
  documents: readonly SearchDocument[],
  changed: readonly ChangedDocument[],
): Uint8Array<ArrayBuffer> => {
  const { header, sections, postings: oldPostings } = openPacked(old)
  const ordered = documents.toSorted((a, b) => SORTS.popular(a.listed, b.listed))
  if (ordered.length !== header.count) throw new InvalidIndexError('it is of other skills')
  const ordinals = new Map(ordered.map(({ listed }, ordinal) => [listed.id, ordinal]))
  const byId = [...ordinals].sort(([a], [b]) => a - b).map(([, ordinal]) => ordinal)

  const postings = openPostings(sections, oldPostings)
  const oldTerms = [...postings.keys()]
  const { wordBytes, wordBlocks, wordTerms } = sections
  const words = new Map(
    listTexts(openStrings(wordBytes, wordBlocks, wordTerms.length)).map((word, at) => [
      word,
      oldTerms[wordTerms[at] ?? 0] ?? '',
    ]),
  )
  const lengths = FIELD_NAMES.map((name) => Uint16Array.from(sections[`${name}Lengths`]))

  const leaving = new Map<string, string>()
  for (const { before, after } of changed) {
    const ordinal = ordinals.get(after.listed.id) ?? 0
    const [was, is] = [countTerms(before), countTerms(after)]
    for (const term of new Set([...was.counts.keys(), ...is.counts.keys()])) {
      const counts = is.counts.get(term)
      if (counts?.join() !== was.counts.get(term)?.join())
        replacePosting(postings, term, ordinal, counts)
    }
    writeLengths(is.lengths).forEach((length, field) => (lengths[field]![ordinal] = length))
    for (const [word, stem] of is.words) words.set(word, stem)
    for (const [word, stem] of was.words) if (!is.words.has(word)) leaving.set(word, stem)
  }
  // A word is left out where no skill has it any more; whoever has it holds its stem.
  for (const [word, stem] of leaving) {
    const holders = [...readPostingList(postings.get(stem) ?? Uint8Array.of(0)).keys()]
    if (!holders.some((ordinal) => countTerms(ordered[ordinal]!).words.has(word)))
      words.delete(word)
  }

  const terms = [...postings.keys()].sort()
  const written = writeStrings(terms)
  const joined = joinPostings(terms, postings)
  const { bytes: rows, ...rowSections } = writeDocuments(ordered)
  const [nameLengths, authorLengths, categoryLengths, descriptionLengths] = lengths
  const head = writeHead(
    ordered.length,
    {
      ...sections,
      averages: Float64Array.from(lengths, (of) => averageById(of, byId)),
      longest: Uint32Array.from(lengths, (of) => of.reduce((a, b) => Math.max(a, b), 0)),
      categoryCounts: countCategories(ordered),
      termBytes: written.bytes,
      termBlocks: written.blocks,
      postingOffsets: joined.offsets,
      ...writeWords(
        [...words].sort(([a], [b]) => (a < b ? -1 : 1)),
        terms,
      ),
      nameLengths: nameLengths!,
      authorLengths: authorLengths!,
      categoryLengths: categoryLengths!,
      descriptionLengths: descriptionLengths!,
      categories: Uint8Array.from(ordered, ({ listed }) => CATEGORIES.indexOf(listed.category)),
      ...rowSections,
    },
    { size: joined.bytes.length, checksum: crc32(joined.bytes) },
    { size: rows.length, checksum: crc32(rows) },
  )
  return new Uint8Array(Buffer.concat([head, joined.bytes, rows]))
}
