import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { isUnchanged } from '../../src/catalog/fingerprint.ts'
import type { Category } from '../../src/catalog/categories.ts'
import { FACTS, isListed } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import type { SkillTold, Tally } from '../../src/documents/tally.ts'
import type { Neighbours } from './nearest.ts'
import type { ZipRow } from './zip-tables.ts'

/** The state of the last build is damaged; a clean build does without it. */
export class DamagedStateError extends Error {
  override name = 'DamagedStateError'
}

/** What a build looks at of every skill. */
export interface SkillLine {
  id: number
  slug: string
  /** Digest of its facts without the counters. */
  factsDigest: string
  facts: SkillFacts
  /** What `encodeWords` returned for it. */
  words: string
  /** An untraced skill has none; it is not shown anywhere. */
  files: { readonly length: number }
  /** Whether the scan found something in them: a file that the function reads says what. */
  hasFindings: boolean
  /** Whether some of them have a view, which the function reads too. */
  hasViews: boolean
  /** Ids of the skills that its page compares it with. */
  nearest: Neighbours
}

/** What a build knows of a skill. */
export interface SkillRow extends SkillLine {
  /** Sizes and times of its files and folders when they were read. */
  fingerprint: string
  /** Digest of the bytes of its files. */
  filesDigest: string
  /** Paths of its files in the zip. */
  files: string[]
  /** Digest of everything that its page shows. */
  pageKey: string
  zipDigest: string
  zipSize: number
  /** What `/stats` counts of it besides its facts. */
  told: SkillTold
}

/** A skill that changed; `before` is missing for a new one, `after` for a removed one. */
export interface SkillChange {
  before?: SkillRow | undefined
  after?: SkillRow | undefined
}

/** A page other than a skill's. */
export interface PageRow {
  path: string
  /** Digest of everything that it shows; empty where only writing the page can tell. */
  key: string
  updated: string
  isIndexable: boolean
}

/** A file that lists skills for a client. */
export interface ListRow {
  /** Its address. */
  path: string
  /** Ids of its skills, in order, with commas between. */
  ids: string
}

/** What a build knows besides its skills, pages and lists. */
export interface BuildRecord {
  /** The generation that the state describes. */
  generation: string
  /** Digests of what the whole site was made from; see `Inputs`. */
  keys: Record<'layout' | 'site' | 'counters' | 'copies', string>
  /** Names of the files that are neither pages nor files of skills. */
  files: string[]
  skills: number
  pages: number
  /** Files of the site. */
  total: number
  /** Whether pages have coded forms beside them. */
  isCompressed: boolean
  /** What `/stats` shows. */
  tally: Tally
  /** Slugs of untraced skills. */
  untraced: string[]
  /** What the nearest skills of every skill depend on. */
  nearestKey: string
  /** SHA-256 of the table of digests. */
  tableDigest: string
  /** The generation before, or a copy of this one, and in which files it differs. */
  before: { generation: string; written: string[]; removed: string[] }
  /** The generation that was served before this one, which stays until the next build is done. */
  replaced?: string | undefined
}

const ROW_TABLES = ['skill', 'page', 'list'] as const
type RowTable = (typeof ROW_TABLES)[number]

/** Facts that a build reads of every skill, to make and order lists: columns, which SQLite takes from the JSON of all. */
const LIST_FACTS = [
  'name',
  'author',
  'category',
  'visibility',
  'views',
  'installs',
  'updated',
  'safety',
  'tokens',
]

const TABLES = `
  CREATE TABLE build (record TEXT NOT NULL);
  CREATE TABLE skill (
    id INTEGER PRIMARY KEY, slug TEXT NOT NULL, fingerprint TEXT NOT NULL, filesDigest TEXT NOT NULL,
    factsDigest TEXT NOT NULL, facts TEXT NOT NULL, words TEXT NOT NULL, files TEXT NOT NULL, nearest TEXT NOT NULL,
    pageKey TEXT NOT NULL, zipDigest TEXT NOT NULL, zipSize INTEGER NOT NULL, hasFindings INTEGER NOT NULL,
    hasViews INTEGER NOT NULL, told TEXT NOT NULL,
    ${LIST_FACTS.map((fact) => `${fact} AS (facts ->> '${fact}') STORED`).join()}
  );
  CREATE UNIQUE INDEX skillBySlug ON skill (slug);
  CREATE TABLE page (path TEXT PRIMARY KEY, key TEXT NOT NULL, updated TEXT NOT NULL, isIndexable INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE list (path TEXT PRIMARY KEY, ids TEXT NOT NULL) WITHOUT ROWID;
`

type Columns = Record<string, SQLOutputValue>

/** The columns of a skill but for those that follow from its facts. */
const SKILL_COLUMNS =
  'id, slug, fingerprint, filesDigest, factsDigest, facts, words, files, nearest, pageKey, zipDigest, zipSize, hasFindings, hasViews, told'

const toSkill = (columns: Columns): SkillRow => {
  const parse = (name: keyof SkillRow): unknown => JSON.parse(columns[name] as string)
  const lists = { files: parse('files') as string[], nearest: parse('nearest') as Neighbours }
  const more = { facts: parse('facts') as SkillFacts, told: parse('told') as SkillTold }
  const row = columns as unknown as SkillRow
  const flags = {
    hasFindings: columns['hasFindings'] === 1,
    hasViews: columns['hasViews'] === 1,
  }
  return { ...row, ...lists, ...more, ...flags }
}

type LineColumns = [
  ...[id: number, slug: string, factsDigest: string, words: string, files: number],
  ...[hasFindings: number, hasViews: number, nearest: string],
  ...[name: string, author: string, category: string, visibility: string],
  ...[views: number, installs: number, updated: string | null, safety: string],
  tokens: number | null,
]

type ZipColumns = [
  ...[id: number, slug: string, zipDigest: string, zipSize: number],
  ...[updated: string | null, category: Category, source: string | null],
  visibility: SkillFacts['visibility'],
]

const toValue = (value: unknown): SQLInputValue => {
  if (typeof value === 'boolean') return Number(value)
  const isPlain = typeof value !== 'object' || value === null || value instanceof Uint8Array
  return isPlain ? (value as SQLInputValue) : JSON.stringify(value)
}

const READ_AT_ONCE = 1 << 20

/** SQLite notices a torn page, but not every changed byte. */
const checkFile = (path: string): string => {
  const buffer = Buffer.alloc(READ_AT_ONCE)
  const descriptor = openSync(path, 'r')
  try {
    let sum = 0
    for (let length = -1; length !== 0;) {
      length = readSync(descriptor, buffer)
      sum = crc32(buffer.subarray(0, length), sum)
    }
    return `${sum}\n`
  } finally {
    closeSync(descriptor)
  }
}

const DATABASE = 'state.db'
const CHECK = `${DATABASE}.check`

/** Names of the files of a state. */
export const STATE_FILES = [DATABASE, CHECK] as const

const countRows = (database: DatabaseSync): string =>
  ROW_TABLES.map(
    (table) => database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'],
  ).join()

/** Parses a record that `save` wrote; a check that is right does not prove it was. */
const readSaved = (database: DatabaseSync, text: string): BuildRecord => {
  const { rows, ...record } = JSON.parse(text) as BuildRecord & { rows?: string }
  if (typeof record.generation !== 'string' || rows !== countRows(database))
    throw new SyntaxError('its rows are not those that were saved')
  return record
}

/** Reads the record of the last build. */
const readRecord = (folder: string): BuildRecord => {
  const [path, checkPath] = [join(folder, DATABASE), join(folder, CHECK)]
  try {
    const database = new DatabaseSync(path)
    try {
      // The first read rolls back what a killed build began to write, so the check comes after it.
      const row = database.prepare('SELECT record FROM build').get()
      if (!existsSync(checkPath) || readFileSync(checkPath, 'utf8') !== checkFile(path))
        throw new DamagedStateError(`${path} is damaged`)
      return readSaved(database, String(row?.['record']))
    } finally {
      database.close()
    }
  } catch (error) {
    const isOurs = (error as { code?: string }).code === 'ERR_SQLITE_ERROR'
    if (!isOurs && !(error instanceof SyntaxError)) throw error
    throw new DamagedStateError(`${path} is damaged: ${(error as Error).message}`)
  }
}

/** Reads the record of a state; undefined where there is none. Throws DamagedStateError. */
export const readLastBuild = (folder: string): BuildRecord | undefined =>
  existsSync(join(folder, DATABASE)) ? readRecord(folder) : undefined

/** The skills of a state between two ids. */
export interface SkillRange {
  state: string
  from: number
  to: number
}

/** Lists the skills of a state whose fingerprints differ, including those whose folders are gone. */
export const listModified = (content: string, { state, from, to }: SkillRange): string[] => {
  const database = new DatabaseSync(state, { readOnly: true })
  try {
    const modified: string[] = []
    const rows = database
      .prepare('SELECT slug, fingerprint FROM skill WHERE id >= ? AND id < ?')
      .iterate(from, to)
    for (const { slug, fingerprint } of rows)
      if (!isUnchanged(`${content}/skills/${slug as string}`, fingerprint as string))
        modified.push(slug as string)
    return modified
  } finally {
    database.close()
  }
}

/**
 * What a build keeps for the next one: a SQLite database. All that a build changes is one transaction, which
 * `save` commits; a build that fails, or is killed, leaves the state as it was.
 */
export class BuildState {
  /** Path of the database that the last build left. */
  readonly path: string
  /** The record of the last build; undefined for a clean build. */
  readonly last: BuildRecord | undefined
  readonly #database: DatabaseSync
  readonly #writtenPath: string
  readonly #statements = new Map<string, StatementSync>()

  private constructor(folder: string, last: BuildRecord | undefined) {
    this.last = last
    this.path = join(folder, DATABASE)
    this.#writtenPath = last ? this.path : `${this.path}.new`
    if (!last)
      for (const ending of ['', '-journal']) rmSync(this.#writtenPath + ending, { force: true })
    this.#database = new DatabaseSync(this.#writtenPath)
    // Reading 100,000 rows takes 0.11 s of system time with pages of 16 KiB, 0.25 with 4 KiB. Nothing waits for the disk: the check finds what a power failure damaged.
    this.#database.exec(
      'PRAGMA page_size = 16384; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536',
    )
    // Workers read the last state while this build writes, so its changes stay in memory until it commits.
    this.#database.exec(`PRAGMA cache_spill = ${last ? 'OFF' : 'ON'}; BEGIN`)
    if (!last) this.#database.exec(TABLES)
  }

  /** Opens the state of a folder. Throws DamagedStateError. */
  static open(folder: string): BuildState | undefined {
    const last = readLastBuild(folder)
    return last && new BuildState(folder, last)
  }

  /** Makes an empty state, which takes the place of the old one when it is saved. */
  static create(folder: string): BuildState {
    return new BuildState(folder, undefined)
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, known)
    return known
  }

  all(sql: string, ...values: SQLInputValue[]): Columns[] {
    return this.#prepare(sql).all(...values)
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#prepare(sql).run(...values)
  }

  /** Slugs and ids, read from the index alone. */
  listSkills(): { slug: string; id: number }[] {
    return this.#arrays<[string, number]>('SELECT slug, id FROM skill').map(([slug, id]) => ({
      slug,
      id,
    }))
  }

  findSkill(by: 'id' | 'slug', value: number | string): SkillRow | undefined {
    const [columns] = this.all(`SELECT ${SKILL_COLUMNS} FROM skill WHERE ${by} = ?`, value)
    return columns && toSkill(columns)
  }

  /**
   * All skills, as far as a build looks at each. Their other facts are read where a page shows them, by getters
   * that a copy made with `...` lacks: to read all of 100,000 skills took .6 CPU s more, and 200 MiB.
   */
  readLines(): SkillLine[] {
    let last: SkillFacts | undefined
    const readFacts = (id: number): SkillFacts =>
      (last = last?.id === id ? last : this.findSkill('id', id)!.facts)
    const toGetter = (fact: keyof SkillFacts) => ({
      get(this: SkillFacts) {
        return readFacts(this.id)[fact]
      },
    })
    const getters = Object.fromEntries(FACTS.map((fact) => [fact, toGetter(fact)]))
    const others = Object.defineProperties({}, getters)
    const sql = `SELECT id, slug, factsDigest, words, json_array_length(files), hasFindings, hasViews, nearest, ${LIST_FACTS.join()} FROM skill`
    return this.#arrays<LineColumns>(sql).map(
      ([id, slug, factsDigest, words, length, hasFindings, hasViews, nearest, ...listed]) => {
        const [name, author, category, visibility, views, installs, day, safety, known] = listed
        const [updated, tokens] = [day ?? undefined, known ?? undefined]
        const counted = { views, installs, updated, safety, tokens }
        const own = { id, slug, name, author, category, visibility, ...counted }
        const facts = { __proto__: others, ...own } as unknown as SkillFacts
        return {
          id,
          slug,
          factsDigest,
          facts,
          words,
          files: { length },
          hasFindings: hasFindings === 1,
          hasViews: hasViews === 1,
          nearest: JSON.parse(nearest) as Neighbours,
        }
      },
    )
  }

  /** Reads the rest of a skill, unless this build made it. */
  complete(line: SkillLine): SkillRow {
    const isWhole = (one: SkillLine): one is SkillRow => 'pageKey' in one
    return isWhole(line) ? line : { ...this.findSkill('id', line.id)!, nearest: line.nearest }
  }

  /** Rows as arrays: as objects they take half as long again. */
  #arrays<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    const statement = this.#prepare(sql)
    statement.setReturnArrays(true)
    return statement.all(...values) as unknown as Row[]
  }

  readPages(): Map<string, PageRow> {
    return new Map(
      this.all('SELECT * FROM page').map((columns) => [
        columns['path'] as string,
        { ...(columns as unknown as PageRow), isIndexable: columns['isIndexable'] === 1 },
      ]),
    )
  }

  readLists(): Map<string, ListRow> {
    const rows = this.#arrays<[string, string]>('SELECT path, ids FROM list')
    return new Map(rows.map(([path, ids]) => [path, { path, ids }]))
  }

  findList(path: string): ListRow | undefined {
    const [row] = this.#arrays<[string]>('SELECT ids FROM list WHERE path = ?', path)
    return row && { path, ids: row[0] }
  }

  /** Writes rows; each replaces the row of the same key. */
  write(table: RowTable, rows: Iterable<object>): void {
    for (const row of rows) {
      const names = Object.keys(row)
      const sql = `INSERT OR REPLACE INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`
      this.run(sql, ...Object.values(row).map(toValue))
    }
  }

  /** Removes rows by their keys. Remove before writing: an id may pass from one skill to another. */
  remove(table: RowTable, keys: Iterable<number | string>): void {
    for (const key of keys)
      this.run(`DELETE FROM ${table} WHERE ${table === 'skill' ? 'id' : 'path'} = ?`, key)
  }

  /** The skills that have a zip, by id. */
  listZips(): ZipRow[] {
    return this.#arrays<ZipColumns>(
      `SELECT id, slug, zipDigest, zipSize, updated, category, facts ->> '$.source.url', visibility
      FROM skill WHERE zipDigest <> '' ORDER BY id`,
    ).map(([id, slug, sha256, size, updated, category, source, visibility]) => {
      const isShown = isListed({ visibility })
      return { id, slug, sha256, size, updated, category, source, isListed: isShown }
    })
  }

  /** Commits everything that was written. */
  save(record: BuildRecord): void {
    this.run('DELETE FROM build')
    const rows = countRows(this.#database)
    this.run('INSERT INTO build VALUES (?)', JSON.stringify({ ...record, rows }))
    this.#database.exec('COMMIT')
    this.close()
    if (!this.last) renameSync(this.#writtenPath, this.path)
    writeFileSync(join(dirname(this.path), CHECK), checkFile(this.path))
  }

  /** Drops whatever was not saved. */
  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }
}
