import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { SITE, UPSTREAM_RECORD } from '../../../src/catalog/testing/content.ts'
import { makeSampleFolder, readSampleTree, removeFolders } from '../../../testing/sample-folders.ts'
import { createProgress } from '../../machine/progress.ts'
import { readRecords } from '../store/records.ts'
import { runCommand } from '../testing/run-command.ts'
import { GONE_AFTER, renderVerify, verifySources } from './command.ts'
import { startOddServer, createTestClient } from './testing/odd-server.ts'
import type { OddServer } from './testing/odd-server.ts'

let server: OddServer
let repositories = ''
beforeAll(() => {
  repositories = mkdtempSync(join(tmpdir(), 'skill-registry-git-'))
  for (const name of ['ada/tools', 'bob/kit']) {
    mkdirSync(join(repositories, name), { recursive: true })
    execFileSync('git', ['init', '-q', '--bare', join(repositories, name)])
  }
})
afterAll(() => {
  rmSync(repositories, { recursive: true })
})
afterEach(async () => {
  removeFolders()
  await server.stop()
})

type Status = 'alive' | 'copied' | 'gone' | 'untraced'

/** Makes a catalog with one skill per path on the server. */
const makeCatalog = async (paths: readonly string[], status: Status = 'alive'): Promise<string> => {
  server = await startOddServer(repositories)
  const skill = (path: string, at: number): [string, string] => [
    `skills/s${at}/skill.json`,
    JSON.stringify({
      ...UPSTREAM_RECORD,
      id: at + 1,
      source: {
        kind: 'upstream',
        url: server.origin + path,
        status,
        checked: '2026-01-03',
        seen: '2026-01-02',
      },
    }),
  ]
  return makeSampleFolder({
    'site.json': JSON.stringify(SITE),
    ...Object.fromEntries(paths.map(skill)),
  })
}

const NOW = Date.UTC(2026, 9, 10)

const verify = (content: string, now = NOW, more: { dryRun?: boolean } = {}) =>
  verifySources(
    { content, interval: 0, now, dryRun: false, ...more },
    createTestClient({ attempts: 2 }),
    createProgress({ write: () => true }),
  )

/** The sources in the records, ordered by id, without the server's address. */
const readSources = (content: string): string[] =>
  readRecords(content).records.map(({ record: { source } }) =>
    source.kind === 'own'
      ? 'own'
      : `${source.url.replace(server.origin, '')} ${source.status} ${source.checked} ${source.seen}`,
  )

const TODAY = '2026-10-10'

test('a source that answers gets new dates; a source with an unclear answer is unchanged', async () => {
  const content = await makeCatalog([
    '/ok',
    '/503-always',
    '/hang',
    '/reset',
    '/to-private',
    '/404',
  ])
  const report = await verify(content)
  expect(report.counts).toEqual({ alive: 1, moved: 0, gone: 0, missing: 1, unknown: 4 })
  expect(readSources(content)).toEqual([
    `/ok alive ${TODAY} ${TODAY}`,
    ...['/503-always', '/hang', '/reset', '/to-private', '/404'].map(
      (path) => `${path} alive 2026-01-03 2026-01-02`,
    ),
  ])
  expect(loadCatalog(content).skills).toHaveLength(6)
})

test('404 on two checks a day apart: gone, with the last day it was seen; found again: alive', async () => {
  const content = await makeCatalog(['/404'])
  await verify(content)
  expect((await verify(content, NOW + GONE_AFTER - 1_000)).counts.missing).toBe(1)
  expect((await verify(content, NOW + GONE_AFTER)).counts.gone).toBe(1)
  expect(readSources(content)).toEqual(['/404 gone 2026-10-11 2026-01-02'])
  server.override('/404', 200)
  await verify(content, NOW + GONE_AFTER)
  expect(readSources(content)).toEqual(['/404 alive 2026-10-11 2026-10-11'])
})

test('404, found, 404 a day later: missing again, not gone', async () => {
  const content = await makeCatalog(['/404'])
  await verify(content)
  server.override('/404', 200)
  await verify(content)
  server.override('/404', undefined)
  expect((await verify(content, NOW + 2 * GONE_AFTER)).counts).toMatchObject({
    missing: 1,
    gone: 0,
  })
})

test('404, an unclear answer, 410 a day later: gone', async () => {
  const content = await makeCatalog(['/404'])
  for (const [at, status] of [404, 503, 410].entries()) {
    server.override('/404', status)
    await verify(content, NOW + (at * GONE_AFTER) / 2)
  }
  expect(readSources(content)[0]).toMatch(/gone/)
})

test('a permanent redirect is recorded, a temporary redirect is not', async () => {
  const content = await makeCatalog(['/moved-301', '/moved-for-now'])
  const report = await verify(content)
  expect(report.counts).toMatchObject({ moved: 1, alive: 1 })
  expect(readSources(content)).toEqual([
    `/ok alive ${TODAY} ${TODAY}`,
    `/moved-for-now alive ${TODAY} ${TODAY}`,
  ])
  expect((await verify(content)).counts).toMatchObject({ moved: 0, alive: 2 })
})

describe('a repository', () => {
  const TREE = '/ada/tools/tree/main/skills'

  test('gets one request for all its skills', async () => {
    const content = await makeCatalog([
      `${TREE}/a`,
      `${TREE}/b`,
      '/bob/kit/tree/main/c',
      `${TREE}/d`,
    ])
    const report = await verify(content)
    expect(report.checks.map(({ source }) => source.skills.length).sort()).toEqual([1, 3])
    expect([...server.requests]).toEqual([
      ['/ada/tools/info/refs', 1],
      ['/bob/kit/info/refs', 1],
    ])
    expect(readSources(content)[3]).toBe(`${TREE}/d alive ${TODAY} ${TODAY}`)
  })

  test('that was renamed: all its skills get the new address', async () => {
    const content = await makeCatalog([
      '/renamed/repository/tree/main/a',
      '/renamed/repository/tree/main/b',
    ])
    await verify(content)
    expect(readSources(content)).toEqual([
      `/ada/tools/tree/main/a alive ${TODAY} ${TODAY}`,
      `/ada/tools/tree/main/b alive ${TODAY} ${TODAY}`,
    ])
  })

  test('that was deleted is gone', async () => {
    const content = await makeCatalog(['/nobody/nothing/tree/main/a'])
    expect((await verify(content)).counts.gone).toBe(1)
    expect(readSources(content)).toEqual([`/nobody/nothing/tree/main/a gone ${TODAY} 2026-01-02`])
  })

  test.each<[Status, number, string]>([
    ['gone', 200, `alive ${TODAY} ${TODAY}`],
    ['gone', 404, `gone ${TODAY} 2026-01-02`],
    ['untraced', 200, `alive ${TODAY} ${TODAY}`],
    ['untraced', 404, `untraced ${TODAY} 2026-01-02`],
    ['copied', 200, `alive ${TODAY} ${TODAY}`],
    ['copied', 404, 'copied 2026-01-03 2026-01-02'],
    ['copied', 429, 'copied 2026-01-03 2026-01-02'],
    ['copied', 500, 'copied 2026-01-03 2026-01-02'],
  ])(
    'that exists, with a skill that is %s and a page that answers %i',
    async (status, page, source) => {
      const content = await makeCatalog([`${TREE}/a`], status)
      server.override(`${TREE}/a`, page)
      await verify(content)
      expect(readSources(content)).toEqual([`${TREE}/a ${source}`])
    },
  )
})

test('a copied skill is gone after its page has been absent for a day', async () => {
  const content = await makeCatalog(['/ada/tools/tree/main/a'], 'copied')
  server.override('/ada/tools/tree/main/a', 404)
  await verify(content)
  await verify(content, NOW + GONE_AFTER / 2)
  expect(readSources(content)).toEqual(['/ada/tools/tree/main/a copied 2026-01-03 2026-01-02'])
  await verify(content, NOW + GONE_AFTER)
  expect(readSources(content)).toEqual(['/ada/tools/tree/main/a gone 2026-10-11 2026-01-02'])
})

test('an untraced skill does not become gone', async () => {
  const content = await makeCatalog(['/404'], 'untraced')
  await verify(content)
  expect(readSources(content)).toEqual([`/404 untraced ${TODAY} 2026-01-02`])
})

test('--dry-run sends requests and prints what it would write, without writing it', async () => {
  const content = await makeCatalog(['/ok', '/nobody/nothing/tree/main/a'])
  const before = readSampleTree(content)
  const report = await verify(content, NOW, { dryRun: true })
  expect(readSampleTree(content)).toEqual(before)
  expect(renderVerify(report).replaceAll(server.origin, '')).toBe(
    [
      '/nobody/nothing (1 skill): gone',
      'skills/s1: alive -> gone',
      '2 sources: 1 alive, 0 moved, 1 gone, 0 missing, 0 unknown; would write 2 records',
    ].join('\n'),
  )
})

test('the sources of one host are checked one after the other', async () => {
  const content = await makeCatalog(Array.from({ length: 6 }, (_, at) => `/pause?${at}`))
  await verify(content)
  expect(server.requests.get('/pause')).toBe(6)
  expect(server.mostAtOnce()).toBe(1)
})

test('skills of a followed source are left to update if they are alive', async () => {
  const content = await makeCatalog(['/ada/tools/tree/main/a', '/bob/kit/tree/main/b'])
  const rows = [{ address: `${server.origin}/ada/tools` }]
  writeFileSync(join(content, 'sources.json'), JSON.stringify(rows))
  const report = await verify(content, NOW, { dryRun: true })
  expect(report).toMatchObject({ followed: 1, counts: { alive: 1 } })
  expect(renderVerify(report)).toContain('1 skill from sources.json: checked by update')
  expect([...server.requests.keys()]).toEqual(['/bob/kit/info/refs'])
  const record = join(content, 'skills/s0/skill.json')
  writeFileSync(record, readFileSync(record, 'utf8').replace('"alive"', '"gone"'))
  expect((await verify(content, NOW, { dryRun: true })).followed).toBe(0)
})

test.each<[string[], number]>([
  [[], 0],
  [['--fail-on', 'unknown'], 1],
  [['--fail-on', 'gone,moved'], 0],
  [['--fail-on', 'lost'], 2],
  [['/ok'], 2],
])(
  'npm run catalog -- verify %j -> exit %i, and no request to this machine',
  async (options, code) => {
    const content = await makeCatalog(['/ok'])
    const ended = await runCommand('verify', '--content', content, ...options)
    expect(ended.code).toBe(code)
    if (code < 2) expect(ended.text).toContain('127.0.0.1 is not a public address; nothing changes')
    expect(server.requests.size).toBe(0)
  },
)
