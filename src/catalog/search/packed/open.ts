import { crc32 } from 'node:zlib'
import { CATEGORIES } from '../../categories.ts'
import type { Category } from '../../categories.ts'
import type { Sort } from '../../browse.ts'
import type { FindNamed } from '../exact-name.ts'
import { InvalidIndexError } from '../invalid-index.ts'
import { planQuery } from '../query-plan.ts'
import type { FindRequest, Found, SkillIndex } from '../skill-index.ts'
import { openBest } from './best.ts'
import { checkSections } from './check.ts'
import { openDocuments } from './documents.ts'
import type { ReadBytes, ReadDocument, Source } from './documents.ts'
import { documentsStart, openSections, readHeader } from './layout.ts'
import type { Header } from './layout.ts'
import { openPackedNames } from './names.ts'
import { openPostings } from './postings.ts'
import { openScoring } from './score.ts'
import type { ScoreParts, ScoreQuery, Scored } from './score.ts'
import { openStrings } from './string-table.ts'
import { openPackedVocabulary } from './vocabulary.ts'

/** The parts of an open file; numbers of skills are their places in popular order. */
export interface PackedParts extends ScoreParts {
  readDocument: ReadDocument
  findNamed: FindNamed
}

/** An index over a packed file. */
export interface PackedIndex extends SkillIndex {
  parts: PackedParts
  scoreQuery: ScoreQuery
  /** Gives the score of every skill that answers a query, by id; its rows are all read, so it is for tests. */
  scoreAll: (q: string) => Map<number, number>
}

const ALL = 2 ** CATEGORIES.length - 1

const maskOf = (categories: readonly Category[]): number =>
  categories.length === 0
    ? ALL
    : categories.reduce((mask, category) => mask | (1 << CATEGORIES.indexOf(category)), 0)

const openParts = (header: Header, head: Uint8Array, source: Source) => {
  const sections = openSections(head, header)
  checkSections(header, sections)
  const size = header.count
  const readDocument = openDocuments(header, sections, source.readRow)
  const parts: PackedParts = {
    size,
    terms: openStrings(sections.termBytes, sections.termBlocks, sections.postingOffsets.length - 1),
    postings: openPostings(header, sections, source.readPostings),
    vocabulary: openPackedVocabulary(sections),
    readDocument,
    findNamed: openPackedNames(sections, (ordinal) => readDocument(ordinal).name),
  }
  return { sections, parts }
}

/** Opens a head, and leaves postings and rows where they are until `source` fetches some. */
export const openHead = (header: Header, head: Uint8Array, source: Source): PackedIndex => {
  const { sections, parts } = openParts(header, head, source)
  const { size, findNamed, readDocument } = parts
  const { categories, categoryCounts } = sections
  const scoreQuery = openScoring(parts)
  const orders: Record<Sort, Uint32Array | undefined> = {
    popular: undefined,
    installs: sections.byInstalls,
    views: sections.byViews,
    name: sections.byName,
  }

  const isIn = (ordinal: number, mask: number): boolean =>
    ((mask >> categories[ordinal]!) & 1) === 1

  const browse = (sort: Sort, mask: number, offset: number, limit: number): number[] => {
    const order = orders[sort]
    const page: number[] = []
    let skipped = mask === ALL ? Math.min(offset, size) : 0
    for (let place = skipped; place < size && page.length < limit; place++) {
      const ordinal = order === undefined ? place : order[place]!
      if (!isIn(ordinal, mask)) continue
      if (skipped < offset) skipped++
      else page.push(ordinal)
    }
    return page
  }

  const countIn = (mask: number): number =>
    CATEGORIES.reduce((sum, _, at) => ((mask >> at) & 1 ? sum + (categoryCounts[at] ?? 0) : sum), 0)

  const listNamed = (named: ReadonlyMap<number, number>, mask: number): number[] =>
    [...named]
      .filter(([ordinal]) => isIn(ordinal, mask))
      // Namesakes are equally what was asked for, so popularity alone puts them in order.
      .sort(([a, surely], [b, sure]) => sure - surely || a - b)
      .map(([ordinal]) => ordinal)

  const pickPage = (
    { count, ordinals, scores, floor }: Scored,
    named: ReadonlyMap<number, number>,
    mask: number,
    wanted: number,
  ): { best: number[]; total: number } => {
    const best = openBest(wanted)
    // A named skill has its place already; no score reaches below 0.
    for (const ordinal of named.keys()) scores[ordinal] = -1
    let total = 0
    for (let at = 0; at < count; at++) {
      const ordinal = ordinals[at]!
      const score = scores[ordinal]!
      if (score < floor || !isIn(ordinal, mask)) continue
      total++
      best.add(ordinal, score)
    }
    for (const ordinal of named.keys()) scores[ordinal] = 0
    return { best: best.list(), total }
  }

  const search = (q: string, mask: number, offset: number, limit: number) => {
    const named = findNamed(q)
    const first = listNamed(named, mask)
    const wanted = Math.max(0, Math.min(offset + limit, size) - first.length)
    const { best, total } = scoreQuery(planQuery(q), (scored) =>
      pickPage(scored, named, mask, wanted),
    )
    // A name may hold nothing to search, an emoji say; whoever types it still finds it.
    return {
      page: [...first, ...best].slice(offset, offset + limit),
      total: first.length + total,
    }
  }

  const find = ({ q = '', sort, categories: wanted, limit, offset }: FindRequest): Found => {
    const mask = maskOf(wanted)
    const { page, total } =
      q.trim() === ''
        ? { page: browse(sort, mask, offset, limit), total: countIn(mask) }
        : search(q, mask, offset, limit)
    return { skills: page.map(readDocument), total }
  }

  const scoreAll = (q: string): Map<number, number> =>
    scoreQuery(
      planQuery(q),
      ({ count, ordinals, scores, floor }) =>
        new Map(
          Array.from(ordinals.subarray(0, count))
            .filter((ordinal) => scores[ordinal]! >= floor)
            .map((ordinal) => [readDocument(ordinal).id, scores[ordinal]!]),
        ),
    )

  return { size, find, parts, scoreQuery, scoreAll }
}

const checkPart = (bytes: Uint8Array, checksum: number): void => {
  if (crc32(bytes) !== checksum) throw new InvalidIndexError('its checksum is another')
}

/** Opens what `packIndex` wrote, all of it in memory; throws an `InvalidIndexError` where a byte is not as it was. */
export const openIndex = (bytes: Uint8Array): PackedIndex => {
  const header = readHeader(bytes, bytes.length)
  const rows = documentsStart(header)
  checkPart(bytes.subarray(header.headSize, rows), header.postingsChecksum)
  checkPart(bytes.subarray(rows), header.documentsChecksum)
  const read: ReadBytes = (from, to) => bytes.subarray(from, to)
  return openHead(header, bytes.subarray(0, header.headSize), { readPostings: read, readRow: read })
}
