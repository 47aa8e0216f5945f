import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeSampleFolder, sampleSkillMd } from '../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../testing/sample-folders.ts'
import { findSkills } from './find.ts'

const TEXT = sampleSkillMd('a')

const treeOf = (...folders: string[]): SampleFiles =>
  Object.fromEntries(folders.map((folder) => [join(folder, 'SKILL.md'), TEXT]))

const ODD =
  'tests/a x/templates/a x/__tests__/y/a venv/lib/a .git/a node_modules/b template skills/test Tests/a test-driven/a .claude/c'

test.each<[string, SampleFiles, string[]]>([
  ['all folders with one, by path', treeOf('b', 'c/deep/er', 'a'), ['a', 'b', 'c/deep/er']],
  ['the root itself', treeOf(''), ['']],
  ['a file in lower case', { 'a/skill.md': TEXT }, ['a']],
  ['one inside a skill is a file of it', treeOf('a', 'a/b', 'a/references/c/d'), ['a']],
  ['a folder skills between two -> both', treeOf('a', 'a/x/skills/y/b'), ['a', 'a/x/skills/y/b']],
  ['… that is a skill itself -> a file of the outer', treeOf('a', 'a/skills'), ['a']],
  ['… with another name -> a file of the outer', treeOf('a', 'a/skills-old/b'), ['a']],
  [
    'none in a folder of tests, templates or packages, but in one with a similar name',
    treeOf(...ODD.split(' ')),
    ['.claude/c', 'Tests/a', 'skills/test', 'template', 'test-driven/a'],
  ],
  ['a fixture is a file of it', treeOf('', 'tests/skills/a', 'skills/b'), ['', 'skills/b']],
  ['references/ outside of skills is searched', treeOf('references/a'), ['references/a']],
  ['no skill at all', { 'README.md': '# x' }, []],
])('a SKILL.md: %s', (_, files, paths) => {
  expect(findSkills(makeSampleFolder(files)).found.map(({ path }) => path)).toEqual(paths)
})

test('a skill below skills/ in another skill -> two separate skills', () => {
  const { found } = findSkills(makeSampleFolder(treeOf('', 'skills/a')))
  expect(found).toMatchObject([
    { path: '', inner: ['skills/a'] },
    { path: 'skills/a', inner: [] },
  ])
})

test.each([
  [['tests'], ['tests/a'], /: fixtures$/],
  [['fixtures'], [], /: tests$/],
  [['tests', 'fixtures'], ['tests/a', 'tests/fixtures/b'], /^none$/],
])(
  'a skill in tests/fixtures, with %j wanted -> found only if both folders are wanted',
  (wanted, paths, message) => {
    const root = makeSampleFolder(treeOf('tests/a', 'tests/fixtures/b'))
    const { found, skips } = findSkills(root, undefined, (_, parent) => wanted.includes(parent))
    expect(found.map(({ path }) => path)).toEqual(paths)
    expect(found.every(({ oddParents }) => oddParents.includes('tests'))).toBe(true)
    expect(skips.at(-1)?.message ?? 'none').toMatch(message)
  },
)

test('SKILL.md beside skill.md -> SKILL.md', () => {
  const { found } = findSkills(makeSampleFolder({ 'a/skill.md': TEXT, 'a/SKILL.md': TEXT }))
  expect(found.map(({ fileName }) => fileName)).toEqual(['SKILL.md'])
})

test('a symlinked folder -> not followed, and reported', () => {
  const outside = makeSampleFolder(treeOf('a'))
  const root = makeSampleFolder()
  mkdirSync(join(root, 'in'))
  symlinkSync(join(outside, 'a'), join(root, 'link'))
  symlinkSync(root, join(root, 'in/loop'))
  const { found, skips } = findSkills(root)
  expect(found).toEqual([])
  expect(skips).toMatchObject([{ file: 'link', message: expect.stringContaining('symlink') }])
})
