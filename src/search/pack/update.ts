import { SORTS } from '../../catalog/browse.ts'
import type { Sort, Sortable } from '../../catalog/browse.ts'
import type { Copies } from '../../catalog/schema.ts'
import { ByteReader, ByteWriter, StringTable, StringsWriter } from '../format/bytes.ts'
import { parseRow } from '../format/documents.ts'
import {
  InvalidIndexError,
  checkBytes,
  countAuthors,
  documentsStart,
  openSections,
  readHeader,
} from '../format/layout.ts'
import type { Sections } from '../format/layout.ts'
import { joinNames } from '../format/names.ts'
import { HAS_FIELDS, skipFields } from '../format/postings.ts'
import { FIELD_NAMES } from '../rank.ts'
import { writeWords } from '../format/vocabulary.ts'
import { compareBytes, writeTerm } from './gather.ts'
import { finishIndex, packIndex, writeAuthors } from './pack.ts'

const DECODER = new TextDecoder()

const BEFORE_ID = '{"id":'.length
const LONGEST_ID = String(Number.MAX_SAFE_INTEGER).length

/** A row begins with its id: to parse all of 100,000 rows takes 0.3 CPU s. */
const readId = (row: Uint8Array): number =>
  Number.parseInt(DECODER.decode(row.subarray(BEFORE_ID, BEFORE_ID + LONGEST_ID)), 10)

/** An index, read whole. */
class WholeIndex {
  readonly size: number
  readonly sections: Sections
  readonly terms: StringTable
  readonly words: StringTable
  readonly authors: StringTable
  /** Of each word how many skills have it. */
  readonly holders: Uint32Array<ArrayBuffer>
  readonly rows: readonly Uint8Array[]
  readonly #postings: Uint8Array

  constructor(bytes: Uint8Array) {
    const header = readHeader(bytes, bytes.length)
    const rowsAt = documentsStart(header)
    this.#postings = bytes.subarray(header.headSize, rowsAt)
    const rows = bytes.subarray(rowsAt)
    checkBytes(this.#postings, header.postingsChecksum)
    checkBytes(rows, header.documentsChecksum)
    const sections = openSections(bytes.subarray(0, header.headSize), header)
    const { postingOffsets, documentOffsets, wordLengths, wordHolders } = sections
    this.size = header.count
    this.sections = sections
    this.terms = new StringTable(sections.termBytes, sections.termBlocks, postingOffsets.length - 1)
    this.words = new StringTable(sections.wordBytes, sections.wordBlocks, wordLengths.length)
    const { authors, authorBytes, authorBlocks } = sections
    this.authors = new StringTable(authorBytes, authorBlocks, countAuthors(authors))
    const counts = new ByteReader(wordHolders)
    this.holders = Uint32Array.from(wordLengths, () => counts.number())
    this.rows = Array.from({ length: this.size }, (_, at) =>
      rows.subarray(documentOffsets[at], documentOffsets[at + 1]),
    )
  }

  listAuthors(): string[] {
    return Array.from({ length: this.authors.size }, (_, author) => this.authors.read(author))
  }

  /** A reader that stands before the first of a term's postings, and how many there are. */
  openTerm(term: number): { reader: ByteReader; count: number } {
    const reader = new ByteReader(this.#postings, this.sections.postingOffsets[term])
    const count = reader.number()
    for (let field = 0; field < FIELD_NAMES.length; field++) reader.number()
    return { reader, count }
  }
}

/** Goes through two lists of sorted texts at once: each text, and its place in either, -1 where it has none. */
const mergeTexts = (
  a: readonly Uint8Array[],
  b: readonly Uint8Array[],
  take: (text: Uint8Array, inA: number, inB: number) => void,
): void => {
  for (let atA = 0, atB = 0; atA < a.length || atB < b.length;) {
    const [textA, textB] = [a[atA], b[atB]]
    const order = !textA ? 1 : !textB ? -1 : compareBytes(textA, textB)
    const text = (order > 0 ? textB : textA)!
    take(text, order > 0 ? -1 : atA, order < 0 ? -1 : atB)
    if (order <= 0) atA++
    if (order >= 0) atB++
  }
}

/** Puts places that are in order among others that are. */
const insertPlaces = (
  stay: Uint32Array,
  come: readonly number[],
  compare: (a: number, b: number) => number,
): Uint32Array => {
  const joined = new Uint32Array(stay.length + come.length)
  let from = 0
  come.forEach((place, rank) => {
    let [low, high] = [from, stay.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(stay[middle]!, place) < 0) low = middle + 1
      else high = middle
    }
    joined.set(stay.subarray(from, low), from + rank)
    joined[low + rank] = place
    from = low
  })
  joined.set(stay.subarray(from), from + come.length)
  return joined
}

/** Joins the postings of two indexes term by term. */
class PostingsJoiner {
  readonly writer = new ByteWriter()
  readonly #to: Int32Array
  readonly #ordinals: Uint32Array
  readonly #fieldsAt: Uint32Array
  readonly #fields = new ByteWriter()
  #count = 0
  #isSorted = true

  /** `to` gives the new ordinal of each skill, -1 where it is gone. */
  constructor(to: Int32Array) {
    this.#to = to
    this.#ordinals = new Uint32Array(to.length)
    this.#fieldsAt = new Uint32Array(to.length)
  }

  /** Takes the postings of a term of an index whose skills are from `first` on. */
  take(index: WholeIndex, term: number, first: number): void {
    const { reader, count } = index.openTerm(term)
    for (let left = count, place = first - 1; left > 0; left--) {
      const header = reader.number()
      const from = reader.at
      if (header & HAS_FIELDS) skipFields(reader)
      place += header >>> 1
      const ordinal = this.#to[place]!
      if (ordinal === -1) continue
      if (this.#count > 0 && ordinal < this.#ordinals[this.#count - 1]!) this.#isSorted = false
      this.#ordinals[this.#count] = ordinal
      this.#fieldsAt[this.#count++] = header & HAS_FIELDS ? this.#keepFields(reader, from) : 0
    }
  }

  #keepFields(reader: ByteReader, from: number): number {
    // So that no fields are at 0.
    if (this.#fields.size === 0) this.#fields.byte(0)
    const at = this.#fields.size
    this.#fields.bytes(reader.bytes, from, reader.at)
    return at
  }

  /** Writes what was taken of a term; false where that is nothing. */
  write(): boolean {
    if (this.#count === 0) return false
    const ordinals = this.#ordinals.subarray(0, this.#count)
    const fieldsAt = this.#fieldsAt.subarray(0, this.#count)
    if (!this.#isSorted) {
      const keys = Float64Array.from(ordinals, (ordinal, at) => ordinal * 2 ** 32 + fieldsAt[at]!)
      keys.sort().forEach((key, at) => {
        ordinals[at] = Math.floor(key / 2 ** 32)
        fieldsAt[at] = key % 2 ** 32
      })
    }
    writeTerm(this.writer, ordinals, fieldsAt, new ByteReader(this.#fields.view()))
    this.#fields.clear()
    this.#count = 0
    this.#isSorted = true
    return true
  }
}

/** Joins terms and words; those that no skill has any more are left out. */
const joinTexts = (old: WholeIndex, minus: WholeIndex, plus: WholeIndex, to: Int32Array) => {
  const terms = new StringsWriter()
  const offsets: number[] = [0]
  const [oldTerms, plusTerms] = [old, plus].map(({ terms: { size } }) => new Uint32Array(size))
  const postings = new PostingsJoiner(to)
  mergeTexts(old.terms.readAll(), plus.terms.readAll(), (text, inOld, inPlus) => {
    if (inOld !== -1) postings.take(old, inOld, 0)
    if (inPlus !== -1) postings.take(plus, inPlus, old.size)
    if (!postings.write()) return
    if (inOld !== -1) oldTerms![inOld] = offsets.length - 1
    if (inPlus !== -1) plusTerms![inPlus] = offsets.length - 1
    terms.add(text)
    offsets.push(postings.writer.size)
  })
  const { holders } = old
  minus.holders.forEach((count, word) => {
    const known = old.words.find(minus.words.read(word))
    if (known !== -1) holders[known]! -= count
  })
  const words: Uint8Array[] = []
  const wordTerms: number[] = []
  const wordHolders: number[] = []
  mergeTexts(old.words.readAll(), plus.words.readAll(), (text, inOld, inPlus) => {
    const count = (holders[inOld] ?? 0) + (plus.holders[inPlus] ?? 0)
    if (count === 0) return
    words.push(text)
    wordTerms.push(
      inOld === -1
        ? plusTerms![plus.sections.wordTerms[inPlus]!]!
        : oldTerms![old.sections.wordTerms[inOld]!]!,
    )
    wordHolders.push(count)
  })
  const { bytes, blocks } = terms.finish()
  return {
    sections: {
      termBytes: bytes,
      termBlocks: blocks,
      postingOffsets: Uint32Array.from(offsets),
      ...writeWords(words, Uint32Array.from(wordTerms), Uint32Array.from(wordHolders)),
    },
    postings: postings.writer.view(),
  }
}

/** Sections with a number for each skill. */
type PlainSection =
  | 'categories'
  | 'facets'
  | 'days'
  | 'authors'
  | `${(typeof FIELD_NAMES)[number]}Lengths`

/** How an index is other than the last one. */
interface IndexChanges {
  removed: Parameters<typeof packIndex>[0]
  added: Parameters<typeof packIndex>[0]
  /** New rows of skills that are found by the same words as before, in the same category, with the same facets. */
  recounted: readonly Uint8Array[]
  /** All copies, those of before too. */
  copies: Copies
}

/**
 * Makes the index that `packIndex` would make of all skills out of the last one and what changed. Throws
 * InvalidIndexError where the last one is damaged, or has not what is removed.
 */
export const updateIndex = (
  last: Uint8Array,
  { removed, added, recounted, copies }: IndexChanges,
): Uint8Array<ArrayBuffer> => {
  const old = new WholeIndex(last)
  const [minus, plus] = [removed, added].map((entries) => new WholeIndex(packIndex(entries, {})))
  // A place stands for a skill: its ordinal in the last index, or the number of those and its ordinal among the added ones.
  const rows = [...old.rows, ...plus!.rows]
  const ids = Float64Array.from(rows, readId)
  const gone = new Set(minus!.rows.map(readId))
  const newRows = new Map(recounted.map((row) => [readId(row), row]))
  const stays = new Uint8Array(old.size)
  const come = Array.from(plus!.rows, (_, at) => old.size + at)
  let left = 0
  for (let place = 0; place < old.size; place++) {
    const row = newRows.get(ids[place]!)
    if (gone.has(ids[place]!)) left++
    else if (row) {
      rows[place] = row
      come.push(place)
    } else stays[place] = 1
  }
  if (left !== gone.size) throw new InvalidIndexError('it lacks a skill')
  const pickOne = (name: PlainSection, place: number): number =>
    old.sections[name][place] ?? plus!.sections[name][place - old.size]!
  const known = new Map<number, Sortable>()
  const find = (place: number): Sortable => {
    const day = pickOne('days', place)
    const one = known.get(place) ?? { ...parseRow(rows[place]!), updated: day ? `${day}` : '' }
    known.set(place, one)
    return one
  }
  const order = (sort: Sort, before: Uint32Array): Uint32Array => {
    const compare = (a: number, b: number): number => SORTS[sort](find(a), find(b))
    return insertPlaces(
      before.filter((place) => stays[place] === 1),
      come.sort(compare),
      compare,
    )
  }
  const popular = order(
    'popular',
    Uint32Array.from({ length: old.size }, (_, place) => place),
  )
  const to = new Int32Array(rows.length).fill(-1)
  popular.forEach((place, ordinal) => (to[place] = ordinal))
  const orderBy = (sort: 'installs' | 'views' | 'name', before: Uint32Array) =>
    Uint32Array.from(order(sort, before), (place) => to[place]!)
  const pick = (name: PlainSection) => popular.map((place) => pickOne(name, place))
  const { sections, postings } = joinTexts(old, minus!, plus!, to)
  return finishIndex(
    Array.from(popular, (place) => rows[place]!),
    Array.from(popular, (place) => ids[place]!),
    copies,
    {
      ...sections,
      nameLengths: Uint16Array.from(pick('nameLengths')),
      authorLengths: Uint16Array.from(pick('authorLengths')),
      categoryLengths: Uint16Array.from(pick('categoryLengths')),
      descriptionLengths: Uint16Array.from(pick('descriptionLengths')),
      categories: Uint8Array.from(pick('categories')),
      facets: Uint8Array.from(pick('facets')),
      days: Uint32Array.from(pick('days')),
      ...writeAuthors(
        [...old.listAuthors(), ...plus!.listAuthors()],
        popular.map(
          (place) => pickOne('authors', place) + (place < old.size ? 0 : old.authors.size),
        ),
      ),
      byInstalls: orderBy('installs', old.sections.byInstalls),
      byViews: orderBy('views', old.sections.byViews),
      byName: orderBy('name', old.sections.byName),
      ...joinNames(
        [
          { names: old.sections, renumber: (ordinal) => to[ordinal]! },
          { names: plus!.sections, renumber: (ordinal) => to[old.size + ordinal]! },
        ],
        (ordinal) => find(popular[ordinal]!).name,
      ),
    },
    postings,
  )
}
