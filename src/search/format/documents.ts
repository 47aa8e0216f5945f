import { crc32 } from 'node:zlib'
import type { ListedSkill } from '../../catalog/skill.ts'
import { InvalidIndexError, documentsStart } from './layout.ts'
import type { Header, ReadBytes, Sections } from './layout.ts'

/** How many of the rows last read are kept, some 500 bytes each: most queries show the same skills. */
const ROWS_KEPT = 2_000

const DECODER = new TextDecoder()

/** The rows of a file, each checked when it is read. */
export class Documents {
  readonly #start: number
  readonly #size: number
  readonly #offsets: Uint32Array
  readonly #checksums: Uint32Array
  readonly #readBytes: ReadBytes
  readonly #kept = new Map<number, Uint8Array>()

  constructor(
    header: Header,
    { documentOffsets, documentChecksums }: Sections,
    readBytes: ReadBytes,
  ) {
    this.#start = documentsStart(header)
    this.#size = header.documentsSize
    this.#offsets = documentOffsets
    this.#checksums = documentChecksums
    this.#readBytes = readBytes
  }

  /** The row of a skill as JSON in UTF-8. Throws InvalidIndexError where it is damaged. */
  readRow(ordinal: number): Uint8Array {
    const known = this.#kept.get(ordinal)
    if (known !== undefined) return known
    const row = new Uint8Array(this.#readChecked(ordinal))
    this.#kept.set(ordinal, row)
    // The oldest goes, even if it was used since: keeping track of use costs more than reading a row again.
    if (this.#kept.size > ROWS_KEPT) this.#kept.delete(this.#kept.keys().next().value ?? ordinal)
    return row
  }

  read(ordinal: number): ListedSkill {
    return JSON.parse(DECODER.decode(this.readRow(ordinal))) as ListedSkill
  }

  #readChecked(ordinal: number): Uint8Array {
    const from = this.#offsets[ordinal] ?? this.#size
    const to = this.#offsets[ordinal + 1] ?? 0
    if (from > to || to > this.#size)
      throw new InvalidIndexError(`its row ${ordinal} lies outside of it`)
    const row = this.#readBytes(this.#start + from, this.#start + to)
    if (crc32(row) !== this.#checksums[ordinal])
      throw new InvalidIndexError(`its row ${ordinal} is damaged`)
    return row
  }
}
