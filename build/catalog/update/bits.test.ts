import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { SITE } from '../../../src/catalog/testing/content.ts'
import { addFiles, makeContent, removeFolders } from '../../../testing/sample-folders.ts'
import { sampleSkillMd } from '../../../testing/sample-folders.ts'
import { MIT_TEXT, makeRepository } from '../import/testing/sample-repository.ts'
import { dropModes, keepModes } from '../testing/disk.ts'
import { runCommand } from '../testing/run-command.ts'
import { nameByDigest, readWaiting } from './sources.ts'

afterEach(() => {
  keepModes()
  removeFolders()
})

const WEB = 'https://github.com/ada/tools'

/** Makes a catalog, on a disk without file modes, and follows a source with a program; every version waits. */
const follow = async (fileMode = 'false', ...options: readonly string[]) => {
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
  const added = await call('add', source.address, '--source', WEB, '--review', 'all', ...options)
  const modeOf = (place: string): string =>
    git('ls-files', '--stage', `content/${place}/calm/run.sh`).slice(0, 6)
  const names = (): string[] => readWaiting(content).map(nameByDigest)
  return { source, git, content, call, added, modeOf, names }
}

test('a pending version that is accepted -> its program is executable before and after', async () => {
  const { added, call, modeOf, names } = await follow()
  expect(added.text).not.toContain('stores no executable bits')
  expect(modeOf('pending/skills')).toBe('100755')
  const { stdout } = await call('accept', ...names())
  expect(stdout).toContain('calm: accepted')
  expect(stdout).not.toContain('stores no executable bits')
  expect(modeOf('skills')).toBe('100755')
})

test('the same version offered again -> no change, and the same name on any disk', async () => {
  const { source, call, names, content } = await follow()
  const [name = ''] = names()
  keepModes()
  const usual = makeContent()
  await runCommand('add', source.address, '--source', WEB, '--review', 'all', '--content', usual)
  expect(readWaiting(usual).map(nameByDigest)).toEqual([name])
  dropModes()
  await call('accept', name)
  source.git('commit', '--quiet', '--allow-empty', '--message', 'Nothing')
  const { stdout } = await call('update')
  expect(stdout).toContain('1 found, 0 new, 0 changed')
  expect(readWaiting(content)).toEqual([])
})

test('only the executable bit changed -> reported by update and diff, and accepted', async () => {
  const { source, call, modeOf, names } = await follow()
  await call('accept', ...names())
  source.git('update-index', '--chmod=-x', 'skills/calm/run.sh')
  source.git('commit', '--quiet', '--message', 'Make it not executable')
  expect((await call('update')).stdout).toContain('−run.sh')
  expect((await call('diff', 'calm')).stdout).toContain('−run.sh')
  await call('accept', ...names())
  expect(modeOf('skills')).toBe('100644')
})

test('only the text changed -> the report does not mention the program', async () => {
  const { source, call, names } = await follow()
  await call('accept', ...names())
  source.commit({ 'skills/calm/SKILL.md': sampleSkillMd('calm', 'Anew.') }, '2026-02-01')
  const { stdout } = await call('update', '--json')
  expect(stdout).toContain('"description"')
  expect(stdout).not.toContain('run.sh')
})

test('a moved skill -> keeps its executable bits', async () => {
  const { call, names, git } = await follow()
  await call('accept', ...names())
  expect(await call('move', 'calm', 'quiet')).toMatchObject({ code: 0 })
  expect(git('ls-files', '--stage', 'content/skills/quiet/run.sh')).toMatch(/^100755/)
})

test('git cannot write its index -> update and accept report it', async () => {
  const { added, call, names, git } = await follow('true')
  expect(added.stdout).toContain('run.sh — executable at its source')
  git('config', 'core.fileMode', 'false')
  git('add', '--chmod=+x', 'content/pending/skills/calm/run.sh')
  addFiles(git('rev-parse', '--absolute-git-dir'), { 'index.lock': '' })
  const { stdout } = await call('accept', ...names())
  expect(stdout).toContain('run.sh — executable at its source')
})
