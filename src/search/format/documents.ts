import { crc32 } from 'node:zlib'
import type { ListedSkill, SkillCard } from '../../catalog/skill.ts'
import type { SearchDocument } from '../rank.ts'
import { InvalidIndexError, documentsStart } from './layout.ts'
import type { Header, ReadBytes, Sections } from './layout.ts'

/** Number of rows that are kept, some 500 bytes each: most queries show the same skills. */
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
  facts: { summary, licence, tokens, safety, touches, deprecated, team },
}: SearchDocument): SkillCard & { description?: string } => ({
  summary,
  updated,
  licence,
  tokens,
  safety,
  touches,
  deprecated,
  team,
  ...(description === listed.description ? {} : { description }),
})

/** Encodes a row of the file: the API's JSON, and on the next line the card. */
export const writeRow = (document: SearchDocument): string =>
  `${JSON.stringify(document.listed)}\n${JSON.stringify(makeCard(document))}`

/** The rows of a file, each checked when it is read. */
export class Documents {
  readonly #start: number
  readonly #offsets: Uint32Array
  readonly #checksums: Uint32Array
  readonly #readBytes: ReadBytes
  readonly #kept = new Map<number, ListedSkill>()

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

  /** The row that the API answers with, which must not be changed. Throws InvalidIndexError where it is damaged. */
  read(ordinal: number): ListedSkill {
    const known = this.#kept.get(ordinal)
    if (known !== undefined) return known
    const listed = JSON.parse(this.#readLines(ordinal)[0]!) as ListedSkill
    // First in, first out: keeping track of use costs more than reading a row again.
    if (this.#kept.size === ROWS_KEPT) this.#kept.delete(this.#kept.keys().next().value ?? ordinal)
    this.#kept.set(ordinal, listed)
    return listed
  }

  readCard(ordinal: number): Omit<CardRow, 'copies'> {
    const [listed = '', card = ''] = this.#readLines(ordinal)
    return {
      ...(JSON.parse(listed) as ListedSkill),
      ...(JSON.parse(card) as SkillCard),
    }
  }

  #readLines(ordinal: number): string[] {
    const [from, to] = [this.#offsets[ordinal]!, this.#offsets[ordinal + 1]!]
    const row = this.#readBytes(this.#start + from, this.#start + to)
    if (crc32(row) !== this.#checksums[ordinal])
      throw new InvalidIndexError(`its row ${ordinal} is damaged`)
    return DECODER.decode(row).split('\n')
  }
}
