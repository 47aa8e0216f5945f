import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { renderProblem } from '../../../src/catalog/problems.ts'
import { loadSkill } from '../../../src/catalog/skill-folder.ts'
import { OWN_RECORD } from '../../../src/catalog/testing/content.ts'
import {
  addFiles,
  importNew,
  makeSampleFolder,
  skillFiles,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../testing/sample-folders.ts'
import { MIT_TEXT, WEB, makeRepository, runGitFor } from '../import/testing/sample-repository.ts'
import { describeSourceError } from '../cli/command.ts'
import { makeCatalog } from '../testing/catalog.ts'
import type { SourceReport } from './update.ts'

const makeSource = (name: string, ...more: readonly string[]) =>
  makeRepository(
    Object.assign({ LICENSE: MIT_TEXT }, ...[name, ...more].map((one) => skillFiles(one))),
  )

/** A file of a commit, as `git fast-import` reads it. */
const inline = (text: string): string => `data ${text.length}\n${text}`

/** Makes a repository with files at any paths, even ones that no disk supports; octal escapes are bytes. */
const makeOdd = (paths: readonly string[], links: readonly string[] = []): string => {
  const { folder, address } = makeSource('odd', 'fine')
  const text = sampleSkillMd('hidden', 'Does hidden.')
  const lines = [
    'commit refs/heads/main',
    'committer Ada <ada@skills.example> 1770000000 +0000',
    'data 0',
    'from refs/heads/main^0',
    ...paths.map((path) => `M 100644 inline "${path}"\n${inline(text)}`),
    ...links.map((target, at) => `M 120000 inline skills/odd/far${at}.md\n${inline(target)}`),
    '',
  ]
  runGitFor(folder, ['fast-import', '--quiet'], '2026-01-02', lines.join('\n'))
  return address
}

/** Makes a catalog that follows these addresses. */
const follow = (addresses: readonly string[], files: SampleFiles = {}) => {
  const rows = addresses.map((address, at) => ({ address, source: `${WEB}-${at}` }))
  return makeCatalog({ 'sources.json': rows, ...files })
}

const [DEEP, DEEPER] = ['d/'.repeat(100), 'd/'.repeat(3_000)]

const ODD: readonly [path: string, message: RegExp][] = [
  [String.raw`skills/odd/b/caf\351.md`, /odd\/b\/caf\uFFFD\.md: left out: its name is not UTF-8/],
  [String.raw`skills/caf\351/SKILL.md`, /skills\/caf\uFFFD\/SKILL.md: its name is not UTF-8/],
  [`skills/odd/${DEEP}x.md`, /odd\/d\/.*: left out: it is more than 64 folders deep/],
  [`skills/${DEEP}SKILL.md`, /skills\/d\/.*: it is more than 64 folders deep/],
  [`skills/odd/${`${'n'.repeat(150)}/`.repeat(27)}x.md`, /its path has 4092 bytes; at most 1024/],
  [String.raw`skills/odd/a\tb\"c\\.md`, /a\\u\{9\}b"c\\\.md: left out: a file name with unsup/],
  [String.raw`skills/odd/a\nb.md`, /a\\u\{A\}b\.md: left out: its name has a line break/],
]

const LINKS: readonly [target: string, message: RegExp][] = [
  ['n/'.repeat(2_000), /far0.md: left out: a symlink to a path of 4000 bytes; at most 1024/],
  ['n/'.repeat(2_500), /far1.md: left out: a symlink to a path of 5000 bytes; at most 1024/],
  ['n'.repeat(300), /far2.md: left out: a symlink whose target is not a valid path/],
]

test('update with odd files in a source between two others -> each is left out and named', async () => {
  const paths = [`docs/${DEEPER}x.md`, ...ODD.map(([path]) => path)]
  const odd = makeOdd(
    paths,
    LINKS.map(([target]) => target),
  )
  const sources = [makeSource('first').address, odd, makeSource('last').address]
  const { call, slugs } = follow(sources)
  const { code, stdout, stderr } = await call('update', '--json')
  const reports: SourceReport[] = JSON.parse(stdout).sources
  const problems = reports.flatMap(({ leftOut, notices }) => leftOut.concat(notices))
  const lines = problems.map(renderProblem)
  for (const [, message] of [...ODD, ...LINKS])
    expect(lines).toContainEqual(expect.stringMatching(message))
  expect(lines).toHaveLength(ODD.length + LINKS.length)
  expect(stdout + stderr).not.toMatch(/shorter folder|skill-catalog-/)
  expect(slugs()).toEqual(['first', 'fine', 'odd', 'last'])
  expect(code).toBe(3)
})

const errorOf = (code: string) =>
  Object.assign(new Error('x'), { code, path: join(tmpdir(), 'skill-catalog-x/a') })

test('an error in a temporary copy -> the message has neither the path of the copy nor advice about it', () => {
  expect(describeSourceError(errorOf('ENAMETOOLONG'))).toBe('it cannot be read (ENAMETOOLONG)')
  expect(describeSourceError(errorOf('ENOSPC'))).toMatch(/^its temporary copy: the disk is full/)
})

test('a write that fails in the middle of a source -> the report lists the versions already written', async () => {
  const sources = [makeSource('a', 'b', 'c'), makeSource('last')].map(({ address }) => address)
  // A file blocks the place of a skill's folder.
  const { call, slugs } = follow(sources, { 'skills/b': '' })
  const { code, stdout, stderr } = await call('update')
  expect(stdout).toMatch(/^## 2 skills to look at\n\n- \*\*a\*\* .*\n- \*\*last\*\* .*\n\n/)
  expect(stdout).toMatch(/failed: .*skills\/b: this is a file, but a folder is needed/)
  expect(stderr).toContain('skills/b: this is a file, but a folder is needed')
  expect(slugs()).toEqual(['a', 'last'])
  expect(code).toBe(1)
})

/** Makes a folder with names that are not UTF-8, and with paths too deep to open. */
const makeOddFolder = (): string => {
  const folder = makeSampleFolder({
    'fine/SKILL.md': sampleSkillMd('fine'),
    'odd/SKILL.md': sampleSkillMd('odd'),
  })
  const bytesOf = (path: string) => Buffer.from(join(folder, path), 'latin1')
  mkdirSync(bytesOf('caf\u00E9'))
  writeFileSync(bytesOf('caf\u00E9/SKILL.md'), sampleSkillMd('lost'))
  writeFileSync(bytesOf('odd/caf\u00E9.md'), '')
  const dig = "for (let n = 0; n < 2500; n += 1) { fs.mkdirSync('d'); process.chdir('d') }"
  for (const place of ['.', 'odd/notes']) {
    mkdirSync(join(folder, place), { recursive: true })
    execFileSync(process.execPath, ['-e', dig], { cwd: join(folder, place) })
  }
  onTestFinished(() => void execFileSync('rm', ['-rf', folder]))
  return folder
}

test('a folder with odd names -> import copies the skills without them, and names each; a catalog names them, too', async () => {
  const folder = makeOddFolder()
  const { content, imported, skipped, warnings } = await importNew(folder)
  expect(imported.map(({ slug }) => slug)).toEqual(['fine', 'odd'])
  expect(skipped).toMatchObject([
    { file: 'caf\uFFFD', message: 'its name is not UTF-8' },
    { file: `d${'/d'.repeat(65)}`, message: 'it is more than 64 folders deep' },
  ])
  const told = [
    expect.stringMatching(/odd\/caf\uFFFD\.md: (?:left out: )?its name is not UTF-8 — rename it$/),
    expect.stringMatching(/odd\/notes\/d\/.*: (?:left out: )?it is more than 64 .* — move it up$/),
  ]
  expect(warnings.map(renderProblem)).toEqual(told)
  expect(loadCatalog(content).skills).toHaveLength(2)
  addFiles(folder, { 'odd/skill.json': OWN_RECORD, 'content/skills/.keep': '' })
  renameSync(join(folder, 'odd'), join(folder, 'content/skills/odd'))
  const { problems } = loadSkill(join(folder, 'content'), 'odd')
  expect(problems.map(renderProblem)).toEqual(told)
})
