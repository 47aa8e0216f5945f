import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OWN_RECORD, SITE, skillMd, writeFiles } from '../../../src/catalog/testing/content.ts'
import { makeSampleFolder, recordIn, sampleSkillMd } from '../../../testing/sample-folders.ts'
import { MIT_TEXT, WEB, makeRepository } from '../import/testing/sample-repository.ts'
import { runCommand } from '../testing/run-command.ts'

const makeCatalog = (more: object = {}, root = makeSampleFolder()) => {
  writeFiles(root, {
    'site.json': SITE,
    'skills/old/skill.json': { ...OWN_RECORD, id: 1, ...more },
    'skills/old/SKILL.md': skillMd('old'),
    'skills/new/skill.json': { ...OWN_RECORD, id: 2, owner: '@acme/payments' },
    'skills/new/SKILL.md': skillMd('new'),
    'skills/free/skill.json': { ...OWN_RECORD, id: 3, owner: { name: 'pay@acme.example' } },
    'skills/free/SKILL.md': skillMd('free'),
  })
  const call = (...args: readonly string[]) => runCommand(...args, '--content', root)
  return { root, call, recordOf: recordIn.bind(undefined, root) }
}

test('deprecate writes the record, a second run keeps the day, and --undo restores the record', async () => {
  const { call, recordOf } = makeCatalog()
  expect(await call('deprecate', 'old', '--use', 'new')).toMatchObject({ code: 0 })
  const { since } = recordOf('old').deprecated
  expect(recordOf('old').deprecated).toEqual({ since, use: 'new' })
  await call('deprecate', 'old', '--reason', 'Too old.')
  expect(recordOf('old').deprecated).toEqual({ since, reason: 'Too old.' })
  await call('deprecate', 'old', '--undo')
  expect(recordOf('old')).toEqual({ ...OWN_RECORD, id: 1 })
})

test.each([
  [['old'], 2, 'Pass --use <slug> or --reason <text>'],
  [['old', '--undo', '--use', 'new'], 2, 'or --undo alone'],
  [['old', '--use', 'neu'], 1, 'did you mean "new"?'],
  [['old', '--use', 'old'], 1, 'cannot replace itself'],
  [['ole', '--use', 'new'], 1, 'did you mean "old"?'],
])('%j -> refused', async (args, code, words) => {
  const { call } = makeCatalog()
  const refused = await call('deprecate', ...args)
  expect(refused.code).toBe(code)
  expect(refused.stderr).toContain(words)
})

test('deprecate -> no circles and no chains', async () => {
  const { call } = makeCatalog()
  await call('deprecate', 'old', '--use', 'new')
  const circle = await call('deprecate', 'new', '--use', 'old')
  expect(circle).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('old is deprecated itself'),
  })
  const chain = await call('deprecate', 'new', '--use', 'free')
  expect(chain.stderr).toContain('old is deprecated in favour of new; first deprecate it again')
  await call('deprecate', 'old', '--use', 'free')
  expect(await call('deprecate', 'new', '--use', 'free')).toMatchObject({ code: 0 })
})

test.each([
  ['neu', 'is not a skill with a page; did you mean "new"?'],
  ['something-else', 'is not a skill with a page; name another skill'],
  ['old', 'is the skill itself'],
  ['older', 'is the skill itself'],
  ['free', 'is deprecated itself; name another'],
  ['gratis', 'is deprecated itself; name another'],
])('a record with the successor %s -> an error in check', async (use, words) => {
  const { root } = makeCatalog({ deprecated: { since: '2026-01-01', use } })
  writeFiles(root, {
    'retired.json': [
      { id: 1, slug: 'older', movedTo: 'old' },
      { id: 3, slug: 'gratis', movedTo: 'free' },
    ],
    'skills/free/skill.json': {
      ...OWN_RECORD,
      id: 3,
      deprecated: { since: '2026-01-01', use: 'new' },
    },
  })
  expect((await runCommand('check', root)).stdout).toContain(words)
})

test('an owner set for a source -> in the records of its skills, even after it changes', async () => {
  const { root, call, recordOf } = makeCatalog()
  const { address } = makeRepository({
    LICENSE: MIT_TEXT,
    'skills/far/SKILL.md': sampleSkillMd('far'),
  })
  await call('add', address, '--source', WEB, '--owner', 'one')
  expect(recordOf('far').owner).toBe('one')
  const [row] = JSON.parse(readFileSync(join(root, 'sources.json'), 'utf8'))
  writeFiles(root, { 'sources.json': [{ ...row, owner: 'two' }] })
  await call('update')
  expect(recordOf('far').owner).toBe('two')
})
