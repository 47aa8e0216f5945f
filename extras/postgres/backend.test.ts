import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { syncSearch } from './sync.ts'
import { POSTGRES, announceSkipped, createPostgres } from './testing/temporary-postgres.ts'
import type { TemporaryPostgres } from './testing/temporary-postgres.ts'
import { SEARCH_SCHEMA } from './schema.ts'
import { DOCUMENTS, publishFixture, writeFixture } from '../../testing/fixture.ts'
import { askFor, packDocuments } from '../../testing/sample-documents.ts'
import { makeSampleFolder } from '../../testing/sample-folders.ts'
import { packIndex } from '../../src/search/pack/pack.ts'
import { unpackIndex } from '../../src/search/read/unpack.ts'
import { failOn, testContract } from '../../testing/contract/tests.ts'
import { createStore } from '../../functions/store.ts'
import { openSite } from '../../functions/site.ts'
import type { ServedSite } from '../../functions/site.ts'
import { sendInProcess, startSiteServer } from '../../testing/contract/requests.ts'
import { openPostgres } from './backend.ts'
import type { PostgresBackend } from './backend.ts'

announceSkipped('the contract and the failures of the PostgreSQL backend')

// Without the index file, only the database can have the results.
const { 'private/search.index': _index, ...FILES } = writeFixture('one')

const openWith = (search: PostgresBackend): Promise<ServedSite> =>
  openSite(
    createStore((name) => FILES[name]),
    search,
  )

describe.skipIf(POSTGRES === undefined)('with SEARCH_URL', () => {
  let postgres: TemporaryPostgres
  let backend: PostgresBackend
  let site: ServedSite
  beforeAll(async () => {
    postgres = await createPostgres()
    await postgres.start()
    await syncSearch(postgres.url, { ...unpackIndex(packDocuments(DOCUMENTS)), digest: '' })
    backend = openPostgres(postgres.url)
    site = await openWith(backend)
  })
  afterAll(async () => {
    await backend.close()
    await postgres.remove()
  })

  describe('the contract', () => {
    testContract(() => sendInProcess(site, failOn))
  })

  test('the Node host searches in SEARCH_URL, and SIGTERM ends it despite open connections', async () => {
    const outDir = makeSampleFolder()
    publishFixture(outDir, 'one', FILES)
    const host = fileURLToPath(new URL('../../functions/hosts/node.mjs', import.meta.url))
    const child = spawn(process.execPath, [host], {
      env: { ...process.env, LOG: 'off', PORT: '0', OUT_DIR: outDir, SEARCH_URL: postgres.url },
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const url = /http:\S+/.exec(line.toString())?.[0] ?? ''
    const answer = await fetch(`${url}/api/v1/skills?q=csv+files&limit=1`)
    expect(await answer.json()).toMatchObject({ skills: [{ id: 12 }], limit: 1 })
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('search:sync loads the build of OUT_DIR, and /readyz reports a database with another build', async () => {
    const outDir = makeSampleFolder()
    publishFixture(outDir, 'one')
    const server = await startSiteServer(outDir, backend)
    const askReady = async (): Promise<[number, string]> => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/readyz`)
      return [answer.status, await answer.text()]
    }
    const sync = (): string =>
      execFileSync(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url))], {
        // The folder has no content, so the skills must be those of the build.
        cwd: outDir,
        env: { ...process.env, OUT_DIR: outDir, SEARCH_URL: postgres.url },
        encoding: 'utf8',
      })
    const files = writeFixture('two')
    const outdated: [number, string] = [
      503,
      'the database of SEARCH_URL has the skills of another build: run "npm run search:sync"\n',
    ]
    expect(await askReady()).toEqual(outdated)
    expect(sync()).toMatch(`Synced ${DOCUMENTS.length} skills of ${outDir} in `)
    expect(await askReady()).toEqual([200, 'ok\n'])

    const index = packIndex(DOCUMENTS.slice(1), {})
    publishFixture(outDir, 'two', { ...files, 'private/search.index': index })
    expect(await askReady()).toEqual(outdated)
    expect(sync()).toContain(': 0 added, 0 changed, 1 removed, ')
    expect(await askReady()).toEqual([200, 'ok\n'])
    expect((await backend.find(askFor({}))).total).toBe(DOCUMENTS.length - 1)

    publishFixture(outDir, 'one')
    sync()
    await server.stop()
  })

  test.for([
    [{ OUT_DIR: 'nowhere' }, 'There is no finished build in '],
    [{ SEARCH_URL: '' }, 'SEARCH_URL is not set'],
  ] as const)(
    'search:sync with %j -> a message of one line, and status 1',
    ([settings, message]) => {
      const { status, stderr } = spawnSync(
        process.execPath,
        [fileURLToPath(new URL('main.ts', import.meta.url))],
        { env: { ...process.env, SEARCH_URL: postgres.url, ...settings }, encoding: 'utf8' },
      )
      expect(stderr).toMatch(new RegExp(`^${message}[^\n]*\n$`))
      expect(status).toBe(1)
    },
  )

  describe('failures', () => {
    const causes: unknown[] = []
    const get = async (target: string, of: ServedSite = site) =>
      sendInProcess(of, (cause) => causes.push(cause))({ line: `GET ${target}`, headers: {} })

    const expectUnavailable = async (target: string, of: ServedSite = site): Promise<void> => {
      causes.length = 0
      const { status, headers, body } = await get(target, of)
      expect([status, headers.get('retry-after')]).toEqual([503, '10'])
      expect(headers.get('cache-control')).toBe('no-store')
      expect(JSON.parse(body.toString())).toMatchObject({ error: { code: 'UNAVAILABLE' } })
      expect(body.toString()).not.toMatch(/127\.0\.0\.1|registry@/)
      expect(causes).toHaveLength(1)
    }

    test('a stopped database -> 503 for searches only, until it is started again', async () => {
      const during = Array.from({ length: 30 }, (_, at) => get(`/api/v1/skills?q=csv+files+${at}`))
      await postgres.stop()
      for (const { status } of await Promise.all(during)) expect([200, 503]).toContain(status)
      await expectUnavailable('/api/v1/skills?q=csv')
      await expectUnavailable('/api/v1/skills')
      expect((await get('/api/v1/skills?limit=0')).status).toBe(400)
      expect((await get('/api/skills/download/12')).status).toBe(200)
      expect((await get('/skills/csv-clean')).status).toBe(200)
      await postgres.start()
      expect((await get('/api/v1/skills?q=csv')).status).toBe(200)
    })

    test('a statement that takes too long -> 503, later queries -> 200; a database that was never synced -> 503', async () => {
      const other = new Client({ connectionString: postgres.url })
      await other.connect()
      await other.query(`BEGIN; LOCK TABLE ${SEARCH_SCHEMA}.skills IN ACCESS EXCLUSIVE MODE`)
      await expectUnavailable('/api/v1/skills?q=csv')
      await other.query('ROLLBACK')
      await other.end()
      expect((await get('/api/v1/skills?q=csv')).status).toBe(200)
      const empty = openPostgres(postgres.url, 'never_synced')
      await expectUnavailable('/api/v1/skills', await openWith(empty))
      await empty.close()
    })

    test('30 requests share ten connections, which are closed with the backend', async () => {
      const shared = openPostgres(postgres.url)
      const busySite = await openWith(shared)
      const other = new Client({ connectionString: postgres.url })
      await other.connect()
      const countOthers = async (): Promise<number> => {
        const { rows } = await other.query<{ count: number }>(
          `SELECT count(*)::int FROM pg_stat_activity
          WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
        )
        return rows[0]?.count ?? 0
      }
      const before = await countOthers()
      const responses = Array.from({ length: 30 }, () => get('/api/v1/skills?q=csv', busySite))
      expect(new Set((await Promise.all(responses)).map(({ status }) => status))).toEqual(
        new Set([200]),
      )
      expect((await countOthers()) - before).toBeLessThanOrEqual(10)
      await shared.close()
      await expect.poll(countOthers).toBeLessThanOrEqual(before)
      await other.end()
    })
  })
})
