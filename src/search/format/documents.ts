import { crc32 } from 'node:zlib'
import type { ListedSkill, SkillCard } from '../../catalog/skill.ts'
import type { SearchDocument } from '../rank.ts'
import { InvalidIndexError, documentsStart } from './layout.ts'
import type { Header, ReadBytes, Sections } from './layout.ts'

/** Rows in the cache, some 500 bytes each. Most queries show the same skills. */
const ROWS_CACHED = 2_000

const DECODER = new TextDecoder()

/** A row of a page: a skill with its full description. */
export interface CardRow extends ListedSkill, SkillCard {
  /** How many listed skills are copies of it. */
  copies: number
}

/** Makes the fields of a page's row that the API's row lacks; includes the description only if the API cuts it. */
export const makeCard = ({
  listed,
  description,
  updated,
  facts,
}: SearchDocument): SkillCard & { description?: string } => ({
  ...facts,
  updated,
  ...(description === listed.description ? {} : { description }),
})

/** Encodes a row of the file: the API's JSON, and on the next line the card. */
export const writeRow = (document: SearchDocument): string =>
  `${JSON.stringify(document.listed)}\n${JSON.stringify(makeCard(document))}`

/** The rows of an index. Each is checked when it is read. */
export class Documents {
  readonly #start: number
  readonly #offsets: Uint32Array
  readonly #checksums: Uint32Array
  readonly #readBytes: ReadBytes
  readonly #cache = new Map<number, ListedSkill>()

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

  /** Returns the API's row, which is cached: do not change it. Throws InvalidIndexError if the row is damaged. */
  read(ordinal: number): ListedSkill {
    const known = this.#cache.get(ordinal)
    if (known !== undefined) return known
    const listed = JSON.parse(this.#readTexts(ordinal)[0]!) as ListedSkill
    // First in, first out: keeping track of use costs more than reading a row again.
    if (this.#cache.size === ROWS_CACHED)
      this.#cache.delete(this.#cache.keys().next().value ?? ordinal)
    this.#cache.set(ordinal, listed)
    return listed
  }

  /** Reads both lines of a row. */
  readLines(ordinal: number): { listed: ListedSkill; card: ReturnType<typeof makeCard> } {
    const [listed = '', card = ''] = this.#readTexts(ordinal)
    return { listed: JSON.parse(listed), card: JSON.parse(card) }
  }

  readCard(ordinal: number): Omit<CardRow, 'copies'> {
    const { listed, card } = this.readLines(ordinal)
    return { ...listed, ...card }
  }

  #readTexts(ordinal: number): string[] {
    const [from, to] = [this.#offsets[ordinal]!, this.#offsets[ordinal + 1]!]
    const row = this.#readBytes(this.#start + from, this.#start + to)
    if (crc32(row) !== this.#checksums[ordinal])
      throw new InvalidIndexError(`its row ${ordinal} is damaged`)
    return DECODER.decode(row).split('\n')
  }
}
