import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue } from 'node:sqlite'
import type { Skill, SkillZip } from '../../src/catalog/skill.ts'
import type { History, SkillVersion } from '../versions/history.ts'
import type { KnownHistory } from '../versions/read.ts'

/** The result of reading a skill's folder; it changes only with the files of the folder. */
export interface SkillRow {
  slug: string
  /** Sizes and times of its files. */
  fingerprint: string
  /** Digest of its slug and the bytes of its files. */
  digest: string
  /** Without counters. */
  skill: Skill
  factsDigest: string
  /** The text of `encodeWords`. */
  words: string
  /** The text of `encodeVector`. */
  vector: string
  /** The text of `encodeSketch`. */
  sketch: string
  /** The result of `pickBody` for its text. */
  body: string
}

/** Encodes a vector as text. Bytes would be slower to read: SQLite allocates a buffer for each row. */
export const encodeVector = (vector: Int8Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.length).toString('base64')

export const decodeVector = (text: string): Int8Array => Int8Array.from(Buffer.from(text, 'base64'))

export interface KnownOutput {
  key: string
  files: readonly string[]
  details: OutputDetails
}

/** Facts about an output that are only known once it is printed. */
export interface OutputDetails {
  /** For a zip. */
  zip?: SkillZip
  /** For the zip of a skill: the digest of its files, from which its version gets its name. */
  digest?: string
  /** For a version: its author's version number, and the reason if it is not served. */
  label?: string | undefined
  /** For a version: numbers of lines that it changes. */
  lines?: { added: number; removed: number } | undefined
  withheld?: string | undefined
  /** For a page, except of a skill: the day of its last change, if it may be indexed. */
  day?: string
}

/** The skills that are most similar to each skill. */
export interface Neighbours {
  /** Digest of what was compared. */
  key: string
  /** The id of each skill with those of its neighbours, closest first. */
  ids: readonly (readonly [id: number, neighbours: readonly number[]])[]
}

/** Data that a build saves for the next build, besides skills and outputs. */
export interface BuildRecord {
  /** Digest of code, dependencies, Node and the settings of all pages. A state with another digest is not used. */
  codeKey: string
  /** Digest of all content except skills. */
  contentKey: string
  /** Name of the folder that this state describes. */
  built: string
  /** Name of the folder that was served before. It stays until the next build reuses it. */
  previous?: string
  skills: number
  pages: number
  files: number
  /** How many skills break the Agent Skills specification. */
  broken: number
  neighbours: Neighbours
  /** The commits of the saved versions, if there are any. */
  history?: Omit<KnownHistory, 'versions'> | undefined
}

const TABLES = `
  CREATE TABLE build (record TEXT NOT NULL);
  CREATE TABLE skill (
    slug TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, digest TEXT NOT NULL, skill TEXT NOT NULL,
    factsDigest TEXT NOT NULL, words TEXT NOT NULL, vector TEXT NOT NULL,
    sketch TEXT NOT NULL, body TEXT NOT NULL
  );
  CREATE TABLE output (folder TEXT PRIMARY KEY, outputs TEXT NOT NULL);
  CREATE TABLE version (place INTEGER PRIMARY KEY, version TEXT NOT NULL);
`

/** Parses a value of a row. Throws an error with the code CORRUPT if it is damaged. */
const parseValue = <Value>(text: string): Value => {
  try {
    return JSON.parse(text) as Value
  } catch (cause) {
    throw Object.assign(new Error('a row is not JSON', { cause }), { code: 'CORRUPT' })
  }
}

const readRecord = (database: DatabaseSync): BuildRecord | undefined => {
  const row = database.prepare('SELECT record FROM build').get()
  return row && parseValue<BuildRecord>(row['record'] as string)
}

/** Reads the record of the last build, even if other code made it. */
export const readLastBuild = (path: string): BuildRecord | undefined => {
  if (!existsSync(path)) return undefined
  using database = new DatabaseSync(path, { readOnly: true })
  return readRecord(database)
}

/** SQLITE_ERROR (no such table), SQLITE_CORRUPT, SQLITE_NOTADB (sqlite.org/rescode.html). */
const UNREADABLE = new Set([1, 11, 26])

/** Opens the state of the last build if it was made by the same code. */
const openLast = (path: string, codeKey: string): DatabaseSync | undefined => {
  const database = new DatabaseSync(path)
  try {
    if (readRecord(database)?.codeKey === codeKey) return database
  } catch (error) {
    const { errcode = 0, code } = error as { errcode?: number; code?: string }
    if (!UNREADABLE.has(errcode) && code !== 'CORRUPT') throw error
  }
  database.close()
  return undefined
}

/** The state that a build saves for the next build, in SQLite. */
export class BuildState {
  /** The record of the last build; undefined if everything must be built. */
  readonly last: BuildRecord | undefined
  readonly #database: DatabaseSync

  /** Opens the state of the last build. It is emptied if `isClean`, or if other code made it. */
  constructor(path: string, codeKey: string, isClean: boolean) {
    const known = isClean || !existsSync(path) ? undefined : openLast(path, codeKey)
    if (!known)
      for (const ending of ['', '-journal']) rmSync(path + ending, { force: true, recursive: true })
    this.#database = known ?? new DatabaseSync(path)
    // Rows are large. With larger pages, reading all of them is twice as fast.
    if (!known) this.#database.exec(`PRAGMA page_size = 16384; ${TABLES}`)
    this.last = readRecord(this.#database)
  }

  /** Reads rows as arrays, which are faster than objects. */
  #read<Row extends unknown[]>(sql: string, ...values: SQLInputValue[]): Row[] {
    const statement = this.#database.prepare(sql)
    statement.setReturnArrays(true)
    return statement.all(...values) as unknown as Row[]
  }

  readFingerprints(): Map<string, Pick<SkillRow, 'fingerprint' | 'digest'>> {
    const rows = this.#read<[string, string, string]>('SELECT slug, fingerprint, digest FROM skill')
    return new Map(rows.map(([slug, fingerprint, digest]) => [slug, { fingerprint, digest }]))
  }

  readSkills(): Map<string, SkillRow> {
    const sql =
      'SELECT slug, fingerprint, digest, skill, factsDigest, words, vector, sketch, body FROM skill'
    const rows =
      this.#read<[string, string, string, string, string, string, string, string, string]>(sql)
    return new Map(
      rows.map(([slug, fingerprint, digest, json, factsDigest, words, vector, sketch, body]) => {
        const skill = parseValue<Skill>(json)
        return [
          slug,
          { slug, fingerprint, digest, skill, factsDigest, words, vector, sketch, body },
        ]
      }),
    )
  }

  /** Lists the names of the folders whose outputs are known. */
  listFolders(): string[] {
    return this.#read<[string]>('SELECT folder FROM output').map(([folder]) => folder)
  }

  readOutputs(folder: string): Map<string, KnownOutput> {
    const sql = 'SELECT outputs FROM output WHERE folder = ?'
    // One text: a row for each output would take twice as long to read and to write.
    const [[outputs] = ['[]']] = this.#read<[string]>(sql, folder)
    return new Map(parseValue<[string, KnownOutput][]>(outputs))
  }

  /** Reads the saved versions of all skills; undefined if there are none. */
  readHistory(): KnownHistory | undefined {
    const history = this.last?.history
    if (!history) return undefined
    const rows = this.#read<[string]>('SELECT version FROM version ORDER BY place')
    return { ...history, versions: rows.map(([text]) => parseValue<SkillVersion>(text)) }
  }

  #saveHistory({ versions, changed }: History): void {
    // If the history was read again from its start, it may be shorter than before.
    this.#database.prepare('DELETE FROM version WHERE place >= ?').run(versions.length)
    const insert = this.#database.prepare('INSERT OR REPLACE INTO version VALUES (?, ?)')
    for (const place of changed) insert.run(place, JSON.stringify(versions[place]))
  }

  /** Forgets the outputs of a folder, before the folder is changed. */
  forget(folder: string): void {
    this.#database.prepare('DELETE FROM output WHERE folder = ?').run(folder)
  }

  /** Replaces the fingerprints of skills whose files are unchanged, in one transaction. */
  touch(fingerprints: ReadonlyMap<string, string>): void {
    this.#database.exec('BEGIN')
    const update = this.#database.prepare('UPDATE skill SET fingerprint = ? WHERE slug = ?')
    for (const [slug, fingerprint] of fingerprints) update.run(fingerprint, slug)
    this.#database.exec('COMMIT')
  }

  /** Saves a build in one transaction: its record, changed skills, outputs and history. */
  save(
    record: BuildRecord,
    skills: { removed: readonly string[]; changed: readonly SkillRow[] },
    outputs: ReadonlyMap<string, KnownOutput>,
    history?: History,
  ): void {
    const database = this.#database
    database.exec('BEGIN')
    const remove = database.prepare('DELETE FROM skill WHERE slug = ?')
    for (const slug of skills.removed) remove.run(slug)
    const insert = database.prepare(
      'INSERT OR REPLACE INTO skill VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    for (const { slug, fingerprint, digest, skill, factsDigest, ...found } of skills.changed) {
      const { words, vector, sketch, body } = found
      const json = JSON.stringify(skill)
      insert.run(slug, fingerprint, digest, json, factsDigest, words, vector, sketch, body)
    }
    const add = database.prepare('INSERT INTO output VALUES (?, ?)')
    add.run(record.built, JSON.stringify([...outputs]))
    if (history) this.#saveHistory(history)
    database.exec('DELETE FROM build')
    database.prepare('INSERT INTO build VALUES (?)').run(JSON.stringify(record))
    database.exec('COMMIT')
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }
}
