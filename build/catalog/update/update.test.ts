import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import {
  makeContent,
  makeSampleFolder,
  readSampleTree,
  removeFolders,
  skillFiles,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../testing/sample-folders.ts'
import { MIT_TEXT, WEB, makeRepository, runGitFor } from '../import/testing/sample-repository.ts'
import { runCommand } from '../testing/run-command.ts'

afterEach(removeFolders)

const FILES: SampleFiles = {
  LICENSE: MIT_TEXT,
  ...Object.assign({}, ...['calm', 'moved', 'gone', 'bold'].map((name) => skillFiles(name))),
  'skills/bold/references/old.md': 'old',
}

/** Makes a repository and a catalog that follows it. */
const follow = async (files = FILES, ...options: readonly string[]) => {
  const repository = makeRepository(files)
  const content = makeContent()
  const call = (...args: readonly string[]) => runCommand(...args, '--content', content)
  const added = await call('add', repository.address, '--source', WEB, ...options)
  const liveText = (slug: string): string =>
    readFileSync(join(content, 'skills', slug, 'SKILL.md'), 'utf8')
  return { repository, content, call, added, liveText }
}

/** Marks a SKILL.md as internal. */
const mark = (text: string): string =>
  text.replace('\n---\n', '\nmetadata:\n  internal: true\n---\n')

const slugsIn = (content: string): string[] => loadCatalog(content).skills.map(({ slug }) => slug)

describe('add', () => {
  test('writes the row and the skills, and prints one line for the source', async () => {
    const { content, added, repository } = await follow(
      FILES,
      '--category',
      'Writing',
      '--note',
      'x',
    )
    expect(added.code).toBe(3)
    expect(added.stderr).toContain('4 skills to look at.\n')
    expect(added.stdout).toContain(
      `\`${repository.address}\`: 4 found, 4 new, 0 changed, 0 gone, 0 left out`,
    )
    expect(JSON.parse(readFileSync(join(content, 'sources.json'), 'utf8'))).toEqual([
      { address: repository.address, category: 'Writing', source: WEB, note: 'x' },
    ])
    expect(loadCatalog(content).skills.map(({ category }) => category)).toEqual(
      Array(4).fill('Writing'),
    )
  })

  test('a live skill that moves into a folder of tests -> still followed, and the report suggests retire', async () => {
    const { repository, content, call } = await follow({ LICENSE: MIT_TEXT, ...skillFiles('calm') })
    const folder = join(content, 'skills/calm')
    const record = readFileSync(join(folder, 'skill.json'), 'utf8')
    writeFileSync(join(folder, 'skill.json'), record.replace('/skills/calm', '/tests/calm'))
    const files = { 'tests/calm/SKILL.md': sampleSkillMd('calm', 'Now.') }
    repository.commit(files, '2026-01-03', ['skills'])
    const { stdout } = await call('update')
    expect(stdout).toContain('1 found, 0 new, 1 changed, 0 gone, 0 left out')
    expect(stdout).toContain(
      'from which no new skills are imported: tests — to remove it, run "npm run catalog -- retire calm"',
    )
    expect(slugsIn(content)).toEqual(['calm'])
  })

  test('a new skill marked as internal -> left out; a live skill -> stays as it is', async () => {
    const internal = { 'skills/cut/SKILL.md': mark(sampleSkillMd('cut')) }
    const { repository, content, call, added, liveText } = await follow({
      LICENSE: MIT_TEXT,
      ...skillFiles('calm'),
      ...internal,
    })
    expect(added.stdout).toContain('cut/SKILL.md: left out: its author marked it as internal')
    expect(slugsIn(content)).toEqual(['calm'])
    repository.commit({ 'skills/calm/SKILL.md': mark(sampleSkillMd('calm', 'New.')) }, '2026-01-03')
    const { stdout } = await call('update')
    expect(stdout).toContain('the version that it has — retire the skill, or ask its author')
    expect(liveText('calm')).not.toContain('internal')
  })

  test('no answer, or a known address with other fields -> refused, and no row is written', async () => {
    const { content, call, repository } = await follow()
    const before = readSampleTree(content)
    const missing = `${repository.address}/tree/nowhere`
    expect(await call('add', missing, '--source', WEB)).toMatchObject({ code: 1 })
    const again = await call('add', repository.address, '--source', WEB, '--author', 'bea')
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('change its row') })
    expect(await call('add', repository.address)).toMatchObject({ code: 2 })
    expect(readSampleTree(content)).toEqual(before)
  })

  test('another spelling of a followed address -> the known row is updated, by add and by update', async () => {
    const { content, call, repository } = await follow()
    const before = readFileSync(join(content, 'sources.json'), 'utf8')
    const { address } = repository
    for (const spelling of [
      address,
      `${address}/`,
      address.replace('file://', 'file://localhost'),
    ]) {
      const again = await call('add', spelling, '--source', WEB)
      const known = spelling === address ? '' : ` as ${address}`
      expect(again.stderr).toContain(`"${spelling}" is followed already${known}.`)
      expect(again.stdout).toContain(`\`${address}\`: unchanged`)
      const unchanged = expect.stringContaining(`\`${address}\`: unchanged`)
      expect(await call('update', spelling)).toMatchObject({ code: 0, stdout: unchanged })
    }
    expect(readFileSync(join(content, 'sources.json'), 'utf8')).toBe(before)
    const other = await call('add', `${address}/`, '--source', WEB, '--author', 'bea')
    expect(other.stderr).toContain(`is followed already as ${address}, with other fields`)
  })

  test('an --include that matches nothing -> refused, and no content folder is left', async () => {
    const { content, added } = await follow(FILES, '--include', 'nowhere/*')
    expect(added).toMatchObject({ code: 1, stderr: expect.stringContaining('is not followed') })
    expect(existsSync(content)).toBe(false)
  })

  test('a source without skills -> refused, and the catalog or empty folder is unchanged', async () => {
    const { content, call } = await follow()
    const { address } = makeRepository({ 'README.md': '# x' }, { path: 'ada/none' })
    const before = readSampleTree(content)
    expect(await call('add', address, '--own')).toMatchObject({ code: 1 })
    expect(readSampleTree(content)).toEqual(before)
    const empty = makeSampleFolder()
    expect(await runCommand('add', address, '--own', '--content', empty)).toMatchObject({ code: 1 })
    expect(readdirSync(empty)).toEqual([])
  })

  test('a followed source that has lost its skills -> still followed', async () => {
    const { repository, content, call } = await follow({ LICENSE: MIT_TEXT, ...skillFiles('calm') })
    repository.commit({}, '2026-02-01', ['skills/calm'])
    const before = readFileSync(join(content, 'sources.json'), 'utf8')
    const again = await call('add', repository.address, '--source', WEB)
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('1 gone') })
    expect(readFileSync(join(content, 'sources.json'), 'utf8')).toBe(before)
  })

  test.each([
    ['by rule', [], ['calm'], '1 odd-folder, 2 unfinished'],
    ['--exclude', ['--exclude', 'skills/c*'], [], '1 excluded'],
    [
      '--include',
      ['--include', 'skills/deprecated/*'],
      ['deprecated-old', 'deprecated-older'],
      '2 not-included',
    ],
    ['--include of tests', ['--include', 'tests/**'], ['fake'], '3 not-included'],
  ])('%s -> left out and reported', async (_, options, slugs, reason) => {
    const files = {
      LICENSE: MIT_TEXT,
      ...skillFiles('calm'),
      ...skillFiles('deprecated/old'),
      ...skillFiles('deprecated/older'),
      'tests/data/fake/SKILL.md': sampleSkillMd('fake'),
    }
    const { content, added } = await follow(files, ...options)
    expect(existsSync(content) ? slugsIn(content).sort() : []).toEqual(slugs)
    expect(added.stdout).toContain(reason)
  })
})

describe('update', () => {
  test('a source last read by an older release -> read again, and its copies are completed', async () => {
    const { content, call } = await follow({
      LICENSE: MIT_TEXT,
      ...skillFiles('calm'),
      'skills/calm/.env.example': 'KEY=\n',
    })
    const file = join(content, 'skills/calm/.env.example')
    const lock = join(content, 'sources.lock')
    rmSync(file)
    writeFileSync(lock, readFileSync(lock, 'utf8').replace(/(?<="reading":")\w+/, '0'.repeat(16)))
    expect((await call('update')).stdout).toContain('1 found, 0 new, 1 changed')
    expect(existsSync(file)).toBe(true)
    expect((await call('update')).stdout).toContain(': unchanged')
  })

  test('an unchanged source -> nothing is written', async () => {
    const { content, call } = await follow()
    const before = readSampleTree(content)
    const { code, stdout } = await call('update')
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(': unchanged'),
    })
    expect(readSampleTree(content)).toEqual(before)
  })

  test('no sources -> a note that says how to add one, exit 0', async () => {
    const { call, content } = await follow()
    writeFileSync(join(content, 'sources.json'), '[]')
    const before = readSampleTree(content)
    expect(await call('update')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('lists no source; "add <address>" adds one'),
    })
    expect(readSampleTree(content)).toEqual(before)
  })

  test('an unreadable source -> the others are read, exit 1', async () => {
    const { call, content, repository } = await follow()
    const file = join(content, 'sources.json')
    const rows = JSON.parse(readFileSync(file, 'utf8'))
    const lost = `file://${makeSampleFolder()}/lost`
    writeFileSync(file, JSON.stringify([{ address: lost, own: true }, ...rows]))
    repository.commit(skillFiles('fresh'), '2026-02-02')
    expect(await call('update')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/lost`: failed: .*\n.*1 new/s),
      stderr: expect.stringContaining('is not a git repository'),
    })
    expect(slugsIn(content)).toContain('fresh')
    expect(await call('update', lost.replace('lost', 'los'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean'),
    })
  })
})

describe('a source', () => {
  test('more than 20,000 skills after include and exclude -> refused before any skill is read', async () => {
    const repository = makeRepository({ LICENSE: MIT_TEXT })
    const files = Array.from(
      { length: 20_001 },
      (_, at) => `M 100644 :1 g${at % 9}/s${at}/SKILL.md`,
    )
    const commit = 'commit refs/heads/many\ncommitter a <a@b.example> 1 +0000\ndata 0\n'
    const input = `blob\nmark :1\ndata 1\nx\n${commit}${files.join('\n')}\n`
    runGitFor(repository.folder, ['fast-import', '--quiet'], '2026-01-01', input)
    const content = makeContent()
    const args = ['--ref', 'many', '--source', WEB, '--content', content]
    const all = await runCommand('add', repository.address, ...args)
    expect(all).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it has 20001 skills, and at most 20000 are imported'),
    })
    expect(all.stderr).toContain('so it is not followed')
    expect(existsSync(content)).toBe(false)
    const few = await runCommand('add', repository.address, ...args, '--include', 'g0/s9')
    expect(few.stdout).toContain('left out (20000 not-included, ')
  })

  test('an excluded live skill -> unchanged, and not reported as gone', async () => {
    const { content, call, repository, liveText } = await follow()
    const file = join(content, 'sources.json')
    const [row] = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify([{ ...row, exclude: ['skills/bold'] }]))
    repository.commit(skillFiles('bold', 'Bolder.'), '2026-02-02')
    const { stdout } = await call('update')
    expect(stdout).toContain('3 found, 0 new, 0 changed, 0 gone, 1 left out (1 excluded)')
    expect(liveText('bold')).not.toContain('Bolder.')
  })

  test('a SKILL.md at the root -> one line says what it swallows, with the address that brings it', async () => {
    const inner = ['plugins/one', 'plugins/two', 'more/three', 'tests/four']
    const files = Object.fromEntries(
      inner.map((path) => [`${path}/SKILL.md`, sampleSkillMd(path.split('/')[1]!)]),
    )
    const root = { LICENSE: MIT_TEXT, 'SKILL.md': sampleSkillMd('root') }
    const { content, added, call } = await follow({ ...root, ...files })
    expect(slugsIn(content)).toEqual(['root'])
    const words = /: 3 folders — to have them as skills, add (\S+<branch>\/more), (\S+)`\n/
    const [, ...addresses] = words.exec(added.stdout) ?? []
    for (const address of addresses)
      await call('add', address.replace('<branch>', 'main'), '--source', WEB)
    expect(slugsIn(content).toSorted()).toEqual(['one', 'root', 'three', 'two'])
  })

  test('a SKILL.md inside a left-out skill -> still a file of that skill', async () => {
    const files = {
      LICENSE: MIT_TEXT,
      ...skillFiles('outer'),
      'skills/outer/examples/inner/SKILL.md': sampleSkillMd('inner'),
      'skills/outer/skills/own/SKILL.md': sampleSkillMd('own'),
    }
    const { content } = await follow(files, '--include', '**/inner,**/own')
    expect(slugsIn(content)).toEqual(['own'])
  })
})
