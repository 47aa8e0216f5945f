import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { OWN_RECORD, SITE } from '../../../src/catalog/testing/content.ts'
import { readCounters } from '../store/records.ts'
import {
  addFiles,
  makeSampleFolder,
  readSampleTree,
  removeFolders,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import { KILLS, SLOWEST, killCommand, runCommand } from '../testing/run-command.ts'

afterEach(removeFolders)

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

const LINES = 20_000

/** A log in which each line has a different reader; logs of different rounds share none. */
const logOf = (lines: number, round = 0): string =>
  Array.from(
    { length: lines },
    (_, at) =>
      `r${round}-${at} - - [10/Oct/2026:12:00:00 +0000] "GET /skills/a HTTP/1.1" 200 9 "-" "Mozilla/5.0 (X11) Firefox/144.0"\n`,
  ).join('')

const makeCatalog = (): string =>
  makeSampleFolder({
    'site.json': JSON.stringify(SITE),
    'skills/a/skill.json': JSON.stringify(OWN_RECORD),
    'skills/a/SKILL.md': sampleSkillMd('a'),
  })

const catalog = (input: string | Uint8Array, ...args: string[]) => {
  const options = { input, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], options)
  return { status, stdout, stderr }
}

describe('npm run catalog -- counters', () => {
  test.each([
    ['plain', logOf(3)],
    ['gzip', gzipSync(logOf(3))],
  ])('- reads standard input, %s, and the same again counts once', (_, input) => {
    const content = makeCatalog()
    const args = ['counters', '-', '--content', content, '--json'] as const
    expect(JSON.parse(catalog(input, ...args).stdout)).toMatchObject({
      total: { lines: 3, views: 3, skills: { 1: { views: 3, installs: 0 } } },
      written: ['counters.json', 'counters.state.json'],
    })
    expect(JSON.parse(catalog(input, ...args).stdout)).toMatchObject({ written: [] })
    expect(readCounters(content)).toEqual({ 1: { views: 3, installs: 0 } })
  })

  test.each<[string, string[], RegExp]>([
    ['no log', [], /missing required argument 'log or -'/],
    ['a log that is not there', ['/no/such.log'], /No such log/],
    ['a folder', ['/'], /is a folder/],
    ['standard input twice', ['-', '-'], /twice/],
    ['no content folder', ['-', '--content', '/no/such'], /--content/],
  ])('%s -> exit 2', async (_, args, message) => {
    const { code, stderr } = await runCommand('counters', ...args)
    expect([code, message.test(stderr)]).toEqual([2, true])
  })

  test('unreadable lines are named with their numbers, and never shown', () => {
    const content = makeCatalog()
    const { status, stdout } = catalog('\u001B[31mred\n', 'counters', '-', '--content', content)
    expect(status).toBe(0)
    expect(stdout).toContain('-:1: no log format that is known; not counted')
    expect(stdout).not.toContain('red')
  })
})

test(
  `counters killed ${KILLS} times: the catalog loads, and each log counts once`,
  async () => {
    const content = makeCatalog()
    for (let kill = 1; kill <= KILLS; kill += 1) {
      addFiles(content, { log: logOf(LINES, kill) })
      const args = ['counters', `${content}/log`, '--content', content]
      await killCommand(content, (kill * 37) % 150, ...args)
      expect(loadCatalog(content).skills).toHaveLength(1)
      expect(await runCommand(...args)).toMatchObject({ code: 0 })
      expect(readCounters(content)).toEqual({ 1: { views: LINES * kill, installs: 0 } })
    }
    const left = Object.keys(readSampleTree(content)).filter((name) => name.startsWith('.'))
    expect(left).toEqual([])
  },
  KILLS * SLOWEST,
)
