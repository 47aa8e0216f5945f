import { crc32 } from 'node:zlib'
import { SORTS, compareCodePoints } from '../../catalog/browse.ts'
import type { Sort } from '../../catalog/browse.ts'
import { CATEGORIES } from '../../catalog/categories.ts'
import { packFacets } from '../../catalog/facets.ts'
import type { Copies } from '../../catalog/schema.ts'
import { analyzeSkill, encodeAnalysis } from '../analyze.ts'
import { StringsWriter, encodeUnits } from '../format/bytes.ts'
import { parseRow, writeRow } from '../format/documents.ts'
import { LONGEST_FIELD, writeIndex } from '../format/layout.ts'
import type { Sections } from '../format/layout.ts'
import { readNameKeys, writeNames } from '../format/names.ts'
import { writeQueryWords } from '../query.ts'
import { QUERY_WORDS } from '../synonyms.ts'
import type { SearchDocument } from '../rank.ts'
import { compareBytes, gatherTerms } from './gather.ts'

/** A skill as it goes into an index. */
interface IndexEntry {
  /** Day of the last change, by which popular order breaks ties; empty where it is not known. */
  updated: string
  /** What `packFacets` made of it. */
  facets: number
  /** What `writeRow` made of it, in UTF-8. */
  row: Uint8Array
  /** What `encodeAnalysis` of this version of the code made of the skill. */
  analysis: Uint8Array
}

const QUERY_WORDS_BYTES = writeQueryWords(QUERY_WORDS)

const ENCODER = new TextEncoder()

/** Analyses a skill and makes its entry. */
export const toIndexEntry = (document: SearchDocument): IndexEntry => ({
  updated: document.updated ?? '',
  facets: packFacets(document.facts),
  row: ENCODER.encode(writeRow(document)),
  analysis: encodeAnalysis(analyzeSkill(document)),
})

/** Reads what listings are ordered and filtered by from the row: 0.15 CPU s for 100,000 rows. */
const readKeys = (entry: IndexEntry) => {
  const { id, name, author, category, views, installs } = parseRow(entry.row)
  const { updated } = entry
  return { ...entry, author, listed: { id, name, category, views, installs, updated } }
}

/**
 * Sorts skills in all orders. They are sorted by name once, and each place in that order then stands in for
 * the id and the name, which only break the ties of the other orders: to compare names in each took a third of the time.
 */
const sortEntries = (entries: readonly ReturnType<typeof readKeys>[]) => {
  const byName = entries
    .map(({ listed }, entry) => ({ ...listed, name: listed.name.toLowerCase(), entry }))
    // The same order as SORTS.name, which folds both names at each comparison.
    .sort((a, b) => compareCodePoints(a.name, b.name) || a.id - b.id)
    .map(({ views, installs, updated, entry }, place) => ({
      id: place,
      name: '',
      views,
      installs,
      updated,
      entry,
    }))
  const popular = byName.toSorted(SORTS.popular)
  const ordinals = new Uint32Array(entries.length)
  popular.forEach(({ id }, ordinal) => (ordinals[id] = ordinal))
  const sortBy = (sort: Sort): Uint32Array<ArrayBuffer> =>
    Uint32Array.from(byName.toSorted(SORTS[sort]), ({ id }) => ordinals[id]!)
  return {
    ordered: popular.map(({ entry }) => entries[entry]!),
    byInstalls: sortBy('installs'),
    byViews: sortBy('views'),
    byName: ordinals,
  }
}

const writeLengths = (lengths: Uint32Array): Uint16Array<ArrayBuffer> => {
  if (lengths.some((length) => length > LONGEST_FIELD))
    throw new RangeError(`A field of a skill has more than ${LONGEST_FIELD} distinct terms.`)
  return Uint16Array.from(lengths)
}

/** Averages in the order of ids, as MiniSearch does, so that even the last bit is equal. */
const averageById = (lengths: Uint16Array, byId: Uint32Array): number =>
  byId.reduce((mean, ordinal, count) => (mean * count + lengths[ordinal]!) / (count + 1), 0)

const writeRows = (rows: readonly Uint8Array[]) => {
  const documentOffsets = new Uint32Array(rows.length + 1)
  rows.forEach((row, at) => (documentOffsets[at + 1] = documentOffsets[at]! + row.length))
  return { documentOffsets, documentChecksums: Uint32Array.from(rows, (row) => crc32(row)) }
}

const countCategories = (categories: Uint8Array): Uint32Array<ArrayBuffer> => {
  const counts = new Uint32Array(CATEGORIES.length)
  for (const category of categories) counts[category]!++
  return counts
}

/** The copies whose originals are listed too, by ordinal. */
const writeCopies = (ids: ArrayLike<number>, copies: Copies) => {
  const entries = Object.entries(copies)
  const ordinals = new Map(
    entries.length === 0 ? [] : Array.from(ids, (id, ordinal) => [id, ordinal] as const),
  )
  const pairs = entries
    .map(([copy, original]) => [ordinals.get(Number(copy)), ordinals.get(original)] as const)
    .filter((pair): pair is [number, number] => !pair.includes(undefined))
    .sort(([a], [b]) => a - b)
  return {
    copies: Uint32Array.from(pairs, ([copy]) => copy),
    originals: Uint32Array.from(pairs, ([, original]) => original),
  }
}

/** The authors that some skills have, and which each has. */
const writeAuthors = (names: readonly string[]) => {
  const writer = new StringsWriter()
  const numbers = new Map<string, number>()
  const encoded = Array.from(new Set(names), (name) => ({ name, bytes: encodeUnits(name) }))
  for (const { name, bytes } of encoded.sort((a, b) => compareBytes(a.bytes, b.bytes))) {
    numbers.set(name, numbers.size)
    writer.add(bytes)
  }
  const { bytes: authorBytes, blocks: authorBlocks } = writer.finish()
  const authors = Uint32Array.from(names, (name) => numbers.get(name)!)
  return { authors, authorBytes, authorBlocks }
}

/**
 * Writes the index of some skills as one file (FORMAT.md). The same skills give the same bytes in any order.
 * Nothing is analysed here: 100,000 analyses take 2.4 CPU s.
 */
export const packIndex = (
  entries: Iterable<IndexEntry>,
  copies: Copies,
): Uint8Array<ArrayBuffer> => {
  const { ordered, ...orders } = sortEntries(Array.from(entries, readKeys))
  const { terms, postings, postingOffsets, words, lengths } = gatherTerms(
    ordered.map(({ analysis }) => analysis),
  )
  const written = lengths.map(writeLengths)
  const [nameLengths, authorLengths, categoryLengths, descriptionLengths] = written
  const ids = ordered.map(({ listed }) => listed.id)
  const byId = Uint32Array.from(ids.keys()).sort((a, b) => ids[a]! - ids[b]!)
  const rows = ordered.map(({ row }) => row)
  const categories = Uint8Array.from(ordered, ({ listed }) => CATEGORIES.indexOf(listed.category))
  const sections: Sections = {
    termBytes: terms.bytes,
    termBlocks: terms.blocks,
    postingOffsets,
    ...words,
    nameLengths: nameLengths!,
    authorLengths: authorLengths!,
    categoryLengths: categoryLengths!,
    descriptionLengths: descriptionLengths!,
    averages: Float64Array.from(written, (of) => averageById(of, byId)),
    longest: Uint32Array.from(written, (of) => of.reduce((a, b) => Math.max(a, b), 0)),
    // Years before 10000 are written with four digits, so days compare as their digits do.
    days: Uint32Array.from(ordered, ({ updated }) => Number(updated.replaceAll('-', ''))),
    categories,
    categoryCounts: countCategories(categories),
    facets: Uint8Array.from(ordered, ({ facets }) => facets),
    ...orders,
    ...writeAuthors(ordered.map(({ author }) => author.toLowerCase())),
    ...writeNames(ordered.map(({ listed }) => readNameKeys(listed.name))),
    ...writeCopies(ids, copies),
    ...writeRows(rows),
    queryWords: QUERY_WORDS_BYTES,
  }
  return writeIndex(ordered.length, sections, postings, rows)
}
