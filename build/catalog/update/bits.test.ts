import { afterEach, expect, test } from 'vitest'
import { join } from 'node:path'
import { SITE } from '../../../src/catalog/testing/content.ts'
import { sampleSkillMd } from '../../../testing/sample-folders.ts'
import { MIT_TEXT, WEB, makeRepository } from '../import/testing/sample-repository.ts'
import { dropModes, keepModes } from '../testing/disk.ts'
import { runCommand } from '../testing/run-command.ts'

afterEach(() => {
  keepModes()
})

/** Makes a catalog, on a disk without file modes, and follows a source with a program. */
const follow = async (fileMode = 'false') => {
  const source = makeRepository({
    LICENSE: MIT_TEXT,
    'skills/calm/SKILL.md': sampleSkillMd('calm'),
    'skills/calm/run.sh': 'ls',
  })
  source.git('config', 'core.fileMode', 'false')
  source.git('update-index', '--chmod=+x', 'skills/calm/run.sh')
  source.git('commit', '--quiet', '--message', 'Make it executable')
  const { folder, git } = makeRepository({ 'content/site.json': JSON.stringify(SITE) })
  git('config', 'core.fileMode', fileMode)
  const content = join(folder, 'content')
  const call = (...args: readonly string[]) => runCommand(...args, '--content', content)
  dropModes()
  const added = await call('add', source.address, '--source', WEB)
  git('commit', '--quiet', '--message', 'Accept')
  const modeOf = (slug: string): string =>
    git('ls-files', '--stage', `content/skills/${slug}/run.sh`).slice(0, 6)
  return { source, git, call, added, modeOf }
}

test('a program -> executable in the index, unless that changes; an update sees no more than that', async () => {
  const { source, git, added, call, modeOf } = await follow()
  const filesOf = async () =>
    JSON.parse((await call('update', '--json')).stdout).sources[0].versions
  expect(added.text).not.toContain('stores no executable bits')
  expect(modeOf('calm')).toBe('100755')
  source.git('commit', '--quiet', '--allow-empty', '--message', 'Nothing')
  expect(await filesOf()).toEqual([])
  source.git('update-index', '--chmod=-x', 'skills/calm/run.sh')
  source.git('commit', '--quiet', '--message', 'Make it not executable')
  expect(await filesOf()).toMatchObject([{ files: [{ path: 'run.sh', how: 'plain', more: '' }] }])
  expect(modeOf('calm')).toBe('100644')
  git('commit', '--quiet', '--message', 'Accept it, too')
  source.commit({ 'skills/calm/SKILL.md': sampleSkillMd('calm', 'Anew.') }, '2026-02-01')
  expect(JSON.stringify(await filesOf())).toMatch(/^(?!.*run\.sh).*"description"/)
})

test('a moved skill -> keeps its executable bits', async () => {
  const { call, modeOf } = await follow()
  expect(await call('move', 'calm', 'quiet')).toMatchObject({ code: 0 })
  expect(modeOf('quiet')).toBe('100755')
})

test('neither the disk nor the index can store it -> told', async () => {
  const { added } = await follow('true')
  expect(added.stdout).toContain('run.sh: executable at its source')
})
