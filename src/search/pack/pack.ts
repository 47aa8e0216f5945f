import { crc32 } from 'node:zlib'
import { SORTS, compareCodePoints } from '../../catalog/browse.ts'
import { RANKS_FIRST } from '../../catalog/facets.ts'
import type { Sort } from '../../catalog/browse.ts'
import type { Copies } from '../../catalog/references.ts'
import { writeRow } from '../format/documents.ts'
import { writeIndex } from '../format/layout.ts'
import type { Sections } from '../format/layout.ts'
import { readNameKeys, writeAuthors, writeNames, writeSlugs } from '../format/names.ts'
import { writeQueryWords } from '../query.ts'
import type { SearchDocument } from '../rank.ts'
import { QUERY_WORDS } from '../synonyms.ts'
import { readShippedVectors } from '../vector-file.ts'
import { VECTOR_SIZE } from '../vectors.ts'
import { gatherTerms } from './gather.ts'

const ENCODER = new TextEncoder()

/**
 * Sorts skills in all orders. Only the first order, by name and id, compares names; the other orders break ties by the
 * place in it. Comparing names in every order took a third of the time.
 */
const sortDocuments = (documents: readonly SearchDocument[]) => {
  const byName = documents
    .map((document) => ({
      document,
      id: document.listed.id,
      name: document.listed.name.toLowerCase(),
    }))
    // The same order as SORTS.name, which folds both names at each comparison.
    .sort((a, b) => compareCodePoints(a.name, b.name) || a.id - b.id)
    .map(({ document }, place) => {
      const { views, installs } = document.listed
      return { id: place, name: '', views, installs, updated: document.updated, document }
    })
  const popular = byName.toSorted(SORTS.popular)
  const ordinals = new Uint32Array(documents.length)
  popular.forEach(({ id }, ordinal) => (ordinals[id] = ordinal))
  const sortBy = (sort: Sort): Uint32Array<ArrayBuffer> =>
    Uint32Array.from(byName.toSorted(SORTS[sort]), ({ id }) => ordinals[id]!)
  return {
    ordered: popular.map(({ document }) => document),
    byInstalls: sortBy('installs'),
    byViews: sortBy('views'),
    byName: ordinals,
    byNewest: sortBy('newest'),
  }
}

/** Averages in the order of ids, as MiniSearch does, so that even the last bit is equal. */
const averageById = (lengths: Uint16Array, byId: Uint32Array): number =>
  byId.reduce((mean, ordinal, count) => (mean * count + lengths[ordinal]!) / (count + 1), 0)

const writeRows = (documents: readonly SearchDocument[]) => {
  const rows = documents.map((document) => ENCODER.encode(writeRow(document)))
  const documentOffsets = new Uint32Array(rows.length + 1)
  rows.forEach((row, at) => (documentOffsets[at + 1] = documentOffsets[at]! + row.length))
  const documentChecksums = Uint32Array.from(rows, (row) => crc32(row))
  return { rows, sections: { documentOffsets, documentChecksums } }
}

/** Writes the copies whose originals are also in the index, by ordinal. */
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

/** Writes the deprecated skills whose replacements are also in the index, by ordinal. */
const writeSuccessors = (documents: readonly SearchDocument[]) => {
  const bySlug = new Map(documents.map(({ listed }, ordinal) => [listed.slug, ordinal]))
  const pairs = documents.flatMap(({ facts }, ordinal) => {
    const successor = bySlug.get(facts.deprecated?.use ?? '')
    return successor === undefined ? [] : [[ordinal, successor] as const]
  })
  return {
    replaced: Uint32Array.from(pairs, ([ordinal]) => ordinal),
    successors: Uint32Array.from(pairs, ([, successor]) => successor),
  }
}

/** Writes the skills that share their name with an older one, by ordinal; deprecated and listed-only ones count as new. */
const writeEldest = (documents: readonly SearchDocument[]) => {
  const byName = Map.groupBy(documents.keys(), (at) => readNameKeys(documents[at]!.listed.name).key)
  const pairs = [...byName.values()].flatMap((ordinals) => {
    const [eldest] = ordinals
      .filter((ordinal) => (documents[ordinal]!.facets & RANKS_FIRST) !== 0)
      .sort((a, b) => documents[a]!.listed.id - documents[b]!.listed.id)
    if (eldest === undefined) return []
    return ordinals.filter((other) => other !== eldest).map((other) => [other, eldest] as const)
  })
  pairs.sort(([a], [b]) => a - b)
  return {
    namesakes: Uint32Array.from(pairs, ([namesake]) => namesake),
    eldest: Uint32Array.from(pairs, ([, eldest]) => eldest),
  }
}

const joinVectors = (documents: readonly SearchDocument[]): Int8Array<ArrayBuffer> => {
  const joined = new Int8Array(documents.length * VECTOR_SIZE)
  documents.forEach(({ vector }, at) => joined.set(vector, at * VECTOR_SIZE))
  return joined
}

/** Packs skills into one index file (FORMAT.md). The same skills give the same bytes in any order. */
export const packIndex = (
  documents: readonly SearchDocument[],
  copies: Copies,
): Uint8Array<ArrayBuffer> => {
  const { ordered, ...orders } = sortDocuments(documents)
  const { terms, postings, postingOffsets, words, lengths } = gatherTerms(ordered)
  const [nameLengths, authorLengths, categoryLengths, descriptionLengths, bodyLengths] = lengths
  const listed = ordered.map((document) => document.listed)
  const ids = listed.map(({ id }) => id)
  const categories = [...new Set(listed.map(({ category }) => category))].sort()
  const byId = Uint32Array.from(ids.keys()).sort((a, b) => ids[a]! - ids[b]!)
  const { rows, sections: rowSections } = writeRows(ordered)
  const sections: Sections = {
    termBytes: terms.bytes,
    termBlocks: terms.blocks,
    postingOffsets,
    ...words,
    nameLengths: nameLengths!,
    authorLengths: authorLengths!,
    categoryLengths: categoryLengths!,
    descriptionLengths: descriptionLengths!,
    bodyLengths: bodyLengths!,
    averages: Float64Array.from(lengths, (values) => averageById(values, byId)),
    longest: Uint32Array.from(lengths, (values) => values.reduce((a, b) => Math.max(a, b), 0)),
    categories: Uint8Array.from(listed, ({ category }) => categories.indexOf(category)),
    categoryNames: ENCODER.encode(categories.join(',')),
    teams: ENCODER.encode(ordered.map(({ facts }) => facts.team ?? '').join('\n')),
    facets: Uint32Array.from(ordered, ({ facets }) => facets),
    ...orders,
    ...writeAuthors(listed.map(({ author }) => author.toLowerCase())),
    ...writeNames(listed.map(({ name }) => readNameKeys(name))),
    ...writeSlugs(listed.map(({ slug }) => slug)),
    ...writeCopies(ids, copies),
    ...writeSuccessors(ordered),
    ...writeEldest(ordered),
    ...rowSections,
    queryWords: writeQueryWords(QUERY_WORDS),
    ...readShippedVectors(),
    skillVectors: joinVectors(ordered),
  }
  return writeIndex(ordered.length, sections, postings, rows)
}
