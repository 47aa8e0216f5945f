import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import {
  addFiles,
  addLinks,
  makeContent,
  makeSampleFolder,
  readSampleTree,
  skillFiles,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../testing/sample-folders.ts'
import { MIT_TEXT, WEB, makeRepository, runGitFor } from '../import/testing/sample-repository.ts'
import { runCommand } from '../testing/run-command.ts'
import { follow } from './testing/followed.ts'

const FILES: SampleFiles = { ...skillFiles('calm'), ...skillFiles('bold') }

/** Marks a SKILL.md as internal. */
const mark = (text: string): string =>
  text.replace('\n---\n', '\nmetadata:\n  internal: true\n---\n')

test('add writes the row and the skills, and prints one line for the source; update follows its fields', async () => {
  const options = ['--category', 'Writing', '--note', 'x', '--owner', 'one']
  const { content, added, call, source, read } = await follow(FILES, {}, ...options)
  const { address } = source
  expect(added.code).toBe(3)
  expect(added.stderr).toContain('2 skills to look at.\n')
  expect(added.stdout).toContain(`\`${address}\`: 2 found, 2 new, 0 changed, 0 gone, 0 left out`)
  const row = { address, category: 'Writing', owner: 'one', source: WEB, note: 'x' }
  expect(JSON.parse(read('sources.json'))).toEqual([row])
  const fields = () => loadCatalog(content).skills.map((one) => [one.category, one.owner])
  expect(fields()).toEqual([1, 2].map(() => ['Writing', 'one']))
  addFiles(content, { 'sources.json': [{ ...row, owner: 'two' }] })
  await call('update')
  expect(fields()).toEqual([1, 2].map(() => ['Writing', 'two']))
})

test('a live skill that moves into a folder of tests -> still followed, and the report suggests retire; one that its author marks as internal -> stays as it is, but a new one is left out', async () => {
  const cut = { 'skills/cut/SKILL.md': mark(sampleSkillMd('cut')) }
  const { source, content, added, call, read, slugs } = await follow({
    ...skillFiles('calm'),
    ...cut,
  })
  expect(added.stdout).toContain('cut/SKILL.md: its author marked it as internal')
  const record = read('skills/calm/skill.json').replace('/skills/calm', '/tests/calm')
  addFiles(content, { 'skills/calm/skill.json': record })
  const files = { 'tests/calm/SKILL.md': sampleSkillMd('calm', 'Now.') }
  source.commit(files, '2026-01-03', ['skills'])
  const { stdout } = await call('update')
  expect(stdout).toContain('1 found, 0 new, 1 changed, 0 gone, 0 left out')
  expect(stdout).toContain(
    'from which no new skills are imported: tests — to remove it, run "npm run catalog -- retire calm"',
  )
  expect(slugs()).toEqual(['calm'])
  const internal = { 'tests/calm/SKILL.md': mark(sampleSkillMd('calm', 'New.')) }
  source.commit(internal, '2026-01-04')
  const marked = await call('update')
  expect(marked.stdout).toContain('the version that it has — retire the skill, or ask its author')
  expect([slugs(), read('skills/calm/SKILL.md').includes('internal')]).toEqual([['calm'], false])
})

test('add with no answer, no skills, or a known address with other fields -> refused, and nothing is written', async () => {
  const { content, call, source } = await follow(FILES)
  const { address } = source
  const { address: none } = makeRepository({ 'README.md': '# x' }, { path: 'ada/none' })
  const before = readSampleTree(content)
  expect(await call('add', `${address}/tree/nowhere`, '--source', WEB)).toMatchObject({ code: 1 })
  expect(await call('add', none, '--own')).toMatchObject({ code: 1 })
  expect(await call('add', address)).toMatchObject({ code: 2 })
  for (const [spelling, as] of Object.entries({ '': '', '/': ` as ${address}` })) {
    const stderr = expect.stringContaining(`already${as}, with other fields`)
    const other = await call('add', address + spelling, '--source', WEB, '--author', 'bea')
    expect(other).toMatchObject({ code: 2, stderr })
  }
  expect(readSampleTree(content)).toEqual(before)
  const empty = makeSampleFolder()
  expect(await runCommand('add', none, '--own', '--content', empty)).toMatchObject({ code: 1 })
  expect(readdirSync(empty)).toEqual([])
})

test('add of another spelling of a followed address -> the known row is updated, by add and by update', async () => {
  const { call, source, read } = await follow(skillFiles('calm'))
  const before = read('sources.json')
  const { address } = source
  const local = address.replace('file://', 'file://localhost')
  const unchanged = expect.stringContaining(`\`${address}\`: unchanged`)
  for (const spelling of [address, `${address}/`, local]) {
    const known = spelling === address ? '' : ` as ${address}`
    const stderr = expect.stringContaining(`"${spelling}" is followed already${known}.`)
    const again = await call('add', spelling, '--source', WEB)
    expect(again).toMatchObject({ stdout: unchanged, stderr })
    expect(await call('update', spelling)).toMatchObject({ code: 0, stdout: unchanged })
  }
  // A source that has lost its skills is followed still.
  source.commit({}, '2026-02-01', ['skills/calm'])
  const again = await call('add', address, '--source', WEB)
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('1 gone') })
  expect(read('sources.json')).toBe(before)
})

test('add --include -> others are left out and reported, and what lies in them is theirs', async () => {
  const files = {
    ...skillFiles('calm'),
    ...skillFiles('deprecated/old'),
    'tests/data/fake/SKILL.md': sampleSkillMd('fake'),
    'skills/calm/examples/inner/SKILL.md': sampleSkillMd('inner'),
    'skills/calm/skills/own/SKILL.md': sampleSkillMd('own'),
  }
  const globs = 'tests/**,skills/deprecated/*,**/inner,**/own'
  const { added, slugs } = await follow(files, {}, '--include', globs)
  expect(slugs().sort()).toEqual(['deprecated-old', 'fake', 'own'])
  expect(added.stdout).toContain('1 left out (1 not-included)')
})

test('update of an unchanged source -> nothing is written; one last read by an older release -> read again', async () => {
  const { content, call, read } = await follow({ ...FILES, 'skills/calm/.env.example': 'KEY=\n' })
  const before = readSampleTree(content)
  expect((await call('update')).stdout).toContain(': unchanged')
  expect(readSampleTree(content)).toEqual(before)
  rmSync(join(content, 'skills/calm/.env.example'))
  const lock = read('sources.lock').replace(/(?<="reading":")\w+/, '0'.repeat(16))
  addFiles(content, { 'sources.lock': lock })
  expect((await call('update')).stdout).toContain('2 found, 0 new, 1 changed')
  expect(read('skills/calm/.env.example')).toBe('KEY=\n')
  expect((await call('update')).stdout).toContain(': unchanged')
})

test('update of an unreadable source -> the others are read, exit 1; none at all -> a note, exit 0', async () => {
  const { call, content, source, read, slugs } = await follow(FILES)
  const lost = `file://${makeSampleFolder()}/lost`
  const rows = [{ address: lost, own: true }, ...JSON.parse(read('sources.json'))]
  addFiles(content, { 'sources.json': rows })
  source.commit(skillFiles('fresh'), '2026-02-02')
  expect(await call('update')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/lost`: failed: .*\n.*1 new/s),
    stderr: expect.stringContaining('is not a git repository'),
  })
  expect(slugs()).toContain('fresh')
  const like = await call('update', lost.replace('lost', 'los'))
  expect(like).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean') })
  addFiles(content, { 'sources.json': '[]' })
  const stderr = expect.stringContaining('lists no source; "add <address>" adds one')
  expect(await call('update')).toMatchObject({ code: 0, stderr })
})

test('a source of more than 20,000 skills after include and exclude -> refused before any skill is read', async () => {
  const { folder, address } = makeRepository({ LICENSE: MIT_TEXT })
  const numbers = Array.from({ length: 20_001 }, (_, at) => at)
  const files = numbers.map((at) => `M 100644 :1 g${at % 9}/s${at}/SKILL.md`)
  const commit = 'commit refs/heads/many\ncommitter a <a@b.example> 1 +0000\ndata 0\n'
  const input = `blob\nmark :1\ndata 1\nx\n${commit}${files.join('\n')}\n`
  runGitFor(folder, ['fast-import', '--quiet'], '2026-01-01', input)
  const content = makeContent()
  const args = [address, '--ref', 'many', '--source', WEB, '--content', content]
  const all = await runCommand('add', ...args)
  expect(all.code).toBe(1)
  expect(all.stderr).toContain('it has 20001 skills, and at most 20000 are imported')
  expect(all.stderr).toContain('so it is not followed')
  expect(existsSync(content)).toBe(false)
  const few = await runCommand('add', ...args, '--include', 'g0/s9')
  expect(few.stdout).toContain('left out (20000 not-included, ')
})

test('an excluded live skill, to which another now has a link -> unchanged, reported once, and not as gone', async () => {
  const { content, call, source, read } = await follow(FILES)
  addLinks(source.folder, { 'skills/calm/more': '../bold' })
  const [row] = JSON.parse(read('sources.json'))
  addFiles(content, { 'sources.json': [{ ...row, exclude: ['skills/bold'] }] })
  source.commit(skillFiles('bold', 'Bolder.'), '2026-02-02')
  const { stdout } = await call('update')
  expect(stdout).toContain('1 found, 0 new, 1 changed, 0 gone, 1 left out (1 excluded)')
  expect(read('skills/bold/SKILL.md')).not.toContain('Bolder.')
})

test('a SKILL.md at the root -> one line says what it swallows, with the address that brings it', async () => {
  const inner = ['plug ins/one', 'plug ins/two', 'more/three', 'tests/four'].map((path) => ({
    [`${path}/SKILL.md`]: sampleSkillMd(path.split('/')[1]!),
  }))
  const files: SampleFiles = Object.assign({}, ...inner)
  const { added, call, slugs } = await follow({ 'SKILL.md': sampleSkillMd('数据'), ...files })
  expect(slugs()).toEqual(['tools'])
  const words = /: 3 folders — to have them as skills, add (\S+<branch>\/more), (\S+)`\n/
  const [, ...addresses] = words.exec(added.stdout) ?? []
  for (const address of addresses)
    await call('add', address.replace('<branch>', 'main'), '--source', WEB)
  expect(slugs().toSorted()).toEqual(['one', 'three', 'tools', 'two'])
})
