import { crc32 } from 'node:zlib'
import { SORTS } from '../../catalog/browse.ts'
import type { Sort } from '../../catalog/browse.ts'
import { CATEGORIES } from '../../catalog/categories.ts'
import type { ListedSkill } from '../../catalog/skill.ts'
import { analyzeSkill, encodeAnalysis } from '../analyze.ts'
import type { SearchDocument } from '../fields.ts'
import { FIELD_NAMES } from '../fields.ts'
import { gatherTerms } from './gather-terms.ts'
import type { GatheredTerms } from './gather-terms.ts'
import { LONGEST_FIELD, joinParts, writeHead } from './layout.ts'
import { writeNames } from './names.ts'
import { BLOCK } from './string-table.ts'

/** A skill as it goes into an index. */
export interface IndexEntry {
  /** What listings are ordered and filtered by. */
  listed: Pick<ListedSkill, 'id' | 'name' | 'category' | 'views' | 'installs'>
  /** The `ListedSkill` that a search answers with, as JSON in UTF-8. */
  row: Uint8Array
  /** What `encodeAnalysis` gave for the skill, with this very version of the code. */
  analysis: Uint8Array
}

/** Analyses a skill and makes its entry. */
export const toIndexEntry = (document: SearchDocument): IndexEntry => ({
  listed: document.listed,
  row: Buffer.from(JSON.stringify(document.listed)),
  analysis: encodeAnalysis(analyzeSkill(document)),
})

/** Gives the most units of a word in each block. */
export const listLongest = (lengths: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: Math.ceil(lengths.length / BLOCK) }, (_, block) =>
    lengths.subarray(block * BLOCK, (block + 1) * BLOCK).reduce((a, b) => Math.max(a, b), 0),
  )

/** Writes the words of an index, each with the number of its stem; both are in order. */
const writeWords = ({ words, wordLengths, wordTerms }: GatheredTerms) => ({
  wordBytes: words.bytes,
  wordBlocks: words.blocks,
  wordLeast: words.least,
  wordLongest: listLongest(wordLengths),
  wordTerms,
  wordLengths,
})

/** Writes how many distinct terms a field has in each skill. */
export const writeLengths = (
  lengths: readonly number[] | Uint32Array = [],
): Uint16Array<ArrayBuffer> => {
  if (lengths.some((length: number) => length > LONGEST_FIELD))
    throw new RangeError(`A field of a skill has more than ${LONGEST_FIELD} distinct terms.`)
  return Uint16Array.from(lengths)
}

// As MiniSearch goes from one average to the next when skills come by id, so that the last bit is equal.
const averageById = (lengths: Uint16Array, byId: Uint32Array): number =>
  byId.reduce((mean, ordinal, count) => (mean * count + lengths[ordinal]!) / (count + 1), 0)

/** Writes where the row of each skill begins, and its checksum. */
const writeRows = (entries: readonly IndexEntry[]) => {
  const documentOffsets = new Uint32Array(entries.length + 1)
  entries.forEach(({ row }, at) => (documentOffsets[at + 1] = documentOffsets[at]! + row.length))
  return {
    documentOffsets,
    documentChecksums: Uint32Array.from(entries, ({ row }) => crc32(row)),
  }
}

/** Counts the skills of each category. */
const countCategories = (categories: Uint8Array): Uint32Array<ArrayBuffer> => {
  const counts = new Uint32Array(CATEGORIES.length)
  for (const category of categories) counts[category]!++
  return counts
}

/**
 * Sorts skills in all orders. They are sorted by name once, and each place in that order then stands in for
 * the id and the name, which only end the ties of the others: to fold names in each comparison costs a second.
 */
const sortEntries = (entries: readonly IndexEntry[]) => {
  const byName = entries
    .map(({ listed }, entry) => ({ ...listed, name: listed.name.toLowerCase(), entry }))
    .sort(SORTS.name)
    .map(({ views, installs, entry }, place) => ({ id: place, name: '', views, installs, entry }))
  const popular = byName.toSorted(SORTS.popular)
  const ordinals = new Uint32Array(entries.length)
  popular.forEach(({ id }, ordinal) => (ordinals[id] = ordinal))
  const sortBy = (sort: Sort): Uint32Array<ArrayBuffer> =>
    Uint32Array.from(byName.toSorted(SORTS[sort]), ({ id }) => ordinals[id]!)
  return {
    ordered: popular.map(({ entry }) => entries[entry]!),
    orders: { installs: sortBy('installs'), views: sortBy('views'), name: ordinals },
  }
}

/**
 * Writes the index of some skills as one file (FORMAT.md): the same skills give the same bytes, in whatever
 * order they come. Nothing is analysed here. A skill's ordinal in the file is its place in popular order.
 */
export const packIndex = (entries: Iterable<IndexEntry>): Uint8Array<ArrayBuffer> => {
  const { ordered, orders } = sortEntries([...entries])
  const byId = Uint32Array.from(ordered.keys()).sort(
    (a, b) => ordered[a]!.listed.id - ordered[b]!.listed.id,
  )
  const gathered = gatherTerms(ordered.map(({ analysis }) => analysis))
  const lengths = FIELD_NAMES.map((_, field) => writeLengths(gathered.lengths[field]))
  const [nameLengths, authorLengths, categoryLengths, descriptionLengths] = lengths
  const categories = Uint8Array.from(ordered, ({ listed }) => CATEGORIES.indexOf(listed.category))
  const names = writeNames(gathered.names)
  const { postings } = gathered
  const rows = joinParts(ordered.map(({ row }) => row))
  const head = writeHead(
    ordered.length,
    {
      averages: Float64Array.from(lengths, (of) => averageById(of, byId)),
      longest: Uint32Array.from(lengths, (of) => of.reduce((a, b) => Math.max(a, b), 0)),
      categoryCounts: countCategories(categories),
      termBytes: gathered.terms.bytes,
      termBlocks: gathered.terms.blocks,
      postingOffsets: gathered.postingOffsets,
      ...writeWords(gathered),
      nameLengths: nameLengths!,
      authorLengths: authorLengths!,
      categoryLengths: categoryLengths!,
      descriptionLengths: descriptionLengths!,
      categories,
      byInstalls: orders.installs,
      byViews: orders.views,
      byName: orders.name,
      nameHashes: names.hashes,
      nameOrdinals: names.ordinals,
      ...writeRows(ordered),
    },
    { size: postings.length, checksum: crc32(postings) },
    { size: rows.length, checksum: crc32(rows) },
  )
  return joinParts([head, postings, rows])
}
