import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { readSampleTree } from '../../../testing/sample-folders.ts'
import { makeCatalog, ownSkill } from '../testing/catalog.ts'
import { runCommand } from '../testing/run-command.ts'

const makeOne = () =>
  makeCatalog({
    ...ownSkill('a', { id: 3 }),
    'skills/notes': 'A file, not a skill.',
    'retired.json': [{ id: 7, slug: 'old' }],
  })

test.each(['my-skill', 'null', '2024-01-01', 'x'.repeat(64)])(
  'new %s -> builds with the next free id, and check warns only about the draft',
  async (slug) => {
    const { content, call } = makeOne()
    const args = ['new', slug, '--category', 'Writing', '--author', 'ann']
    expect((await call(...args)).code).toBe(0)
    const made = loadCatalog(content).skills.find((one) => one.slug === slug)
    expect(made).toMatchObject({ id: 8, name: slug, author: 'ann', category: 'Writing' })
    const { code, text } = await runCommand('check', join(content, 'skills', slug))
    expect(code).toBe(0)
    expect(text).toMatch(/ warning description-draft [^]*1 skill: 0 errors, 1 warning, 0 notes\n$/)
  },
)

test.each([
  ['a', 1, '"a" is the slug of skill 3; choose another.'],
  ['old', 1, `"old" was the slug of skill 7; slugs are never reused.`],
  ['notes', 1, 'skills/notes exists already; choose another slug.'],
  ['My Skill', 1, '"My Skill" is not a slug'],
  ['../x', 1, '"../x" is not a slug'],
  ['0123456789abcdef0123456789abcdef', 1, 'is 32 digits, which is the form of version names'],
  ['x'.repeat(65), 2, 'is longer than the 64 characters that clients allow'],
])('new %s -> refused, and nothing is written', async (slug, code, message) => {
  const { content, call } = makeOne()
  const before = readSampleTree(content)
  const stderr = expect.stringContaining(message)
  expect(await call('new', slug, '--category', 'Writing')).toMatchObject({ code, stderr })
  expect(readSampleTree(content)).toEqual(before)
})

test.each([
  [[], '--category is missing; must be one of "Coding", "Communication"'],
  [['--category', 'writing'], 'did you mean "Writing"?\n'],
  [['--category', 'Design', '--author', 'a b'], '--author "a b" must be 1 to 63 letters'],
])('new b %j -> exit code 2 with the remedy', async (options, message) => {
  const { code, stderr } = await makeOne().call('new', 'b', ...options)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})
