import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeContent, makeSampleFolder, skillFiles } from '../../../testing/sample-folders.ts'
import { MIT_TEXT, makeRepository } from '../import/testing/sample-repository.ts'
import { openCatalog } from '../testing/catalog.ts'
import { runCommand } from '../testing/run-command.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => {
  vi.useRealTimers()
})

/** A catalog; `at` runs a command at a time. */
const makeCatalog = () => {
  const content = makeContent()
  const at = async (time: string, ...args: readonly string[]): Promise<void> => {
    vi.setSystemTime(time)
    await runCommand(...args, args[0] === 'import' ? '--into' : '--content', content)
  }
  return { ...openCatalog(content), at }
}

test('a skill that is old in its source, and each of two changes on one day -> the time at which it came in', async () => {
  const { at, recordOf } = makeCatalog()
  const gold = makeRepository({ LICENSE: MIT_TEXT, ...skillFiles('gold') }, { day: '2024-05-01' })
  await at('2026-11-22T08:00:00.789Z', 'add', gold.address, '--source', 'https://github.com/ada/x')
  const first = { updated: '2024-05-01', added: '2026-11-22T08:00:00Z' }
  expect(recordOf('gold')).toMatchObject(first)
  for (const hour of [13, 15]) {
    gold.commit(skillFiles('gold', `Changed at ${hour}.`), '2026-11-23')
    await at(`2026-11-23T${hour}:00:00Z`, 'update')
    const added = `2026-11-23T${hour}:00:00Z`
    expect(recordOf('gold')).toMatchObject({ updated: '2026-11-23', added })
  }
  const before = recordOf('gold')
  gold.commit({ 'README.md': 'More.' }, '2026-11-24')
  await at('2026-11-24T15:00:00Z', 'update')
  // Its source is still the older commit.
  expect(recordOf('gold')).toEqual(before)
})

test('a skill of the registry itself comes in when it is imported or started; importing it again changes nothing', async () => {
  const { at, recordOf } = makeCatalog()
  const args = ['import', makeSampleFolder(skillFiles('mine')), '--own', '--date', '2020-01-01']
  await at('2026-11-21T08:00:00Z', ...args)
  const before = recordOf('mine')
  expect(before).toMatchObject({ updated: '2020-01-01', added: '2026-11-21T08:00:00Z' })
  await at('2026-11-22T08:00:00Z', 'new', 'fresh', '--category', 'Writing')
  await at('2026-11-23T08:00:00Z', ...args)
  expect([recordOf('mine'), recordOf('fresh').added]).toEqual([before, '2026-11-22T08:00:00Z'])
})
