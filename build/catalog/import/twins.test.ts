import { afterEach, expect, test } from 'vitest'
import {
  makeContent,
  removeFolders,
  runImport,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import { makeRepository } from './testing/sample-repository.ts'

afterEach(removeFolders)

const twin = (place: string, body: string, name = 'a') => ({
  [`${place}/skills/${name}/SKILL.md`]: sampleSkillMd(name, 'Sorts.', body),
})

/** Imports a repository with twins added in one commit and changed on a later day; returns the imported folders. */
const importTwins = async (changes: object, isCloned = true): Promise<string[]> => {
  const files = {
    ...twin('.claude', 'One.'),
    ...twin('.agents', 'Two.'),
    ...twin('x', 'Three.', 'b'),
  }
  const { address, folder, commit } = makeRepository(files)
  commit({ ...changes }, '2026-02-02')
  const { imported, skipped } = await runImport(isCloned ? address : folder, makeContent())
  expect(skipped.map(({ rule }) => rule)).toEqual(Array(3 - imported.length).fill('duplicate'))
  return imported.map(({ path }) => path)
}

test.each<[string, object, boolean, string[]]>([
  ['changed in the same commit -> .agents', {}, true, ['.agents/skills/a', 'x/skills/b']],
  [
    '.claude changed last -> .claude',
    twin('.claude', 'New.'),
    true,
    ['.claude/skills/a', 'x/skills/b'],
  ],
  [
    '.agents changed last -> .agents',
    twin('.agents', 'New.'),
    true,
    ['.agents/skills/a', 'x/skills/b'],
  ],
  [
    'without history -> .agents',
    twin('.claude', 'New.'),
    false,
    ['.agents/skills/a', 'x/skills/b'],
  ],
])('two skills with the same name and folder, %s', async (_, changes, isCloned, paths) => {
  expect((await importTwins(changes, isCloned)).sort()).toEqual(paths)
})

test('different names in these folders -> both', async () => {
  const { address } = makeRepository({
    ...twin('.claude', 'One.'),
    ...twin('.agents', 'Two.', 'b'),
  })
  const { imported } = await runImport(address, makeContent())
  expect(imported).toHaveLength(2)
})
