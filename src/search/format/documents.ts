import { crc32 } from 'node:zlib'
import type { ListedSkill, SkillCard } from '../../catalog/skill.ts'
import type { SearchDocument } from '../rank.ts'
import { InvalidIndexError, documentsStart } from './layout.ts'
import type { Header, ReadBytes, Sections } from './layout.ts'

/** Number of cached rows, some 500 bytes each: most queries show the same skills. */
const ROWS_KEPT = 2_000

const DECODER = new TextDecoder()

/** A skill as a row of a page shows it, with its whole description. */
export interface CardRow extends ListedSkill, SkillCard {
  /** How many listed skills are copies of it. */
  copies: number
}

/** Fields of a page's row in addition to the API's; the description only if the API's is cut. */
export const makeCard = ({
  listed,
  description,
  updated,
  facts: { summary, licence, tokens, safety },
}: SearchDocument): SkillCard & { description?: string } => ({
  summary,
  updated,
  licence,
  tokens,
  safety,
  ...(description === listed.description ? {} : { description }),
})

/** Encodes a row of the file: the API's JSON, and on the next line the card. */
export const writeRow = (document: SearchDocument): string =>
  `${JSON.stringify(document.listed)}\n${JSON.stringify(makeCard(document))}`

const NEWLINE = 10

/** The API's JSON in a row, up to the first newline, which JSON on one line cannot contain. */
const cutRow = (row: Uint8Array): Uint8Array => {
  const end = row.indexOf(NEWLINE)
  return end === -1 ? row : row.subarray(0, end)
}

/** The rows of a file, each checked when it is read. */
export class Documents {
  readonly #start: number
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
    this.#offsets = documentOffsets
    this.#checksums = documentChecksums
    this.#readBytes = readBytes
  }

  /** The row that the API answers with, as JSON in UTF-8. Throws InvalidIndexError where it is damaged. */
  readRow(ordinal: number): Uint8Array {
    const known = this.#kept.get(ordinal)
    if (known !== undefined) return known
    const row = new Uint8Array(cutRow(this.#readChecked(ordinal)))
    this.#kept.set(ordinal, row)
    // First in, first out: keeping track of use costs more than reading a row again.
    if (this.#kept.size > ROWS_KEPT) this.#kept.delete(this.#kept.keys().next().value ?? ordinal)
    return row
  }

  read(ordinal: number): ListedSkill {
    return JSON.parse(DECODER.decode(this.readRow(ordinal))) as ListedSkill
  }

  readCard(ordinal: number): Omit<CardRow, 'copies'> {
    const [listed = '', card = ''] = DECODER.decode(this.#readChecked(ordinal)).split('\n')
    return {
      ...(JSON.parse(listed) as ListedSkill),
      ...(JSON.parse(card) as SkillCard),
    }
  }

  #readChecked(ordinal: number): Uint8Array {
    const [from, to] = [this.#offsets[ordinal]!, this.#offsets[ordinal + 1]!]
    const row = this.#readBytes(this.#start + from, this.#start + to)
    if (crc32(row) !== this.#checksums[ordinal])
      throw new InvalidIndexError(`its row ${ordinal} is damaged`)
    return row
  }
}
