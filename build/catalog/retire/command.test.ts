import { expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { resolveMoves } from '../../../src/catalog/references.ts'
import { OWN_RECORD, SITE, UPSTREAM_RECORD } from '../../../src/catalog/testing/content.ts'
import {
  addFiles,
  makeSampleFolder,
  readSampleTree,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import { readRecords } from '../store/records.ts'
import { makeRepository } from '../import/testing/sample-repository.ts'
import { makeCatalog, openCatalog, ownSkill } from '../testing/catalog.ts'
import { depart } from './command.ts'

type DepartureRequest = Parameters<typeof depart>[1]

/** Three skills: `a` (1) was `old` before, absorbed `lost` (8), is the original of `b`, and the successor of `c`. */
const makeThree = (): string =>
  makeSampleFolder({
    'site.json': { ...SITE, starter: ['old', 'c', 'b'] },
    ...ownSkill('a'),
    ...ownSkill('b', { id: 2, copyOf: 'old' }),
    ...ownSkill('c', { id: 3, deprecated: { since: '2026-01-01', use: 'old' } }),
    'skills/a/references/notes.md': 'notes',
    'counters.json': { 1: { views: 10, installs: 1 }, 2: { views: 20, installs: 2 } },
    'retired.json': [
      { id: 1, slug: 'old', movedTo: 'a' },
      { id: 8, slug: 'lost', movedTo: 'old' },
      { id: 9, slug: 'dead' },
    ],
  })

/** What readers find: each skill with its id and views, the target of each former slug, and every mention of a skill. */
const observe = (content: string) => {
  const { site, skills, retired } = loadCatalog(content)
  const find = (slug: string) => skills.find((one) => one.slug === slug)
  return {
    skills: skills.map(({ slug, id, views }) => `${slug} ${id} ${views}`),
    moves: resolveMoves(retired, skills).map(({ slug, to }) => `${slug} -> ${to.slug}`),
    kept: retired.map(({ slug }) => slug).sort(),
    starter: site.starter,
    original: find('b')?.copyOf,
    successor: find('c')?.deprecated?.use,
  }
}

const MENTIONS = { starter: ['old', 'c', 'b'], original: 'old', successor: 'old' }

const REQUESTS: [title: string, request: DepartureRequest, seen: object][] = [
  [
    'retire a',
    { slug: 'a', reason: 'Asked for by its author' },
    {
      skills: ['b 2 20', 'c 3 0'],
      moves: [],
      kept: ['a', 'dead', 'lost', 'old'],
      starter: ['c', 'b'],
      original: undefined,
      successor: undefined,
    },
  ],
  [
    'move a old, its former slug',
    { slug: 'a', to: 'old' },
    {
      ...MENTIONS,
      skills: ['old 1 10', 'b 2 20', 'c 3 0'],
      moves: ['lost -> old', 'a -> old'],
      kept: ['a', 'dead', 'lost'],
    },
  ],
]

test.each(REQUESTS)('%s -> what readers find; a second run changes nothing', (_, request, seen) => {
  const content = makeThree()
  depart(content, request)
  expect(observe(content)).toEqual(seen)
  const before = readSampleTree(content)
  expect(depart(content, request).done).toEqual([])
  expect(readSampleTree(content)).toEqual(before)
  expect(Object.keys(before).filter((name) => /(?:^|\/)\./.test(name))).toEqual([])
})

test('moving a skill keeps its files, and the reason; without the last of a starter set -> no set', () => {
  const content = makeThree()
  depart(content, { slug: 'a', to: 'new', reason: 'Renamed' })
  expect(readSampleTree(content)['skills/new/references/notes.md']).toBe('notes')
  const row = { id: 1, slug: 'a', movedTo: 'new', reason: 'Renamed' }
  expect(readRecords(content).retired).toContainEqual(row)
  addFiles(content, { 'site.json': { ...SITE, starter: ['old'] } })
  depart(content, { slug: 'new' })
  expect(JSON.parse(readSampleTree(content)['site.json'] ?? '')).toEqual(SITE)
})

test('the source of an upstream skill: retired -> in its row; moved -> in its record', async () => {
  const { url } = UPSTREAM_RECORD.source
  const far = { 'skills/far/skill.json': { ...UPSTREAM_RECORD, id: 4 } }
  const [gone, moved] = [makeThree(), makeThree()]
  for (const content of [gone, moved]) addFiles(content, far)
  depart(gone, { slug: 'far' })
  depart(moved, { slug: 'far', to: 'near' })
  expect(readRecords(gone).retired.at(-1)).toEqual({ id: 4, slug: 'far', name: 'far', source: url })
  expect(readRecords(moved).retired.at(-1)).toEqual({ id: 4, slug: 'far', movedTo: 'near' })
})

test.each<[DepartureRequest, RegExp]>([
  [{ slug: 'aa' }, /No skill "aa"; did you mean "a"\?/],
  [{ slug: 'dead', to: 'x' }, /"dead" is retired/],
  [{ slug: 'old' }, /"old" moved to "a"; use that slug/],
  [{ slug: 'a', to: 'b' }, /"b" is the slug of skill 2; choose/],
  [{ slug: 'a', to: 'a' }, /at "a" already/],
  [{ slug: 'a', to: 'dead' }, /"dead" was the slug of skill 9; slugs are never reused/],
  // The slug of a skill merged into it, and the former slug of another.
  [{ slug: 'a', to: 'lost' }, /"lost" was the slug of skill 8;/],
  [{ slug: 'b', to: 'old' }, /"old" was the slug of skill 1;/],
  [{ slug: 'a', to: '../x' }, /"\.\.\/x" is not a slug/],
  [{ slug: 'a', to: 'page' }, /"page" is not a slug/],
])('%j -> refused, and nothing is written', (request, message) => {
  const content = makeThree()
  const before = readSampleTree(content)
  expect(() => depart(content, request)).toThrow(message)
  expect(readSampleTree(content)).toEqual(before)
})

const makePlain = () =>
  makeCatalog({
    ...ownSkill('a', {}, sampleSkillMd('a', 'Sorts Wörter.')),
    ...ownSkill('c', { id: 7 }),
    'retired.json': [{ id: 1, slug: 'old', movedTo: 'a' }],
  })

test('move and retire print their changes, each file once', async () => {
  const { call } = makePlain()
  const { stdout } = await call('move', 'a', 'b')
  expect(stdout.trimEnd().split('\n')).toEqual([
    'wrote retired.json',
    'wrote skills/a/SKILL.md',
    'renamed skills/a to skills/b',
    'row in retired.json: {"id":1,"slug":"a","movedTo":"b"}',
    'moved a to b (still id 1); the old addresses answer 308 after the next build',
  ])
  const words = /^retired b \(id 1\); its slug and id are never reused$/m
  expect((await call('retire', 'b')).stdout).toMatch(words)
})

test.each<[text: string, named?: string | undefined, record?: object]>([
  ['---\nname: a\ndescription: a\n---\nname: a\n', '---\nname: b\ndescription: a\n---\nname: a\n'],
  ['---\r\nname:  "a"\r\n---\r\n', '---\r\nname:  "b"\r\n---\r\n'],
  ["---\ndescription: Wörter\nname: 'a'\n---\n", "---\ndescription: Wörter\nname: 'b'\n---\n"],
  ['---\nname: other\ndescription: a\n---\n', undefined],
  ['---\nname: >-\n  a\ndescription: a\n---\n', undefined],
  [sampleSkillMd('a'), undefined, UPSTREAM_RECORD],
])('move of a skill with %j -> %j', async (text, named = text, record = OWN_RECORD) => {
  const { content, call, read } = makePlain()
  addFiles(content, { 'skills/a/SKILL.md': text, 'skills/a/skill.json': { ...record, id: 1 } })
  await call('move', 'a', 'b')
  expect(read('skills/b/SKILL.md')).toBe(named)
})

const far = (slug: string, id: number, owner: string, text: string) => ({
  [`skills/${slug}/skill.json`]: {
    ...UPSTREAM_RECORD,
    id,
    ...(slug === 'old' && { parts: { summary: 'Mine.' } }),
    source: { ...UPSTREAM_RECORD.source, url: `https://github.com/${owner}/tree/main/${slug}` },
  },
  [`skills/${slug}/SKILL.md`]: sampleSkillMd(slug, text),
})

const makeTwo = (owner: string, isCommitted: boolean) => {
  const { folder, git, commit } = makeRepository({
    'site.json': SITE,
    ...far('old', 1, 'ann/skills', 'Before.'),
  })
  addFiles(folder, far('next', 2, owner, 'After.'))
  if (isCommitted) commit({}, '2026-01-02')
  else git('add', '--all')
  return { ...openCatalog(folder), git }
}

test.each([
  ['a draft, also of another source', 'bo/skills', false, ['old']],
  ['a published skill of the source', 'ann/skills', true, ['next-2', 'old']],
])(
  'move onto %s -> id and words of the first, files and source of the second',
  async (_, owner, isCommitted, kept) => {
    const { content, call, read, git } = makeTwo(owner, isCommitted)
    expect(await call('move', 'old', 'next')).toMatchObject({ code: 0 })
    const { skills, retired } = loadCatalog(content)
    const source = { url: expect.stringContaining(owner) }
    expect(skills).toMatchObject([{ id: 1, slug: 'next', parts: { summary: 'Mine.' }, source }])
    expect(read('skills/next/SKILL.md')).toContain('After.')
    expect(retired.map(({ slug }) => slug).sort()).toEqual(kept)
    expect(git('status', '--porcelain').match(/^(?:.[^ ]|\?\?).*/gm)).toBe(null)
  },
)

test('move onto a published skill of another source -> refused', async () => {
  const { call } = makeTwo('bo/skills', true)
  const stderr = '"next" is the slug of skill 2; choose another.\n'
  expect(await call('move', 'old', 'next')).toMatchObject({ code: 1, stderr })
})

/** A catalog to which two branches added a skill each; `late` was committed first, and merged last. */
const makeTwins = (retired: object[] = []) => {
  const files = { 'site.json': SITE, 'retired.json': retired, ...ownSkill('a') }
  const { folder, commit, git } = makeRepository(files)
  git('checkout', '-q', '-b', 'other')
  commit(ownSkill('late', { id: 2 }), '2026-01-02')
  git('checkout', '-q', '-')
  commit(ownSkill('soon', { id: 2 }), '2026-01-03')
  git('merge', '-q', '--no-edit', 'other')
  return openCatalog(folder)
}

test('an id that two branches gave -> check names both and the first, and move --new-id mends it', async () => {
  const { call, slugs } = makeTwins()
  const { code, stdout } = await call('check')
  expect(code).toBe(1)
  expect(stdout.match(/skills\/(?:late|soon)\/skill\.json.* is taken by .*/g)).toEqual([
    expect.stringMatching(/--new-id late" gives it another; skills\/soon had it first$/),
    expect.stringMatching(/--new-id soon" gives it another; skills\/soon had it first$/),
  ])
  const stderr = 'so it stays; run "npm run catalog -- move --new-id late".'
  const kept = await call('move', '--new-id', 'soon')
  expect(kept).toMatchObject({ code: 1, stderr: expect.stringContaining(stderr) })
  expect(await call('move', '--new-id', 'late')).toMatchObject({ stdout: 'late: id 2 -> 3\n' })
  // Sorted by their ids
  expect(slugs()).toEqual(['a', 'soon', 'late'])
})

test('the id of a skill that another branch retired -> another id; an id of its own stays', async () => {
  const { call } = makeTwins([
    { id: 1, slug: 'gone' },
    { id: 1, slug: 'before', movedTo: 'a' },
  ])
  expect(await call('move', '--new-id', 'a')).toMatchObject({ stdout: 'a: id 1 -> 3\n' })
  const stderr = 'No other skill has or had the id 3 of a, so it stays.\n'
  expect(await call('move', '--new-id', 'a')).toMatchObject({ code: 1, stderr })
  expect(await call('move', 'a')).toMatchObject({ code: 2 })
})
