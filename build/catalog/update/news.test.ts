import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  makeContent,
  makeSampleFolder,
  removeFolders,
  skillFiles,
} from '../../../testing/sample-folders.ts'
import { MIT_TEXT, makeRepository } from '../import/testing/sample-repository.ts'
import { buildFor } from '../testing/build-for.ts'
import { runCommand } from '../testing/run-command.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => {
  vi.useRealTimers()
  removeFolders()
})

const makeSource = (name: string, day: string) =>
  makeRepository({ LICENSE: MIT_TEXT, ...skillFiles(name) }, { day, path: `ada/${name}` })

const webOf = (name: string): string => `https://github.com/ada/${name}`

/** A catalog; `at` runs a command at a time, and `feed` builds the site and lists its feed. */
const makeCatalog = () => {
  const content = makeContent()
  const out = makeSampleFolder({})
  const at = async (time: string, ...args: readonly string[]): Promise<number> => {
    vi.setSystemTime(time)
    return (await runCommand(...args, '--content', content)).code
  }
  const feed = async (): Promise<string[]> => {
    const text = readFileSync(join(await buildFor(content, out), 'feed.atom'), 'utf8')
    const entries = text.matchAll(/<title>([^<]*)<\/title>\n<updated>([^<]*)<\/updated>\n<author>/g)
    return [...entries].map(([, title, updated]) => `${title} ${updated}`)
  }
  const recordOf = (slug: string) =>
    JSON.parse(readFileSync(join(content, 'skills', slug, 'skill.json'), 'utf8'))
  return { content, at, feed, recordOf }
}

test('a skill that is new here but old in its source, and each of two changes on one day, are the latest in the feed', async () => {
  const { at, feed, recordOf } = makeCatalog()
  const [tool, gold] = [makeSource('tool', '2026-11-20'), makeSource('gold', '2024-05-01')]
  await at('2026-11-21T08:00:00.789Z', 'add', tool.address, '--source', webOf('tool'))
  await at('2026-11-22T08:00:00Z', 'add', gold.address, '--source', webOf('gold'))
  expect(await feed()).toEqual(['gold 2026-11-22T08:00:00Z', 'tool 2026-11-21T08:00:00Z'])
  expect(recordOf('gold').updated).toBe('2024-05-01')
  tool.commit(skillFiles('tool', 'Two.'), '2026-11-23')
  await at('2026-11-23T13:00:00Z', 'update')
  expect(await feed()).toEqual(['tool 2026-11-23T13:00:00Z', 'gold 2026-11-22T08:00:00Z'])
  tool.commit(skillFiles('tool', 'Three.'), '2026-11-23')
  await at('2026-11-23T15:00:00Z', 'update')
  expect(await feed()).toEqual(['tool 2026-11-23T15:00:00Z', 'gold 2026-11-22T08:00:00Z'])
  gold.commit({ 'README.md': 'More.' }, '2026-11-24')
  await at('2026-11-24T15:00:00Z', 'update')
  expect(await feed()).toEqual(['tool 2026-11-23T15:00:00Z', 'gold 2026-11-22T08:00:00Z'])
})

test('a skill of the registry itself comes in when it is imported or started; importing it again changes nothing', async () => {
  const { content, at, feed, recordOf } = makeCatalog()
  const folder = makeSampleFolder(skillFiles('mine'))
  const importAt = async (time: string) => {
    vi.setSystemTime(time)
    await runCommand('import', folder, '--own', '--date', '2020-01-01', '--into', content)
  }
  await importAt('2026-11-21T08:00:00Z')
  const before = recordOf('mine')
  expect(before).toMatchObject({ updated: '2020-01-01', added: '2026-11-21T08:00:00Z' })
  await at('2026-11-22T08:00:00Z', 'new', 'fresh', '--category', 'Writing')
  await importAt('2026-11-23T08:00:00Z')
  expect(recordOf('mine')).toEqual(before)
  expect(await feed()).toEqual(['fresh 2026-11-22T08:00:00Z', 'mine 2026-11-21T08:00:00Z'])
})
