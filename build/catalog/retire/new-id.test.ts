import { expect, test } from 'vitest'
import { SITE } from '../../../src/catalog/testing/content.ts'
import { makeRepository } from '../import/testing/sample-repository.ts'
import { openCatalog, ownSkill } from '../testing/catalog.ts'

/** A catalog to which two branches added a skill each; `late` was committed first, and merged last. */
const makeTwins = (retired: object[] = []) => {
  const files = { 'site.json': SITE, 'retired.json': retired, ...ownSkill('a') }
  const { folder, commit, git } = makeRepository(files)
  git('checkout', '-q', '-b', 'other')
  commit(ownSkill('late', { id: 2 }), '2026-01-02')
  git('checkout', '-q', '-')
  commit(ownSkill('soon', { id: 2 }), '2026-01-03')
  git('merge', '-q', '--no-edit', 'other')
  return openCatalog(folder)
}

test('an id that two branches gave -> check names both and the first, and move --new-id mends it', async () => {
  const { call, slugs } = makeTwins()
  const { code, stdout } = await call('check')
  expect(code).toBe(1)
  expect(stdout.match(/skills\/(?:late|soon)\/skill\.json.* is taken by .*/g)).toEqual([
    expect.stringMatching(/--new-id late" gives it another; skills\/soon had it first$/),
    expect.stringMatching(/--new-id soon" gives it another; skills\/soon had it first$/),
  ])
  const stderr = 'so it stays; run "npm run catalog -- move --new-id late".'
  const kept = await call('move', '--new-id', 'soon')
  expect(kept).toMatchObject({ code: 1, stderr: expect.stringContaining(stderr) })
  expect(await call('move', '--new-id', 'late')).toMatchObject({ stdout: 'late: id 2 -> 3\n' })
  // Sorted by their ids
  expect(slugs()).toEqual(['a', 'soon', 'late'])
})

test('the id of a skill that another branch retired -> another id; an id of its own stays', async () => {
  const { call } = makeTwins([
    { id: 1, slug: 'gone' },
    { id: 1, slug: 'before', movedTo: 'a' },
  ])
  expect(await call('move', '--new-id', 'a')).toMatchObject({ stdout: 'a: id 1 -> 3\n' })
  const stderr = 'No other skill has or had the id 3 of a, so it stays.\n'
  expect(await call('move', '--new-id', 'a')).toMatchObject({ code: 1, stderr })
  expect(await call('move', 'a')).toMatchObject({ code: 2 })
})
