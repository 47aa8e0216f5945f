import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  OWN_RECORD,
  SITE,
  SMALL_CONTENT,
  UPSTREAM_RECORD,
  skillMd,
  writeFiles,
} from '../../src/catalog/testing/content.ts'
import { readTree, makeSampleFolder } from '../../testing/sample-folders.ts'
import { addCommits, checkOut, git, makeGitFolder } from '../versions/testing/repository.ts'
import { buildSite } from './build.ts'
import { dateVersion, planPackage, writePackage } from './npm.ts'
import { QUIET } from './testing/test-site.ts'

const seconds = (time: string): number => Date.parse(time) / 1_000

const EDIT = { 'content/skills/a/SKILL.md': 'a' }
const OTHER = { 'package.json': '{}' }

/** Makes a repository with one commit for each list of files and time. */
const commitAt = (
  ...commits: readonly (readonly [files: Record<string, string>, at: string])[]
) => {
  const folder = makeGitFolder()
  const all: Record<string, string> = {}
  const given = commits.map(([files, at], place) => {
    for (const [path, text] of Object.entries(files)) all[path] = `${text} ${place}`
    const parents = place === 0 ? [] : [place - 1]
    return { files: new Map(Object.entries(all)), at: seconds(at), parents }
  })
  checkOut(folder, addCommits(folder, given).at(-1)!)
  return folder
}

test.each([
  ['the first of a day', ['11-26T00:00:00'], '2026.1126.1'],
  ['no leading zeros', ['01-05T12:00:00'], '2026.105.1'],
  [
    'the third',
    ['11-25T23:59:59', '11-26T00:00:00', '11-26T08:00:00', '11-26T23:59:59'],
    '2026.1126.3',
  ],
])('the version comes from the commits of the content: %s', (_, times, version) => {
  const commits = times.map((time) => [EDIT, `2026-${time}Z`] as const)
  // Commits of other files do not count.
  const all = commits.flatMap((one) => [one, [OTHER, one[1]] as const])
  expect(dateVersion(join(commitAt(...all), 'content'))).toBe(version)
})

test('a merge counts as one commit, on the day on which it was merged', () => {
  const folder = makeGitFolder()
  const [a, b, c] = ['a', 'b', 'c'].map((text) => new Map([['content/skills/a/SKILL.md', text]]))
  const [first, second, third] = ['20', '21', '24'].map((day) => seconds(`2026-11-${day}T12:00Z`))
  const names = addCommits(folder, [
    { files: a!, at: first!, parents: [] },
    { files: b!, at: second!, parents: [0] },
    { files: c!, at: second!, parents: [1] },
    { files: c!, at: third!, parents: [0, 2] },
  ])
  checkOut(folder, names.at(-1)!)
  expect(dateVersion(join(folder, 'content'))).toBe('2026.1124.1')
})

test('outside git, in a shallow clone, or with changes that are not committed -> --npm-version is needed', () => {
  expect(() => dateVersion(makeSampleFolder(SMALL_CONTENT))).toThrow(
    /not a git repository.*--npm-version 1\.2\.3/,
  )
  const from = commitAt([EDIT, '2026-11-26T01:00:00Z'], [EDIT, '2026-11-26T02:00:00Z'])
  const folder = makeSampleFolder()
  git(folder, 'clone', '--quiet', '--depth=1', `file://${from}`, 'clone')
  expect(() => dateVersion(join(folder, 'clone/content'))).toThrow(/is shallow.*--npm-version/)
  writeFileSync(join(from, 'content/skills/a/new.md'), 'new')
  expect(() => dateVersion(join(from, 'content'))).toThrow(/uncommitted.*--npm-version/)
})

test.each<[string | undefined, string, RegExp]>([
  [undefined, '1.2.3', /add "npm", such as "npm": "@acme\/skills"/],
  ['skills', '1.2.3', /1 problem/],
  ['@Acme/skills', '1.2.3', /1 problem/],
  ['@acme/../x', '1.2.3', /1 problem/],
  ...['1.2', '01.2.3', '1.2.3 ', '--tag'].map((version): [string, string, RegExp] => [
    '@acme/skills',
    version,
    /must be a version such as/,
  ]),
])('the package %s of version %s is refused', (npm, version, message) => {
  const content = makeSampleFolder({ ...SMALL_CONTENT, 'site.json': { ...SITE, npm } })
  expect(() => planPackage(content, version)).toThrow(message)
})

const LEFT_OUT = ['skills/near/.gitignore', 'skills/near/.npmrc', 'skills/near/scripts/.npmignore']

/** A registry with a skill of each kind, and files that npm treats specially. */
const CONTENT = {
  ...SMALL_CONTENT,
  'site.json': { ...SITE, name: 'Acme | <b>', npm: '@acme/skills' },
  'skills/near/skill.json': { ...OWN_RECORD, licence: 'MIT' },
  'skills/near/SKILL.md': skillMd('near', 'At {registry-origin}/skills/near.\n'),
  'skills/near/scripts/run.sh': '#!/bin/sh\n',
  'skills/near/.gitignore': 'x.log\ndist\n',
  'skills/near/scripts/.npmignore': '*\n!nothing\n',
  'skills/near/.npmrc': 'fund=false\n',
  'skills/near/.env.example': 'A=1\n',
  'skills/near/x.log': 'x',
  'skills/near/dist/run.js': 'x',
  'skills/near/package.json': '{ "files": [] }',
  'skills/far/skill.json': UPSTREAM_RECORD,
  'skills/bare/skill.json': { ...UPSTREAM_RECORD, id: 3, name: 'bare', description: 'No copy.' },
  'skills/gone/skill.json': {
    ...UPSTREAM_RECORD,
    id: 4,
    name: 'gone',
    source: { ...UPSTREAM_RECORD.source, status: 'gone', url: 'https://github.com/ann/gone' },
  },
}

test('the package has the skills that may be passed on, without what npm leaves out', async () => {
  const root = makeSampleFolder()
  const [contentFolder, outputFolder] = [join(root, 'content'), join(root, 'dist')]
  writeFiles(contentFolder, CONTENT)
  chmodSync(join(contentFolder, 'skills/near/scripts/run.sh'), 0o755)
  const settings = { contentFolder, outputFolder, siteUrl: 'https://skills.acme.example' }
  await buildSite(settings, QUIET)
  const folder = join(outputFolder, 'npm')
  const umask = process.umask(0o077)
  const report = await writePackage(
    join(outputFolder, 'current'),
    folder,
    planPackage(contentFolder, '2026.1126.1'),
  )
  process.umask(umask)
  expect(report).toEqual([
    'Not in the package: 2 skills whose text may not be passed on',
    `npm leaves out 3 files: ${LEFT_OUT.join(', ')}`,
    `Wrote ${folder}: @acme/skills 2026.1126.1, 1 skill`,
  ])
  expect(readdirSync(join(folder, 'skills'))).toEqual(['near'])
  const written = [...readTree(folder).keys()]
  expect(written).toContain('skills/near/dist/run.js')
  const options = ['pack', '--dry-run', '--json', '--offline', '--cache', join(root, 'cache')]
  const packed = execFileSync('npm', options, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string; mode: number }[] }]
  expect(files.map(({ path }) => path).toSorted()).toEqual(
    written.filter((path) => !LEFT_OUT.includes(path)).toSorted(),
  )
  const modes = new Map(files.map(({ path, mode }) => [path, mode & 0o777]))
  expect(modes.get('skills/near/scripts/run.sh')).toBe(0o755)
  expect(modes.get('skills/near/SKILL.md')).toBe(0o644)
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  expect(read('README.md')).toMatch(/^# Acme \\\| \\<b\\>\n/)
  expect(read('README.md')).toContain(
    '| [near](https://skills.acme.example/skills/near) | registry | MIT |',
  )
  expect(read('skills/near/SKILL.md')).toContain('At https://skills.acme.example/skills/near.')
  expect(JSON.parse(read('package.json'))).toMatchObject({
    name: '@acme/skills',
    version: '2026.1126.1',
    homepage: 'https://skills.acme.example',
  })
})
