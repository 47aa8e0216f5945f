import { crc32 } from 'node:zlib'
import type { ListedSkill } from '../../catalog/skill.ts'
import { InvalidIndexError } from '../invalid-index.ts'
import { documentsStart } from './layout.ts'
import type { Header, Sections } from './layout.ts'

/** Reads bytes of the file, from the first to before the second place; they hold until the next call. */
export type ReadBytes = (from: number, to: number) => Uint8Array

/** Reads what follows the head of a file. */
export interface Source {
  readPostings: ReadBytes
  readRow: ReadBytes
}

/** Reads the row of a skill. */
export type ReadDocument = (ordinal: number) => ListedSkill

/** The rows of a file, as they are written and as what they say. */
export interface Documents {
  readRow: (ordinal: number) => Uint8Array
  readDocument: ReadDocument
}

/** Rows that are kept, the last ones read, some 500 bytes each: most queries show skills that others showed. */
const ROWS_KEPT = 2_000

/** Opens the rows of a file; each is checked when it is read, and it is never read before. */
export const openDocuments = (
  header: Header,
  { documentOffsets, documentChecksums }: Sections,
  readBytes: ReadBytes,
): Documents => {
  const start = documentsStart(header)
  const { documentsSize } = header
  const readChecked = (ordinal: number): Uint8Array => {
    const from = documentOffsets[ordinal] ?? documentsSize
    const to = documentOffsets[ordinal + 1] ?? 0
    if (from > to || to > documentsSize)
      throw new InvalidIndexError(`its row ${ordinal} lies outside of it`)
    const row = readBytes(start + from, start + to)
    if (crc32(row) !== documentChecksums[ordinal])
      throw new InvalidIndexError(`its row ${ordinal} is damaged`)
    return row
  }
  const kept = new Map<number, Buffer>()
  const keep = (ordinal: number): Buffer => {
    const row = Buffer.from(readChecked(ordinal))
    kept.set(ordinal, row)
    // The oldest goes, asked for or not: to move what is asked for would cost more than to read it.
    if (kept.size > ROWS_KEPT) kept.delete(kept.keys().next().value ?? ordinal)
    return row
  }
  const readRow = (ordinal: number): Buffer => kept.get(ordinal) ?? keep(ordinal)
  return {
    readRow,
    readDocument: (ordinal) => JSON.parse(readRow(ordinal).toString('utf8')) as ListedSkill,
  }
}
