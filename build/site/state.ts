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
import type { SkillTraits, Tally } from '../../src/documents/stats.ts'

/** The state of the last build is damaged; a clean build is needed. */
export class DamagedStateError extends Error {
  override name = 'DamagedStateError'
}

/** The fields that a build reads of every skill. */
export interface SkillLine {
  id: number
  slug: string
  /** Digest of the facts without counters. */
  factsDigest: string
  facts: SkillFacts
  /** The text of `encodeWords`. */
  words: string
  /** Empty for an untraced skill, which is not shown anywhere. */
  files: { readonly length: number }
  /** Whether the scan has findings; a file for the function lists them. */
  hasFindings: boolean
  /** What its text names that may be slugs of other skills, with blanks between. */
  mentions: string
  /** Ids of the neighbours on its page. */
  /** Ids of the most similar skills, closest first. */
  nearest: readonly number[]
}

export interface SkillRow extends SkillLine {
  fingerprint: string
  /** Digest of the bytes of its files. */
  filesDigest: string
  /** Paths of its files in the zip. */
  files: string[]
  /** Digest of everything that its page shows. */
  pageKey: string
  zipDigest: string
  zipSize: number
  /** What `/stats` counts besides the facts. */
  traits: SkillTraits
}

/** A skill that changed; `before` is missing for a new one, `after` for a removed one. */
export interface SkillChange {
  before?: SkillRow | undefined
  after?: SkillRow | undefined
}

/** A page other than a skill's. */
export interface PageRow {
  path: string
  /** Digest of everything that it shows; empty if only rendering can tell whether it changed. */
  key: string
  updated: string
  isIndexable: boolean
}

/** A file that lists skills for a client. */
export interface ListRow {
  path: string
  /** Comma-separated ids of its skills, in order. */
  ids: string
}

/** A skill that cannot be read or printed. */
export interface Loss {
  /** Digest of its files, which are not read again; empty if they changed meanwhile. */
  filesDigest: string
  reason: string
  /** Whether the site has its last version. */
  isKept: boolean
}

/** The state of a build other than skills, pages and lists. */
export interface BuildRecord {
  /** The generation that the state describes. */
  generation: string
  /** See `Inputs`. */
  keys: Record<'layout' | 'site' | 'counters' | 'copies', string>
  /** Names of the files that are neither pages nor files of skills. */
  files: string[]
  skills: number
  pages: number
  /** Number of files of the site. */
  total: number
  /** Whether pages have coded forms beside them. */
  isCompressed: boolean
  /** What `/stats` shows. */
  tally: Tally
  /** Slugs of untraced skills. */
  untraced: string[]
  /** The skills that could not be read or printed, by slug. */
  lost: Readonly<Record<string, Loss>>
  /** Digest of what all neighbours depend on. */
  nearestKey: string
  /** SHA-256 of the table of digests. */
  tableDigest: string
  /** The spare generation (the previous one, or a copy of this one) and the files in which it differs. */
  before: { generation: string; written: string[]; removed: string[] }
  /** The generation that was served before this one, kept until the next build is done. */
  replaced?: string | undefined
}

const ROW_TABLES = ['skill', 'page', 'list'] as const
type RowTable = (typeof ROW_TABLES)[number]

/** Facts needed to make and order lists, as generated columns from the JSON of all facts. */
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
    mentions TEXT NOT NULL, traits TEXT NOT NULL,
    ${LIST_FACTS.map((fact) => `${fact} AS (facts ->> '${fact}') STORED`).join()}
  );
  CREATE UNIQUE INDEX skillBySlug ON skill (slug);
  CREATE TABLE page (path TEXT PRIMARY KEY, key TEXT NOT NULL, updated TEXT NOT NULL, isIndexable INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE list (path TEXT PRIMARY KEY, ids TEXT NOT NULL) WITHOUT ROWID;
`

type Columns = Record<string, SQLOutputValue>

/** The columns of a skill, except those generated from its facts. */
const SKILL_COLUMNS =
  'id, slug, fingerprint, filesDigest, factsDigest, facts, words, files, nearest, pageKey, zipDigest, zipSize, hasFindings, mentions, traits'

const toSkill = (columns: Columns): SkillRow => {
  const parse = (name: keyof SkillRow): unknown => JSON.parse(columns[name] as string)
  const lists = { files: parse('files') as string[], nearest: parse('nearest') as number[] }
  const more = { facts: parse('facts') as SkillFacts, traits: parse('traits') as SkillTraits }
  const row = columns as unknown as SkillRow
  const flags = {
    hasFindings: columns['hasFindings'] === 1,
  }
  return { ...row, ...lists, ...more, ...flags }
}

type LineColumns = [
  ...[id: number, slug: string, factsDigest: string, words: string, files: number],
  ...[hasFindings: number, mentions: string, nearest: string],
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

/** A checksum, since SQLite detects torn pages but not every changed byte. */
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

export const STATE_FILES = [DATABASE, CHECK] as const

const countRows = (database: DatabaseSync): string =>
  ROW_TABLES.map(
    (table) => database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'],
  ).join()

/** Parses and checks a record: a valid checksum does not prove that `save` wrote it. */
const readSaved = (database: DatabaseSync, text: string): BuildRecord => {
  const { rows, ...record } = JSON.parse(text) as BuildRecord & { rows?: string }
  if (typeof record.generation !== 'string' || rows !== countRows(database))
    throw new SyntaxError('the row counts differ from those saved')
  return record
}

/** Reads the record of the last build. */
const readRecord = (folder: string): BuildRecord => {
  const [path, checkPath] = [join(folder, DATABASE), join(folder, CHECK)]
  try {
    const database = new DatabaseSync(path)
    try {
      // The first read rolls back a killed build's writes, so the checksum is verified after it.
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

/** Returns undefined if there is no state. Throws DamagedStateError. */
export const readLastBuild = (folder: string): BuildRecord | undefined =>
  existsSync(join(folder, DATABASE)) ? readRecord(folder) : undefined

/**
 * What a build keeps for the next one, in SQLite. All changes of a build are one transaction, which `save` commits; a
 * build that fails or is killed leaves the state unchanged.
 */
export class BuildState {
  /** The record of the last build; undefined for a clean build. */
  readonly last: BuildRecord | undefined
  readonly #path: string
  readonly #database: DatabaseSync
  readonly #writtenPath: string
  readonly #statements = new Map<string, StatementSync>()

  private constructor(folder: string, last: BuildRecord | undefined) {
    this.last = last
    this.#path = join(folder, DATABASE)
    this.#writtenPath = last ? this.#path : `${this.#path}.new`
    if (!last)
      for (const ending of ['', '-journal']) rmSync(this.#writtenPath + ending, { force: true })
    this.#database = new DatabaseSync(this.#writtenPath)
    // Reading 100,000 rows takes 0.11 s of system time with pages of 16 KiB, 0.25 with 4 KiB. Writes are not synced: the checksum detects damage by a power failure.
    this.#database.exec(
      'PRAGMA page_size = 16384; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536',
    )
    // Changes stay in memory until they are committed, so that others can read the last state meanwhile.
    this.#database.exec(`PRAGMA cache_spill = ${last ? 'OFF' : 'ON'}; BEGIN`)
    if (!last) this.#database.exec(TABLES)
  }

  /** Opens the state of a folder. Throws DamagedStateError. */
  static open(folder: string): BuildState | undefined {
    const last = readLastBuild(folder)
    return last && new BuildState(folder, last)
  }

  /** Creates an empty state, which replaces the old one on `save`. */
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

  /** The skills whose folders differ from their fingerprints or are gone. */
  listModified(content: string): Set<string> {
    const rows = this.#arrays<[string, string]>('SELECT slug, fingerprint FROM skill')
    const modified = rows.filter(
      ([slug, fingerprint]) => !isUnchanged(`${content}/skills/${slug}`, fingerprint),
    )
    return new Set(modified.map(([slug]) => slug))
  }

  findSkill(by: 'id' | 'slug', value: number | string): SkillRow | undefined {
    const [columns] = this.all(`SELECT ${SKILL_COLUMNS} FROM skill WHERE ${by} = ?`, value)
    return columns && toSkill(columns)
  }

  /**
   * The lines of all skills. Getters read other facts on demand; copies made with `...` lack them. Reading all facts of
   * 100,000 skills took 0.6 CPU s more, and 200 MiB.
   */
  readLines(): SkillLine[] {
    const allFacts = new Map<number, SkillFacts>()
    const readFacts = (id: number): SkillFacts => {
      const [row] = allFacts.has(id) ? [] : this.all('SELECT facts FROM skill WHERE id = ?', id)
      if (row) allFacts.set(id, JSON.parse(row['facts'] as string) as SkillFacts)
      return allFacts.get(id)!
    }
    const toGetter = (fact: keyof SkillFacts) => ({
      get(this: SkillFacts) {
        return readFacts(this.id)[fact]
      },
    })
    const getters = Object.fromEntries(FACTS.map((fact) => [fact, toGetter(fact)]))
    const others = Object.defineProperties({}, getters)
    const sql = `SELECT id, slug, factsDigest, words, json_array_length(files), hasFindings, mentions, nearest, ${LIST_FACTS.join()} FROM skill`
    return this.#arrays<LineColumns>(sql).map(
      ([id, slug, factsDigest, words, length, hasFindings, ...more]) => {
        const [mentions, nearest, ...listed] = more
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
          mentions,
          nearest: JSON.parse(nearest) as number[],
        }
      },
    )
  }

  /** Reads the rest of a skill, unless this build made it. */
  complete(line: SkillLine): SkillRow {
    const isWhole = (one: SkillLine): one is SkillRow => 'pageKey' in one
    return isWhole(line) ? line : { ...this.findSkill('id', line.id)!, nearest: line.nearest }
  }

  /** Rows as arrays; as objects they take 50 % longer. */
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

  /** Inserts or replaces rows by key. */
  write(table: RowTable, rows: Iterable<object>): void {
    for (const row of rows) {
      const names = Object.keys(row)
      const sql = `INSERT OR REPLACE INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`
      this.run(sql, ...Object.values(row).map(toValue))
    }
  }

  /** Removes rows by their keys. Call it before `write`: an id may move to another skill. */
  remove(table: RowTable, keys: Iterable<number | string>): void {
    for (const key of keys)
      this.run(`DELETE FROM ${table} WHERE ${table === 'skill' ? 'id' : 'path'} = ?`, key)
  }

  /** The skills that have a zip, by id. */
  listZips() {
    return this.#arrays<ZipColumns>(
      `SELECT id, slug, zipDigest, zipSize, updated, category, facts ->> '$.source.url', visibility
      FROM skill WHERE zipDigest <> '' ORDER BY id`,
    ).map(([id, slug, sha256, size, updated, category, source, visibility]) => {
      // A gone skill has a zip but no line in the tables.
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
    if (!this.last) renameSync(this.#writtenPath, this.#path)
    writeFileSync(join(dirname(this.#path), CHECK), checkFile(this.#path))
  }

  /** Drops whatever was not saved. */
  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }
}
