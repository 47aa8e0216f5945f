import { expect, test } from 'vitest'
import { makeContent, runImport, sampleSkillMd } from '../../../testing/sample-folders.ts'
import { makeRepository } from './testing/sample-repository.ts'

const twin = (place: string, body: string, name = 'a') => ({
  [`${place}/skills/${name}/SKILL.md`]: sampleSkillMd(name, 'Sorts.', body),
})

test.each<[string, object, isCloned: boolean, kept: string]>([
  ['changed in the same commit', {}, true, '.agents'],
  ['.claude changed last', twin('.claude', 'New.'), true, '.claude'],
  ['.agents changed last', twin('.agents', 'New.'), true, '.agents'],
  ['without history', twin('.claude', 'New.'), false, '.agents'],
])('two skills with one name and folder, %s -> one', async (_, changes, isCloned, kept) => {
  const two = { ...twin('.claude', 'One.'), ...twin('.agents', 'Two.') }
  // Other names in these folders are other skills.
  const others = { ...twin('x', 'Three.', 'b'), ...twin('.claude', 'Four.', 'c') }
  const { address, folder, commit } = makeRepository({ ...two, ...others })
  commit({ ...changes }, '2026-02-02')
  const { imported, skipped } = await runImport(isCloned ? address : folder, makeContent())
  expect(skipped.map(({ rule }) => rule)).toEqual(['duplicate'])
  const paths = imported.map(({ path }) => path).sort()
  expect(paths).toEqual([`${kept}/skills/a`, '.claude/skills/c', 'x/skills/b'].sort())
})
