import { crc32 } from 'node:zlib'
import type { ListedSkill } from '../../catalog/skill.ts'
import { InvalidIndexError } from '../invalid-index.ts'
import { checkSections } from './check.ts'
import { HEADER_SIZE, documentsStart, openSections, readHeader } from './layout.ts'
import type { Sections } from './layout.ts'

/** An index file as the next one is made out of it. */
export interface OldIndex {
  size: number
  sections: Sections
  postings: Uint8Array
  rows: Uint8Array
  /** Id of each skill, by its ordinal. */
  ids: Float64Array
  readRow: (ordinal: number) => ListedSkill
}

const checkPart = (bytes: Uint8Array, checksum: number): Uint8Array => {
  if (crc32(bytes) !== checksum) throw new InvalidIndexError('its checksum is another')
  return bytes
}

/** How every row begins, since the id is the first field of a listed skill. */
const ROW_START = '{"id":'.length
const ZERO = 0x30

const readId = (rows: Uint8Array, start: number): number => {
  let id = 0
  for (let at = start + ROW_START; ; at++) {
    const digit = (rows[at] ?? 0) - ZERO
    if (digit < 0 || digit > 9) return id
    id = id * 10 + digit
  }
}

/** Opens an index of which every byte is as it was written; throws InvalidIndexError for any other. */
export const openOldIndex = (bytes: Uint8Array): OldIndex => {
  const header = readHeader(bytes.subarray(0, HEADER_SIZE), bytes.length)
  const sections = openSections(bytes.subarray(0, header.headSize), header)
  checkSections(header, sections)
  const rowsStart = documentsStart(header)
  const postings = checkPart(bytes.subarray(header.headSize, rowsStart), header.postingsChecksum)
  const rows = checkPart(bytes.subarray(rowsStart), header.documentsChecksum)
  const { documentOffsets } = sections
  const ids = new Float64Array(header.count)
  for (let at = 0; at < ids.length; at++) ids[at] = readId(rows, documentOffsets[at] ?? 0)
  const readRow = (ordinal: number): ListedSkill => {
    const row = rows.subarray(documentOffsets[ordinal], documentOffsets[ordinal + 1])
    return JSON.parse(Buffer.from(row).toString('utf8')) as ListedSkill
  }
  return { size: header.count, sections, postings, rows, ids, readRow }
}
