import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OTHER_LICENCE } from './skill.ts'
import { loadCatalog, loadSiteContent } from './load.ts'
import type { Publication } from './load.ts'
import { ContentError, renderProblem } from './problems.ts'
import { FILE_LIMIT } from './folder-files.ts'
import {
  OWN_RECORD,
  SITE,
  SMALL_CONTENT,
  UPSTREAM_RECORD,
  skillMd,
  writeFiles,
} from './testing/content.ts'
import type { ContentFiles } from './testing/content.ts'
import { makeSampleFolder } from '../../testing/sample-folders.ts'
import { estimateTokens } from './tokens.ts'

const problemsOf = (folder: string): string[] => {
  try {
    loadCatalog(folder)
    return []
  } catch (error) {
    if (error instanceof ContentError) return error.problems.map(renderProblem)
    throw error
  }
}

const post = (date: string, more = ''): string =>
  `---\ntitle: T ${date}\ndescription: D\ndate: ${date}\n${more}\n---\nText\n`

const round = (value: number): number => Number(value.toPrecision(2))

const load = (files: ContentFiles) =>
  loadCatalog(makeSampleFolder({ ...SMALL_CONTENT, ...files })).skills

const loadNear = (files: ContentFiles) => load(files)[0]

const loadFar = (record: object, text: string) =>
  load({ 'skills/far/skill.json': record, 'skills/far/SKILL.md': text })[1]

test('name and description come from SKILL.md, counters from counters.json, the rest from skill.json', () => {
  const known = { id: 1, slug: 'near', visibility: 'own', safety: 'No findings' }
  const description = 'Does near. Use when a test needs it.'
  expect(loadCatalog(makeSampleFolder(SMALL_CONTENT)).skills).toMatchObject([
    { ...known, name: 'near', description, views: 0, installs: 0, statesLicence: false },
  ])
  const counters = { 1: { views: 7, installs: 3 }, 9: { views: 1, installs: 1 } }
  expect(
    loadNear({
      'counters.json': counters,
      'skills/near/LICENSE': 'MIT',
      'skills/near/SKILL.md': skillMd('near').replace(/---\n(?=#)/, 'user-invocable: false\n---\n'),
      'skills/near/skill.json': { ...OWN_RECORD, name: 'near', description: 'From the record.' },
    }),
  ).toMatchObject({
    views: 7,
    installs: 3,
    statesLicence: true,
    startedBy: 'agent',
    front: { name: 'near' },
    description: 'From the record.',
    files: [{ path: 'SKILL.md' }, { path: 'LICENSE' }],
  })
})

test('tokens and bytes are rounded to two digits; allTokens counts all text files, but no binary file', () => {
  const words = 'Read the file and list what is missing. '.repeat(100)
  const text = `${skillMd('near')}${words}`
  expect(
    loadNear({
      'skills/near/SKILL.md': text,
      'skills/near/references/a.md': words,
      'skills/near/a.png': 'x\0'.repeat(999),
    }),
  ).toMatchObject({
    tokens: round(estimateTokens(text)),
    allTokens: round(estimateTokens(text) + estimateTokens(words)),
    size: round(text.length + words.length + 2 * 999),
  })
})

test.each([
  ['{"evals":[{"id":1},{"id":2}]}', 2],
  ['{"evals":[]}', undefined],
  ['{', undefined],
])('the author’s test cases in evals.json are counted: %s', (text, count) => {
  expect(loadNear({ 'skills/near/evals/evals.json': text })?.testCases).toBe(count)
})

test.each([
  [undefined, undefined],
  ['Apache License, Version 2.0', 'Apache-2.0'],
  ['Proprietary, see LICENSE.txt', OTHER_LICENCE],
])('the licence %j is stored with its wording and listed as %j', (licence, named) => {
  const skill = loadNear({ 'skills/near/skill.json': { ...OWN_RECORD, licence } })
  expect(skill?.licenceWords ?? skill?.licence).toBe(licence)
  expect(skill?.licence).toBe(named)
})

test('a long summary in the record is cut for lists and complete in the parts', () => {
  const summary = `${'Reads a file and says so. '.repeat(20)}`.trim()
  const skill = loadNear({ 'skills/near/skill.json': { ...OWN_RECORD, parts: { summary } } })
  expect(skill?.summary).toMatch(/^Reads a file and says so\. .*…$/)
  expect(skill?.summary.length).toBeLessThanOrEqual(200)
  expect(skill?.parts.summary).toBe(summary)
})

test.each([
  ['😀'.repeat(5_900), 'Beginner'],
  ['x'.repeat(6_000), 'Intermediate'],
  ['x'.repeat(16_000), 'Advanced'],
])(
  'difficulty depends on the length of the text if the record states none (%#)',
  (body, difficulty) => {
    const files = { 'skills/near/SKILL.md': `${skillMd('near')}${body}` }
    expect(loadNear(files)?.difficulty).toBe(difficulty)
  },
)

test('a skill whose source is gone can get its name from the hidden SKILL.md', () => {
  const source = { ...UPSTREAM_RECORD.source, status: 'gone' }
  const record = { ...UPSTREAM_RECORD, name: undefined, description: undefined, source }
  const known = { name: 'far', visibility: 'gone', files: [] }
  expect(loadFar(record, skillMd('far'))).toMatchObject(known)
})

test('declared tools are read even if the record has name and description', () => {
  const skill = loadFar(UPSTREAM_RECORD, '---\nname: far\nallowed-tools: Read, Bash(git:*)\n---\n')
  expect(skill?.needs?.tools.map(({ name }) => name)).toEqual(['Bash(git:*)', 'Read'])
})

test('a source with characters that a shell would run is percent-encoded', () => {
  const url = "https://git.example/ann/r&calc;id/tree/main/it's%20$(x)"
  const record = { ...UPSTREAM_RECORD, source: { ...UPSTREAM_RECORD.source, url } }
  expect(loadFar(record, skillMd('far'))?.source).toMatchObject({
    url: 'https://git.example/ann/r%26calc%3Bid/tree/main/it%27s%20%24%28x%29',
  })
})

/** Titles of the posts and pages of a site, which are sorted newest first. */
const titlesOf = (publication: Publication): string => {
  const files = {
    ...SMALL_CONTENT,
    'blog/launch.md': post('2026-11-22'),
    'blog/early.md': post('2026-01-01', 'draft: true'),
    'blog/today.md': post('2026-11-21'),
    'pages/about.md': post('2025-02-02', 'draft: false'),
    'pages/terms.md': post('2025-01-01', 'draft: true'),
  }
  const { posts, pages } = loadSiteContent(makeSampleFolder(files), publication)
  for (const { date, updated } of posts) expect(updated).toBe(date)
  return [...posts, ...pages].map(({ title }) => title).join(', ')
}

test('files of open editors and of systems beside posts, pages and skills -> neither published nor problems', () => {
  const folder = makeSampleFolder({ ...SMALL_CONTENT, 'blog/a.md': post('2025-01-01') })
  for (const place of ['blog', 'pages', 'skills', 'skills/near']) {
    for (const name of ['a.md~', '#a.md#', '.a.md.swp', 'Desktop.ini', '._a.md'])
      writeFiles(folder, { [`${place}/${name}`]: 'unsaved' })
    symlinkSync('me@host.1234:1', join(folder, place, '.#a.md'))
    writeFiles(folder, {
      [`${place}/__MACOSX/SKILL.md`]: 'x',
      [`${place}/near.orig/SKILL.md`]: 'x',
    })
  }
  const { skills, posts, pages } = loadCatalog(folder)
  expect(skills.map(({ files }) => files.map(({ path }) => path))).toEqual([['SKILL.md']])
  expect([...posts, ...pages].map(({ slug }) => slug)).toEqual(['a'])
})

test.each([
  [{ today: '2026-11-21', hasDrafts: false }, 'T 2026-11-21, T 2025-02-02'],
  [{ today: '2026-11-22', hasDrafts: false }, 'T 2026-11-22, T 2026-11-21, T 2025-02-02'],
  [
    { today: '2026-11-21', hasDrafts: true },
    'T 2026-11-22 (from 2026-11-22), T 2026-11-21, T 2026-01-01 (draft), T 2025-02-02, T 2025-01-01 (draft)',
  ],
])(
  'posts and pages are published from their day on, drafts if they are included: %j',
  (day, titles) => expect(titlesOf(day)).toBe(titles),
)

const linkTo = (...addresses: string[]) => ({
  navigation: addresses.map((to) => ({ label: 'x', to })),
})

test('site.json with every kind of address and picture is accepted', () => {
  const { navigation } = linkTo('https://wiki.example/a?b=c', '/rules#first')
  const fields = { navigation, logo: 'logo.svg', origin: 'https://a.example/' }
  const files = { ...SMALL_CONTENT, 'site.json': { ...SITE, ...fields }, 'logo.svg': '<svg>' }
  expect(problemsOf(makeSampleFolder(files))).toEqual([])
})

const near = (change: object): ContentFiles => ({
  'skills/near/skill.json': { ...OWN_RECORD, ...change },
})
const { source: SOURCE } = UPSTREAM_RECORD

const expectProblem = (files: ContentFiles, message: string): void =>
  expect(problemsOf(makeSampleFolder({ ...SMALL_CONTENT, ...files })).join('\n')).toContain(message)

describe('every bad record is reported with file, field, value and remedy', () => {
  test.each<[object, string]>([
    [{ category: 'coding' }, 'skills/near/skill.json: category: "coding" — must be one of "C'],
    [{ source: { ...SOURCE, seen: undefined } }, 'source.seen — is missing'],
    [{ source: undefined }, 'source — is missing; must be an object such as {'],
    [{ owner: 3 }, 'owner: 3 — must be a name, or an object such as {"name"'],
    [{ owner: { name: 'A', url: 'javascript:x' } }, 'owner.url: "javascript:x" — must be an http'],
    [{ name: ' ' }, 'name: " " — must not be blank'],
    [{ name: 'a\u202Eb' }, 'name: "a\\u{202E}b" — must not contain invisible characters'],
    [{ accepted: 'x' }, 'accepted: "x" — must be a list such as ["…"]'],
    [{ accepted: [{ rul: 'x' }] }, 'accepted.0.rul — unknown field; did you mean "rule"?'],
    [{ updated: '2026-02-30' }, 'updated: "2026-02-30" — must be a valid date'],
    [{ id: 0 }, 'id: 0 — must be 1 or more'],
    [{ colour: 'red' }, ': colour — unknown field; fields: id, name, '],
    [{ license: 'MIT' }, 'license — unknown field; did you mean "licence"?'],
    [{ author: '../x' }, 'author: "../x" — must be 1 to 63 letters'],
    [{ source: { ...SOURCE, url: 'javascript:x' } }, '— must be an http or https address'],
    [{ source: { ...SOURCE, url: 'https://a&calc.example/r' } }, '— must be an http or https'],
    [{ source: { ...SOURCE, url: "https://a'b.example/r" } }, '— must be an http or https'],
    [{ source: { ...SOURCE, url: 'https://a$(id).example/r' } }, '— must be an http or https'],
  ])('skill.json with %j', (change, message) => expectProblem(near(change), message))

  test.each<[object, string, ContentFiles?]>([
    [{ logo: 'a.png' }, 'logo: "a.png" — must be a PNG file of at most 64 KiB beside '],
    [{ favicon: 'a.png' }, 'site.json: favicon: "a.png" — must be a PNG ', { 'a.png': '<svg/>' }],
    [{ logo: 'a.svg' }, 'must be an SVG file of at most 64 KiB ', { 'a.svg': '<svg>'.repeat(2e5) }],
    [
      { starter: ['near', 'none'] },
      'site.json: starter.1: "none" — no skill has this slug; remove ',
    ],
    [{ navigaton: [] }, 'navigaton — unknown field; did you mean "navigation"?'],
    [
      { format: 2 },
      'format: 2 — this version reads format 1; to upgrade it, see "Upgrade" in docs/own',
    ],
    [linkTo('javascript:x'), 'navigation.0.to: "javascript:x" — must be the path of a page'],
    [linkTo('//evil.example'), 'navigation.0.to: "//evil.example" — must be'],
    [linkTo(...'/a /b /c /d /e /f /g'.split(' ')), ' — at most 6 links'],
    [{ logo: '../../secret.svg' }, 'logo: "../../secret.svg" — must be the name of an SVG or PNG'],
    [{ footer: 'a\n\nb' }, ' — must be one line'],
    [{ theme: { acent: {} } }, 'theme.acent — unknown field; did you mean "accent"?'],
    [{ theme: { accent: '#7a1f5c' } }, 'theme.accent: "#7a1f5c" — must be a pair such as {"'],
    [{ origin: 'https://a.example/b' }, 'must be an address without a path'],
    [{ starter: [...'abcdefghijklm'] }, ' — at most 12 slugs: a client downloads all of '],
    [
      { starter: ['far'] },
      'starter.0: "far" — this skill is gone: its source no longer answers; remove it',
      { 'skills/far/skill.json': { ...UPSTREAM_RECORD, source: { ...SOURCE, status: 'gone' } } },
    ],
  ])('site.json with %j', (fields, message, files) =>
    expectProblem({ ...files, 'site.json': { ...SITE, ...fields } }, message),
  )

  const TAKEN = 'is taken by a retired skill'
  test.each<[object[], string]>([
    [
      [{ id: 1, slug: 'old' }],
      `id: 1 — ${TAKEN}; "npm run catalog -- move --new-id near" gives it another`,
    ],
    [[{ id: 5, slug: 'near' }], `slug: "near" — ${TAKEN}`],
    [[5, 6].map((id) => ({ id, slug: 'old' })), 'retired.json: 1.slug: "old" — is retired twice'],
    [[{ id: 1, slug: 'old', movedTo: 'far' }], `near/skill.json: id: 1 — ${TAKEN}`],
  ])('retired.json with %j', (rows, message) =>
    expectProblem({ 'skills/far/skill.json': UPSTREAM_RECORD, 'retired.json': rows }, message),
  )

  test.each<[unknown, string]>([
    ['Near', 'skills/far/skill.json: copyOf: "Near" — 1 to 100 characters: words of a-z'],
    [true, 'copyOf: true — must be a slug, or false'],
    ['nera', 'copyOf: "nera" — is not a skill with a page; did you mean "near"?'],
    ['far', 'copyOf: "far" — is the skill itself; name another skill'],
    ['other', 'copyOf: "other" — is a copy of "near" itself; name another skill'],
  ])('copyOf: %j', (copyOf, message) => {
    const files = {
      'skills/other/skill.json': { ...OWN_RECORD, id: 2, copyOf: 'near' },
      'skills/other/SKILL.md': skillMd('other'),
      'skills/far/skill.json': { ...OWN_RECORD, id: 3, copyOf },
      'skills/far/SKILL.md': skillMd('far'),
    }
    expectProblem(files, message)
  })

  test.each<[string, string, ContentFiles[string]]>([
    ['skills/far/SKILL.md', 'skills/far/skill.json: is missing', skillMd('far')],
    ['skills/far/skill.json', 'skills/far/SKILL.md: is missing', { ...OWN_RECORD, id: 2 }],
    ['skills/near/skill.json', 'skills/near/skill.json: is not JSON: ', '{"id": 1,'],
    ['skills/page/skill.json', 'not "page"', { ...OWN_RECORD, id: 2 }],
    ['skills/near/SKILL.md', 'SKILL.md: description — is missing', '---\nname: near\n---\n'],
    ['skills/near/SKILL.md', 'language "js" is not supported', '---js\nexit(7)\n---\n'],
    [
      'skills/near/a/b',
      `a file of ${FILE_LIMIT + 1} bytes; at most`,
      new Uint8Array(FILE_LIMIT + 1),
    ],
    ['counters.json', '1.views: -1 — must be 0 or more', { 1: { views: -1, installs: 0 } }],
    ['blog/a.md', 'line 1: draft appears twice — remove', post('2026-01-01', 'draft: 1\ndraft: 2')],
    ['blog/a.md', 'drafft — unknown field; did you mean "draft"?', post('2026-01-01', 'drafft: x')],
    ['blog/a.md', 'draft: "yes" — must be one of "true"', post('2026-01-01', 'draft: yes')],
  ])('%s: %s', (path, message, content) => expectProblem({ [path]: content }, message))

  test('pages whose addresses the registry uses', () => {
    const slugs =
      '404 api authors blog docs-api docs-directories docs-safety files healthz mcp readyz skills'
    const found = slugs.split(' ').map((slug) => [`pages/${slug}.md`, post('2026-01-02')])
    const files = { ...SMALL_CONTENT, ...(Object.fromEntries(found) as ContentFiles) }
    expect(problemsOf(makeSampleFolder(files)).map((line) => line.split(' — ')[1])).toEqual(
      slugs
        .split(' ')
        .map((slug) => expect.stringMatching(`^/${slug.replace('-', '/')} is a page of`)),
    )
  })

  test('all problems are reported at once, and a duplicate id for each skill that uses it', () => {
    const folder = makeSampleFolder({
      ...SMALL_CONTENT,
      ...near({ category: 'x,z', updated: 'y' }),
      'skills/far/skill.json': { ...UPSTREAM_RECORD, id: -1 },
      'skills/yy/skill.json': { ...OWN_RECORD, id: 5 },
      'skills/yy/SKILL.md': skillMd('yy'),
      'skills/zz/skill.json': { ...OWN_RECORD, id: 5 },
      'skills/zz/SKILL.md': skillMd('zz'),
    })
    expect(problemsOf(folder)).toEqual([
      expect.stringMatching(/^skills\/far\/skill\.json: id: -1/),
      expect.stringMatching(/^skills\/near\/skill\.json: category: "x,z"/),
      expect.stringMatching(/^skills\/near\/skill\.json: updated: "y"/),
      'skills/yy/skill.json: id: 5 — is taken by skills/zz; "npm run catalog -- move --new-id yy" gives it another',
      'skills/zz/skill.json: id: 5 — is taken by skills/yy; "npm run catalog -- move --new-id zz" gives it another',
    ])
  })

  test('symlinks out of the folder are refused; symlinks inside it count as files', () => {
    const files = { 'secret.txt': 's', 'skills/near/a.md': 'a', 'skills/near/.env': 's' }
    const folder = makeSampleFolder({ ...SMALL_CONTENT, ...files })
    symlinkSync(join(folder, 'secret.txt'), join(folder, 'skills/near/out.txt'))
    symlinkSync('a.md', join(folder, 'skills/near/b.md'))
    symlinkSync('.env', join(folder, 'skills/near/env.md'))
    symlinkSync('nowhere', join(folder, 'skills/near/c.md'))
    expect(problemsOf(folder)).toEqual([
      'skills/near/c.md: a broken symlink — remove it',
      'skills/near/env.md: a symlink out of the skill folder or to a file that is never copied — copy the file instead',
      'skills/near/out.txt: a symlink out of the skill folder or to a file that is never copied — copy the file instead',
    ])
  })

  test('no content folder at all, or none with a site', () => {
    expect(problemsOf('/nonexistent/content')).toEqual([
      '/nonexistent/content: no such content folder — set CONTENT_DIR to a folder with site.json and skills/',
    ])
    const folder = makeSampleFolder({ 'skills/near/skill.json': OWN_RECORD })
    expect(problemsOf(folder)[0]).toMatch(/^site\.json: is missing/)
  })
})
