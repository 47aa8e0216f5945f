import { crc32 } from 'node:zlib'
import { CATEGORIES } from '../../catalog/categories.ts'
import type { SearchDocument } from '../fields.ts'
import { FIELD_NAMES } from '../fields.ts'
import { countTerms } from './document-terms.ts'
import { joinParts, writeHead } from './layout.ts'
import { moveNames } from './names.ts'
import { openOldIndex } from './old-index.ts'
import type { OldIndex } from './old-index.ts'
import { writeLengths } from './pack.ts'
import { findPlaces, moveOrder } from './places.ts'
import type { Places } from './places.ts'
import { repackTerms, toComing } from './repack-terms.ts'
import type { ComingSkill } from './repack-terms.ts'
import { repackWords } from './repack-words.ts'

/** A skill as an index has it, and as it is now; one is missing where it came or left. */
export interface ChangedDocument {
  before: SearchDocument | undefined
  after: SearchDocument | undefined
}

type ComingPlaces = Places<ComingSkill>

const repackLengths = ({ sections }: OldIndex, { from, coming }: ComingPlaces) =>
  FIELD_NAMES.map((name, field) => {
    const old = sections[`${name}Lengths`]
    const lengths = new Uint16Array(from.length)
    for (let at = 0; at < from.length; at++) lengths[at] = old[from[at]!] ?? 0
    for (const [at, { terms }] of coming) lengths.set(writeLengths([terms.lengths[field] ?? 0]), at)
    return lengths
  })

const repackCategories = ({ sections }: OldIndex, { from, coming }: ComingPlaces) => {
  const categories = Uint8Array.from(from, (old, at) =>
    old === -1 ? CATEGORIES.indexOf(coming.get(at)!.category) : sections.categories[old]!,
  )
  const categoryCounts = new Uint32Array(CATEGORIES.length)
  for (const category of categories) categoryCounts[category]!++
  return { categories, categoryCounts }
}

const orderById = ({ ids }: OldIndex, { from, coming }: ComingPlaces): Uint32Array => {
  const idAt = Float64Array.from(from, (old, at) => (old === -1 ? coming.get(at)!.id : ids[old]!))
  return Uint32Array.from(idAt.keys()).sort((a, b) => idAt[a]! - idAt[b]!)
}

// As MiniSearch goes from one average to the next, so that the last bit is the same too.
const averageById = (lengths: Uint16Array, byId: Uint32Array): number =>
  byId.reduce((mean, ordinal, count) => (mean * count + (lengths[ordinal] ?? 0)) / (count + 1), 0)

/** Gives the old rows that stand one behind the other now as they did, and those that came between them. */
const cutRows = ({ sections, rows }: OldIndex, { from, coming }: ComingPlaces): Uint8Array[] => {
  const { documentOffsets } = sections
  const parts: Uint8Array[] = []
  for (let at = 0; at < from.length;) {
    const came = coming.get(at)
    let end = at + 1
    if (came) parts.push(Buffer.from(JSON.stringify(came.document.listed)))
    else {
      while (end < from.length && from[end] === from[end - 1]! + 1) end++
      parts.push(rows.subarray(documentOffsets[from[at]!], documentOffsets[from[end - 1]! + 1]))
    }
    at = end
  }
  return parts
}

const repackRows = (old: OldIndex, places: ComingPlaces) => {
  const { documentOffsets: oldOffsets, documentChecksums: oldChecksums } = old.sections
  const { from, coming, size } = places
  const documentOffsets = new Uint32Array(size + 1)
  const documentChecksums = new Uint32Array(size)
  for (let at = 0; at < size; at++) {
    const came = coming.get(at)
    const row = came && Buffer.from(JSON.stringify(came.document.listed))
    const place = from[at]!
    const length = row ? row.length : oldOffsets[place + 1]! - oldOffsets[place]!
    documentOffsets[at + 1] = documentOffsets[at]! + length
    documentChecksums[at] = row ? crc32(row) : oldChecksums[place]!
  }
  return { parts: cutRows(old, places), documentOffsets, documentChecksums }
}

const repackNames = (old: OldIndex, places: ComingPlaces, leaving: readonly SearchDocument[]) => {
  const { hashes, ordinals } = moveNames(old.sections, {
    leaving: leaving.map(({ listed }) => listed.name),
    coming: new Map([...places.coming].map(([ordinal, { name }]) => [ordinal, name])),
    moved: places.moved,
    readName: (ordinal) => old.readRow(ordinal).name,
  })
  return { nameHashes: hashes, nameOrdinals: ordinals }
}

const repackOrders = (old: OldIndex, places: ComingPlaces) => ({
  byInstalls: moveOrder(old, places, old.sections.byInstalls, 'installs'),
  byViews: moveOrder(old, places, old.sections.byViews, 'views'),
  byName: moveOrder(old, places, old.sections.byName, 'name'),
})

/**
 * Writes an index out of the one before some skills changed, came or left: the bytes are those that
 * `packIndex` gives for what is there then. `readDocument` is asked for few of the skills that stayed as
 * they were. Throws InvalidIndexError where the old one is damaged, or is of other skills.
 */
export const repackIndex = (
  old: Uint8Array,
  changed: readonly ChangedDocument[],
  readDocument: (id: number) => SearchDocument,
): Uint8Array<ArrayBuffer> => {
  const index = openOldIndex(old)
  const befores = changed.flatMap(({ before }) => before ?? [])
  const leaving = befores.map(countTerms)
  const places = findPlaces(
    index,
    new Set(befores.map(({ listed }) => listed.id)),
    changed.flatMap(({ after }) => (after ? toComing(after) : [])),
  )
  const lengths = repackLengths(index, places)
  const byId = orderById(index, places)
  const [nameLengths, authorLengths, categoryLengths, descriptionLengths] = lengths
  const terms = repackTerms(index, places, leaving)
  const { parts: rows, ...rowSections } = repackRows(index, places)
  const head = writeHead(
    places.size,
    {
      averages: Float64Array.from(lengths, (of) => averageById(of, byId)),
      longest: Uint32Array.from(lengths, (of) => of.reduce((a, b) => Math.max(a, b), 0)),
      ...terms.sections,
      ...repackWords(index, places, leaving, terms.merged, readDocument),
      nameLengths: nameLengths!,
      authorLengths: authorLengths!,
      categoryLengths: categoryLengths!,
      descriptionLengths: descriptionLengths!,
      ...repackCategories(index, places),
      ...repackOrders(index, places),
      ...repackNames(index, places, befores),
      ...rowSections,
    },
    { size: terms.postings.length, checksum: crc32(terms.postings) },
    {
      size: rowSections.documentOffsets.at(-1) ?? 0,
      checksum: rows.reduce((checksum, part) => crc32(part, checksum), 0),
    },
  )
  return joinParts([head, terms.postings, ...rows])
}
