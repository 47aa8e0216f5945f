import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Client, escapeIdentifier } from 'pg'
import { SettingsError } from '../../build/site/settings.ts'
import { analyzeSkill } from '../../src/search/analyze.ts'
import { makeCard } from '../../src/search/format/documents.ts'
import type { SearchDocument } from '../../src/search/rank.ts'
import type { UnpackedIndex } from '../../src/search/read/unpack.ts'
import { stemWord } from '../../src/search/tokens.ts'
import { VECTOR_FILE } from '../../src/search/vector-file.ts'
import { CHANGED_TABLES, INDEXES, SEARCH_SCHEMA, TABLES, toDatabaseText } from './schema.ts'
import { listPieces } from './terms.ts'

/** How often a field of a skill contains a stem; `field` is its index in `FIELD_NAMES`. */
interface PostingRow {
  stem: string
  field: number
  frequency: number
  /** Number of distinct stems in the field; ranking uses it as the field's length. */
  length: number
}

interface DatabaseRow {
  id: number
  digest: string
  postings: PostingRow[]
  [column: string]: unknown
}

/** Renders rows as JSON that PostgreSQL can read. */
const renderRows = (rows: readonly unknown[]): string =>
  JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'string' ? toDatabaseText(value) : value,
  )

const listPostings = ({ terms, lengths }: ReturnType<typeof analyzeSkill>): PostingRow[] =>
  terms.flatMap(({ term, frequencies }) =>
    frequencies.flatMap((frequency, field) =>
      frequency > 0 ? [{ stem: term, field, frequency, length: lengths[field]! }] : [],
    ),
  )

const toDatabaseRow = (document: SearchDocument): DatabaseRow => {
  const { listed } = document
  const { id, slug, name, author, category, views, installs } = listed
  const analysis = analyzeSkill(document)
  const row = {
    id,
    category,
    facets: document.facets,
    author: author.toLowerCase(),
    views,
    installs,
    updated: document.updated ?? '',
    listed,
    card: makeCard(document),
    name_key: name.toLowerCase(),
    slug,
    letters: analysis.name.letters,
    spelling: analysis.name.spelling,
    lengths: analysis.lengths,
    words: analysis.terms.flatMap(({ words }) => words).sort(),
    vector: `\\x${Buffer.from(document.vector).toString('hex')}`,
    postings: listPostings(analysis),
  }
  return { ...row, digest: hash('sha256', renderRows([row]), 'base64url') }
}

/** Temporary tables that collect changes to the counts until all skills are written. */
const DELTAS = `
CREATE TEMP TABLE stem_deltas (stem text COLLATE "C", field smallint, change bigint) ON COMMIT DROP;
CREATE TEMP TABLE word_deltas (word text COLLATE "C", change bigint) ON COMMIT DROP;
`

const REMOVE_POSTINGS = `
WITH gone AS (DELETE FROM postings WHERE skill = ANY($1::bigint[]) RETURNING stem, field)
INSERT INTO stem_deltas SELECT stem, field, -count(*) FROM gone GROUP BY stem, field`

const REMOVE_WORDS = `
INSERT INTO word_deltas
SELECT word, -count(*) FROM skills, unnest(words) AS word WHERE id = ANY($1::bigint[]) GROUP BY word`

const REMOVE_SKILLS = `DELETE FROM skills WHERE id = ANY($1::bigint[])`

const ADD_SKILLS = `
INSERT INTO skills SELECT * FROM json_populate_recordset(NULL::skills, $1::json)`

const ADD_WORDS = `
INSERT INTO word_deltas
SELECT word, count(*)
FROM json_to_recordset($1::json) AS skill (words text[]), unnest(words) AS word
GROUP BY word`

const ADD_POSTINGS = `
WITH added AS (
  INSERT INTO postings
  SELECT stem, field, skill.id, frequency, length
  FROM json_to_recordset($1::json) AS skill (id bigint, postings json),
    json_to_recordset(postings)
      AS posting (stem text, field smallint, frequency int, length int)
  RETURNING stem, field
)
INSERT INTO stem_deltas SELECT stem, field, count(*) FROM added GROUP BY stem, field`

const removeSkills = async (client: Client, ids: readonly number[]): Promise<void> => {
  for (const statement of [REMOVE_POSTINGS, REMOVE_WORDS, REMOVE_SKILLS])
    await client.query(statement, [ids])
}

const addSkills = async (client: Client, rows: readonly DatabaseRow[]): Promise<void> => {
  const text = renderRows(rows)
  for (const statement of [ADD_SKILLS, ADD_WORDS, ADD_POSTINGS])
    await client.query(statement, [text])
}

const WORDS_AT_A_TIME = 5_000

const COUNT_STEMS = `
INSERT INTO frequencies
SELECT stem, field, sum(change) FROM stem_deltas GROUP BY stem, field HAVING sum(change) <> 0
ON CONFLICT (stem, field) DO UPDATE SET skills = frequencies.skills + excluded.skills;
DELETE FROM frequencies WHERE skills = 0`

const READ_WORDS = `
SELECT word, sum(change)::int AS uses FROM word_deltas GROUP BY word HAVING sum(change) <> 0`

const COUNT_WORDS = `
INSERT INTO vocabulary
SELECT * FROM json_populate_recordset(NULL::vocabulary, $1::json)
ON CONFLICT (word) DO UPDATE SET uses = vocabulary.uses + excluded.uses`

const FORGET_WORDS = `DELETE FROM vocabulary WHERE uses = 0`

// Reads all skills again: one pass is cheap, and it corrects manual changes.
const COUNT_SKILLS = `
DELETE FROM categories;
INSERT INTO categories SELECT category, count(*) FROM skills GROUP BY category;
DELETE FROM fields;
INSERT INTO fields
SELECT place - 1, avg(length)::float8
FROM skills, unnest(lengths) WITH ORDINALITY AS field (length, place) GROUP BY place`

/** Updates the counts and averages over all skills, which ranking needs. */
const writeStatistics = async (client: Client): Promise<void> => {
  await client.query(COUNT_STEMS)
  const { rows } = await client.query<{ word: string; uses: number }>(READ_WORDS)
  for (let start = 0; start < rows.length; start += WORDS_AT_A_TIME) {
    const words = rows.slice(start, start + WORDS_AT_A_TIME).map(({ word, uses }) => ({
      word,
      stem: stemWord(word),
      length: word.length,
      uses,
      pieces: listPieces(word),
    }))
    await client.query(COUNT_WORDS, [renderRows(words)])
  }
  await client.query(FORGET_WORDS)
  await client.query(COUNT_SKILLS)
}

/** The numbers of skills that a sync added, changed, removed and left unchanged. */
interface SyncCounts {
  added: number
  changed: number
  removed: number
  unchanged: number
}

/** Number of skills in one statement: about a megabyte of rows. */
const BATCH = 500

const checkEncoding = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding')
  const encoding = rows[0]?.server_encoding ?? ''
  if (encoding === 'UTF8') return
  throw new SettingsError(
    `The database of SEARCH_URL is in ${encoding}, which lacks most letters; create one with createdb --encoding=UTF8 --template=template0.`,
  )
}

const prepare = async (client: Client, schema: string): Promise<void> => {
  await checkEncoding(client)
  const name = escapeIdentifier(schema)
  // One sync at a time: a second sync waits here, and then finds nothing to do.
  await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [schema])
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${name}; SET LOCAL search_path TO ${name}`)
  await client.query(`SET LOCAL client_min_messages TO warning; ${TABLES} ${DELTAS}`)
}

const readDigests = async (client: Client): Promise<Map<number, string>> => {
  const { rows } = await client.query<{ id: string; digest: string }>(
    'SELECT id, digest FROM skills',
  )
  return new Map(rows.map(({ id, digest }) => [Number(id), digest]))
}

const writeChanges = async (
  client: Client,
  documents: readonly SearchDocument[],
): Promise<SyncCounts> => {
  const unseen = await readDigests(client)
  const counts = { added: 0, changed: 0, removed: 0, unchanged: 0 }
  let batch: DatabaseRow[] = []
  let outdated: number[] = []
  const writeBatch = async (): Promise<void> => {
    if (outdated.length > 0) await removeSkills(client, outdated)
    if (batch.length > 0) await addSkills(client, batch)
    outdated = []
    batch = []
  }
  for (const document of documents) {
    const row = toDatabaseRow(document)
    const known = unseen.get(row.id)
    unseen.delete(row.id)
    counts[known === undefined ? 'added' : known === row.digest ? 'unchanged' : 'changed'] += 1
    if (known === row.digest) continue
    if (known !== undefined) outdated.push(row.id)
    if (batch.push(row) === BATCH) await writeBatch()
  }
  counts.removed = unseen.size
  outdated.push(...unseen.keys())
  await writeBatch()
  return counts
}

const PAIR_TABLES = ['copies', 'successors', 'eldest'] as const

/** Rewrites all pairs: a catalog has few, and no other table refers to them. */
const writePairs = async (client: Client, index: UnpackedIndex): Promise<void> => {
  for (const table of PAIR_TABLES) {
    await client.query(`DELETE FROM ${table}`)
    const add = `INSERT INTO ${table} SELECT key::bigint, value::bigint FROM json_each_text($1::json)`
    await client.query(add, [JSON.stringify(index[table])])
  }
}

// Replaces the word vectors that the vectors of skills were made with, and gives them a new version.
const WRITE_VECTORS = `
WITH gone AS (DELETE FROM vectors) INSERT INTO vectors VALUES (gen_random_uuid(), $1)`

/** The new contents of a database: those of an index file, and its SHA-256. */
type BuildRows = UnpackedIndex & { digest: string }

const WRITE_DIGEST = `
WITH gone AS (DELETE FROM build) INSERT INTO build VALUES ($1)`

const hasChanges = ({ added, changed, removed }: SyncCounts): boolean =>
  added + changed + removed > 0

// ANALYZE, because the planner has no statistics after a first load; later, autovacuum keeps them up to date.
const FINISH = `${INDEXES} ANALYZE ${CHANGED_TABLES.join(', ')}; COMMIT`

/**
 * Updates the search in a PostgreSQL database to the rows of a build. Writes only changes, in one transaction: readers
 * see all of them or none. Throws SettingsError if the encoding of the database is not UTF-8.
 */
export const syncSearch = async (
  url: string,
  { digest, ...index }: BuildRows,
  schema = SEARCH_SCHEMA,
): Promise<SyncCounts> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // If the connection breaks, the running statement fails, too, and that error is reported.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('BEGIN')
    await prepare(client, schema)
    const counts = await writeChanges(client, index.documents)
    await writePairs(client, index)
    await client.query(WRITE_VECTORS, [readFileSync(VECTOR_FILE)])
    await client.query(WRITE_DIGEST, [digest])
    if (hasChanges(counts)) await writeStatistics(client)
    await client.query(hasChanges(counts) ? FINISH : 'COMMIT')
    return counts
  } finally {
    // Closing the connection rolls back an open transaction.
    await client.end()
  }
}

/** Remedies for database errors, by code (PostgreSQL, appendix A; Node). */
const REMEDIES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; start PostgreSQL or correct SEARCH_URL',
  ENOTFOUND: 'there is no such host; correct SEARCH_URL',
  '28P01': 'the password is wrong; correct SEARCH_URL',
  '28000': 'the user is not allowed to connect; correct SEARCH_URL or pg_hba.conf',
  '3D000': 'there is no such database; create it with createdb, or correct SEARCH_URL',
  '42501': 'the user is not allowed to write; GRANT CREATE ON DATABASE … TO the user',
  '42883': 'a function is missing; PostgreSQL 14 or later is needed',
  '53100': 'the disk of the database is full; free some space and sync again',
}

/** Describes a database error, with a remedy if known. */
export const describeDatabaseFailure = (error: unknown): string => {
  const { code = '', message = '', stack } = error as NodeJS.ErrnoException
  const remedy = REMEDIES[code]
  return remedy === undefined ? (stack ?? String(error)) : `${remedy} (${message})`
}
