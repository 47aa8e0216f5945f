import type { SkillFacts } from '../../src/catalog/skill.ts'
import type { DetailsFile, Place } from './details-file.ts'
import { readText } from './row-columns.ts'
import type { ColumnRow, RowColumns, TextColumn } from './row-columns.ts'
import { readDetails } from './row-details.ts'
import type { SkillRow } from './state.ts'

/** What a build writes anew into rows that stay. */
type Rewritten = Pick<SkillRow, 'key' | 'sha256' | 'size' | 'nearest'>

/**
 * A row of a state, which tells the facts of its skill too. Nothing is read before it is asked for: most builds need
 * it of a few skills only.
 */
export class StoredRow implements SkillRow, SkillFacts {
  readonly columns: RowColumns
  /** Its place in the columns. */
  readonly at: number
  readonly slug: string
  readonly #file: DetailsFile
  #own: Partial<Rewritten> | undefined
  #rest: SkillFacts | undefined

  constructor(columns: RowColumns, at: number, file: DetailsFile) {
    this.columns = columns
    this.at = at
    this.slug = this.#read(columns.texts.slug)
    this.#file = file
  }

  #read(column: TextColumn): string {
    return readText(column, this.at)
  }

  #rewrite(change: Partial<Rewritten>): void {
    this.#own = { ...this.#own, ...change }
  }

  /** Nothing of it is other than in the columns. */
  get isAsStored(): boolean {
    return this.#own === undefined
  }

  get id(): number {
    return this.columns.numbers.id[this.at]!
  }

  get views(): number {
    return this.columns.numbers.views[this.at]!
  }

  get installs(): number {
    return this.columns.numbers.installs[this.at]!
  }

  get files(): number {
    return this.columns.numbers.files[this.at]!
  }

  get author(): string {
    const { codes, list } = this.columns.common.author
    return list[codes[this.at]!]!
  }

  get category(): SkillRow['category'] {
    const { codes, list } = this.columns.common.category
    return list[codes[this.at]!] as SkillRow['category']
  }

  get updated(): string {
    const { codes, list } = this.columns.common.updated
    return list[codes[this.at]!]!
  }

  get visibility(): SkillRow['visibility'] {
    const { codes, list } = this.columns.common.visibility
    return list[codes[this.at]!] as SkillRow['visibility']
  }

  get name(): string {
    return this.#read(this.columns.texts.name)
  }

  get digest(): string {
    return this.#read(this.columns.texts.digest)
  }

  get told(): string {
    return this.#read(this.columns.texts.told)
  }

  get signature(): string {
    return this.#read(this.columns.texts.signature)
  }

  get key(): string {
    return this.#own?.key ?? this.#read(this.columns.texts.key)
  }

  set key(key: string) {
    this.#rewrite({ key })
  }

  get sha256(): string {
    return this.#own?.sha256 ?? this.#read(this.columns.texts.sha256)
  }

  set sha256(sha256: string) {
    this.#rewrite({ sha256 })
  }

  get size(): number {
    return this.#own?.size ?? this.columns.numbers.size[this.at]!
  }

  set size(size: number) {
    this.#rewrite({ size })
  }

  get nearest(): string {
    return this.#own?.nearest ?? this.#read(this.columns.texts.nearest)
  }

  set nearest(nearest: string) {
    this.#rewrite({ nearest })
  }

  get #facts(): SkillFacts {
    return (this.#rest ??= readDetails(this).facts)
  }

  get description(): string {
    return this.#facts.description
  }

  get difficulty(): SkillFacts['difficulty'] {
    return this.#facts.difficulty
  }

  get safety(): SkillFacts['safety'] {
    return this.#facts.safety
  }

  get source(): SkillFacts['source'] {
    return this.#facts.source
  }

  get details(): Place & { file: DetailsFile } {
    const { from, length, check } = this.columns.numbers
    return {
      from: from[this.at]!,
      length: length[this.at]!,
      check: check[this.at]!,
      file: this.#file,
    }
  }
}

/** Copies a row with some things changed; the older one is as it was. */
export const copyRow = (row: SkillRow, change: Partial<SkillRow>): SkillRow => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  author: row.author,
  category: row.category,
  updated: row.updated,
  visibility: row.visibility,
  views: row.views,
  installs: row.installs,
  digest: row.digest,
  told: row.told,
  key: row.key,
  sha256: row.sha256,
  size: row.size,
  files: row.files,
  nearest: row.nearest,
  signature: row.signature,
  details: row.details,
  ...change,
})

/** Gives a row as it is written, its details where they lie. */
export const toColumnRow = (row: SkillRow, { from, length, check }: Place): ColumnRow => {
  const { details: _, ...rest } = copyRow(row, {})
  return { ...rest, from, length, check }
}
