import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makeSampleFolder, removeFolders, sampleSkillMd } from '../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../testing/sample-folders.ts'
import { findSkills } from './find.ts'

afterEach(removeFolders)

const TEXT = sampleSkillMd('a')

const CASES: readonly [string, SampleFiles, string[]][] = [
  [
    'a tree -> every folder with a SKILL.md, by path',
    treeOf('b', 'a/deep/er', 'a'),
    ['a', 'a/deep/er', 'b'],
  ],
  ['the root itself', treeOf(''), ['']],
  ['skill.md in lower case', { 'a/skill.md': TEXT }, ['a']],
  ['a skill kept below references/ -> part of the outer one', treeOf('a', 'a/references/b'), ['a']],
  ['below assets/ and scripts/ too', treeOf('a', 'a/x/assets/b', 'a/scripts/c'), ['a']],
  ['references/ of no skill -> searched', treeOf('references/a'), ['references/a']],
  [
    '.git and node_modules -> not searched',
    treeOf('.git/a', 'node_modules/b', '.claude/c'),
    ['.claude/c'],
  ],
  ['no skill at all', { 'README.md': '# x' }, []],
]

function treeOf(...folders: string[]): SampleFiles {
  return Object.fromEntries(folders.map((folder) => [join(folder, 'SKILL.md'), TEXT]))
}

test.each(CASES)('%s', (_, files, paths) => {
  expect(findSkills(makeSampleFolder(files)).found.map(({ path }) => path)).toEqual(paths)
})

test('a skill inside another, not below references/ -> two separate skills', () => {
  const { found } = findSkills(makeSampleFolder(treeOf('', 'skills/a')))
  expect(found.map(({ path, inner }) => [path, inner])).toEqual([
    ['', ['skills/a']],
    ['skills/a', []],
  ])
})

test('SKILL.md beside skill.md -> the one that is spelled right', () => {
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
  expect(skips).toMatchObject([{ path: 'link', reason: expect.stringContaining('symlink') }])
})
