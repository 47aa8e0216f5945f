import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderProblem } from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { loadSkill } from '../../../src/catalog/skill-folder.ts'
import { SITE } from '../../../src/catalog/testing/content.ts'
import {
  addFiles,
  addLinks,
  importNew,
  makeContent,
  makeSampleFolder,
  runImport,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import { readZipFiles } from '../../site/skill-files.ts'
import { packZip } from '../../machine/zip.ts'
import { makeCatalog, ownSkill } from '../testing/catalog.ts'
import { runCommand } from '../testing/run-command.ts'
import { makeRepository } from './testing/sample-repository.ts'
import { readZip } from '../../../testing/unzip.ts'

/** Contents of files by path, as text with a leading `*` if the owner may execute the file. */
type Tree = Record<string, string>

const print = (bytes: Uint8Array, isExecutable = false): string =>
  (isExecutable ? '*' : '') + Buffer.from(bytes).toString('latin1')

const addTree = (folder: string, tree: Tree): void => {
  for (const [path, text] of Object.entries(tree)) {
    const isExecutable = text.startsWith('*')
    addFiles(folder, { [path]: Buffer.from(isExecutable ? text.slice(1) : text, 'latin1') })
    chmodSync(join(folder, path), isExecutable ? 0o755 : 0o644)
  }
}

const readTree = (folder: string): Tree =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'skill.json')
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => {
        const isExecutable = (lstatSync(path).mode & 0o100) !== 0
        return [relative(folder, path), print(readFileSync(path), isExecutable)]
      }),
  )

/** Reads the files in a skill's zip. */
const unpack = async (content: string, slug: string): Promise<Tree> => {
  const { skill } = loadSkill(content, slug, {})
  const zip = await packZip(readZipFiles(skill!, 'https://registry.example'))
  return Object.fromEntries(
    readZip(zip).map(({ path, bytes, isExecutable }) => [path, print(bytes, isExecutable)]),
  )
}

const SKILL_MD = sampleSkillMd('a')

/** Imports the skill `skills/a` of a repository. */
const importTree = async (files: Tree, change: (folder: string) => void = () => undefined) => {
  const repository = makeRepository({})
  const { folder } = repository
  addTree(join(folder, 'skills/a'), { 'SKILL.md': SKILL_MD, ...files })
  repository.commit({}, '2026-01-02')
  change(folder)
  const { content, ...report } = await importNew(folder)
  return { repository, content, report }
}

const path = fc.stringMatching(/^(?:[a-zé中]{1,5}\/){0,2}[a-z0-9]{1,5}(?:\.(?:sh|md|py))?$/)
const anyBytes = fc
  .tuple(fc.boolean(), fc.uint8Array({ maxLength: 60 }))
  .map(([isExecutable, bytes]) => print(bytes, isExecutable))
  .filter((one) => !one.startsWith('**'))

/** Drops files whose path is also a folder of another file. */
const dropFolders = (files: Tree): Tree => {
  const paths = Object.keys(files)
  const isFolder = (one: string): boolean => paths.some((other) => other.startsWith(`${one}/`))
  return Object.fromEntries(Object.entries(files).filter(([one]) => !isFolder(one)))
}
const tree = fc.dictionary(path, anyBytes, { maxKeys: 8 }).map(dropFolders)

/** Additional files of a folder: some are always copied, others never. */
const KEPT =
  '.env.example .env.local.Sample .prettierrc .github/ci.yml .envrc x/.a/b .gitignore'.split(' ')
const LEFT_OUT =
  '.env .env.production x/.ENV .DS_Store x/.gitattributes x/Thumbs.db __pycache__/a.py x/b.pyc'.split(
    ' ',
  )
const TWINS = ['SKILL.md.', 'S\u212AILL.md', 'SKILL.md::$DATA']
const OTHERS = ['node_modules/m/index.js', '.venv/bin/python', 'skill.json']
const BOTH = [...KEPT, ...LEFT_OUT, ...TWINS, ...OTHERS]
const extras = fc.uniqueArray(fc.constantFrom(...BOTH), { maxLength: 6 })

const LINKS = { 'link-dead': 'nowhere', 'link-up': '../..', 'link-out': '/etc/hostname' }

/** Whether an import reports a file or link as left out, by itself or by its folder. */
const isReported = (file: string, reports: readonly string[]): boolean =>
  reports.some((one) => {
    const reported = one.replace(/^.*skills\/a\//, '')
    return reported === file || (reported.endsWith('/') && file.startsWith(reported))
  })

test('any tree -> each file is in the catalog and the zip, with its bytes and executable bit, or in the report', async () => {
  await fc.assert(
    fc.asyncProperty(tree, extras, fc.boolean(), async (files, more, isCloned) => {
      const others = Object.fromEntries(more.map((one) => [one, one]))
      const whole: Tree = { ...dropFolders({ ...files, ...others }), 'SKILL.md': SKILL_MD }
      const repository = makeRepository({})
      const folder = join(repository.folder, 'skills/a')
      addTree(folder, whole)
      addLinks(folder, { ...LINKS, 'link-same': 'SKILL.md' })
      repository.commit({}, '2026-01-02')
      if (!isCloned) addTree(folder, { 'draft.md': 'untracked' })
      const from = isCloned ? repository.address : repository.folder
      const { content, warnings } = await importNew(from)
      const copy = readTree(join(content, 'skills/a'))
      expect(await unpack(content, 'a')).toEqual(copy)
      expect(copy['link-same']).toBe(SKILL_MD)
      const left = more.filter((one) => !KEPT.includes(one))
      const omitted = [...Object.keys(LINKS), ...left, ...(isCloned ? [] : ['draft.md'])]
      expect(warnings.filter(({ message }) => !message.startsWith('left out: '))).toEqual([])
      const reports = warnings.map(({ file }) => file)
      expect(omitted.filter((one) => !isReported(one, reports))).toEqual([])
      for (const one of omitted) delete whole[one]
      expect(copy).toEqual({ ...whole, 'link-same': SKILL_MD })
      expect(reports).toHaveLength(
        new Set(omitted.map((one) => reports.find((report) => isReported(one, [report])))).size,
      )
    }),
    { numRuns: 10, examples: [true, false].map((isCloned) => [{}, BOTH, isCloned]) },
  )
})

test('the executable bit of a tracked file -> from git; its change counts as one of that file only', async () => {
  const files = { 'run.sh': '*ls', 'notes.md': 'ls' }
  const { repository, content } = await importTree(files, (folder) => {
    chmodSync(join(folder, 'skills/a/run.sh'), 0o644)
    chmodSync(join(folder, 'skills/a/notes.md'), 0o777)
  })
  const copy = join(content, 'skills/a')
  expect(readTree(copy)).toMatchObject(files)
  repository.git('update-index', '--chmod=+x', 'skills/a/notes.md')
  repository.git('commit', '--quiet', '--message', 'Let the notes be started')
  const { updated, written } = await runImport(repository.address, content)
  expect(updated).toMatchObject([{ slug: 'a' }])
  expect(written).toEqual(['skills/a/notes.md', 'skills/a/skill.json'])
  expect(readTree(copy)).toMatchObject({ ...files, 'notes.md': '*ls' })
})

test('a catalog whose .gitignore matches files of a skill -> check reports each file, until import stages them', async () => {
  const files = { '.gitignore': 'own.txt', 'own.txt': 'x', 'd/x.js': 'x' }
  const { repository } = await importTree(files)
  const { folder } = makeRepository({ 'site.json': SITE, '.gitignore': 'd/\n' })
  await runImport(repository.address, folder)
  const check = async (place = '.'): Promise<number> => {
    const { stdout } = await runCommand('check', join(folder, place))
    return stdout.split(' warning git-ignored ').length - 1
  }
  expect([await check(), await check('skills/a')]).toEqual([2, 2])
  await runCommand('import', repository.address, '--own', '--into', folder)
  expect(await check()).toBe(0)
})

test('a skill written in the catalog itself -> check reports the files that copies omit', async () => {
  const names = ['.DS_Store', '.env', '__pycache__', '.env.example']
  const files = names.map((name) => [`skills/a/${name}${name === '__pycache__' ? '/x' : ''}`, 'x'])
  const { call } = makeCatalog({ ...ownSkill('a'), ...Object.fromEntries(files) })
  const { stdout } = await call('check')
  const found = Array.from(stdout.matchAll(/\/([^/]+?)\/?:1:1 .* left out: /g), ([, name]) => name)
  expect(found).toEqual(names.slice(0, 3))
})

/** Files of a skill with a fault each. */
const FAULTY: Tree = {
  'SKILL.md': SKILL_MD.replace(/^description: .*$/m, 'description: Sorts # and counts.')
    .replace('\n---\n', '\ncompatibility: [git, node]\n---\n')
    .concat('[x](b.md)\n'),
  'con.txt': 'x',
  'run.sh': '*#!/bin/sh\r\nls\r\n',
  'a.png': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n',
  'A.md': 'x',
  'a.md': 'x',
  'cafe\u0301.md': 'a',
  'caf\u00E9.md': 'b',
  'skill.md': SKILL_MD,
  'SKILL.md.': 'other',
  'Skill.json': '{}',
  'styles/neon/SKILL.md': SKILL_MD,
  '.gitattributes': '# none',
  'SKILL.md~': 'unsaved',
  'Icon\r': '',
  '__pycache__/x.pyc': 'x',
  'Do\u00ADnau.md': 'x',
  'a\nskipped: forged.txt': 'x',
  // No faults: a Bengali name, a shebang with LF, CRLF without a shebang.
  'র\u200D্যাব.md': 'x\n',
  'b.txt': '#!x\n',
  'c.md': 'a\r\n',
  'd.md': '# x\r\n',
}

const TWIN = 'left out: some systems unpack it over another file'

test('faults of copied files -> each is reported by import and by check', async () => {
  const { repository, report } = await importTree(FAULTY)
  const lines = report.warnings.map((one) => renderProblem(one).replace('skills/a/', ''))
  expect(lines.toSorted()).toEqual(
    [
      '.gitattributes: left out: git would apply it to the catalog',
      String.raw`Do\u{AD}nau.md: left out: a file name with unsupported characters`,
      String.raw`Icon\u{D}: left out: `,
      'SKILL.md.: left out: some systems',
      'SKILL.md: a value of the wrong type: "compatibility" must be a text, not a list',
      'SKILL.md: the link leads to a file that an installed skill does not have: "b.md"',
      'SKILL.md: the text after " #" is a comment',
      'SKILL.md~: left out: a backup or lock file',
      'Skill.json: left out: ',
      '__pycache__/: left out: ',
      `a.md: ${TWIN}`,
      'a.png: a Git LFS pointer',
      String.raw`a\u{A}skipped: forged.txt: left out: a file name`,
      `caf\u00E9.md: ${TWIN}`,
      'con.txt: a file name',
      'run.sh: a script',
      `skill.md: ${TWIN}`,
      'styles/neon/SKILL.md: the upload of Claude refuses this: a second SKILL.md',
    ].map((words) => expect.stringContaining(words)),
  )
  const { text } = await runCommand('check', join(repository.folder, 'skills/a'), '--json')
  const { rules }: { rules: Problem[] } = JSON.parse(text.slice(0, text.lastIndexOf('}') + 1))
  const [told, checked] = [report.warnings, rules].map((rows) => rows.map(({ rule }) => rule))
  expect(new Set(checked)).toEqual(new Set(told))
})

test('many of one reason -> import names one notice or five skills and counts the others; check lists all', async () => {
  const faults = ['con.txt', 'aux.md', '.env', 'x/.env'].map((name) => [`a/${name}`, 'x'])
  const odd = Array.from({ length: 317 }, (_, at) => [`tests/t${at}/SKILL.md`, SKILL_MD])
  const bad = ['b', 'c'].map((name) => [`${name}/SKILL.md`, `---\nname: "${name}\n---\n`])
  const files = Object.fromEntries([...faults, ...odd, ...bad])
  const { folder } = makeRepository({ 'a/SKILL.md': SKILL_MD, ...files })
  const { stdout } = await runCommand('import', folder, '--own', '--into', makeContent())
  expect(stdout).toMatch(
    /## Notices .* lists all\n\n- .*a\/.env: left out: it may .*\n- .*: and 1 more of environment-file\n- .*a\/aux\.md: .*\n- .*: and 1 more of file-name\n/,
  )
  const lines = stdout.split('## Left out\n\n')[1]?.split('\n\n')[0]?.split('\n') ?? []
  expect(lines).toHaveLength(8)
  expect(lines[0]).toMatch(
    /`tests\/t0: in a folder of tests.*: tests — to import it, name that folder/,
  )
  expect(lines[5]).toBe('- and 312 more of odd-folder')
  expect(lines[6]).toMatch(/`b\/SKILL\.md: the front matter has no description/)
  const checked = await runCommand('check', folder)
  for (const [place] of faults) expect(checked.stdout).toContain(`/${place}:1:1 `)
  expect(checked.stdout.match(/\/tests\/t\d+:1:1 note odd-folder /g)).toHaveLength(317)
})

/** Makes a repository with a submodule at a path. */
const makeOuter = (files: Record<string, string>, place: string) => {
  const inner = makeRepository({ 'tests/x/SKILL.md': SKILL_MD }, { path: 'ada/team-two' })
  const outer = makeRepository(files)
  outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.address, place)
  outer.git('commit', '--quiet', '--message', 'Add the other team')
  return { ...outer, words: `another repository: "${inner.address}"` }
}

test('an empty folder, pipes, links to them, and a folder called SKILL.md -> reported as left out', async () => {
  const twin = { 'c/skill.md': sampleSkillMd('c'), 'c/SKILL.md/x.md': 'x' }
  const folder = makeSampleFolder({ 'a/SKILL.md': SKILL_MD, 'b/skill.md/x': '', ...twin })
  mkdirSync(join(folder, 'a/out/put'), { recursive: true })
  for (const pipe of ['pipe', 'a/pipe', 'b/SKILL.md', 'LICENSE'])
    execFileSync('mkfifo', [join(folder, pipe)])
  addLinks(folder, { 'a/link': '../pipe', 'a/near': 'pipe' })
  const { content, skipped, warnings } = await importNew(folder)
  expect(skipped.map(({ file }) => file)).toEqual(['b/SKILL.md'])
  expect(warnings.map(renderProblem)).toEqual([
    expect.stringMatching('^a/link: left out: a symlink out of the skill folder'),
    'a/near: left out: a symlink to something that is not a file — remove it',
    'a/pipe: left out: neither a file nor a folder — remove it',
    'a/out/put/: left out: an empty folder, which git does not store — put a file in it',
    expect.stringMatching('^c/SKILL.md/x.md: left out: some systems'),
  ])
  expect(Object.keys(readTree(join(content, 'skills/c')))).toEqual(['SKILL.md'])
})

test('a checkout with tracked files missing -> check and import report each missing file, and a missing skill', async () => {
  const files = ['a', 'b', 'c'].flatMap((slug) => [
    [`skills/${slug}/SKILL.md`, sampleSkillMd(slug)],
    [`skills/${slug}/skill.json`, '{}'],
    [`skills/${slug}/x/lost.md`, 'x'],
  ])
  const more = { 'site.json': SITE, 'docs/c.md': 'c', 'skills/a/con.txt': 'x' }
  const { folder } = makeRepository({ ...more, ...Object.fromEntries(files) })
  for (const place of ['skills/a/x', 'skills/b', 'docs'])
    rmSync(join(folder, place), { recursive: true })
  const check = async (...places: string[]): Promise<string[]> => {
    const { stdout } = await runCommand('check', ...places, '--rule', 'not-checked-out', '--json')
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { file: string }[] }
    return diagnostics.map(({ file }) => relative(folder, file))
  }
  expect(await check(folder)).toEqual(['skills/a/x/lost.md', 'skills/b/SKILL.md'])
  expect(await check(join(folder, 'skills/a'))).toEqual(['skills/a/x/lost.md'])
  expect(await check(join(folder, 'skills/c'))).toEqual([])
  rmSync(join(folder, 'site.json'))
  expect(await check(folder)).toEqual(['skills/a/x/lost.md', 'skills/b/SKILL.md'])
  const { warnings, skipped } = await importNew(folder)
  const lost = { rule: 'not-checked-out', file: 'skills/a/x/lost.md' }
  const others = warnings.filter(({ rule }) => rule !== 'record-name')
  expect(others).toMatchObject([{ rule: 'file-name', file: 'skills/a/con.txt' }, lost])
  expect(skipped).toMatchObject([{ rule: 'not-checked-out', file: 'skills/b/SKILL.md' }])
})

test('a link checked out as text -> left out; reported by import and check', async () => {
  const { repository } = await importTree({ 'real.md': 'x' })
  const { folder, git, commit } = repository
  mkdirSync(join(folder, 'skills/b'))
  const links = { 'skills/a/link.md': 'real.md', 'skills/b/SKILL.md': '../../docs/b.md' }
  addLinks(folder, links)
  commit({ 'docs/b.md': SKILL_MD }, '2026-01-03')
  git('config', 'core.symlinks', 'false')
  for (const place of Object.keys(links)) rmSync(join(folder, place))
  git('checkout', '--', '.')
  const { content, warnings, skipped } = await importNew(folder)
  expect(warnings).toMatchObject([{ rule: 'stored-link', file: 'skills/a/link.md' }])
  expect(skipped).toMatchObject([{ rule: 'stored-link', file: 'skills/b/SKILL.md' }])
  expect(Object.keys(readTree(join(content, 'skills/a'))).sort()).toEqual(['SKILL.md', 'real.md'])
  const { stdout } = await runCommand('check', folder)
  expect(stdout).toContain('skills/a/link.md:1:1 note stored-link')
})

test.each(['skills/team-two', 'skills/a/vendor/x'])(
  'a submodule at %s -> left out in one line with its address by import, and by check even if it is checked out',
  async (place) => {
    const { address, folder, words } = makeOuter({ 'skills/a/SKILL.md': SKILL_MD }, place)
    for (const from of [address, folder]) {
      const { imported, skipped, warnings } = await importNew(from)
      expect(imported).toMatchObject([{ slug: 'a' }])
      const messages = [...skipped, ...warnings].map((each) => JSON.stringify(each))
      expect(messages).toEqual([expect.stringContaining(JSON.stringify(words).slice(1, -1))])
    }
    addFiles(folder, { [`${place}/SKILL.md`]: 'none', [`${place}/x.sh`]: 'curl x.dev | sh\n' })
    const { code, stdout } = await runCommand('check', folder)
    const lines = stdout.split('\n\n')[1]?.trim().split('\n')
    expect([code, lines]).toEqual([0, [expect.stringContaining(`${words} — add that`)]])
    expect(lines?.[0]).toContain(place)
  },
)

test('a submodule without other skills -> refused by add, and no source is added', async () => {
  const { address } = makeOuter({ 'README.md': '# x' }, 'skills/team-two')
  const content = makeContent()
  const { code, text } = await runCommand('add', address, '--own', '--content', content)
  expect([code, text]).toEqual([1, expect.stringContaining('a submodule, which is')])
  expect(existsSync(join(content, 'sources.json'))).toBe(false)
})

test('a skill in a tracked package -> left out and reported, unless it is named or included', async () => {
  const { address, folder } = makeRepository({
    'a/SKILL.md': SKILL_MD,
    'x/node_modules/m/SKILL.md': sampleSkillMd('m'),
  })
  const left = { file: 'x/node_modules/m', rule: 'odd-folder' }
  const included = new Set(['node_modules'])
  for (const [from, slugs, skips, settings] of [
    [address, ['a'], [left]],
    [`${address}/tree/main/x/node_modules/m`, ['m'], []],
    [address, ['a', 'm'], [], { included }],
  ] as const) {
    const { imported, skipped } = await importNew(from, settings)
    expect(imported.map(({ slug }) => slug)).toEqual(slugs)
    expect(skipped).toMatchObject(skips)
  }
  const { stdout } = await runCommand('check', folder)
  expect(stdout).toMatch(/x\/node_modules\/m:1:1 note odd-folder .*node_modules/)
})

test('links to tracked files -> imported, and accepted by check', async () => {
  const text = `${SKILL_MD}\n[b](b.md) [c](c/d.md)\n`
  const { folder } = makeRepository({ 'skills/a/SKILL.md': text, 'shared/d.md': '# D' })
  addLinks(join(folder, 'skills/a'), { 'b.md': '../../shared/d.md', c: '../../shared' })
  expect(await runCommand('check', folder)).toMatchObject({ code: 0, stdout: '' })
  symlinkSync('nowhere', join(folder, 'skills/a/x.md'))
  const { code, stdout } = await runCommand('check', folder)
  expect([code, stdout]).toEqual([1, expect.stringContaining('x.md:1:1 error link')])
})
