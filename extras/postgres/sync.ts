import { Client, escapeIdentifier } from 'pg'
import { SettingsError } from '../../build/site/settings.ts'
import type { SearchDocument } from '../../src/search/index.ts'
import { CHANGED_TABLES, INDEXES, SEARCH_SCHEMA, TABLES } from './schema.ts'
import { DELTAS, addSkills, removeSkills, toDatabaseRow, writeStatistics } from './write.ts'
import type { DatabaseRow } from './write.ts'

/** What a sync did, in skills. */
export interface SyncCounts {
  added: number
  changed: number
  removed: number
  unchanged: number
}

/** Skills written at a time; some megabyte of rows. */
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
  // One sync at a time: a second one waits here, then finds nothing left to do.
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
  const vanished = await readDigests(client)
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
    const known = vanished.get(row.id)
    vanished.delete(row.id)
    counts[known === undefined ? 'added' : known === row.digest ? 'unchanged' : 'changed'] += 1
    if (known === row.digest) continue
    if (known !== undefined) outdated.push(row.id)
    if (batch.push(row) === BATCH) await writeBatch()
  }
  counts.removed = vanished.size
  outdated.push(...vanished.keys())
  await writeBatch()
  return counts
}

const hasChanges = ({ added, changed, removed }: SyncCounts): boolean =>
  added + changed + removed > 0

// ANALYZE, because a first load has no statistics for the planner; later autovacuum keeps them up to date.
const FINISH = `${INDEXES} ANALYZE ${CHANGED_TABLES.join(', ')}; COMMIT`

/**
 * Makes the search in a PostgreSQL database that of these skills, in one transaction: readers see all of
 * it or nothing. Only what changed is written. Throws SettingsError where the database cannot hold it.
 */
export const syncSearch = async (
  url: string,
  documents: readonly SearchDocument[],
  schema = SEARCH_SCHEMA,
): Promise<SyncCounts> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // A connection that breaks fails the statement it runs, which is told below.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('BEGIN')
    await prepare(client, schema)
    const counts = await writeChanges(client, documents)
    if (hasChanges(counts)) await writeStatistics(client)
    await client.query(hasChanges(counts) ? FINISH : 'COMMIT')
    return counts
  } finally {
    // Ending the connection undoes a transaction that did not commit.
    await client.end()
  }
}

/** What to do about failures of a database, by their code (PostgreSQL, appendix A; Node). */
const REMEDIES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; start PostgreSQL or correct SEARCH_URL',
  ENOTFOUND: 'there is no such host; correct SEARCH_URL',
  '28P01': 'the password is wrong; correct SEARCH_URL',
  '28000': 'the user may not connect; correct SEARCH_URL or pg_hba.conf',
  '3D000': 'there is no such database; create it with createdb, or correct SEARCH_URL',
  '42501': 'the user may not write; GRANT CREATE ON DATABASE … TO the user',
  '42883': 'a function is missing; PostgreSQL 14 or later is needed',
  '53100': 'its disk is full; free some room and sync again',
}

/** What went wrong with a database, and what to do about it where that is known. */
export const describeDatabaseFailure = (error: unknown): string => {
  const { code = '', message = '', stack } = error as NodeJS.ErrnoException
  const remedy = REMEDIES[code]
  return remedy === undefined ? (stack ?? String(error)) : `${remedy} (${message})`
}
