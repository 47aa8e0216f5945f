import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillMd } from '../../src/catalog/testing/content.ts'
import {
  importNew,
  makeContent,
  makeSampleFolder,
  runImport,
  sampleSkillMd,
} from '../../testing/sample-folders.ts'
import { createProgress } from '../machine/progress.ts'
import { runCheck } from './check/command.ts'
import { findTargets } from './check/targets.ts'
import { MIT_TEXT, makeRepository } from './import/testing/sample-repository.ts'
import { makeCatalog, ownSkill } from './testing/catalog.ts'
import { openStage } from './update/stage.ts'
import { followSources } from './update/update.ts'

/** A text that takes longer than the 2 s limit for Markdown. */
const SLOW = '_a'.repeat(200_000)

/** A limit in milliseconds: too short for `SLOW`, but enough for a small skill on a busy machine. */
const LIMIT = 500

test('a source whose skills take longer than its time -> it says how many it left, and none is gone', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `s${at}`)
  const skills = names.map((name) => [`${name}/SKILL.md`, sampleSkillMd(name)])
  const source = makeSampleFolder(Object.fromEntries(skills))
  const { content } = await importNew(source)
  let minutes = 0
  // Each look at the clock is six minutes after the last one.
  const clock = (): number => (minutes += 6) * 60_000
  const { failed, unchanged, gone } = await runImport(source, content, { clock })
  expect(unchanged).toHaveLength(8)
  expect(failed).toEqual([
    '12 skills not read: the source takes longer than 10 minutes; choose some with "include"',
  ])
  expect(gone).toEqual([])
})

const textOfB = (body: string) => ({ 'b/SKILL.md': sampleSkillMd('b', 'Sorts words.', body) })

test('update to a version that takes too long -> reported each time, and the previous version stays', async () => {
  const content = makeContent()
  const first = { LICENSE: MIT_TEXT, 'a/SKILL.md': sampleSkillMd('a'), ...textOfB('Before.') }
  const repository = makeRepository(first)
  const row = { address: repository.address, source: 'https://github.com/ada/tools' }
  const update = async () => {
    const days = { now: '2026-05-05T12:00:00Z', today: '2026-05-05' }
    const settings = { content, stage: openStage(content), stderr: { write: () => true } }
    const [report] = await followSources([row], { ...settings, ...days, limit: LIMIT })
    return { slugs: report!.versions.map(({ slug }) => slug), failed: report!.failed }
  }
  expect(await update()).toEqual({ slugs: ['a', 'b'], failed: [] })
  repository.commit(
    { ...textOfB(SLOW), 'a/SKILL.md': sampleSkillMd('a', 'Sorts lines.') },
    '2026-05-02',
  )
  const failed = [
    'b/SKILL.md: takes longer than 0.5 s to read, so it was left out; simplify the file and the files beside it, or leave the folder out',
  ]
  expect(await update()).toEqual({ slugs: ['a'], failed })
  expect(await update()).toEqual({ slugs: [], failed })
  expect(readFileSync(join(content, 'skills/b/SKILL.md'), 'utf8')).toContain('Before.')
})

const checkAt = async (folder: string): Promise<string[]> => {
  const progress = createProgress({ write: () => true })
  const targets = findTargets([folder], folder)
  const { diagnostics } = await runCheck(targets, progress, '2026-05-05', LIMIT)
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ file, message, remedy }) => `${file} ${message} — ${remedy}`)
}

const UNCHECKED =
  'this was not checked: takes longer than 0.5 s to read — simplify the SKILL.md and the files beside it'

test('check of a catalog with a skill that takes too long and a fifo -> errors, the others are checked', async () => {
  const { content } = makeCatalog({
    ...ownSkill('slow', {}, skillMd('slow', SLOW)),
    'skills/pipe/SKILL.md': skillMd('pipe'),
    ...ownSkill('wrong', { id: 2, author: '' }),
  })
  execFileSync('mkfifo', [join(content, 'skills/pipe/skill.json')])
  const errors = await checkAt(content)
  expect(errors.toSorted()).toEqual([
    expect.stringMatching(/^skills\/pipe\/skill.json cannot be read: it is not a file/),
    `skills/slow/SKILL.md ${UNCHECKED}`,
    expect.stringMatching(/^skills\/wrong\/skill.json author/),
  ])
})
