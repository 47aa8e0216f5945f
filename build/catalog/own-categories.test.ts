import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OWN_RECORD, SITE, skillMd, writeFiles } from '../../src/catalog/testing/content.ts'
import { makeSampleFolder, recordIn, sampleSkillMd } from '../../testing/sample-folders.ts'
import { MIT_TEXT, WEB, makeRepository } from './import/testing/sample-repository.ts'
import { runCommand } from './testing/run-command.ts'

const CATEGORIES = ['Payments', 'Platform', 'R & D'].map((name) => ({ name, description: 'x.' }))

const makeCatalog = (categories: readonly object[] = CATEGORIES) => {
  const content = makeSampleFolder()
  writeFiles(content, {
    'site.json': { ...SITE, categories },
    'skills/near/skill.json': { ...OWN_RECORD, category: 'Payments' },
    'skills/near/SKILL.md': skillMd('near'),
  })
  const call = (...args: readonly string[]) => runCommand(...args, '--content', content)
  const categoryOf = (slug: string): string => recordIn(content, slug).category
  return { content, call, categoryOf }
}

test('new and set accept only the categories of the registry, and list them', async () => {
  const { call, categoryOf } = makeCatalog()
  const refused = await call('new', 'far', '--category', 'Coding')
  expect(refused).toMatchObject({ code: 2 })
  expect(refused.stderr).toContain('must be one of "Payments", "Platform", "R & D"')
  expect(await call('new', 'far', '--category', 'R & D')).toMatchObject({ code: 0 })
  expect((await call('set', 'far', 'category=Payment')).stderr).toContain('"Platform"')
  expect(await call('set', 'far', 'category=Platform')).toMatchObject({ code: 0 })
  expect(categoryOf('far')).toBe('Platform')
})

const X = { description: 'x' }

test.each<[categories: readonly object[], words: string]>([
  [CATEGORIES.slice(1), 'near/skill.json:1:40 error field category: "Payments"'],
  [[{ name: 'a, b', ...X }], 'must not contain a comma'],
  [[...CATEGORIES, { name: 'r and d', ...X }], 'as "R & D", r-and-d'],
  [[...CATEGORIES, { name: 'Page', ...X }], 'the name becomes an address'],
  [[{ name: 'x'.repeat(41), ...X }], '40'],
  [Array.from({ length: 31 }, (_, at) => ({ name: `C${at}`, ...X })), 'at most 30'],
  [[], 'must not be empty'],
])('the categories %j -> reported by check', async (categories, words) => {
  const { content } = makeCatalog(categories)
  const { code, stdout } = await runCommand('check', content)
  expect([code, stdout]).toEqual([1, expect.stringContaining(words)])
})

test('an invalid site.json -> reported alone, without errors about categories', async () => {
  const { content } = makeCatalog()
  writeFileSync(join(content, 'site.json'), JSON.stringify({ ...SITE, private: 'yes' }))
  const { stdout } = await runCommand('check', content)
  expect(stdout).toContain('private: "yes" — must be true or false')
  expect(stdout).toContain('field  in 1 file')
})

const files = {
  LICENSE: MIT_TEXT,
  'skills/pay/refund/SKILL.md': sampleSkillMd('refund'),
  'skills/ops/page/SKILL.md': sampleSkillMd('pager'),
  'skills/other/SKILL.md': sampleSkillMd('other').replace('\n---\n', '\ncategory: r-and-d\n---\n'),
}

test('a new skill without a category -> refused by name, unless its author, its source or a pattern sets one', async () => {
  const { content, call, categoryOf } = makeCatalog()
  const { address, git } = makeRepository(files)
  const added = await call('add', address, '--source', WEB)
  expect(added.stdout).toContain(
    'no category is chosen; the registry has Payments, Platform, R & D',
  )
  expect(added.stdout).toContain('1 found, 1 new')
  expect(categoryOf('other')).toBe('R & D')
  expect((await call('add', address, '--category', 'Pay')).stderr).toContain('"Payments"')
  const place = join(content, 'sources.json')
  const [row] = JSON.parse(readFileSync(place, 'utf8'))
  const category = { 'skills/pay': 'Payments', 'skills/*': 'Platform' }
  writeFileSync(place, JSON.stringify([{ ...row, category }]))
  git('commit', '--quiet', '--allow-empty', '--message', 'x')
  await call('update')
  expect(['refund', 'pager', 'other'].map(categoryOf)).toEqual(['Payments', 'Platform', 'R & D'])
  writeFileSync(place, JSON.stringify([{ ...row, category: { 'skills/*': 'Coding' } }]))
  expect((await runCommand('check', content)).stdout).toContain(
    'field 0.category: "Coding" — must be one of Payments, Platform, R & D',
  )
})
