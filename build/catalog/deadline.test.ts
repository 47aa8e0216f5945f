import { afterAll, expect, test } from 'vitest'
import { loadCatalog } from '../../src/catalog/load.ts'
import { OWN_RECORD, SITE, skillMd, writeFiles } from '../../src/catalog/testing/content.ts'
import {
  makeContent,
  makeSampleFolder,
  removeFolders,
  runImport,
  sampleSkillMd,
} from '../../testing/sample-folders.ts'
import { createProgress } from '../site/progress.ts'
import { runCheck } from './check/command.ts'
import { findTargets } from './check/targets.ts'

const pool = { file: new URL('./testing/slow-worker.ts', import.meta.url), deadline: 3_000 }

const SLOW = 'Wait for ever.'

afterAll(removeFolders)

const makeSource = (): string =>
  makeSampleFolder({
    'a/SKILL.md': sampleSkillMd('a'),
    'b/SKILL.md': sampleSkillMd('b', 'Sorts words.', SLOW),
    'c/SKILL.md': sampleSkillMd('c'),
  })

test('import of a skill that takes too long -> is reported and left out, the others are imported', async () => {
  const content = makeContent()
  const { imported, failed, gone, skipped } = await runImport(makeSource(), content, { pool })
  expect(imported.map(({ slug }) => slug)).toEqual(['a', 'c'])
  expect(failed.map(({ reason }) => reason)).toEqual([
    'b/SKILL.md: takes longer than 3 s, so it was left out; simplify the file and those beside it, or leave the folder out',
  ])
  expect([gone, skipped]).toEqual([[], []])
  expect(loadCatalog(content).skills).toHaveLength(2)
})

const checkAt = async (folder: string): Promise<string[]> => {
  const progress = createProgress({ write: () => true })
  const { diagnostics } = await runCheck(findTargets([folder], folder), progress, pool)
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ file, message, remedy }) => `${file} ${message} — ${remedy}`)
}

const UNCHECKED =
  'this was not checked: takes longer than 3 s — simplify the SKILL.md and the files beside it'

test('check of a skill that takes too long -> an error, the others are checked', async () => {
  expect(await checkAt(makeSource())).toEqual([`b/SKILL.md ${UNCHECKED}`])
})

test('check of a catalog with a skill that takes too long -> an error, the others are checked', async () => {
  const content = makeSampleFolder()
  writeFiles(content, {
    'site.json': SITE,
    'skills/slow/skill.json': OWN_RECORD,
    'skills/slow/SKILL.md': skillMd('slow', SLOW),
    'skills/wrong/skill.json': { ...OWN_RECORD, id: 2, author: '' },
    'skills/wrong/SKILL.md': skillMd('wrong'),
  })
  const errors = await checkAt(content)
  expect(errors.toSorted()).toEqual([
    `skills/slow/SKILL.md ${UNCHECKED}`,
    expect.stringMatching(/^skills\/wrong\/skill.json the build refuses this: author/),
  ])
})
