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
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import type { SearchEntry } from './search-index.ts'

/** What the last build left is not what it wrote; a build without it is whole all the same. */
export class DamagedStateError extends Error {
  override name = 'DamagedStateError'
}

/** What a build knows of a skill. */
export interface SkillRow {
  id: number
  slug: string
  /** Sizes and times of its files and folders when they were read. */
  fingerprint: string
  /** Digest of the bytes of its files. */
  filesDigest: string
  /** Digest of its facts but the counters. */
  factsDigest: string
  facts: SkillFacts
  /** Paths of its files in the zip; none where its source was never seen, so that it appears nowhere. */
  files: string[]
  /** Ids of the skills that it is compared with. */
  nearest: number[]
  /** Digest of everything that its page shows. */
  pageKey: string
  zipDigest: string
  zipSize: number
  /** What `encodeAnalysis` gave for it; only where it was just read. */
  analysis?: Uint8Array
}

/** A skill that is other than it was; what it was or is may be missing. */
export interface SkillChange {
  before?: SkillRow | undefined
  after?: SkillRow | undefined
}

/** A page that is no skill's. */
export interface PageRow {
  path: string
  /** Digest of everything that it shows; empty where that is known only once it is written. */
  key: string
  updated: string
  isIndexable: boolean
}

/** What a build knows beside its skills and pages. */
export interface BuildRecord {
  /** The generation that the state tells of. */
  generation: string
  /** Digests of what the whole site was made from; see `Inputs`. */
  keys: Record<'code' | 'layout' | 'site' | 'counters' | 'copies', string>
  /** Names of the files that are neither a page nor a skill's. */
  files: string[]
  skills: number
  pages: number
  /** Files of the site. */
  total: number
  /** Slugs of the skills that appear nowhere. */
  untraced: string[]
  /** What the nearest skills of every skill depend on. */
  nearestKey: string
  /** The generation before, or a copy of this one, and in which files it differs. */
  before: { generation: string; written: string[]; removed: string[] }
}

/** Raised when a table or what stands in it changes its shape: an older state is as good as none. */
const FORMAT = 1

const TABLES = `
  CREATE TABLE build (record TEXT NOT NULL);
  CREATE TABLE skill (
    id INTEGER PRIMARY KEY, slug TEXT NOT NULL, fingerprint TEXT NOT NULL, filesDigest TEXT NOT NULL,
    factsDigest TEXT NOT NULL, facts TEXT NOT NULL, files TEXT NOT NULL, nearest TEXT NOT NULL,
    pageKey TEXT NOT NULL, zipDigest TEXT NOT NULL, zipSize INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX skillBySlug ON skill (slug);
  CREATE TABLE entry (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL, views INTEGER NOT NULL, installs INTEGER NOT NULL,
    answer TEXT NOT NULL, analysis BLOB
  );
  CREATE TABLE page (path TEXT PRIMARY KEY, key TEXT NOT NULL, updated TEXT NOT NULL, isIndexable INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE word (
    word TEXT NOT NULL, isCompared INTEGER NOT NULL, skill INTEGER NOT NULL, isNamed INTEGER NOT NULL,
    category INTEGER NOT NULL, PRIMARY KEY (word, isCompared, skill)
  ) WITHOUT ROWID;
  PRAGMA user_version = ${FORMAT};
`

const SKILL_COLUMNS =
  'id, slug, fingerprint, filesDigest, factsDigest, facts, files, nearest, pageKey, zipDigest, zipSize'

type Columns = Record<string, SQLOutputValue>

const toSkill = (columns: Columns): SkillRow => ({
  ...(columns as unknown as SkillRow),
  facts: JSON.parse(columns['facts'] as string) as SkillFacts,
  files: JSON.parse(columns['files'] as string) as string[],
  nearest: JSON.parse(columns['nearest'] as string) as number[],
})

const toColumns = (row: SkillRow): SQLInputValue[] => [
  row.id,
  row.slug,
  row.fingerprint,
  row.filesDigest,
  row.factsDigest,
  JSON.stringify(row.facts),
  JSON.stringify(row.files),
  JSON.stringify(row.nearest),
  row.pageKey,
  row.zipDigest,
  row.zipSize,
]

const READ_AT_ONCE = 1 << 20

/** SQLite finds a torn page, but not every changed byte. */
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

const isWhole = (path: string): boolean => {
  const checkPath = `${path}.check`
  return existsSync(checkPath) && readFileSync(checkPath, 'utf8') === checkFile(path)
}

const DATABASE = 'state.db'
const CHECK = `${DATABASE}.check`

/** Names of the files of a state. */
export const STATE_FILES = [DATABASE, CHECK] as const

const statePath = (folder: string): string => `${folder}/${DATABASE}`

/**
 * What a build keeps for the next one: a SQLite database. All that a build changes is one transaction, which
 * `save` commits; a build that fails, or is killed, leaves the state as it was.
 */
export class BuildState {
  readonly path: string
  /** What the last build wrote down; undefined where there is nothing to go by. */
  readonly last: BuildRecord | undefined
  readonly #database: DatabaseSync
  readonly #openedPath: string
  readonly #statements = new Map<string, StatementSync>()

  private constructor(path: string, openedPath: string, last: BuildRecord | undefined) {
    this.path = path
    this.last = last
    this.#openedPath = openedPath
    this.#database = new DatabaseSync(openedPath)
    // The check tells what a lost power supply left, so that nothing waits for the disk.
    this.#database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -65536')
    // Workers read what the last build left while this one writes; what it wrote stays with it until then.
    this.#database.exec(`PRAGMA cache_spill = ${last ? 'OFF' : 'ON'}; BEGIN`)
    if (!last) this.#database.exec(TABLES)
  }

  /** Opens the state of a folder; throws DamagedStateError where it is not what a build wrote. */
  static open(folder: string): BuildState | undefined {
    const path = statePath(folder)
    if (!existsSync(path)) return undefined
    const last = readRecord(path)
    return last && new BuildState(path, path, last)
  }

  /** Makes an empty state, which takes the place of the old one when it is saved. */
  static create(folder: string): BuildState {
    const path = statePath(folder)
    const beside = `${path}.new`
    for (const ending of ['', '-journal']) rmSync(beside + ending, { force: true })
    return new BuildState(path, beside, undefined)
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

  listSlugs(): string[] {
    return this.all('SELECT slug FROM skill').map(({ slug }) => slug as string)
  }

  /** Ids that part the skills into ranges of so many. */
  listBounds(size: number): number[] {
    return this.all(
      'SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS rank FROM skill) WHERE rank % ? = 1',
      size,
    ).map(({ id }) => id as number)
  }

  findSkill(by: 'id' | 'slug', value: number | string): SkillRow | undefined {
    const found = this.#prepare(`SELECT ${SKILL_COLUMNS} FROM skill WHERE ${by} = ?`).get(value)
    return found && toSkill(found)
  }

  readSkills(): SkillRow[] {
    return this.all(`SELECT ${SKILL_COLUMNS} FROM skill ORDER BY slug`).map(toSkill)
  }

  /** Writes skills; an id may pass from one to another, so that all are removed first. */
  writeSkills(removed: Iterable<number>, written: Iterable<SkillRow>): void {
    for (const id of removed) this.run('DELETE FROM skill WHERE id = ?', id)
    const values = SKILL_COLUMNS.replaceAll(/\w+/g, '?')
    for (const row of written)
      this.run(
        `INSERT OR REPLACE INTO skill (${SKILL_COLUMNS}) VALUES (${values})`,
        ...toColumns(row),
      )
  }

  /** Writes what the search index is packed from. */
  writeEntries(removed: Iterable<number>, written: Iterable<SearchEntry>): void {
    for (const id of removed) this.run('DELETE FROM entry WHERE id = ?', id)
    for (const { id, name, category, views, installs, answer, analysis } of written)
      this.run(
        `INSERT OR REPLACE INTO entry VALUES
        (?1, ?2, ?3, ?4, ?5, ?6, coalesce(?7, (SELECT analysis FROM entry WHERE id = ?1)))`,
        id,
        name,
        category,
        views,
        installs,
        answer,
        analysis,
      )
  }

  readPages(): Map<string, PageRow> {
    return new Map(
      this.all('SELECT * FROM page').map((columns) => [
        columns['path'] as string,
        { ...(columns as unknown as PageRow), isIndexable: columns['isIndexable'] === 1 },
      ]),
    )
  }

  /** The table of zips, which the function reads: slug, digest and size by id. */
  renderDownloads(): string {
    // Slugs and digests are of letters that JSON writes as they are.
    const [row] = this.all(
      `SELECT group_concat('"' || id || '":{"slug":"' || slug || '","sha256":"' || zipDigest || '","size":' || zipSize || '}', ',' ORDER BY id) AS lines
      FROM skill WHERE zipDigest <> ''`,
    )
    return `{${(row?.['lines'] as string | null) ?? ''}}\n`
  }

  writePages(removed: Iterable<string>, written: Iterable<PageRow>): void {
    for (const path of removed) this.run('DELETE FROM page WHERE path = ?', path)
    for (const { path, key, updated, isIndexable } of written)
      this.run(
        'INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?)',
        path,
        key,
        updated,
        Number(isIndexable),
      )
  }

  /** Commits everything that was written. */
  save(record: BuildRecord): void {
    this.run('DELETE FROM build')
    this.run('INSERT INTO build VALUES (?)', JSON.stringify(record))
    this.#database.exec('COMMIT')
    this.close()
    if (this.#openedPath !== this.path) renameSync(this.#openedPath, this.path)
    writeFileSync(`${this.path}.check`, checkFile(this.path))
  }

  /** What was not saved is forgotten. */
  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }
}

/** Reads what a build wrote down last; undefined where it had another format. */
const readRecord = (path: string): BuildRecord | undefined => {
  try {
    const database = new DatabaseSync(path)
    try {
      // The first read undoes what a killed build began to write, so the check comes after it.
      const format = database.prepare('PRAGMA user_version').get()?.['user_version']
      database.prepare('SELECT count(*) FROM sqlite_schema').get()
      if (!isWhole(path)) throw new DamagedStateError(`${path} is damaged`)
      if (format !== FORMAT) return undefined
      const row = database.prepare('SELECT record FROM build').get()
      return JSON.parse(row?.['record'] as string) as BuildRecord
    } finally {
      database.close()
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SQLITE_ERROR') throw error
    throw new DamagedStateError(`${path} is damaged: ${(error as Error).message}`)
  }
}
