import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { OWN_RECORD, SITE } from '../../../src/catalog/testing/content.ts'
import { makeSampleFolder, readSampleTree, sampleSkillMd } from '../../../testing/sample-folders.ts'
import { runCommand } from '../testing/run-command.ts'

const makeCatalog = (): string =>
  makeSampleFolder({
    'site.json': JSON.stringify(SITE),
    'skills/a/skill.json': JSON.stringify({ ...OWN_RECORD, id: 3 }),
    'skills/a/SKILL.md': sampleSkillMd('a'),
    'skills/notes': 'A file, not a skill.',
    'retired.json': JSON.stringify([{ id: 7, slug: 'old' }]),
  })

const callNew = (content: string, ...args: string[]) =>
  runCommand('new', ...args, '--content', content)

test.each(['my-skill', 'null', '2024-01-01', 'x'.repeat(64)])(
  'new %s -> builds with the next free id, and check warns only about the draft',
  async (slug) => {
    const content = makeCatalog()
    expect((await callNew(content, slug, '--category', 'Writing')).code).toBe(0)
    const made = loadCatalog(content).skills.find((one) => one.slug === slug)
    expect(made).toMatchObject({ id: 8, name: slug, author: 'registry', category: 'Writing' })
    const { code, text } = await runCommand('check', join(content, 'skills', slug))
    expect(code).toBe(0)
    expect(text).toMatch(/ warning description-draft [^]*1 skill: 0 errors, 1 warning, 0 notes\n$/)
  },
)

test('new b --author ann -> that author', async () => {
  const content = makeCatalog()
  await callNew(content, 'b', '--category', 'Design', '--author', 'ann')
  expect(loadCatalog(content).skills.find(({ slug }) => slug === 'b')?.author).toBe('ann')
})

test.each([
  ['a', 1, '"a" is the slug of skill 3; choose another.'],
  ['old', 1, `"old" was the slug of skill 7; slugs are never reused.`],
  ['notes', 1, 'skills/notes exists already; choose another slug.'],
  ['My Skill', 1, '"My Skill" is not a slug'],
  ['../x', 1, '"../x" is not a slug'],
  [
    '0123456789abcdef0123456789abcdef',
    1,
    'is 32 digits, which is the form of version names; choose another.',
  ],
  ['x'.repeat(65), 2, 'is longer than the 64 characters that clients allow'],
])('new %s -> refused, and nothing is written', async (slug, code, message) => {
  const content = makeCatalog()
  const before = readSampleTree(content)
  const result = await callNew(content, slug, '--category', 'Writing')
  expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(message)])
  expect(readSampleTree(content)).toEqual(before)
})

test.each([
  [[], '--category is missing; must be one of "Coding", "Communication"'],
  [['--category', 'writing'], 'did you mean "Writing"?\n'],
  [['--category', 'Design', '--author', 'a b'], '--author "a b" must be 1 to 63 letters'],
])('new b %j -> exit code 2 with the remedy', async (options, message) => {
  const { code, stderr } = await callNew(makeCatalog(), 'b', ...options)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})
