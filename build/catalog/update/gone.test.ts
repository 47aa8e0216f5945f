import { appendFileSync, cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import type { SourceRow } from '../../../src/catalog/schema.ts'
import { SITE, UPSTREAM_RECORD } from '../../../src/catalog/testing/content.ts'
import { addFiles, makeOnce, sampleSkillMd } from '../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../testing/sample-folders.ts'
import { isAbsence } from '../import/git/repository.ts'
import { serveGit } from '../import/testing/git-server.ts'
import { MIT_TEXT, WEB, makeRepository, runGitFor } from '../import/testing/sample-repository.ts'
import { makeCatalog } from '../testing/catalog.ts'
import { runCommand } from '../testing/run-command.ts'
import { readSourcesLock } from '../store/sources-lock.ts'
import { createFollowsTest } from './gone.ts'
import { renderReport } from './report.ts'
import { openStage } from './stage.ts'
import { followSources } from './update.ts'

const DAY = 24 * 60 * 60 * 1_000
const START = Date.parse('2026-05-05T06:00:00Z')

const makeSource = (path: string, ...names: readonly string[]) => {
  const skills = names.map((name) => [`skills/${name}/SKILL.md`, sampleSkillMd(name)])
  return makeRepository({ LICENSE: MIT_TEXT, ...Object.fromEntries(skills) }, { path })
}

/** A catalog that follows these rows; `update` runs `days` after the first run. */
const follow = (rows: readonly SourceRow[], isPrivate = false) => {
  const { content } = makeCatalog({ 'sources.json': rows }, { private: isPrivate })
  const update = async (days: number, more: { only?: number } = {}) => {
    const now = `${new Date(START + days * DAY).toISOString().slice(0, 19)}Z`
    const today = now.slice(0, 10)
    const stage = openStage(content)
    const settings = { content, stage, stderr: { write: () => true } }
    const chosen = more.only === undefined ? rows : rows.slice(0, more.only)
    const reports = await followSources(chosen, { ...settings, now, today })
    const text = renderReport(reports, content, stage)
    return { text, marked: reports.flatMap((one) => one.markedGone) }
  }
  /** The status of each skill with the days on which it was checked and seen. */
  const statuses = (): string[] =>
    loadCatalog(content).skills.map(({ slug, source }) =>
      source.kind === 'own' ? slug : `${slug} ${source.status} ${source.checked} ${source.seen}`,
    )
  /** Whether each skill is alive or gone. */
  const states = () => statuses().map((row) => row.split(' ')[1])
  const missing = (): string[] => [...readSourcesLock(content).missed.keys()]
  /** Commits the catalog. */
  const save = (): void => {
    for (const words of ['init -q', 'add -A', 'commit -qm x']) runGitFor(content, words.split(' '))
  }
  return { content, update, statuses, states, missing, save }
}

// The slug of one skill is named like a property of every object.
test('a followed folder missing on two days -> gone, even if the source did not change; back again -> alive', async () => {
  const { address, commit } = makeSource('ada/tools', 'b', 'constructor')
  const { update, statuses, missing } = follow([{ address, source: WEB }])
  await update(0)
  commit({}, '2026-01-02', ['skills/constructor'])
  expect((await update(1)).text).toMatch(
    /## Not in their source\n\n.*1 of 2 skills .*: constructor\. The catalog keeps them/,
  )
  expect(missing()).toEqual(['constructor'])
  commit({ 'skills/constructor/SKILL.md': sampleSkillMd('constructor') }, '2026-01-03')
  await update(1.5)
  expect(missing()).toEqual([])
  commit({}, '2026-01-04', ['skills/constructor'])
  await update(10)
  expect((await update(10.7)).marked).toEqual([])
  const alive = ['b alive 2026-05-05 2026-05-05', 'constructor alive 2026-05-05 2026-05-05']
  expect(statuses()).toEqual(alive)
  const second = await update(11)
  expect(second.text).toMatch(/## Marked as gone\n\n.*1 skill .*: constructor\. /)
  expect(statuses()).toEqual([alive[0], 'constructor gone 2026-05-16 2026-05-05'])
  expect(missing()).toEqual([])
  commit({ 'x.md': 'x' }, '2026-01-05')
  expect((await update(12)).text).not.toContain('Not in their source')
  commit({ 'skills/constructor/SKILL.md': sampleSkillMd('constructor') }, '2026-01-06')
  await update(13)
  expect(statuses()).toEqual([alive[0], 'constructor alive 2026-05-18 2026-05-18'])
})

test('a followed folder missing on two days, while its curator changes the record -> gone once that is committed', async () => {
  const { address, commit } = makeSource('ada/tools', 'a', 'b')
  const { content, update, save } = follow([{ address, source: WEB }])
  save()
  await update(0)
  save()
  commit({}, '2026-01-02', ['skills/b'])
  await update(1)
  appendFileSync(join(content, 'skills/b/skill.json'), '\n')
  expect((await update(2)).marked).toEqual([])
  save()
  expect((await update(3)).marked).toEqual(['b'])
})

test('a followed folder missing as the folder that a row names -> all its skills are gone; without skills, the changed state is staged', async () => {
  const { address, commit } = makeSource('ada/tools', 'a', 'b')
  const row = { address: `${address}/tree/main/skills`, source: WEB }
  const { update, states } = follow([row])
  const other = follow([{ ...row, exclude: ['*'] }])
  other.save()
  await update(0)
  expect((await other.update(0)).text).toContain('2 left out (2 excluded)')
  commit({ 'README.md': 'x' }, '2026-01-02', ['skills'])
  expect((await update(1)).text).toContain('there is no folder "skills"')
  await update(2)
  expect(states()).toEqual(['gone', 'gone'])
  await other.update(1)
  expect(readSourcesLock(other.content).read.get(row.address)).toEqual({})
  expect(runGitFor(other.content, ['diff', '--name-only'])).toBe('')
})

test('a followed folder missing as a link of the followed folder -> gone with the link or with its target', async () => {
  const names = ['a', 'b', 'c']
  const { address, folder, commit } = makeSource('ada/tools', ...names)
  mkdirSync(join(folder, 'listed'))
  for (const name of names) symlinkSync(`../skills/${name}`, join(folder, 'listed', name))
  commit({}, '2026-01-02')
  const row = { address: `${address}/tree/main/listed`, source: WEB }
  const { content, update, states, missing } = follow([row])
  await update(0)
  expect((await runCommand('check', content)).stdout).not.toContain('source-unfollowed')
  commit({}, '2026-01-03', ['listed/a', 'skills/b'])
  await update(1)
  expect(missing()).toEqual(['a', 'b'])
  await update(2)
  expect(states()).toEqual(['gone', 'gone', 'alive'])
})

describe('a repository that cannot be read', () => {
  const answers = new Map<string, number>()
  let root = ''
  let server: Awaited<ReturnType<typeof serveGit>>
  beforeAll(async () => {
    server = await serveGit(
      () => root,
      ({ url = '' }) => {
        const status = [...answers].find(([start]) => url.startsWith(start))?.[1]
        return status === undefined
          ? undefined
          : [status, status === 401 ? { 'WWW-Authenticate': 'Basic' } : {}]
      },
    )
  })
  afterEach(() => answers.clear())
  afterAll(() => void server.close())

  /** Follows ada's repository, at its commit if it is pinned, and bob's on one host. */
  const followTwo = async (isPinned = false) => {
    const { catalog, place } = await makeOnce(`${server.host} ${isPinned}`, async () => {
      const { folder, git } = makeSource('ada/tools', 'a')
      root = join(folder, '../..')
      const { folder: other } = makeSource('bob/tools', 'b')
      cpSync(join(other, '..'), join(root, 'bob'), { recursive: true })
      const tree = isPinned ? `/tree/${git('rev-parse', 'HEAD')}` : ''
      const rows = [`ada/tools${tree}`, 'bob/tools'].map((path) => ({
        address: `http://${server.host}/${path}`,
        review: 'findings' as const,
      }))
      const made = follow(rows, true)
      await made.update(0)
      return { catalog: made, place: root }
    })
    root = place
    return catalog
  }

  test('404 on two days -> its skills are gone; readable again -> alive', async () => {
    const { update, states, missing } = await followTwo()
    expect(states()).toEqual(['alive', 'alive'])
    answers.set('/ada/', 404)
    expect((await update(1)).text).toMatch(/## Not in their source\n\n.*1 of 1 skill .*: a\. /)
    expect(missing()).toEqual(['a'])
    expect((await update(2)).marked).toEqual(['a'])
    expect(states()).toEqual(['gone', 'alive'])
    answers.clear()
    await update(3)
    expect(states()).toEqual(['alive', 'alive'])
  })

  test.each<[string, number, path?: string, more?: { isPinned?: true; only?: 1 }]>([
    ['500', 500],
    ['a login in a private registry', 401],
    ['404 from the whole host', 404, '/'],
    ['404 from the whole host while a given commit is read', 404, '/', { isPinned: true }],
    ['404, and no other repository of the host is read', 404, '/ada/', { only: 1 }],
  ])('%s -> nothing is missing', async (_, status, path = '/ada/', { isPinned, ...only } = {}) => {
    const { content, update, states, missing } = await followTwo(isPinned)
    if (isPinned) addFiles(content, { 'sources.lock': '' })
    answers.set(path, status)
    await update(1, only)
    await update(3, only)
    expect([states(), missing()]).toEqual([['alive', 'alive'], []])
  })
})

const FATAL = "fatal: unable to access 'https://h/a/b/': "
test.each([
  ["fatal: repository 'https://git.example/a/b/' not found", true, true],
  ["remote: Repository not found.; fatal: repository 'https://h/a/b/' not found", true, true],
  ['ERROR: Repository not found.; fatal: Could not read from remote repository.', true, true],
  ["fatal: could not read Username for 'https://h': terminal prompts disabled", true, false],
  ['remote: HTTP Basic: Access denied; fatal: Authentication failed for', true, false],
  [`${FATAL}Could not resolve host: h`, false, false],
  [`${FATAL}The requested URL returned error: 503`, false, false],
  [`${FATAL}The requested URL returned error: 410`, true, true],
  [`${FATAL}SSL certificate problem`, false, false],
])('git says %j -> absent for the public: %s, in a private registry: %s', (words, open, closed) => {
  expect([isAbsence(words), isAbsence(words, true)]).toEqual([open, closed])
})

test.each<[row: Partial<SourceRow>, folder: string, follows: boolean]>([
  [{ address: WEB }, 'skills/a', true],
  [{ address: `${WEB}.git`, ref: 'release/1' }, 'skills/a', true],
  [{ address: `${WEB}/tree/main/skills` }, 'skills/a', true],
  [{ address: `${WEB}/tree/main/other` }, 'skills/a', false],
  [{ address: `${WEB}2` }, 'skills/a', false],
  [{ address: 'file:///no/such/x', source: WEB }, 'a', true],
  [{ address: 'file:///no/x/tree/main/b', source: WEB }, 'a', false],
  [{ address: 'file:///no/such/x', own: true }, 'a', false],
  [{ address: 'git@github.com:ada/tools.git' }, 'a', true],
  [{ address: 'x' }, 'a', false],
])('the row %j follows the folder %s of ada/tools: %s', (row, folder, follows) => {
  const url = `${WEB}/tree/${'a'.repeat(40)}/${folder}`
  const days = { checked: '2026-01-01', seen: '2026-01-01' }
  const source = { kind: 'upstream', url, status: 'alive', ...days } as const
  expect(createFollowsTest({ address: '', ...row })(source)).toBe(follows)
})

const PRIVATE = { 'site.json': { ...SITE, private: true } }

test.each<[string, number, SampleFiles, number, string | undefined]>([
  ['that no row follows -> a warning', 89, {}, 0, 'warning'],
  ['seen more than 90 days ago -> an error', 92, {}, 1, 'error'],
  ['in a private registry -> a warning', 92, PRIVATE, 0, 'warning'],
  ['that a row follows -> nothing', 92, { 'sources.json': [{ address: WEB }] }, 0, undefined],
])('check of a skill from elsewhere %s', async (_, days, more, code, severity) => {
  const seen = new Date(Date.now() - days * DAY).toISOString().slice(0, 10)
  const source = { ...UPSTREAM_RECORD.source, url: `${WEB}/tree/main/a`, checked: seen, seen }
  const files = { 'skills/a/skill.json': { ...UPSTREAM_RECORD, source }, ...more }
  const checked = await makeCatalog(files).call('check')
  const found = /(\w+) +source-\w+ /.exec(checked.stdout)?.[1]
  expect([checked.code, found]).toEqual([code, severity])
})
