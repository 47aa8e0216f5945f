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

test.each<[line: string, code: number, message: string]>([
  ['a --category Writing', 1, '"a" is the slug of skill 3; choose another.'],
  ['old --category Writing', 1, '"old" was the slug of skill 7; slugs are never reused.'],
  ['notes --category Writing', 1, 'skills/notes exists already; choose another slug.'],
  ['../x --category Writing', 1, '"../x" is not a slug'],
  [`${'0123456789abcdef'.repeat(2)} --category Writing`, 1, 'is 32 digits, which is the form of'],
  [
    `${'x'.repeat(65)} --category Writing`,
    2,
    'is longer than the 64 characters that clients allow',
  ],
  ['b', 2, '--category is missing; must be one of "Coding", "Communication"'],
  ['b --category writing', 2, 'did you mean "Writing"?\n'],
  ['b --category Design --author a_b?', 2, '--author "a_b?" must be 1 to 63 letters'],
])('new %s -> refused, and nothing is written', async (line, code, message) => {
  const { content, call } = makeOne()
  const before = readSampleTree(content)
  const stderr = expect.stringContaining(message)
  expect(await call('new', ...line.split(' '))).toMatchObject({ code, stderr })
  expect(readSampleTree(content)).toEqual(before)
})
