import { crc32 } from 'node:zlib'
import type { FindRequest, Found, SkillIndex } from '../skill-index.ts'
import type { FindNamed } from '../exact-name.ts'
import { InvalidIndexError } from '../invalid-index.ts'
import { planQuery } from '../query-plan.ts'
import { openBrowsing } from './browse.ts'
import type { Page } from './browse.ts'
import { maskOf, openCategories } from './categories.ts'
import { checkSections } from './check.ts'
import { openDocuments } from './documents.ts'
import type { ReadBytes, ReadDocument, Source } from './documents.ts'
import { documentsStart, openSections, readHeader } from './layout.ts'
import type { Header, Sections } from './layout.ts'
import { openPackedNames } from './names.ts'
import { openPostings } from './postings.ts'
import { openScoring } from './score.ts'
import type { ScoreParts, ScoreQuery } from './score.ts'
import { openSearch } from './search.ts'
import { openStrings } from './string-table.ts'
import { openPackedVocabulary } from './vocabulary.ts'

/** The parts of an open file; numbers of skills are their places in popular order. */
export interface PackedParts extends ScoreParts {
  readRow: (ordinal: number) => Uint8Array
  readDocument: ReadDocument
  findNamed: FindNamed
}

/** An index over a packed file. */
export interface PackedIndex extends Required<SkillIndex> {
  parts: PackedParts
  scoreQuery: ScoreQuery
  /** Gives the score of every skill that answers a query, by id; its rows are all read, so it is for tests. */
  scoreAll: (q: string) => Map<number, number>
}

const openParts = (header: Header, sections: Sections, source: Source): PackedParts => {
  const { termBytes, termBlocks, postingOffsets } = sections
  const { readRow, readDocument } = openDocuments(header, sections, source.readRow)
  return {
    size: header.count,
    terms: openStrings(termBytes, termBlocks, postingOffsets.length - 1),
    postings: openPostings(header, sections, source.readPostings),
    vocabulary: openPackedVocabulary(sections),
    readRow,
    readDocument,
    findNamed: openPackedNames(sections, (ordinal) => readDocument(ordinal).name),
  }
}

/** Opens a head, and leaves postings and rows where they are until `source` fetches some. */
export const openHead = (header: Header, head: Uint8Array, source: Source): PackedIndex => {
  const sections = openSections(head, header)
  checkSections(header, sections)
  const parts = openParts(header, sections, source)
  const { size, readRow, readDocument } = parts
  const isIn = openCategories(sections)
  const scoreQuery = openScoring(parts)
  const browse = openBrowsing(sections, size, isIn)
  const search = openSearch(parts, scoreQuery, isIn)

  const findPage = ({ q = '', sort, categories, limit, offset }: FindRequest): Page => {
    const mask = maskOf(categories)
    const isBlank = q.trim() === ''
    return isBlank ? browse(sort, mask, offset, limit) : search(q, mask, offset, limit)
  }

  const find = (request: FindRequest): Found => {
    const { ordinals, total } = findPage(request)
    return { skills: ordinals.map(readDocument), total }
  }

  const findRows = (request: FindRequest): { rows: Uint8Array[]; total: number } => {
    const { ordinals, total } = findPage(request)
    return { rows: ordinals.map(readRow), total }
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

  return { size, find, findRows, parts, scoreQuery, scoreAll }
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
