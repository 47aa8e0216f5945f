import { expect, test } from 'vitest'
import { OWN_RECORD } from '../../../src/catalog/testing/content.ts'
import { addFiles } from '../../../testing/sample-folders.ts'
import { makeCatalog, ownSkill } from '../testing/catalog.ts'

const makeThree = (more: object = {}) =>
  makeCatalog({
    ...ownSkill('old', more),
    ...ownSkill('new', { id: 2, owner: '@acme/payments' }),
    ...ownSkill('free', { id: 3, owner: { name: 'pay@acme.example' } }),
  })

test('deprecate writes the record, without circles or chains; a second run keeps the day, and --undo restores the record', async () => {
  const { call, recordOf } = makeThree()
  expect(await call('deprecate', 'old', '--use', 'new')).toMatchObject({ code: 0 })
  const { since } = recordOf('old').deprecated
  expect(recordOf('old').deprecated).toEqual({ since, use: 'new' })
  const circle = await call('deprecate', 'new', '--use', 'old')
  expect([circle.code, circle.stderr]).toEqual([1, expect.stringContaining('is deprecated itself')])
  const chain = await call('deprecate', 'new', '--use', 'free')
  expect(chain.stderr).toContain('old is deprecated in favour of new; first deprecate it again')
  await call('deprecate', 'old', '--reason', 'Too old.')
  expect(recordOf('old').deprecated).toEqual({ since, reason: 'Too old.' })
  expect(await call('deprecate', 'new', '--use', 'free')).toMatchObject({ code: 0 })
  await call('deprecate', 'old', '--undo')
  expect(recordOf('old')).toEqual(OWN_RECORD)
})

test.each([
  [['old'], 2, 'Pass --use <slug> or --reason <text>'],
  [['old', '--undo', '--use', 'new'], 2, 'or --undo alone'],
  [['old', '--use', 'neu'], 1, 'did you mean "new"?'],
  [['old', '--use', 'old'], 1, 'cannot replace itself'],
  [['ole', '--use', 'new'], 1, 'did you mean "old"?'],
])('%j -> refused', async (args, code, words) => {
  const stderr = expect.stringContaining(words)
  expect(await makeThree().call('deprecate', ...args)).toMatchObject({ code, stderr })
})

test.each([
  ['something-else', 'is not a skill with a page; name another skill'],
  ['older', 'is the skill itself'],
  ['gratis', 'is deprecated itself; name another'],
])('a record with the successor %s -> an error in check', async (use, words) => {
  const since = '2026-01-01'
  const { content, call } = makeThree({ deprecated: { since, use } })
  addFiles(content, {
    'retired.json': [
      { id: 1, slug: 'older', movedTo: 'old' },
      { id: 3, slug: 'gratis', movedTo: 'free' },
    ],
    ...ownSkill('free', { id: 3, deprecated: { since, use: 'new' } }),
  })
  expect((await call('check')).stdout).toContain(words)
})
