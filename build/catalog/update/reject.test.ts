import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { SITE } from '../../../src/catalog/testing/content.ts'
import {
  addFiles,
  makeSampleFolder,
  readSampleTree,
  removeFolders,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import { MIT_TEXT, WEB, makeRepository, runGitFor } from '../import/testing/sample-repository.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import { runCommand } from '../testing/run-command.ts'
import { digestVersion, loadVersion } from './version.ts'

afterEach(removeFolders)

const skill = (slug: string, words: string, path = slug) => ({
  [`skills/${path}/SKILL.md`]: sampleSkillMd(slug, 'Sorts words.', `${words}\n`),
  [`skills/${path}/notes.md`]: `${words}\n`,
})

/** What a curator wrote into the record of a skill. */
const WRITTEN = {
  category: 'Design',
  deprecated: { since: '2026-01-01', reason: 'Old.' },
  parts: { examples: ['Sort my words'] },
  accepted: [
    {
      rule: 'pipe-to-shell',
      file: 'SKILL.md',
      digest: 'a'.repeat(64),
      by: 'bo',
      when: '2026-01-01',
      why: 'Ours.',
    },
  ],
}

/** A source with two skills, and a catalog in git that follows it. */
const follow = async (site: object = {}) => {
  const source = makeRepository({
    LICENSE: MIT_TEXT,
    ...skill('calm', 'one'),
    ...skill('bold', 'one'),
  })
  const catalog = makeRepository(
    { 'content/site.json': JSON.stringify({ ...SITE, ...site }) },
    { path: 'bo/catalog' },
  )
  const content = join(catalog.folder, 'content')
  const call = (...args: string[]) => runCommand(...args, '--content', content)
  const save = (): string => catalog.commit({}, '2026-03-01')
  const add = (path: string): string => join(content, 'skills', path)
  const read = (path: string): string => readFileSync(add(path), 'utf8')
  /** Takes a new version of a skill in, without a commit. */
  const take = async (slug: string, words: string): Promise<void> => {
    source.commit(skill(slug, words), '2026-02-02')
    await call('update')
    catalog.git('add', '--all')
  }
  const write = (slug: string): void => {
    const record = JSON.parse(read(`${slug}/skill.json`)) as object
    addFiles(content, { [`skills/${slug}/skill.json`]: JSON.stringify({ ...record, ...WRITTEN }) })
  }
  await call('add', source.address, '--source', WEB)
  save()
  return { source, catalog, content, call, save, read, take, write }
}

type World = Awaited<ReturnType<typeof follow>>

const CASES: [string, (world: World) => Promise<unknown>, words: string, slug?: string][] = [
  ['a version that was not committed', ({ take }) => take('calm', 'two'), 'one'],
  [
    'a merged version',
    async ({ take, catalog, save }) => {
      catalog.git('checkout', '-q', '-b', 'update')
      await take('calm', 'two')
      save()
      catalog.git('checkout', '-q', 'main')
      catalog.git('merge', '-q', '--no-ff', '--no-edit', 'update')
    },
    'one',
  ],
  [
    'the second of two',
    async ({ take, save }) => {
      await take('calm', 'two')
      save()
      await take('calm', 'three')
      save()
    },
    'two',
  ],
  [
    'the one before a rejected one',
    async ({ take, save, call }) => {
      await take('calm', 'two')
      save()
      await take('calm', 'three')
      save()
      await call('reject', 'calm')
      save()
    },
    'one',
  ],
  [
    'a version that lost its text with its licence',
    async ({ source, call }) => {
      source.commit({}, '2026-02-02', ['LICENSE'])
      await call('update')
    },
    'one',
  ],
  [
    'a version before a move',
    async ({ take, save, call }) => {
      await take('calm', 'two')
      save()
      await call('move', 'calm', 'quiet')
      save()
    },
    'one',
    'quiet',
  ],
  [
    'a version after a move',
    async ({ take, save, call }) => {
      await call('move', 'calm', 'quiet')
      save()
      await take('calm', 'two')
    },
    'one',
    'quiet',
  ],
]

test.each(CASES)(
  '%s -> the one before, and what the curator wrote',
  async (_, prepare, words, slug = 'calm') => {
    const world = await follow()
    const { call, read, write, save, content, catalog } = world
    const before = JSON.parse(read('calm/skill.json')) as Record<string, unknown>
    await prepare(world)
    write(slug)
    const { code, stdout } = await call('reject', 'calm')
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        `^${slug}: as in [0-9a-f]{7,} again; this version is not offered again\n$`,
      ),
    ])
    expect(read(`${slug}/notes.md`)).toBe(`${words}\n`)
    const { source, added, updated } = before
    const record = JSON.parse(read(`${slug}/skill.json`)) as object
    expect(record).toMatchObject({
      id: before['id'],
      ...WRITTEN,
      ...(words === 'one' && { source, added, updated }),
    })
    expect(catalog.git('diff', '--name-only')).toBe('')
    save()
    const tree = readSampleTree(content)
    for (const again of ['update', 'update']) {
      await call(again)
      const { 'sources.lock': _lock, ...after } = readSampleTree(content)
      const { 'sources.lock': _old, ...kept } = tree
      expect(after).toEqual(kept)
    }
  },
)

test('a rejected version -> not offered from another folder; undone -> offered again', async () => {
  const { call, take, read, source } = await follow()
  await take('calm', 'two')
  await call('reject', 'calm')
  source.commit(skill('calm', 'two', 'calmer'), '2026-02-03', ['skills/calm'])
  await call('update')
  expect(read('calm/notes.md')).toBe('one\n')
  source.commit(skill('calm', 'two'), '2026-02-04', ['skills/calmer'])
  await call('update')
  expect(read('calm/notes.md')).toBe('one\n')
  expect(await call('reject', '--undo', 'calm')).toMatchObject({
    stdout: 'calm: rejection undone; the next update offers it again\n',
  })
  await call('update')
  expect(read('calm/notes.md')).toBe('two\n')
  expect(await call('reject', '--undo', 'calm')).toMatchObject({
    code: 1,
    stderr: 'No version of calm was rejected.\n',
  })
  expect(await call('reject', 'clam')).toMatchObject({
    code: 1,
    stderr: 'No skill "clam"; did you mean "calm"?\n',
  })
})

test('a version that was not committed, rejected -> the record is byte for byte as git has it', async () => {
  const { call, catalog, save, take } = await follow()
  await call('set', 'calm', 'category=Design')
  save()
  await take('calm', 'two')
  await call('reject', 'calm')
  expect(catalog.git('diff', '--cached', '--name-only')).toBe('content/sources.lock')
})

test('a version that version 1.0.0 rejected -> not offered; undone by a later slug -> offered', async () => {
  const { call, take, read, save, content, catalog } = await follow()
  await take('calm', 'two')
  const { opened } = loadVersion(content, 'calm', readSkillBits(content))
  const rejected = digestVersion(opened, opened.record!).slice(0, 16)
  catalog.git('reset', '-q', '--hard')
  const fact = JSON.stringify({ address: 'unknown', rejected, slug: 'calm' })
  writeFileSync(join(content, 'sources.lock'), `${fact}\n`)
  await call('update')
  expect(read('calm/notes.md')).toBe('one\n')
  await call('move', 'calm', 'quiet')
  save()
  expect(await call('reject', '--undo', 'quiet')).toMatchObject({ code: 0 })
  await call('update')
  expect(read('quiet/notes.md')).toBe('two\n')
})

test('renamed in its source, updated, moved, updated -> nothing is offered again', async () => {
  const { call, source, save, content } = await follow()
  source.commit(skill('calm', 'two', 'calmer'), '2026-02-02', ['skills/calm'])
  await call('update')
  const [added] = loadCatalog(content).skills.slice(-1)
  await call('move', 'calm', added!.slug)
  save()
  expect(loadCatalog(content).skills.map(({ slug, id }) => [slug, id])).toEqual([
    ['bold', 1],
    [added!.slug, 2],
  ])
  const before = readSampleTree(content)
  source.commit(skill('bold', 'two'), '2026-02-03')
  const { stdout } = await call('update')
  expect(stdout).toContain('2 found, 0 new, 1 changed, 0 gone')
  const place = `skills/${added!.slug}/skill.json`
  expect(readSampleTree(content)[place]).toBe(before[place])
})

describe('a new skill', () => {
  test.each([
    [false, 'removed', []],
    [true, 'retired, since it had no other version; its slug and id are never reused', ['next']],
  ])('committed: %s -> %s, and not offered again', async (isSaved, done, retired) => {
    const { call, take, save, content, catalog } = await follow()
    await take('next', 'one')
    if (isSaved) save()
    expect(await call('reject', 'next')).toMatchObject({
      code: 0,
      stdout: `next: ${done}; this version is not offered again\n`,
    })
    expect(catalog.git('diff', '--name-only')).toBe('')
    await call('update')
    const found = loadCatalog(content)
    expect(found.skills.map(({ slug }) => slug)).toEqual(['bold', 'calm'])
    expect(found.retired.map(({ slug }) => slug)).toEqual(retired)
    await take('later', 'two')
    expect(loadCatalog(content).skills.at(-1)).toMatchObject({ slug: 'later', id: 4 })
  })
})

test('two branches with a rejection each -> merged without a conflict', async () => {
  const { call, take, save, read, catalog } = await follow()
  addFiles(catalog.folder, { '.gitattributes': 'content/sources.lock merge=union\n' })
  await take('calm', 'two')
  await take('bold', 'two')
  save()
  catalog.git('checkout', '-q', '-b', 'other')
  await call('reject', 'calm')
  save()
  catalog.git('checkout', '-q', 'main')
  await call('reject', 'bold')
  save()
  catalog.git('merge', '-q', '--no-edit', 'other')
  await call('update')
  expect([read('calm/notes.md'), read('bold/notes.md')]).toEqual(['one\n', 'one\n'])
})

/** A catalog with versions, and with one that is not committed. */
const keepVersions = async () => {
  const world = await follow()
  const { content, catalog, save, take } = world
  const versions = { since: catalog.git('rev-parse', 'HEAD') }
  writeFileSync(join(content, 'site.json'), JSON.stringify({ ...SITE, versions }))
  save()
  await take('calm', 'two')
  return world
}

describe('in a registry with versions', () => {
  test('a served version -> the command that withdraws it, or withdrawn at once', async () => {
    const { call, save, content } = await keepVersions()
    save()
    const why = ['--withdraw', '--why', 'It sent files away.']
    const { stdout } = await call('reject', 'calm', ...why)
    expect(stdout).toMatch(
      /^calm: as in \w+ again; .*\nwrote withdrawn\.json: .* withdraws calm@[0-9a-f]{32}\n/,
    )
    expect(JSON.parse(readSampleTree(content)['withdrawn.json']!)).toMatchObject([
      { summary: 'It sent files away.', affected: [{ slug: 'calm' }] },
    ])
    const other = await keepVersions()
    other.save()
    expect((await other.call('reject', 'calm')).stdout).toMatch(
      /\ncalm@([0-9a-f]{32}) stays served; to withdraw it, commit this and run "npm run catalog -- withdraw calm@\1 --why …"\n$/,
    )
  })

  test('a withdrawn version before it -> refused', async () => {
    const { call, save, take, content } = await keepVersions()
    save()
    await call('reject', 'calm', '--withdraw', '--why', 'Bad.')
    await call('reject', '--undo', 'calm')
    save()
    await call('update')
    save()
    await take('calm', 'three')
    save()
    const before = readSampleTree(content)
    expect(await call('reject', 'calm')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The version before it, of \w+, is not allowed now: .* withdraws it\. Retire calm, or/,
      ),
    })
    expect(readSampleTree(content)).toEqual(before)
  })

  test('a version that no build serves -> nothing to withdraw', async () => {
    const { call } = await keepVersions()
    expect(await call('reject', 'calm', '--withdraw', '--why', 'Bad.')).toMatchObject({
      code: 1,
      stderr: 'No build serves this version of calm, so leave --withdraw out.\n',
    })
  })
})

test('again, after a kill before the version before was back -> completes it', async () => {
  const { catalog, call, read, take, save } = await follow()
  await take('calm', 'two')
  save()
  await call('reject', 'calm')
  catalog.git('restore', '--staged', '--worktree', '--', 'content/skills')
  expect(await call('reject', 'calm')).toMatchObject({ code: 0 })
  expect(read('calm/SKILL.md')).toContain('one')
})

test('in a partial clone -> names the command that fetches the rest, and works after it', async () => {
  const { catalog, take, save } = await follow()
  await take('calm', 'two')
  save()
  catalog.git('config', 'uploadpack.allowFilter', 'true')
  const clone = join(makeSampleFolder(), 'clone')
  runGitFor('/', ['clone', '--quiet', '--filter=blob:none', catalog.address, clone])
  const reject = () => runCommand('reject', 'calm', '--content', join(clone, 'content'))
  const { stderr } = await reject()
  expect(stderr).toMatch(/; if this clone is partial, run git fetch --refetch --no-filter, then/)
  runGitFor(clone, ['fetch', '--quiet', '--refetch', '--no-filter'])
  expect(await reject()).toMatchObject({ code: 0 })
})

describe('is refused, and nothing is written', () => {
  test.each<[string, (world: World) => unknown, RegExp]>([
    [
      'changes that are not staged',
      ({ content }) => addFiles(content, { 'skills/calm/notes.md': 'mine' }),
      /^content\/skills\/calm\/notes\.md has changes that are not staged; undo them/,
    ],
    [
      'no repository',
      ({ catalog }) => rmSync(join(catalog.folder, '.git'), { recursive: true }),
      /^There is no earlier version to go back to: the content folder is in no git repo/,
    ],
    [
      'a folder that git ignores',
      ({ catalog: { git, folder } }) => {
        git('rm', '-r', '--quiet', '--cached', 'content')
        git('commit', '--quiet', '--message', 'Keep it elsewhere')
        addFiles(folder, { '.gitignore': 'content/\n' })
      },
      /to go back to: git ignores the content folder/,
    ],
    [
      'the same command twice',
      ({ call }) => call('reject', 'calm'),
      /^A version of calm is rejected already; commit that before/,
    ],
    [
      'an own skill without another version',
      ({ content, catalog, read }) => {
        const source = { kind: 'own' }
        const record = JSON.stringify({
          ...(JSON.parse(read('bold/skill.json')) as object),
          source,
        })
        rmSync(join(content, 'skills/calm'), { recursive: true })
        addFiles(content, { 'skills/calm/skill.json': record, 'skills/calm/SKILL.md': 'x' })
        rmSync(join(catalog.folder, '.git'), { recursive: true })
        catalog.git('init', '--quiet')
        catalog.commit({}, '2026-03-02')
      },
      /^calm is the registry's own, and git has no other version of it; /,
    ],
    [
      'a version that the rules do not allow any more',
      ({ content }) =>
        addFiles(content, { 'site.json': JSON.stringify({ ...SITE, policy: { tokens: 1 } }) }),
      /is not allowed now: skills\/calm\/SKILL\.md: policy\.tokens: /,
    ],
  ])('%s', async (_, spoil, message) => {
    const world = await follow()
    const { call, take, save, content } = world
    await take('calm', 'two')
    save()
    await spoil(world)
    const before = readSampleTree(content)
    const { code, stderr } = await call('reject', 'calm')
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
    expect(readSampleTree(content)).toEqual(before)
  })

  test('a shallow clone', async () => {
    const { take, save, catalog } = await follow()
    await take('calm', 'two')
    save()
    const place = join(makeSampleFolder(), 'clone')
    runGitFor(catalog.folder, [
      'clone',
      '-q',
      '--depth=1',
      pathToFileURL(catalog.folder).href,
      place,
    ])
    expect(await runCommand('reject', 'calm', '--content', join(place, 'content'))).toMatchObject({
      code: 1,
      stderr:
        'This clone is shallow, so its earlier versions are not here; run git fetch --unshallow, then this again.\n',
    })
  })
})
