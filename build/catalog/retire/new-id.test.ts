import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { OWN_RECORD, SITE } from '../../../src/catalog/testing/content.ts'
import { sampleSkillMd } from '../../../testing/sample-folders.ts'
import { makeRepository } from '../import/testing/sample-repository.ts'
import { runCommand } from '../testing/run-command.ts'

const skill = (slug: string, id: number) => ({
  [`content/skills/${slug}/skill.json`]: JSON.stringify({ ...OWN_RECORD, id }),
  [`content/skills/${slug}/SKILL.md`]: sampleSkillMd(slug),
})

/** A catalog to which two branches added a skill each; `late` was committed first, and merged last. */
const makeTwins = (retired: object[] = []) => {
  const { folder, commit, git } = makeRepository({
    'content/site.json': JSON.stringify(SITE),
    'content/retired.json': JSON.stringify(retired),
    ...skill('a', 1),
  })
  git('checkout', '-q', '-b', 'other')
  commit(skill('late', 2), '2026-01-02')
  git('checkout', '-q', '-')
  commit(skill('soon', 2), '2026-01-03')
  git('merge', '-q', '--no-edit', 'other')
  const content = join(folder, 'content')
  return { content, call: (...args: string[]) => runCommand(...args, '--content', content) }
}

test('an id that two branches gave -> check names both and the first, and move --new-id mends it', async () => {
  const { content, call } = makeTwins()
  const { code, stdout } = await call('check')
  expect(code).toBe(1)
  expect(stdout.match(/skills\/(?:late|soon)\/skill\.json.* is taken by .*/g)).toEqual([
    expect.stringMatching(/--new-id late" gives it another; skills\/soon had it first$/),
    expect.stringMatching(/--new-id soon" gives it another; skills\/soon had it first$/),
  ])
  expect(await call('move', '--new-id', 'soon')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('so it stays; run "npm run catalog -- move --new-id late".'),
  })
  expect(await call('move', '--new-id', 'late')).toMatchObject({ stdout: 'late: id 2 -> 3\n' })
  expect(loadCatalog(content).skills.map(({ slug, id }) => [slug, id])).toEqual([
    ['a', 1],
    ['soon', 2],
    ['late', 3],
  ])
})

test('the id of a skill that another branch retired -> another id; an id of its own stays', async () => {
  const { call } = makeTwins([
    { id: 1, slug: 'gone' },
    { id: 1, slug: 'before', movedTo: 'a' },
  ])
  expect(await call('move', '--new-id', 'a')).toMatchObject({ stdout: 'a: id 1 -> 3\n' })
  expect(await call('move', '--new-id', 'a')).toMatchObject({
    code: 1,
    stderr: 'No other skill has or had the id 3 of a, so it stays.\n',
  })
  expect(await call('move', 'a')).toMatchObject({ code: 2 })
})
