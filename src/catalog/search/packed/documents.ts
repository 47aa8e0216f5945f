import { crc32 } from 'node:zlib'
import type { ListedSkill } from '../../listing.ts'
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

const toText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')

/** Opens the rows of a file; each is checked when it is read, and it is never read before. */
export const openDocuments = (
  header: Header,
  { documentOffsets, documentChecksums }: Sections,
  readBytes: ReadBytes,
): ReadDocument => {
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
  return (ordinal) => JSON.parse(toText(readChecked(ordinal))) as ListedSkill
}
