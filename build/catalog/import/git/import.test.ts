import { chmodSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCatalog } from '../../../../src/catalog/load.ts'
import {
  addFiles,
  importNew,
  makeOnce,
  makeSampleFolder,
  readSampleTree,
  recordIn,
  runImport,
  sampleSkillMd,
} from '../../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../../testing/sample-folders.ts'
import { runCommand } from '../../testing/run-command.ts'
import { parseGitAddress } from '../git-address.ts'
import { Repository } from './repository.ts'
import { MIT_TEXT, WEB, makeRepository, runGitFor } from '../testing/sample-repository.ts'

const LISTED = { isOwn: false, source: WEB }

const FILES: SampleFiles = {
  LICENSE: MIT_TEXT,
  'skills/a/SKILL.md': sampleSkillMd('a'),
  'skills/a/references/x.md': 'x',
  'skills/b/skill.md': sampleSkillMd('b'),
}

/** Creates a repository with FILES and imports it into a new catalog. */
const importFiles = () =>
  makeOnce('imported', async () => {
    const repository = makeRepository(FILES)
    const { content } = await importNew(repository.address, LISTED)
    return { repository, content }
  })

test('a repository -> skills with their tree address, their own day and the repository’s licence', async () => {
  const repository = makeRepository(FILES, { day: '2025-01-01' })
  repository.commit({ 'skills/b/x.md': 'x' }, '2025-02-02')
  const head = repository.commit({ 'README.md': 'r' }, '2025-03-03')
  const { content, ...report } = await importNew(repository.address, LISTED)
  expect(report).toMatchObject({ skipped: [], failed: [], warnings: [], gone: [] })
  expect(recordIn(content, 'a')).toMatchObject({
    author: 'ada',
    updated: '2025-01-01',
    licence: 'MIT',
    source: { url: `${WEB}/tree/${head}/skills/a`, status: 'alive', committed: '2025-03-03' },
  })
  expect(recordIn(content, 'b').updated).toBe('2025-02-02')
  expect(readSampleTree(content)['skills/b/SKILL.md']).toBe(sampleSkillMd('b'))
  expect(loadCatalog(content).skills).toHaveLength(2)
})

test('a repository at a branch with a slash, a tag or a commit, and a folder -> only that, with the licence above it', async () => {
  const { address, commit, git } = makeRepository(FILES)
  const head = git('rev-parse', 'HEAD')
  git('branch', 'feat/x')
  git('branch', 'feature')
  git('tag', 'v1')
  commit({ 'skills/a/SKILL.md': sampleSkillMd('later') }, '2026-02-02')
  for (const ref of ['feat/x', 'v1', head]) {
    const { content } = await importNew(`${address}/tree/${ref}/skills/a`, LISTED)
    const source = { url: `${WEB}/tree/${head}/skills/a` }
    expect(recordIn(content, 'a')).toMatchObject({ licence: 'MIT', source })
    expect(loadCatalog(content).skills).toHaveLength(1)
  }
})

test('a repository with odd names of folders, and attributes that alter a checkout -> all skills as committed, and no other files', async () => {
  const names = ['a b', 'a [b] *c?', '!a', '#a', 'a\\b', 'a ', 'ü', '-a', '数据']
  const texts = names.map((_, at) => sampleSkillMd(`x-${at}`, 'Sorts.', '$Id$'))
  const skills = names.map((name, at) => [`${name}/SKILL.md`, texts[at]!] as const)
  const attributes = { '.gitattributes': '* text eol=crlf ident export-subst\n' }
  const files = { LICENSE: MIT_TEXT, ...Object.fromEntries(skills), 'c.md': 'c', ...attributes }
  const { content, warnings } = await importNew(makeRepository(files).address, LISTED)
  expect(warnings).toEqual([])
  const copied = readSampleTree(content)
  for (const [at, name] of names.entries()) {
    expect(decodeURIComponent(recordIn(content, `x-${at}`).source.url)).toContain(`/${name}`)
    expect(copied[`skills/x-${at}/SKILL.md`]).toBe(texts[at])
  }
  expect(Object.keys(copied).filter((file) => file.endsWith('c.md'))).toEqual([])
})

test('only a part of a repository, again -> skills elsewhere are neither gone nor moved', async () => {
  const { repository, content } = await importFiles()
  repository.commit({ 'more/b/SKILL.md': sampleSkillMd('b', 'Another.') }, '2026-04-04')
  const report = await runImport(`${repository.address}/tree/main/more`, content, LISTED)
  expect(report).toMatchObject({ gone: [], updated: [], imported: [{ slug: 'b-ada' }] })
})

const BARE: SampleFiles = { 'skills/a/SKILL.md': sampleSkillMd('a'), 'skills/a/x.md': 'x' }

test('without a licence that allows redistribution -> metadata without text, of the day of its last commit', async () => {
  const repository = makeRepository(BARE)
  const { content, ...report } = await importNew(repository.address, LISTED)
  expect(Object.keys(readSampleTree(content))).toEqual(['site.json', 'skills/a/skill.json'])
  expect(report.refusals).toEqual([expect.stringContaining('neither it nor its repository')])
  const listed = { name: 'a', description: 'Sorts words.', files: [] }
  expect(loadCatalog(content).skills).toMatchObject([listed])
  expect((await runImport(repository.address, content, LISTED)).written).toEqual([])
  const head = repository.commit({ 'skills/a/x.md': 'y' }, '2026-04-04')
  await runImport(repository.address, content, LISTED)
  const source = { url: `${WEB}/tree/${head}/skills/a` }
  expect(recordIn(content, 'a')).toMatchObject({ updated: '2026-04-04', source })
})

test('after the licence was withdrawn -> the texts are removed, and the report says why', async () => {
  const { repository, content } = await importFiles()
  const skill = { 'skills/c/SKILL.md': sampleSkillMd('c') }
  repository.commit({ LICENSE: 'All rights reserved.\n', ...skill }, '2026-04-04')
  const args = [repository.address, '--source', WEB, '--into', content]
  const { code, stdout } = await runCommand('import', ...args)
  expect(code).toBe(0)
  expect(stdout).toContain('3 found, 1 new, 2 changed, 0 gone, 0 left out')
  const line = '  - text removed: `LICENSE` changed, `MIT` → `none`'
  expect(stdout.split('\n').filter((one) => one.includes('→'))).toEqual([line, line])
  expect(Object.keys(readSampleTree(content)).filter((path) => path.endsWith('md'))).toEqual([])
})

test('a merged branch, and more than 200 commits that change no skill -> the day on which each changed', async () => {
  const { folder, address, git, commit } = makeRepository(FILES, { day: '2020-01-01' })
  git('checkout', '--quiet', '-b', 'other')
  commit({ 'skills/a/SKILL.md': sampleSkillMd('a', 'More.') }, '2022-02-02')
  git('checkout', '--quiet', 'main')
  const commits = Array.from({ length: 220 }, (_, at) => {
    const from = at === 0 ? 'from refs/heads/main^0\n' : ''
    return `commit refs/heads/main\ncommitter A <a@skills.example> ${1_700_000_000 + at} +0000\ndata 0\n${from}M 644 inline log.txt\ndata <<E\n${at}\nE\n`
  })
  runGitFor(folder, ['fast-import', '--quiet'], '2026-01-01', commits.join('\n'))
  git('reset', '--quiet', '--hard')
  git('merge', '--quiet', '--no-edit', 'other')
  const { content } = await importNew(address, LISTED)
  const days = ['a', 'b'].map((slug) => recordIn(content, slug).updated)
  expect(days).toEqual(['2022-02-02', '2020-01-01'])
})

test.each(['1000000000000000000', '-5000000000', '1900000000', ''])(
  'a commit at the time "%s" -> no day',
  async (time) => {
    const bad = makeRepository(FILES, { path: 'ada/bad' })
    const who = `A <a@skills.example> ${time} +0000`
    const text = `tree ${bad.git('rev-parse', 'HEAD^{tree}')}\nauthor ${who}\ncommitter ${who}\n\nx\n`
    const args = ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally']
    bad.git('update-ref', 'HEAD', runGitFor(bad.folder, args, '2026-01-01', text))
    const { content } = await importNew(bad.address, LISTED)
    expect(recordIn(content, 'a').updated).toBeUndefined()
    expect(loadCatalog(content).skills).toHaveLength(2)
  },
)

test('a hostile repository: hooks, filters, a file monitor and its own settings -> no program is run', async () => {
  const repository = makeRepository(FILES)
  const proof = join(makeSampleFolder(), 'proof')
  const script = `#!/bin/sh\ntouch ${proof}\n`
  const hooks = ['post-checkout', 'post-merge', 'reference-transaction', 'post-index-change']
  for (const hook of hooks) {
    addFiles(repository.folder, { [`.git/hooks/${hook}`]: script })
    chmodSync(join(repository.folder, '.git/hooks', hook), 0o755)
  }
  repository.git('config', 'core.fsmonitor', `touch ${proof}`)
  repository.git('config', 'filter.x.smudge', `touch ${proof}`)
  addFiles(repository.folder, { '.git/info/attributes': '* filter=x\n' })
  const report = await importNew(repository.address, LISTED)
  expect(report.imported).toHaveLength(2)
  expect(existsSync(proof)).toBe(false)
})

test('a hostile repository: links out of the source -> nothing of their targets is copied, and each is told', async () => {
  const secret = makeSampleFolder({ 'SKILL.md': sampleSkillMd('secret'), passwd: 'S' })
  const links = {
    'skills/c/SKILL.md': join(secret, 'SKILL.md'),
    'skills/a/references/s.md': join(secret, 'SKILL.md'),
    'skills/a/assets': secret,
    'skills/a/up': '../../../../../../../../../../etc',
  }
  const { address } = makeRepository(FILES, { links })
  const { content, ...report } = await importNew(address, LISTED)
  expect(report.imported.map(({ slug }) => slug)).toEqual(['a', 'b'])
  const told = [...report.warnings, ...report.skipped].map(({ file }) => file)
  expect(told.toSorted()).toEqual(Object.keys(links).toSorted())
  expect(JSON.stringify(readSampleTree(content))).not.toMatch(/secret|root:/)
})

test.each<Readonly<Record<string, string>>>([
  {
    x: 'LICENSE/x',
    'skills/a/x.md': 'SKILL.md/x',
    'skills/a/y.md': 'SKILL.md/',
    'skills/c/SKILL.md': '../a/SKILL.md/x',
    'manifest.ndjson': 'LICENSE/x',
  },
  { 'skills/a/LICENSE': 'SKILL.md/x', 'skills/c': 'a/SKILL.md/x' },
])('links whose targets lead through a file: %j -> at most a line each', async (links) => {
  const repository = makeRepository(FILES, { links })
  const places = { [repository.address]: WEB, [repository.folder]: `${WEB}/tree/main` }
  for (const [address, source] of Object.entries(places)) {
    const report = await importNew(address, { isOwn: false, source })
    expect(report.imported.map(({ slug }) => slug)).toEqual(['a', 'b'])
    const told = [...report.warnings, ...report.skipped].map(({ file }) => file)
    expect(Object.keys(links)).toEqual(expect.arrayContaining(told))
    expect(new Set(told).size).toBe(told.length)
  }
})

test('a tree with a link and a folder of the same name -> nothing is written through the link', async () => {
  const outside = makeSampleFolder()
  const repository = makeRepository(FILES)
  const hash = (text: string): string =>
    runGitFor(repository.folder, ['hash-object', '-w', '--stdin'], '2026-01-01', text)
  const makeTree = (lines: readonly string[]): string =>
    runGitFor(repository.folder, ['mktree'], '2026-01-01', `${lines.join('\n')}\n`)
  const inner = makeTree([
    `100644 blob ${hash('S')}\tstolen.md`,
    `100644 blob ${hash(sampleSkillMd('x'))}\tSKILL.md`,
  ])
  const root = makeTree([`120000 blob ${hash(outside)}\tskills`, `040000 tree ${inner}\tskills`])
  const commit = repository.git('commit-tree', root, '-m', 'x')
  repository.git('update-ref', 'refs/heads/evil', commit)
  await importNew(`${repository.address}/tree/evil`, LISTED).catch((error: unknown) =>
    expect(error).toBeInstanceOf(Error),
  )
  expect(readSampleTree(outside)).toEqual({})
})

test('a SKILL.md above the size limit -> skipped with its size, and not gone', async () => {
  const { repository, content } = await importFiles()
  const large = 'x'.repeat(5 * 1024 * 1024 + 1)
  repository.commit({ 'skills/a/SKILL.md': sampleSkillMd('a', 'Sorts.', large) }, '2026-01-02')
  const { skipped, gone } = await runImport(repository.address, content, LISTED)
  const message = expect.stringMatching(/^a file of 52\d+ bytes; at most/)
  expect(skipped).toMatchObject([{ file: 'skills/a/SKILL.md', message }])
  expect(gone).toEqual([])
})

test('a small repository that becomes more than a gigabyte -> refused before it is written', async () => {
  const { folder, address, git } = makeRepository(FILES)
  const write = (kind: string[], text: string): string =>
    runGitFor(folder, kind, '2026-01-01', text)
  const blob = write(['hash-object', '-w', '--stdin'], 'x'.repeat(5_000_000))
  const skill = write(['hash-object', '-w', '--stdin'], sampleSkillMd('a'))
  const rows = Array.from({ length: 220 }, (_, at) => `100644 blob ${blob}\tb${at}\n`)
  const tree = write(['mktree'], `100644 blob ${skill}\tSKILL.md\n${rows.join('')}`)
  git('update-ref', 'HEAD', git('commit-tree', tree, '-m', 'bomb'))
  const report = await importNew(address, LISTED)
  expect(report.failed[0]).toMatch(/its skills have 1100\d{6} bytes; at most 1073741824/)
  expect(report.imported).toEqual([])
})

test('files above the size limit -> never on the disk, not even behind a link', async () => {
  const bomb = 'x'.repeat(5 * 1024 * 1024 + 1)
  const files = { ...FILES, 'skills/a/b.bin': bomb, 'far/c': bomb }
  const { address } = makeRepository(files, { links: { 'skills/a/link': '../../far/c' } })
  const place = makeSampleFolder()
  const repository = new Repository(place, parseGitAddress(address))
  repository.open()
  const commit = await repository.fetchCommit('HEAD')
  const { odd } = await repository.checkOut(commit, '', {})
  expect(odd.map(({ path, rule }) => [path, rule])).toEqual([['skills/a/b.bin', 'file-size']])
  const paths = Object.keys(readSampleTree(place)).filter((path) => !path.startsWith('.git/'))
  expect(paths).toEqual(Object.keys(FILES))
})

test('a history that cannot be fetched -> the skill is imported with a warning', async () => {
  const repository = makeRepository(FILES, { day: '2025-01-01' })
  const parent = repository.git('rev-parse', 'HEAD')
  repository.commit({ 'README.md': 'r' }, '2025-03-03')
  rmSync(join(repository.folder, '.git/objects', parent.slice(0, 2)), { recursive: true })
  const { content, warnings } = await importNew(repository.address, LISTED)
  expect(warnings.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^last changed on 2025-03-03 or before: .*git says/),
  )
  expect(recordIn(content, 'a').updated).toBe('2025-03-03')
})
