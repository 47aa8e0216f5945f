import type { Sort } from '../../catalog/browse.ts'
import { CATEGORIES } from '../../catalog/categories.ts'
import type { Category } from '../../catalog/categories.ts'
import { maskFacets } from '../../catalog/facets.ts'
import type { Facets } from '../../catalog/facets.ts'
import type { ListedSkill } from '../../catalog/skill.ts'
import { Documents } from '../format/documents.ts'
import { checkBytes, documentsStart, openSections, readHeader } from '../format/layout.ts'
import type { Header, ReadBytes, Sections } from '../format/layout.ts'
import { NameTable } from '../format/names.ts'
import { Postings } from '../format/postings.ts'
import { StringTable } from '../format/strings.ts'
import { planQuery } from '../query.ts'
import { Scoring } from './score.ts'
import type { Scored } from './score.ts'
import { TopSkills } from './top-skills.ts'
import { Vocabulary } from './vocabulary.ts'

/** Which skills are wanted, whatever else is asked. */
export interface Filter {
  /** Skills of any of these; an empty list means all. */
  categories: readonly Category[]
  /** Only pages know these. */
  facets?: Facets | undefined
}

/** What a reader asks of the index, checked: `limit` is at least 1, `offset` at least 0. */
export interface FindRequest extends Filter {
  q?: string | undefined
  /** The order where there is no query; with a query, results are ordered by score. */
  sort: Sort
  limit: number
  offset: number
}

/** A page of skills, and how many there are on all pages (registry-api 2.3). */
export interface Found {
  skills: ListedSkill[]
  total: number
}

/** What answers a listing (registry-api 4.1): an index file, or a database somewhere else. */
export interface SearchBackend {
  /** Finds a page. Throws UNAVAILABLE or InvalidIndexError where what it reads cannot be read. */
  find(request: FindRequest): Found | Promise<Found>
  /** Finds the same page with each skill as JSON in UTF-8; only for a backend that stores rows that way. */
  findRows?(request: FindRequest): { rows: Uint8Array[]; total: number }
}

/** Ordinals of a page, and how many skills there are on all pages. */
interface OrdinalPage {
  ordinals: number[]
  total: number
}

/** The skills of a file that a filter wants. */
class FilteredSkills {
  readonly size: number
  /** True where nothing is filtered out. */
  readonly isAll: boolean
  readonly #categories: Uint8Array
  /** One bit for each wanted category. */
  readonly #mask: number
  readonly #facets: Uint8Array
  readonly #facetMask: number
  readonly #facetBits: number

  constructor({ categories, facets, categoryCounts }: Sections, filter: Filter) {
    const wanted = filter.categories.map((category) => CATEGORIES.indexOf(category))
    const { mask: facetMask, bits } = maskFacets(filter.facets ?? {})
    this.isAll = wanted.length === 0 && facetMask === 0
    this.#categories = categories
    this.#facets = facets
    const mask = wanted.reduce((sum, category) => sum | (1 << category), 0)
    this.#mask = wanted.length === 0 ? -1 : mask
    this.#facetMask = facetMask
    this.#facetBits = bits
    this.size = facetMask === 0 ? this.#countByCategory(categoryCounts) : this.#countEach()
  }

  has(ordinal: number): boolean {
    return (
      ((this.#mask >> this.#categories[ordinal]!) & 1) === 1 &&
      (this.#facets[ordinal]! & this.#facetMask) === this.#facetBits
    )
  }

  #countByCategory(counts: Uint32Array): number {
    return counts.reduce(
      (sum, count, category) => ((this.#mask >> category) & 1 ? sum + count : sum),
      0,
    )
  }

  #countEach(): number {
    let count = 0
    for (let ordinal = 0; ordinal < this.#facets.length; ordinal++)
      count += Number(this.has(ordinal))
    return count
  }
}

/** Lists a page of the wanted skills in one order; ordinals are popular order already. */
const browseSkills = (
  sections: Sections,
  wanted: FilteredSkills,
  { sort, offset, limit }: FindRequest,
): OrdinalPage => {
  const orders: Record<Sort, Uint32Array | undefined> = {
    popular: undefined,
    installs: sections.byInstalls,
    views: sections.byViews,
    name: sections.byName,
  }
  const order = orders[sort]
  const size = sections.categories.length
  const ordinals: number[] = []
  // Without a filter, the offset is the ordinal.
  let skipped = wanted.isAll ? Math.min(offset, size) : 0
  for (let place = skipped; place < size && ordinals.length < limit; place++) {
    const ordinal = order === undefined ? place : order[place]!
    if (!wanted.has(ordinal)) continue
    if (skipped < offset) skipped++
    else ordinals.push(ordinal)
  }
  return { ordinals, total: wanted.size }
}

/** The best scored skills, from one rank to before another, and the count of all; named skills are left out. */
const pickBest = (
  { count, ordinals, scores, floor }: Scored,
  named: ReadonlyMap<number, number>,
  wanted: FilteredSkills,
  from: number,
  to: number,
): OrdinalPage => {
  const top = new TopSkills(to, count)
  // A named skill already has its place, and no score is below 0.
  for (const ordinal of named.keys()) scores[ordinal] = -1
  let total = 0
  for (let at = 0; at < count; at++) {
    const ordinal = ordinals[at]!
    const score = scores[ordinal]!
    if (score < floor || !wanted.has(ordinal)) continue
    total++
    top.add(ordinal, score)
  }
  for (const ordinal of named.keys()) scores[ordinal] = 0
  return { ordinals: top.list(from), total }
}

/**
 * An index file opened for search and browsing. Its head is in memory; postings and rows are read as they are
 * needed. Ordinals are places in popular order. Throws InvalidIndexError where what it reads is damaged.
 */
export class PackedIndex implements SearchBackend {
  readonly size: number
  readonly terms: StringTable
  readonly postings: Postings
  readonly vocabulary: Vocabulary
  readonly documents: Documents
  readonly names: NameTable
  readonly scoring: Scoring
  readonly #sections: Sections

  constructor(header: Header, head: Uint8Array, readPostings: ReadBytes, readRow: ReadBytes) {
    const sections = openSections(head, header)
    const { termBytes, termBlocks, postingOffsets } = sections
    this.size = header.count
    this.terms = new StringTable(termBytes, termBlocks, postingOffsets.length - 1)
    this.postings = new Postings(header, sections, readPostings)
    this.vocabulary = new Vocabulary(sections)
    this.documents = new Documents(header, sections, readRow)
    this.names = new NameTable(sections, (ordinal) => this.documents.read(ordinal).name)
    this.scoring = new Scoring(this)
    this.#sections = sections
  }

  find(request: FindRequest): Found {
    const { ordinals, total } = this.#findPage(request)
    return { skills: ordinals.map((ordinal) => this.documents.read(ordinal)), total }
  }

  findRows(request: FindRequest): { rows: Uint8Array[]; total: number } {
    const { ordinals, total } = this.#findPage(request)
    return { rows: ordinals.map((ordinal) => this.documents.readRow(ordinal)), total }
  }

  #findPage(request: FindRequest): OrdinalPage {
    const wanted = new FilteredSkills(this.#sections, request)
    const { q = '' } = request
    return q.trim() === ''
      ? browseSkills(this.#sections, wanted, request)
      : this.#search(q, wanted, request)
  }

  /** Skills that the query names come first, then the rest by score. */
  #search(q: string, wanted: FilteredSkills, { offset, limit }: FindRequest): OrdinalPage {
    // A name may hold nothing that is searched, such as an emoji; it is still found by its name.
    const named = this.names.find(q)
    const first = [...named]
      .filter(([ordinal]) => wanted.has(ordinal))
      // Namesakes answer equally well, so only popularity orders them.
      .sort(([a, surely], [b, sure]) => sure - surely || a - b)
      .map(([ordinal]) => ordinal)
    const from = Math.max(0, Math.min(offset, this.size) - first.length)
    const to = Math.max(0, Math.min(offset + limit, this.size) - first.length)
    const { ordinals, total } = this.scoring.score(planQuery(q), (scored) =>
      pickBest(scored, named, wanted, from, to),
    )
    return {
      ordinals: [...first.slice(offset, offset + limit), ...ordinals],
      total: first.length + total,
    }
  }
}

/** Opens what `packIndex` wrote, all of it in memory. Throws InvalidIndexError where it is damaged. */
export const openIndex = (bytes: Uint8Array): PackedIndex => {
  const header = readHeader(bytes, bytes.length)
  const rows = documentsStart(header)
  checkBytes(bytes.subarray(header.headSize, rows), header.postingsChecksum)
  checkBytes(bytes.subarray(rows), header.documentsChecksum)
  const read: ReadBytes = (from, to) => bytes.subarray(from, to)
  return new PackedIndex(header, bytes.subarray(0, header.headSize), read, read)
}
