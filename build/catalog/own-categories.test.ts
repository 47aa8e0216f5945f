import { expect, test } from 'vitest'
import { SITE } from '../../src/catalog/testing/content.ts'
import { addFiles, sampleSkillMd } from '../../testing/sample-folders.ts'
import { MIT_TEXT, WEB, makeRepository } from './import/testing/sample-repository.ts'
import { makeCatalog, ownSkill } from './testing/catalog.ts'

const CATEGORIES = ['Payments', 'Platform', 'R & D'].map((name) => ({ name, description: 'x.' }))

const makeOne = (categories: readonly object[] = CATEGORIES) => {
  const catalog = makeCatalog(ownSkill('near', { category: 'Payments' }), { categories })
  return { ...catalog, categoryOf: (slug: string): string => catalog.recordOf(slug).category }
}

test('new and set accept only the categories of the registry, and list them', async () => {
  const { content, call, categoryOf } = makeOne()
  const refused = await call('new', 'far', '--category', 'Coding')
  expect(refused).toMatchObject({ code: 2 })
  expect(refused.stderr).toContain('must be one of "Payments", "Platform", "R & D"')
  expect(await call('new', 'far', '--category', 'R & D')).toMatchObject({ code: 0 })
  expect((await call('set', 'far', 'category=Payment')).stderr).toContain('"Platform"')
  expect(await call('set', 'far', 'category=Platform')).toMatchObject({ code: 0 })
  expect(categoryOf('far')).toBe('Platform')
  addFiles(content, { 'site.json': { ...SITE, private: 'yes' } })
  const { stdout } = await call('check')
  // What an invalid site.json says about categories is not known.
  expect(stdout).toContain('private: "yes" — must be true or false')
  expect(stdout).toMatch(/ field +in 1 file/)
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
  const { code, stdout } = await makeOne(categories).call('check')
  expect([code, stdout]).toEqual([1, expect.stringContaining(words)])
})

const files = {
  LICENSE: MIT_TEXT,
  'skills/pay/refund/SKILL.md': sampleSkillMd('refund'),
  'skills/ops/page/SKILL.md': sampleSkillMd('pager'),
  'skills/other/SKILL.md': sampleSkillMd('other', 'Does.\ncategory: r-and-d'),
  'skills/late/SKILL.md': sampleSkillMd('late', 'Comes.\ncategory: Later'),
}

test('a new skill without a category -> refused by name, unless its author, its source or a pattern sets one; taken once the registry has its category', async () => {
  const { content, call, categoryOf, read } = makeOne()
  const { address, git } = makeRepository(files)
  const added = await call('add', address, '--source', WEB)
  const words = 'no category is chosen; the registry has Payments, Platform, R & D'
  expect(added.stdout).toContain(words)
  expect((await call('update')).stdout).toContain(words)
  expect(added.stdout).toContain('1 found, 1 new')
  expect(categoryOf('other')).toBe('R & D')
  const categories = [...CATEGORIES, { name: 'Later', description: 'x.' }]
  addFiles(content, { 'site.json': { ...SITE, categories } })
  await call('update')
  expect(categoryOf('late')).toBe('Later')
  expect((await call('add', address, '--category', 'Pay')).stderr).toContain('"Payments"')
  const [row] = JSON.parse(read('sources.json'))
  const category = { 'skills/pay': 'Payments', 'skills/*': 'Platform' }
  addFiles(content, { 'sources.json': [{ ...row, category }] })
  git('commit', '--quiet', '--allow-empty', '--message', 'x')
  await call('update')
  expect(['refund', 'pager', 'other'].map(categoryOf)).toEqual(['Payments', 'Platform', 'R & D'])
  addFiles(content, { 'sources.json': [{ ...row, category: { 'skills/*': 'Coding' } }] })
  expect((await call('check')).stdout).toContain(
    'field 0.category: "Coding" — must be one of Payments, Platform, R & D',
  )
})
