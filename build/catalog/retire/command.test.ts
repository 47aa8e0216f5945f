import { afterEach, describe, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { resolveMoves } from '../../../src/catalog/references.ts'
import type { Retired } from '../../../src/catalog/schema.ts'
import { OWN_RECORD, SITE, UPSTREAM_RECORD } from '../../../src/catalog/testing/content.ts'
import {
  addFiles,
  makeSampleFolder,
  readSampleTree,
  removeFolders,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import { readRecords } from '../store/records.ts'
import { makeRepository } from '../import/testing/sample-repository.ts'
import { runCommand } from '../testing/run-command.ts'
import { depart } from './command.ts'

afterEach(removeFolders)

type DepartureRequest = Parameters<typeof depart>[1]

const skill = (slug: string, id: number, more: object = {}) => ({
  [`skills/${slug}/skill.json`]: JSON.stringify({ ...OWN_RECORD, id, ...more }),
  [`skills/${slug}/SKILL.md`]: sampleSkillMd(slug),
  [`skills/${slug}/references/notes.md`]: 'notes',
})

/** Three skills: `a` (1) was `old` before, absorbed `lost` (8), is the original of `b`, and the successor of `c`. */
const makeCatalog = (retired?: Retired[]): string =>
  makeSampleFolder({
    'site.json': JSON.stringify({ ...SITE, starter: ['old', 'c', 'b'] }),
    ...skill('a', 1),
    ...skill('b', 2, { copyOf: 'old' }),
    ...skill('c', 3, { deprecated: { since: '2026-01-01', use: 'old' } }),
    'counters.json': JSON.stringify({
      1: { views: 10, installs: 1 },
      2: { views: 20, installs: 2 },
    }),
    'retired.json': JSON.stringify(
      retired ?? [
        { id: 1, slug: 'old', movedTo: 'a' },
        { id: 8, slug: 'lost', movedTo: 'old' },
        { id: 9, slug: 'dead' },
      ],
    ),
  })

/** What readers find: each current slug with its id, and the target of each former slug. */
const observe = (content: string) => {
  const { skills, retired } = loadCatalog(content)
  return {
    skills: skills.map(({ slug, id }) => `${slug} ${id}`).sort(),
    moves: resolveMoves(retired, skills)
      .map(({ slug, to }) => `${slug} -> ${to.slug}`)
      .sort(),
    kept: retired.map(({ slug }) => slug).sort(),
  }
}

const REQUESTS: [title: string, request: DepartureRequest, seen: ReturnType<typeof observe>][] = [
  [
    'retire a',
    { slug: 'a', reason: 'Asked for by its author' },
    { skills: ['b 2', 'c 3'], moves: [], kept: ['a', 'dead', 'lost', 'old'] },
  ],
  [
    'retire b',
    { slug: 'b' },
    {
      skills: ['a 1', 'c 3'],
      moves: ['lost -> a', 'old -> a'],
      kept: ['b', 'dead', 'lost', 'old'],
    },
  ],
  [
    'move a new',
    { slug: 'a', to: 'new' },
    {
      skills: ['b 2', 'c 3', 'new 1'],
      moves: ['a -> new', 'lost -> new', 'old -> new'],
      kept: ['a', 'dead', 'lost', 'old'],
    },
  ],
  [
    'move a old, its former slug',
    { slug: 'a', to: 'old' },
    {
      skills: ['b 2', 'c 3', 'old 1'],
      moves: ['a -> old', 'lost -> old'],
      kept: ['a', 'dead', 'lost'],
    },
  ],
]

describe.each(REQUESTS)('%s', (_, request, seen) => {
  test('has the expected result, and a second run changes nothing', () => {
    const content = makeCatalog()
    depart(content, request)
    expect(observe(content)).toEqual(seen)
    const before = readSampleTree(content)
    expect(depart(content, request).done).toEqual([])
    expect(readSampleTree(content)).toEqual(before)
    expect(Object.keys(before).filter((name) => /(?:^|\/)\./.test(name))).toEqual([])
  })
})

test('a new slug keeps the counters', async () => {
  const content = makeCatalog()
  depart(content, { slug: 'a', to: 'new' })
  expect(loadCatalog(content).skills.find(({ slug }) => slug === 'new')?.views).toBe(10)
})

test.each<[DepartureRequest, string | undefined]>([
  [{ slug: 'a' }, undefined],
  [{ slug: 'c' }, 'old'],
  [{ slug: 'a', to: 'new' }, 'old'],
])('%j -> a copy of %j', async (request, copyOf) => {
  const content = makeCatalog()
  depart(content, request)
  expect(loadCatalog(content).skills.find(({ slug }) => slug === 'b')?.copyOf).toBe(copyOf)
})

test.each<[DepartureRequest, string[]]>([
  [{ slug: 'a' }, ['c', 'b']],
  [{ slug: 'c' }, ['old', 'b']],
  [{ slug: 'c', to: 'new' }, ['old', 'c', 'b']],
])('%j -> starter set %j', async (request, starter) => {
  const content = makeCatalog()
  depart(content, request)
  expect(JSON.parse(readSampleTree(content)['site.json'] ?? '')).toEqual({ ...SITE, starter })
})

test.each<[DepartureRequest, object]>([
  [{ slug: 'a' }, { since: '2026-01-01' }],
  [{ slug: 'b' }, { since: '2026-01-01', use: 'old' }],
  [
    { slug: 'a', to: 'new' },
    { since: '2026-01-01', use: 'old' },
  ],
])('%j -> a deprecated skill with %j', async (request, deprecated) => {
  const content = makeCatalog()
  depart(content, request)
  expect(loadCatalog(content).skills.find(({ slug }) => slug === 'c')?.deprecated).toEqual(
    deprecated,
  )
})

test('without the last skill of a starter set -> no starter set', async () => {
  const content = makeCatalog()
  addFiles(content, { 'site.json': JSON.stringify({ ...SITE, starter: ['old'] }) })
  depart(content, { slug: 'a' })
  expect(JSON.parse(readSampleTree(content)['site.json'] ?? '')).toEqual(SITE)
})

test('moving a skill keeps its files byte for byte but for its name, and the reason', async () => {
  const content = makeCatalog()
  depart(content, { slug: 'a', to: 'new', reason: 'Renamed by its author' })
  const tree = readSampleTree(content)
  expect(tree['skills/new/SKILL.md']).toBe(sampleSkillMd('new'))
  expect(tree['skills/new/references/notes.md']).toBe('notes')
  expect(readRecords(content).retired).toContainEqual({
    id: 1,
    slug: 'a',
    movedTo: 'new',
    reason: 'Renamed by its author',
  })
})

test('the source of an upstream skill: retired -> in its row; moved -> in its record', async () => {
  const { url } = UPSTREAM_RECORD.source
  const far = { 'skills/far/skill.json': JSON.stringify({ ...UPSTREAM_RECORD, id: 4 }) }
  const [gone, moved] = [makeCatalog(), makeCatalog()]
  for (const content of [gone, moved]) addFiles(content, far)
  depart(gone, { slug: 'far' })
  depart(moved, { slug: 'far', to: 'near' })
  expect(readRecords(gone).retired.at(-1)).toEqual({ id: 4, slug: 'far', name: 'far', source: url })
  expect(readRecords(moved).retired.at(-1)).toEqual({ id: 4, slug: 'far', movedTo: 'near' })
})

describe('is refused', () => {
  test.each<[string, DepartureRequest, RegExp]>([
    ['a slug that no skill has', { slug: 'aa' }, /No skill "aa"; did you mean "a"\?/],
    ['to move a retired skill', { slug: 'dead', to: 'x' }, /"dead" is retired/],
    ['to retire a former slug', { slug: 'old' }, /"old" moved to "a"; use that slug/],
    ['the slug of another skill', { slug: 'a', to: 'b' }, /"b" is the slug of skill 2; choose/],
    ['its own slug', { slug: 'a', to: 'a' }, /at "a" already/],
    [
      'a retired slug',
      { slug: 'a', to: 'dead' },
      /"dead" was the slug of skill 9; slugs are never reused/,
    ],
    [
      'a slug of a skill merged into it',
      { slug: 'a', to: 'lost' },
      /"lost" was the slug of skill 8;/,
    ],
    ['a former slug of another', { slug: 'b', to: 'old' }, /"old" was the slug of skill 1;/],
    ['an invalid slug', { slug: 'a', to: '../x' }, /"\.\.\/x" is not a slug/],
    ['a reserved slug', { slug: 'a', to: 'page' }, /"page" is not a slug/],
  ])('%s', async (_, request, message) => {
    const content = makeCatalog()
    const before = readSampleTree(content)
    expect(() => depart(content, request)).toThrow(message)
    expect(readSampleTree(content)).toEqual(before)
  })
})

const makePlainCatalog = (): string =>
  makeSampleFolder({
    'site.json': JSON.stringify(SITE),
    'skills/a/skill.json': JSON.stringify({ ...OWN_RECORD, id: 1 }),
    'skills/a/SKILL.md': sampleSkillMd('a', 'Sorts Wörter.'),
    'skills/c/skill.json': JSON.stringify({ ...OWN_RECORD, id: 7 }),
    'retired.json': JSON.stringify([{ id: 1, slug: 'old', movedTo: 'a' }]),
    'counters.json': JSON.stringify({ 1: { views: 2, installs: 1 } }),
  })

test.each<[string, string[], string[]]>([
  [
    'retire',
    ['a', '--reason', 'Asked for'],
    [
      'wrote retired.json',
      'removed skills/a',
      'row in retired.json: {"id":1,"slug":"a","reason":"Asked for"}',
      'retired a (id 1); its slug and id are never reused',
    ],
  ],
  [
    'move',
    ['a', 'b'],
    [
      'wrote retired.json',
      'wrote skills/a/SKILL.md',
      'renamed skills/a to skills/b',
      'row in retired.json: {"id":1,"slug":"a","movedTo":"b"}',
      'moved a to b (still id 1); the old addresses answer 308 after the next build',
    ],
  ],
])('%s %j prints its changes, each file once', async (name, args, lines) => {
  const { stdout } = await runCommand(name, ...args, '--content', makePlainCatalog())
  expect(stdout.trimEnd().split('\n')).toEqual(lines)
})

test.each([
  ['---\nname: a\ndescription: a\n---\nname: a\n', '---\nname: b\ndescription: a\n---\nname: a\n'],
  ['---\r\nname:  "a"\r\n---\r\n', '---\r\nname:  "b"\r\n---\r\n'],
  ["---\ndescription: a\nname: 'a'\n---\n", "---\ndescription: a\nname: 'b'\n---\n"],
  ['---\nname: other\ndescription: a\n---\n', undefined],
  ['---\nname: >-\n  a\ndescription: a\n---\n', undefined],
])('move of an own skill with %j -> %j', async (text, named = text) => {
  const content = makePlainCatalog()
  addFiles(content, { 'skills/a/SKILL.md': text })
  await runCommand('move', 'a', 'b', '--content', content)
  expect(readSampleTree(content)['skills/b/SKILL.md']).toBe(named)
})

test('move of a copied skill -> its name stays', async () => {
  const content = makePlainCatalog()
  const record = { ...UPSTREAM_RECORD, id: 1, name: undefined, description: undefined }
  addFiles(content, { 'skills/a/skill.json': JSON.stringify(record) })
  const before = readSampleTree(content)['skills/a/SKILL.md']
  await runCommand('move', 'a', 'b', '--content', content)
  expect(readSampleTree(content)['skills/b/SKILL.md']).toBe(before)
})

const far = (slug: string, id: number, owner: string, text: string) => ({
  [`skills/${slug}/skill.json`]: JSON.stringify({
    ...UPSTREAM_RECORD,
    id,
    ...(slug === 'old' && { parts: { summary: 'Mine.' } }),
    source: { ...UPSTREAM_RECORD.source, url: `https://github.com/${owner}/tree/main/${slug}` },
  }),
  [`skills/${slug}/SKILL.md`]: sampleSkillMd(slug, text),
})

const makeTwo = (owner: string, isCommitted: boolean) => {
  const files = { 'site.json': JSON.stringify(SITE), ...far('old', 1, 'ann/skills', 'Before.') }
  const { folder, git, commit } = makeRepository(files)
  addFiles(folder, far('next', 2, owner, 'After.'))
  if (isCommitted) commit({}, '2026-01-02')
  else git('add', '--all')
  return { content: folder, git }
}

describe('move onto another skill', () => {
  test.each([
    ['a draft, also of another source', 'bo/skills', false, ['old']],
    ['a published skill of the source', 'ann/skills', true, ['next-2', 'old']],
  ])(
    '%s -> id and words of the first, files and source of the second',
    async (_, owner, isCommitted, kept) => {
      const { content, git } = makeTwo(owner, isCommitted)
      expect(await runCommand('move', 'old', 'next', '--content', content)).toMatchObject({
        code: 0,
      })
      const { skills, retired } = loadCatalog(content)
      expect(skills).toMatchObject([
        {
          id: 1,
          slug: 'next',
          parts: { summary: 'Mine.' },
          source: { url: expect.stringContaining(owner) },
        },
      ])
      expect(readSampleTree(content)['skills/next/SKILL.md']).toContain('After.')
      expect(retired.map(({ slug }) => slug).sort()).toEqual(kept)
      expect(git('status', '--porcelain').match(/^(?:.[^ ]|\?\?).*/gm)).toBe(null)
    },
  )

  test('a published skill of another source -> refused', async () => {
    const { content } = makeTwo('bo/skills', true)
    expect(await runCommand('move', 'old', 'next', '--content', content)).toMatchObject({
      code: 1,
      stderr: '"next" is the slug of skill 2; choose another.\n',
    })
  })
})
