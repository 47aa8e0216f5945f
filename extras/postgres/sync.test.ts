import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from './backend.ts'
import { askFor, packDocuments, sampleDocument } from '../../testing/sample-documents.ts'
import type { SearchDocument } from '../../src/search/rank.ts'
import { unpackIndex } from '../../src/search/read/unpack.ts'

import { describeDatabaseFailure, syncSearch } from './sync.ts'
import { POSTGRES, announceSkipped, createPostgres } from './testing/temporary-postgres.ts'
import type { TemporaryPostgres } from './testing/temporary-postgres.ts'

announceSkipped('the tests of search:sync')

/** More skills than are written at a time. */
const MANY = Array.from({ length: 600 }, (_, at) =>
  sampleDocument(at + 1, `skill-${at}`, `Does number ${at % 7} of csv${at % 50}`, {
    category: at % 3 ? 'Coding' : 'Design',
  }),
)
const CHANGED = [
  sampleDocument(1, 'renamed', 'Does something new', { category: 'Writing' }),
  ...MANY.slice(1, 350),
  sampleDocument(5_000, 'added', 'Parquet alone'),
]

const rowsOf = (documents: readonly SearchDocument[]) => ({
  ...unpackIndex(packDocuments(documents)),
  digest: '',
})

describe.skipIf(POSTGRES === undefined)('search:sync', () => {
  let postgres: TemporaryPostgres
  let client: Client
  beforeAll(async () => {
    postgres = await createPostgres()
    await postgres.start()
    client = new Client({ connectionString: postgres.url })
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await postgres.remove()
  })

  const sync = (documents: readonly SearchDocument[], schema: string) =>
    syncSearch(postgres.url, rowsOf(documents), schema)

  /** Reads all rows of the tables, sorted. */
  const readAll = async (schema: string): Promise<unknown[]> => {
    const tables = ['skills', 'postings', 'frequencies', 'vocabulary', 'categories', 'fields']
    const read = (table: string) =>
      client.query(`SELECT to_json(entry)::text AS row FROM ${schema}.${table} AS entry ORDER BY 1`)
    const answers = []
    for (const table of tables) answers.push((await read(table)).rows)
    return answers
  }

  test('a second sync writes only what changed, and gives the tables of a single sync', async () => {
    expect(await sync(MANY, 'gradual')).toMatchObject({ added: 600, unchanged: 0 })
    expect(await sync(CHANGED, 'gradual')).toEqual({
      added: 1,
      changed: 1,
      removed: 250,
      unchanged: 349,
    })
    await sync(CHANGED, 'direct')
    expect(await readAll('gradual')).toEqual(await readAll('direct'))
    await sync([], 'gradual')
    const emptied = await readAll('gradual')
    expect(emptied).toEqual(emptied.map(() => []))
  })

  test('a failed sync changes nothing', async () => {
    await sync(MANY, 'atomic')
    const before = await readAll('atomic')
    const twice = { ...rowsOf(CHANGED), documents: [...CHANGED, ...CHANGED.slice(-1)] }
    await expect(syncSearch(postgres.url, twice, 'atomic')).rejects.toThrow(/duplicate key/)
    expect(await readAll('atomic')).toEqual(before)
  })

  test('syncs that run at the same time wait for each other', async () => {
    await Promise.all([sync(MANY, 'shared'), sync(CHANGED, 'shared'), sync(MANY, 'shared')])
    await sync(CHANGED, 'shared')
    await sync(CHANGED, 'alone')
    expect(await readAll('shared')).toEqual(await readAll('alone'))
  })

  test('refused characters become U+FFFD, words are cut alike, and the name of the schema is quoted', async () => {
    const start = 'w'.repeat(63)
    const strange = [
      sampleDocument(1, 'strange', `a\0b \ud800 x${'\u{10400}'.repeat(40)} 'q"\\`),
      // They differ only in a surrogate pair after 63 letters.
      sampleDocument(2, 'pair', `${start}\u{10400} ${start}\u{10800}`),
    ]
    expect(await sync(strange, 'a"b; c')).toMatchObject({ added: 2 })
    expect(await sync(strange, 'a"b; c')).toMatchObject({ unchanged: 2 })
    const backend = openPostgres(postgres.url, 'a"b; c')
    expect((await backend.find(askFor({}))).total).toBe(2)
    await backend.close()
  })

  test('a database that is not in UTF-8 is refused, with a remedy', async () => {
    await client.query(`CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
    const url = postgres.url.replace(/[^/]*$/, 'latin')
    await expect(syncSearch(url, rowsOf(MANY))).rejects.toThrow(
      /is in LATIN1.*createdb --encoding=UTF8/,
    )
  })

  test.each([
    ['postgres://registry@127.0.0.1:1/postgres', /nothing listens there/],
    ['/nowhere', /there is no such database/],
  ])('%s -> the remedy', async (url, remedy) => {
    const fullUrl = url.startsWith('/') ? postgres.url.replace(/\/[^/]*$/, url) : url
    const failure = await syncSearch(fullUrl, rowsOf([])).catch(describeDatabaseFailure)
    expect(failure).toMatch(remedy)
  })
})
