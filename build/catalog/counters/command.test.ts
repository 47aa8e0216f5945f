import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { OWN_RECORD, SITE } from '../../../src/catalog/testing/content.ts'
import {
  addFiles,
  makeSampleFolder,
  removeFolders,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import { createProgress } from '../../machine/progress.ts'
import { readCounters } from '../store/records.ts'
import { runCommand } from '../testing/run-command.ts'
import { countLogs } from './command.ts'

afterEach(removeFolders)

const lineOf = (day: number, path = '/skills/a', reader = '1.2.3.4', more = '200 9'): string =>
  `${reader} - - [${day}/Oct/2026:12:00:00 +0000] "GET ${path} HTTP/1.1" ${more} "-" "Mozilla/5.0 (X11) Firefox/144.0"\n`

const makeCatalog = (): string =>
  makeSampleFolder({
    'site.json': JSON.stringify(SITE),
    'skills/a/skill.json': JSON.stringify(OWN_RECORD),
    'skills/a/SKILL.md': sampleSkillMd('a'),
    'retired.json': JSON.stringify([{ id: 1, slug: 'old', movedTo: 'a' }]),
  })

/** Counts logs with the given texts, as on 20 October. */
const count = (content: string, logs: readonly (string | Uint8Array)[], dryRun = false) => {
  const folder = makeSampleFolder()
  const names = logs.map((log, at) => {
    const name = `${at}.log${typeof log === 'string' ? '' : '.gz'}`
    addFiles(folder, { [name]: log })
    return `${folder}/${name}`
  })
  const settings = { content, logs: names, today: '2026-10-20', dryRun }
  return countLogs(settings, createProgress({ write: () => true }))
}

const viewsOf = async (...lines: string[]) => {
  const content = makeCatalog()
  await count(content, [lines.join('')])
  return readCounters(content)
}

describe('counted requests', () => {
  test.each<[string, string[], object]>([
    ['a page, once per day and reader', [lineOf(10), lineOf(10), lineOf(11)], { views: 2 }],
    [
      'the twin of a page, and an address with a query',
      [lineOf(10, '/skills/a.md?x'), lineOf(11)],
      { views: 2 },
    ],
    ['an absolute address', [lineOf(10, 'https://skills.example/skills/a')], { views: 1 }],
    ['a former slug', [lineOf(10, '/skills/old')], { views: 1 }],
    ['a zip', [lineOf(10, '/api/skills/download/1')], { views: 0, installs: 1 }],
    [
      'readers from two networks',
      [lineOf(10, '/skills/a', '2001:db8::1'), lineOf(10)],
      { views: 2 },
    ],
    [
      'readers from one IPv6 network',
      [lineOf(10, '/skills/a', '2001:db8::1'), lineOf(10, '/skills/a', '2001:db8::2')],
      { views: 1 },
    ],
  ])('%s', async (_, lines, counts) => {
    expect((await viewsOf(...lines))[1]).toMatchObject(counts)
  })

  test.each([
    ['another page', lineOf(10, '/skills')],
    ['a part of a page', lineOf(10, '/skills/a/files')],
    ['an answer without a body', lineOf(10, '/skills/a', '1.2.3.4', '304 0')],
    ['a robot', lineOf(10).replace('Mozilla', 'Googlebot')],
    ['an unfinished day', lineOf(20)],
    ['a line without a request', 'red\n'],
  ])('%s is not counted', async (_, line) => {
    expect(await viewsOf(line)).not.toHaveProperty('1')
  })
})

describe('whole days after the last counted one', () => {
  test('a log that grew -> only its new days; the same log again -> nothing', async () => {
    const content = makeCatalog()
    await count(content, [lineOf(10) + lineOf(11)])
    const log = lineOf(10) + lineOf(11) + lineOf(12) + lineOf(20)
    const report = await count(content, [gzipSync(log)])
    expect(report).toMatchObject({ day: '2026-10-12', counts: { views: 1, otherDays: 3 } })
    expect((await count(content, [log])).written).toEqual([])
    expect(readCounters(content)).toEqual({ 1: { views: 3, installs: 0 } })
  })

  test('two logs of one day passed together -> a reader counts once', async () => {
    const content = makeCatalog()
    await count(content, [lineOf(10), lineOf(10)])
    expect(readCounters(content)).toEqual({ 1: { views: 1, installs: 0 } })
  })

  test('--dry-run writes nothing', async () => {
    const content = makeCatalog()
    expect((await count(content, [lineOf(10)], true)).skills).toEqual({
      1: { views: 1, installs: 0 },
    })
    expect(readCounters(content)).toEqual({})
  })

  test('a run killed before it wrote the counters -> the next run writes them, and no day counts twice', async () => {
    const content = makeCatalog()
    addFiles(content, {
      'counters.json': '{"1": {"views": 1, "installs": 0}}',
      'counters.state.json':
        '{"day": "2026-10-11", "counters": {"1": {"views": 5, "installs": 2}}}',
    })
    await count(content, [lineOf(11) + lineOf(12)])
    expect(readCounters(content)).toEqual({ 1: { views: 6, installs: 2 } })
  })

  test('a truncated gzip file -> reported, and nothing is written', async () => {
    const content = makeCatalog()
    const counted = count(content, [gzipSync(lineOf(10)).subarray(0, 40)])
    await expect(counted).rejects.toThrow(/cannot be read .*Pass the complete file/)
    expect(readCounters(content)).toEqual({})
  })
})

test.each<[string, string[], RegExp]>([
  ['without a log', [], /log/],
  ['a missing log', ['/no/such.log'], /No such log/],
  ['a folder', ['/'], /is a folder/],
  ['standard input twice', ['-', '-'], /twice/],
])('%s -> exit 2', async (_, args, message) => {
  const { code, stderr } = await runCommand('counters', ...args, '--content', makeCatalog())
  expect([code, message.test(stderr)]).toEqual([2, true])
})

test('unreadable lines -> counted, with the number of the first; their text is never shown', async () => {
  const content = makeCatalog()
  addFiles(content, { log: `${lineOf(10)}\u001B[31mred\n` })
  const { code, stdout } = await runCommand('counters', `${content}/log`, '--content', content)
  expect(code).toBe(0)
  expect(stdout).toContain(`1 unreadable, first at ${content}/log:2`)
  expect(stdout).not.toContain('red')
})
