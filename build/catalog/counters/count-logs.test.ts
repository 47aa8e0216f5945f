import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { OWN_RECORD, SITE } from '../../../src/catalog/testing/content.ts'
import {
  addFiles,
  makeSampleFolder,
  readSampleTree,
  removeFolders,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import { createProgress } from '../../site/progress.ts'
import { readCounters } from '../store/records.ts'
import { countLogs } from './command.ts'

afterEach(removeFolders)

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'

interface Asked {
  request?: string
  status?: number
  reader?: string
  agent?: string
  day?: string
}

const lineOf = ({
  request = 'GET /skills/a HTTP/1.1',
  status = 200,
  reader = '192.0.2.1',
  agent = BROWSER,
  day = '10',
}: Asked = {}): string =>
  `${reader} - - [${day}/Oct/2026:12:00:00 +0000] "${request}" ${status} 99 "-" "${agent}"\n`

const linesOf = (...asked: Asked[]): string => asked.map(lineOf).join('')

/** Skills `a` (1) and `b` (2); `old` (1) moved to `a`, and 8 was merged into `b`. */
const makeCatalog = (files: Record<string, string | Uint8Array> = {}): string =>
  makeSampleFolder({
    'site.json': JSON.stringify(SITE),
    'skills/a/skill.json': JSON.stringify({ ...OWN_RECORD, id: 1 }),
    'skills/a/SKILL.md': sampleSkillMd('a'),
    'skills/b/skill.json': JSON.stringify({ ...OWN_RECORD, id: 2 }),
    'skills/b/SKILL.md': sampleSkillMd('b'),
    'retired.json': JSON.stringify([
      { id: 1, slug: 'old', movedTo: 'a' },
      { id: 8, slug: 'twice', movedTo: 'b' },
      { id: 9, slug: 'dead' },
    ]),
    ...files,
  })

const count = (
  content: string,
  logs: readonly string[],
  more: { before?: string; dryRun?: boolean } = {},
): ReturnType<typeof countLogs> =>
  countLogs(
    { content, logs: logs.map((log) => join(content, log)), dryRun: false, ...more },
    createProgress({ write: () => true }),
  )

/** Counts one log into a new catalog. */
const countText = async (text: string) => {
  const content = makeCatalog({ log: text })
  const { total } = await count(content, ['log'])
  return { counters: readCounters(content), total }
}

const VIEW = { 1: { views: 1, installs: 0 } }
const INSTALL = { 1: { views: 0, installs: 1 } }

describe('a GET 200 counts', () => {
  test.each<[string, object]>([
    ['/skills/a', VIEW],
    ['/skills/a.md', VIEW],
    ['/skills/a.html', VIEW],
    ['/skills/a?utm_source=x', VIEW],
    ['/%73kills/%61', VIEW],
    ['https://registry.example/skills/a', VIEW],
    ['/skills/old', VIEW],
    ['/skills/twice', { 2: { views: 1, installs: 0 } }],
    ['/api/skills/download/1', INSTALL],
    ['/api/skills/download/8', { 2: { views: 0, installs: 1 } }],
    ['/skills/a/SKILL.md', {}],
    ['/skills/nobody', {}],
    ['/skills/dead', {}],
    ['/skills/constructor', {}],
    ['/skills', {}],
    ['/skills/page/2', {}],
    ['/api/skills/download/01', {}],
    ['/api/skills/download/9', {}],
    ['/api/v1/skills?q=/skills/a', {}],
    ['/', {}],
  ])('%s', async (address, counters) => {
    const found = await countText(lineOf({ request: `GET ${address} HTTP/1.1` }))
    expect(found.counters).toEqual(counters)
  })
})

describe('does not count', () => {
  test.each<[string, Asked]>([
    ['a part of a zip', { status: 206, request: 'GET /api/skills/download/1 HTTP/1.1' }],
    ['what the reader has', { status: 304 }],
    ['a redirect', { status: 308 }],
    ['HEAD', { request: 'HEAD /skills/a HTTP/1.1' }],
    ['POST', { request: 'POST /skills/a HTTP/1.1' }],
    ['no request at all', { request: String.raw`\x16\x03\x01` }],
    ['a robot', { agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }],
    ['a scraper', { agent: 'python-requests/2.32' }],
  ])('%s', async (_, asked) => {
    expect((await countText(lineOf(asked))).counters).toEqual({})
  })
})

test.each(['curl/8.14.1', 'Wget/1.21', 'node', 'skills/1.7.4', 'Claude-User (x)', '-', BROWSER])(
  'an install by %s counts: people install with programs',
  async (agent) => {
    const request = 'GET /api/skills/download/1 HTTP/1.1'
    expect((await countText(lineOf({ agent, request }))).counters).toEqual(INSTALL)
  },
)

test('one reader counts once a day, for each skill and kind', async () => {
  const zip = 'GET /api/skills/download/1 HTTP/1.1'
  const { counters, total } = await countText(
    linesOf(
      {},
      { request: 'GET /skills/a.md HTTP/1.1' },
      { agent: 'curl/8.14.1' },
      { request: 'GET /skills/old HTTP/1.1' },
      { reader: '192.0.2.2' },
      { day: '11' },
      { request: 'GET /skills/b HTTP/1.1' },
      { request: zip },
      { request: zip },
    ),
  )
  expect(counters).toEqual({ 1: { views: 3, installs: 1 }, 2: { views: 1, installs: 0 } })
  expect(total).toMatchObject({ lines: 9, views: 4, installs: 1, repeats: 4 })
})

test('lines that cannot be read are counted, and the first are named', async () => {
  const bad = ['x\n', '{"time":\n', lineOf(), '\n', 'y\n', 'y\n', 'y\n', 'y\n'].join('')
  const { total, counters } = await countText(bad)
  expect(counters).toEqual(VIEW)
  expect(total.bad).toBe(6)
  expect(total.firstBad.map(({ line }) => line)).toEqual([1, 2, 5, 6, 7])
})

test('a record without the address of its reader is not counted', async () => {
  const record = {
    log_type: 'traffic',
    method: 'GET',
    url: '/skills/a',
    status_code: 200,
    timestamp: '2026-10-10T00:00:00Z',
  }
  const { total, counters } = await countText(`${JSON.stringify(record)}\n`)
  expect(counters).toEqual({})
  expect(total.firstBad).toEqual([{ line: 1, reason: 'no address of a reader' }])
})

const READERS = Array.from({ length: 6 }, (_, at): Asked => ({ reader: `192.0.2.${at}` }))
const FIRST = linesOf(...READERS.slice(0, 3))
const SECOND = linesOf(...READERS.slice(3))

describe('what was counted before', () => {
  test.each<[string, (content: string) => Promise<unknown>, number]>([
    ['the same log', (content) => count(content, ['log']), 3],
    ['given twice at once', (content) => count(content, ['log', 'log']), 3],
    [
      'under another name',
      (content) => {
        renameSync(join(content, 'log'), join(content, 'log.1'))
        return count(content, ['log.1'])
      },
      3,
    ],
    [
      'as gzip',
      (content) => {
        writeFileSync(join(content, 'log.gz'), gzipSync(FIRST))
        return count(content, ['log.gz'])
      },
      3,
    ],
    [
      'grown: the new part counts',
      async (content) => {
        appendFileSync(join(content, 'log'), SECOND)
        await count(content, ['log'])
        await count(content, ['log'])
      },
      6,
    ],
    [
      'an earlier state of it, as a backup has it',
      async (content) => {
        addFiles(content, { log: FIRST + SECOND, backup: FIRST })
        await count(content, ['log'])
        await count(content, ['backup'])
      },
      6,
    ],
    [
      'cut where it was not counted before: that counts again',
      async (content) => {
        addFiles(content, { half: linesOf(...READERS.slice(0, 2)) })
        await count(content, ['half'])
      },
      5,
    ],
    [
      'joined with another behind it: the other counts again',
      async (content) => {
        addFiles(content, { second: SECOND, both: FIRST + SECOND + FIRST })
        await count(content, ['second'])
        await count(content, ['both'])
      },
      9,
    ],
    [
      'another log with the same beginning',
      async (content) => {
        addFiles(content, { other: lineOf({ reader: '192.0.2.0' }) + SECOND })
        await count(content, ['other'])
      },
      7,
    ],
  ])('%s', async (_, again, views) => {
    const content = makeCatalog({ log: FIRST })
    await count(content, ['log'])
    await again(content)
    expect(readCounters(content)).toEqual({ 1: { views, installs: 0 } })
  })

  test('a last line without an end waits until it has one', async () => {
    const whole = FIRST + SECOND
    const content = makeCatalog({ log: whole.slice(0, FIRST.length + 20) })
    await count(content, ['log'])
    expect(readCounters(content)).toEqual({ 1: { views: 3, installs: 0 } })
    addFiles(content, { log: whole })
    const { total } = await count(content, ['log'])
    expect(total.bad).toBe(0)
    expect(readCounters(content)).toEqual({ 1: { views: 6, installs: 0 } })
  })

  test('a day split over two logs: a reader counts once in one run, twice in two runs', async () => {
    const [together, apart] = [makeCatalog(), makeCatalog()]
    for (const content of [together, apart]) {
      const again = { request: 'GET /skills/a.md HTTP/1.1' }
      addFiles(content, {
        morning: linesOf({}),
        evening: linesOf(again, { reader: '192.0.2.9' }),
      })
      await count(content, ['morning'])
    }
    await count(together, ['morning', 'evening'])
    await count(apart, ['evening'])
    expect(readCounters(together)).toEqual({ 1: { views: 2, installs: 0 } })
    expect(readCounters(apart)).toEqual({ 1: { views: 3, installs: 0 } })
  })

  test('a log that was truncated and restarted, as copytruncate does -> all of it counts', async () => {
    const content = makeCatalog({ log: FIRST })
    await count(content, ['log'])
    addFiles(content, { 'log.1': FIRST, log: SECOND })
    await count(content, ['log.1', 'log'])
    expect(readCounters(content)).toEqual({ 1: { views: 6, installs: 0 } })
  })

  test('a state of the earlier format -> refused with a remedy, and nothing is written', async () => {
    const state = JSON.stringify({ segments: [{ bytes: 9, sha256: '0'.repeat(64) }] })
    const content = makeCatalog({ log: FIRST, 'counters.state.json': state })
    const before = readSampleTree(content)
    await expect(count(content, ['log'])).rejects.toThrow(/earlier version.*Remove it.*count twice/)
    expect(readSampleTree(content)).toEqual(before)
  })

  test('an invalid state -> its problem', async () => {
    const content = makeCatalog({ log: FIRST, 'counters.state.json': '{"logs":[{"bytes":0}]}' })
    await expect(count(content, ['log'])).rejects.toMatchObject({
      problems: [{ field: 'logs.0.bytes' }, { field: 'logs.0.sha256' }],
    })
  })

  test('nothing new -> nothing is written', async () => {
    const content = makeCatalog({ log: FIRST })
    await count(content, ['log'])
    const before = readSampleTree(content)
    expect((await count(content, ['log'])).written).toEqual([])
    expect(readSampleTree(content)).toEqual(before)
  })

  test('a log whose last line, counted alone, is its first again', async () => {
    const content = makeCatalog()
    const [one, other] = [lineOf(), lineOf({ reader: '192.0.2.2' })]
    for (const log of [one + other + other, one + other + other + one]) {
      addFiles(content, { log })
      await count(content, ['log'])
    }
    expect((await count(content, ['log'])).written).toEqual([])
    expect(readCounters(content)).toEqual({ 1: { views: 2, installs: 0 } })
  })

  test('a growing log counted after each step gives the same counts as the whole log', async () => {
    const line = fc.record({
      reader: fc.integer({ min: 0, max: 2 }).map((at) => `reader-${at}`),
      day: fc.constantFrom('10', '11'),
      request: fc.constantFrom('GET /skills/a HTTP/1.1', 'GET /skills/b HTTP/1.1'),
    })
    const lines = fc.array(line, { maxLength: 30 })
    const cuts = fc.array(fc.nat({ max: 4_000 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(lines, cuts, async (asked, ends) => {
        const whole = linesOf(...asked)
        const wanted = (await countText(whole)).counters
        const content = makeCatalog()
        for (const end of [...ends.sort((a, b) => a - b), whole.length]) {
          addFiles(content, { log: whole.slice(0, end) })
          await count(content, ['log'])
        }
        expect(readCounters(content)).toEqual(wanted)
      }),
      { numRuns: 150 },
    )
  }, 60_000)
})

test('--whole-days leaves the requests of today and counts them when the day is over', async () => {
  const content = makeCatalog({
    log: linesOf({}, { day: '11' }, { day: '11', reader: '192.0.2.2' }),
  })
  await count(content, ['log'], { before: '2026-10-11' })
  expect(readCounters(content)).toEqual(VIEW)
  appendFileSync(join(content, 'log'), linesOf({ day: '11' }))
  const { total } = await count(content, ['log'], { before: '2026-10-12' })
  expect(total).toMatchObject({ views: 2, repeats: 1 })
  expect(readCounters(content)).toEqual({ 1: { views: 3, installs: 0 } })
})

test('counts are added to the existing ones, and the catalog loads', async () => {
  const before = { 1: { views: 10, installs: 5 }, 2: { views: 1, installs: 1 } }
  const content = makeCatalog({ 'counters.json': JSON.stringify(before), log: FIRST })
  await count(content, ['log'])
  expect(loadCatalog(content).skills.map(({ views, installs }) => [views, installs])).toEqual([
    [13, 5],
    [1, 1],
  ])
})

test('neither the address of a reader nor a digest of it is written', async () => {
  const content = makeCatalog({ log: FIRST })
  await count(content, ['log'])
  const { logs } = JSON.parse(readFileSync(join(content, 'counters.state.json'), 'utf8')) as {
    logs: object[]
  }
  expect(logs).toEqual([{ bytes: FIRST.length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }])
  const written = readSampleTree(content)
  delete written['log']
  expect(JSON.stringify(written)).not.toContain('192.0.2.')
})

test.each(['', 'x', '\n'])('a log of %j -> read', async (log) => {
  const content = makeCatalog({ log, 'log.gz': gzipSync(log) })
  expect((await count(content, ['log', 'log.gz'])).total.views).toBe(0)
})

test('--dry-run counts and writes nothing', async () => {
  const content = makeCatalog({ log: FIRST })
  const before = readSampleTree(content)
  expect((await count(content, ['log'], { dryRun: true })).total.views).toBe(3)
  expect(readSampleTree(content)).toEqual(before)
})

test('truncated gzip is refused by name, and nothing is written', async () => {
  const content = makeCatalog({ 'log.gz': gzipSync(FIRST).subarray(0, 60) })
  const before = readSampleTree(content)
  await expect(count(content, ['log.gz'])).rejects.toThrow(/log\.gz: damaged or truncated gzip/)
  expect(readSampleTree(content)).toEqual(before)
})

test('one endless line above the length limit costs bounded memory', async () => {
  const content = makeCatalog({ log: Buffer.alloc(20 * 1024 * 1024, 'x') })
  addFiles(content, { end: `${'y'.repeat(9 * 1024 * 1024)}\n${lineOf()}` })
  expect((await count(content, ['log'])).total.lines).toBe(0)
  const { total } = await count(content, ['end'])
  expect(total).toMatchObject({ bad: 1, views: 1, firstBad: [{ line: 1 }] })
})
