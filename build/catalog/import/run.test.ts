import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import {
  addFiles,
  importNew,
  makeSampleFolder,
  readSampleTree,
  recordIn,
  runImport,
  sampleSkillMd,
  skillFiles,
} from '../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../testing/sample-folders.ts'
import { depart } from '../retire/command.ts'
import { makeRepository } from './testing/sample-repository.ts'
import { makeCatalog, ownSkill } from '../testing/catalog.ts'
import { runCommand } from '../testing/run-command.ts'
import { chooseSource } from './record.ts'

const TREE = 'https://github.com/ada/tools/tree/main/skills'

test('a first import, --own -> a catalog that loads, with unchanged files', async () => {
  const text = '\uFEFF---\r\nname: csv\r\ndescription: Cleans.\r\nlicense: MIT\r\n---\r\nBody'
  const files: SampleFiles = {
    'a/SKILL.md': text,
    'a/references/x.md': '# x\n',
    'a/LICENSE.txt': 'MIT',
    'a/references/inner/SKILL.md': sampleSkillMd('inner'),
  }
  const { content, ...report } = await importNew(makeSampleFolder(files), { seen: '2026-01-02' })
  expect(report).toMatchObject({ skipped: [], warnings: [{ rule: 'upload' }], gone: [] })
  expect(readSampleTree(content)).toMatchObject({
    'skills/csv/SKILL.md': text,
    'skills/csv/references/x.md': '# x\n',
    'skills/csv/references/inner/SKILL.md': sampleSkillMd('inner'),
    'skills/csv/LICENSE.txt': 'MIT',
  })
  expect(recordIn(content, 'csv')).toEqual({
    id: 1,
    name: 'csv',
    description: 'Cleans.',
    author: 'registry',
    category: expect.any(String),
    updated: '2026-01-02',
    added: '2026-05-05T12:00:00Z',
    licence: 'MIT',
    source: { kind: 'own' },
  })
  expect(loadCatalog(content).skills.map(({ id, slug }) => [id, slug])).toEqual([[1, 'csv']])
})

test('a first import, --source -> an address for each skill, the owner as author, ids in order of path', async () => {
  const from = makeSampleFolder({
    LICENSE: 'MIT',
    'b/SKILL.md': sampleSkillMd('b'),
    'a c/skill.md': sampleSkillMd('c'),
  })
  const { content } = await importNew(from, { isOwn: false, source: `${TREE}/` })
  const { skills } = loadCatalog(content)
  expect(skills.map(({ id, slug, author, source }) => [id, slug, author, source])).toEqual([
    [1, 'c', 'ada', upstream(`${TREE}/a%20c`)],
    [2, 'b', 'ada', upstream(`${TREE}/b`)],
  ])
  expect(Object.keys(readSampleTree(content))).toContain('skills/c/SKILL.md')
  // A folder without history says nothing about the day of their last change.
  expect(skills.map(({ updated }) => updated)).toEqual([undefined, undefined])
})

test('one name from two authors, and a retired slug -> separate slugs and ids', async () => {
  const { content } = makeCatalog({ 'retired.json': [{ id: 41, slug: 'a' }] }, { name: 'N' })
  for (const [author, name] of Object.entries({ ada: 'A', Eve: 'a' }))
    await runImport(makeSampleFolder({ 'x/SKILL.md': sampleSkillMd(name) }), content, { author })
  const { site, skills } = loadCatalog(content)
  expect(skills.map(({ id, slug }) => `${id} ${slug}`)).toEqual(['42 a-ada', '43 a-eve'])
  expect(site.name).toBe('N')
})

const upstream = (url: string) => ({
  kind: 'upstream',
  url,
  status: 'alive',
  checked: '2026-05-05',
  seen: '2026-05-05',
})

const FILES: SampleFiles = {
  LICENSE: 'MIT',
  'a/SKILL.md': sampleSkillMd('a'),
  'a/references/x.md': 'x',
  'b/SKILL.md': sampleSkillMd('b'),
}
const UPSTREAM = { isOwn: false, source: TREE }

const importFiles = async (settings: object = UPSTREAM) => {
  const from = makeSampleFolder(FILES)
  const { content } = await importNew(from, settings)
  return { from, content }
}

test.each<[string, object, string, string[]]>([
  ['own', {}, '2026-06-06', []],
  ['upstream', UPSTREAM, '2026-04-04', []],
  ['upstream', UPSTREAM, '2026-06-06', ['skills/a/skill.json', 'skills/b/skill.json']],
])('of unchanged %s skills -> writes at most the later day', async (_, settings, date, written) => {
  const { from, content } = await importFiles(settings)
  const before = readSampleTree(content)
  utimesSync(join(from, 'a/SKILL.md'), new Date(0), new Date(0))
  const days = { today: '2026-06-06', seen: date }
  const report = await runImport(from, content, { ...settings, ...days })
  expect(report).toMatchObject({ written, removed: [], imported: [], gone: [] })
  const after = Object.entries(before).map(([path, text]) => [
    path,
    written.includes(path) ? text.replaceAll('"2026-05-05"', `"${date}"`) : text,
  ])
  expect(readSampleTree(content)).toEqual(Object.fromEntries(after))
})

test('with changed, added and removed files, then skills -> only these change, but for the day; a skill keeps id and curator’s fields, a missing one stays', async () => {
  const { from, content } = await importFiles()
  const chosen = {
    ...recordIn(content, 'a'),
    category: 'Design',
    difficulty: 'Advanced',
    parts: { summary: 'S' },
  }
  addFiles(content, { 'skills/a/skill.json': chosen, 'skills/a/.gitkeep': '' })
  addFiles(from, { 'a/SKILL.md': sampleSkillMd('A2', 'Other.'), 'a/references/y.md': 'y' })
  rmSync(join(from, 'a/references/x.md'))
  const report = await runImport(from, content, { ...UPSTREAM, seen: '2026-07-07' })
  expect(report.written).toEqual([
    'skills/a/SKILL.md',
    'skills/a/references/y.md',
    'skills/a/skill.json',
    'skills/b/skill.json',
  ])
  expect(report.removed).toEqual(['skills/a/.gitkeep', 'skills/a/references/x.md'])
  expect(recordIn(content, 'a')).toEqual({
    ...chosen,
    name: 'A2',
    description: 'Other.',
    source: { ...upstream(`${TREE}/a`), checked: '2026-07-07', seen: '2026-07-07' },
  })
  const left = Object.keys(readSampleTree(join(content, 'skills/a')))
  expect(left).toEqual(['SKILL.md', 'references/y.md', 'skill.json'])
  rmSync(join(from, 'a'), { recursive: true })
  addFiles(from, { '0/SKILL.md': sampleSkillMd('zero') })
  const { gone, imported } = await runImport(from, content, UPSTREAM)
  expect(gone).toEqual([{ slug: 'a', id: 1, url: `${TREE}/a` }])
  expect(imported).toMatchObject([{ slug: 'zero', id: 3 }])
  expect(loadCatalog(content).skills).toHaveLength(3)
})

test('from another commit -> the same ids, with the new address; a retired skill is not imported again', async () => {
  const { from, content } = await importFiles()
  const source = TREE.replace('main', 'v2').replace('ada/tools', 'Ada/Tools')
  const report = await runImport(from, content, { isOwn: false, source, author: 'ada' })
  expect(report.updated.map(({ id }) => id)).toEqual([1, 2])
  expect(report.imported).toEqual([])
  expect(recordIn(content, 'a').source.url).toBe(`${source}/a`)
  depart(content, { slug: 'a', reason: 'Unkept' })
  const { skipped } = await runImport(from, content, UPSTREAM)
  expect(skipped).toMatchObject([
    { file: 'a/SKILL.md', rule: 'retired', message: 'was retired as a (id 1): Unkept' },
  ])
  expect(existsSync(join(content, 'skills/a'))).toBe(false)
})

test('of own records whose name is only in SKILL.md -> recognized, and the records stay without it', async () => {
  const { content, recordOf } = makeCatalog(ownSkill('my-b', { id: 5 }, sampleSkillMd('b')))
  expect((await runImport(makeSampleFolder(FILES), content)).unchanged).toMatchObject([{ id: 5 }])
  const from = makeSampleFolder({ 'b/SKILL.md': sampleSkillMd('b', 'New.') })
  expect((await runImport(from, content)).updated).toMatchObject([{ id: 5, slug: 'my-b' }])
  expect(recordOf('my-b').name).toBeUndefined()
})

test('of two own skills with one name, of which one changed -> both keep their ids', async () => {
  const from = makeSampleFolder({
    'a/SKILL.md': sampleSkillMd('same', 'One.'),
    'b/SKILL.md': sampleSkillMd('same', 'Two.'),
  })
  const { content } = await importNew(from)
  for (const [id, folder] of Object.entries({ 1: 'a', 2: 'b' })) {
    addFiles(from, { [`${folder}/SKILL.md`]: sampleSkillMd('same', `Now ${folder}.`) })
    const report = await runImport(from, content)
    expect(report.updated).toMatchObject([{ path: folder, id: Number(id) }])
    expect(report.unchanged).toMatchObject([{ id: 3 - Number(id) }])
  }
  expect(loadCatalog(content).skills.map(({ slug }) => slug)).toEqual(['same', 'same-registry'])
})

test('copies in several folders, some as links -> the copy with the plainest path', async () => {
  const places = ['.claude/skills/x', 'plugins/p/skills/x', 'skills/x']
  const files = places.map((place) => [`${place}/SKILL.md`, sampleSkillMd('x')])
  const from = makeSampleFolder(Object.fromEntries(files))
  mkdirSync(join(from, '.cursor'))
  symlinkSync('../skills', join(from, '.cursor/skills'))
  symlinkSync('skills/x', join(from, 'a'))
  const report = await importNew(from)
  expect(report.imported.map(({ path }) => path)).toEqual(['skills/x'])
  const message = 'is a copy of "skills/x/SKILL.md": same repository, name and bytes'
  expect(report.skipped).toMatchObject([
    { file: '.claude/skills/x/SKILL.md', rule: 'duplicate', message },
    { file: 'plugins/p/skills/x/SKILL.md', rule: 'duplicate', message },
  ])
})

const twin = (place: string, body: string, name = 'a') => ({
  [`${place}/skills/${name}/SKILL.md`]: sampleSkillMd(name, 'Sorts.', body),
})

test.each<[string, object, isCloned: boolean, kept: string]>([
  ['changed in the same commit', {}, true, '.agents'],
  ['.claude changed last', twin('.claude', 'New.'), true, '.claude'],
  ['.agents changed last', twin('.agents', 'New.'), true, '.agents'],
  ['without history', twin('.claude', 'New.'), false, '.agents'],
])('two skills with one name and folder, %s -> one', async (_, changes, isCloned, kept) => {
  const two = { ...twin('.claude', 'One.'), ...twin('.agents', 'Two.') }
  // Other names in these folders are other skills.
  const others = { ...twin('x', 'Three.', 'b'), ...twin('.claude', 'Four.', 'c') }
  const { address, folder, commit } = makeRepository({ ...two, ...others })
  commit({ ...changes }, '2026-02-02')
  const { imported, skipped } = await importNew(isCloned ? address : folder)
  expect(skipped.map(({ rule }) => rule)).toEqual(['duplicate'])
  const paths = imported.map(({ path }) => path).sort()
  expect(paths).toEqual([`${kept}/skills/a`, '.claude/skills/c', 'x/skills/b'].sort())
})

test('a broken record in the catalog -> the import fails and writes no skill', async () => {
  const { content } = makeCatalog({ 'skills/x/skill.json': '{"id":0}' })
  const from = makeSampleFolder({ 'a/SKILL.md': sampleSkillMd('a') })
  await expect(runImport(from, content)).rejects.toMatchObject({
    problems: expect.arrayContaining([expect.objectContaining({ field: 'id', message: 'id: 0' })]),
  })
  expect(Object.keys(readSampleTree(content))).toEqual(['site.json', 'skills/x/skill.json'])
})

test('own skills beside those of another folder -> none is called gone', async () => {
  const { content } = await importNew(makeSampleFolder({ ...skillFiles('a'), ...skillFiles('b') }))
  for (const [command, from, to] of [
    ['import', makeSampleFolder(skillFiles('c')), '--into'],
    ['add', makeRepository(skillFiles('d')).address, '--content'],
  ]) {
    const { stdout } = await runCommand(command!, from!, to!, content, '--own')
    expect(stdout).toContain('1 found, 1 new, 0 changed, 0 gone, ')
    expect(stdout).not.toContain('disappeared')
  }
})

/** Runs an action without root's privilege to read everything. */
const withoutRights = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.('nobody')
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

test('files without read permission -> their skills are skipped, the others are imported', async () => {
  const closed = ['a/SKILL.md', 'c/references/x.md', 'd/references']
  const files = ['a', 'b', 'c', 'd'].flatMap((name) => [
    [`${name}/SKILL.md`, sampleSkillMd(name)],
    [`${name}/references/x.md`, 'x'],
  ])
  const from = makeSampleFolder(Object.fromEntries(files))
  const target = makeSampleFolder()
  chmodSync(from, 0o755)
  chmodSync(target, 0o777)
  for (const path of closed) chmodSync(join(from, path), 0)
  const report = await withoutRights(() => runImport(from, join(target, 'content')))
  for (const path of closed) chmodSync(join(from, path), 0o700)
  expect(report.imported).toMatchObject([{ slug: 'b' }])
  const message = expect.stringMatching(/is not readable/)
  expect(report.skipped).toMatchObject([{ message }, { message }, { message }])
})

const atCommit = (name: string): string => `https://github.com/ada/tools/tree/${name.repeat(40)}/a`

const MAIN = 'https://github.com/ada/tools/tree/main/a'
const sourceAt = (status: 'alive' | 'gone', checked: string, seen = checked) =>
  ({ kind: 'upstream', url: MAIN, status, checked, seen }) as const
const TODAY = sourceAt('alive', '2026-05-05')
const EARLIER = sourceAt('alive', '2026-01-01')
const GONE = sourceAt('gone', '2026-05-05', '2026-01-01')

test.each([
  ['imported', undefined, TODAY],
  ['imported', EARLIER, TODAY],
  ['imported', sourceAt('alive', '2026-06-01'), undefined],
  ['imported', GONE, TODAY],
  ['imported', sourceAt('gone', '2026-05-06', '2026-01-01'), undefined],
  ['followed', undefined, TODAY],
  ['followed', EARLIER, undefined],
  ['followed and changed', EARLIER, TODAY],
  ['followed', GONE, TODAY],
])('the source of a skill %s, %j before -> %j', (how, before, after = before) => {
  const stored = before && { id: 1, author: 'ada', category: 'Design', source: before }
  const [today, seen] = ['2026-05-05', how === 'imported' ? '2026-05-05' : undefined]
  const filesChanged = how === 'followed and changed'
  const input = { candidate: { url: MAIN }, stored, filesChanged, today, seen }
  expect(chooseSource(input, undefined)).toEqual(after)
})

const OLD = { url: atCommit('a'), committed: '2026-01-01' }

test.each([
  ['changed the skill', true, '2026-04-04', { url: atCommit('b'), committed: '2026-04-04' }],
  ['changed it on a day that is not known', true, undefined, { url: atCommit('b') }],
  ['changed it on a day to come', true, '2099-01-01', { url: atCommit('b') }],
  ['left it as it was', false, '2026-04-04', OLD],
])('a new commit that %s -> the commit that it names', (_, filesChanged, committed, named) => {
  const before = { ...sourceAt('alive', '2026-01-02'), ...OLD }
  const stored = { id: 1, author: 'ada', category: 'Design', source: before }
  const candidate = { url: atCommit('b'), committed }
  const input = { candidate, stored, filesChanged, today: '2026-05-05' }
  const { url: address, committed: day } = chooseSource(input, undefined) as typeof before
  expect({ url: address, committed: day }).toEqual(named)
})
