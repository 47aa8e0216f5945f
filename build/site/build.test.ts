import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DiscoveryEntry } from '../../src/api/discovery.ts'
import {
  OWN_RECORD,
  SITE,
  SMALL_CONTENT,
  UPSTREAM_RECORD,
  skillMd,
} from '../../src/catalog/testing/content.ts'
import type { ContentFiles } from '../../src/catalog/testing/content.ts'
import { removeFolders } from '../../testing/sample-folders.ts'
import type { BuildSummary } from './build.ts'
import { readInputs } from './inputs.ts'
import { TestSite } from './testing/test-site.ts'

const ORIGIN = 'https://registry.example'

/** The names of files and folders that other users cannot read. */
const listHidden = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => {
      const { mode } = statSync(join(folder, name))
      return (mode & 0o004) === 0
    })
    .sort()

test.each([
  ['public', SITE, ['state', 'state/build.lock', 'state/state.db']],
  ['private', { ...SITE, private: true }, expect.arrayContaining(['generations', 'state'])],
])('umask 077 -> other users can read what a %s registry publishes', async (_, site, hidden) => {
  const other = new TestSite({ ...SMALL_CONTENT, 'site.json': site })
  const umask = process.umask(0o077)
  await other.build()
  expect(process.umask(umask)).toBe(0o077)
  expect(listHidden(join(other.root, 'dist'))).toEqual(hidden)
})

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Skills of every visibility, some with names and texts that try to break out of their context. */
const CONTENT: ContentFiles = {
  ...SMALL_CONTENT,
  'site.json': {
    name: `Tom & "Ann" <'s> Registry`,
    tagline: 'A & <b>',
    description: 'For <tests> & "more".',
    examples: ['edition', 'zzzz'],
    starter: ['former', 'near'],
  },
  'skills/near/references/a b.md': '# Reference\n',
  'skills/near/scripts/run.sh': 'echo hi\n',
  'skills/far/skill.json': {
    ...UPSTREAM_RECORD,
    name: `<b>"far"</b> & 'co' | # $1`,
    category: 'Data & Analytics',
  },
  'skills/far/SKILL.md': skillMd('Far'),
  'skills/gone/skill.json': {
    ...UPSTREAM_RECORD,
    id: 3,
    name: 'gone-skill',
    source: {
      ...UPSTREAM_RECORD.source,
      url: 'https://github.com/ann/skills/tree/main/gone',
      status: 'gone',
      checked: '2025-05-05',
    },
  },
  'skills/bare/skill.json': { ...UPSTREAM_RECORD, id: 4, name: 'bare', description: 'No copy.' },
  ...Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [
      [`skills/many-${index}/skill.json`, { ...OWN_RECORD, id: 100 + index }],
      [`skills/many-${index}/SKILL.md`, skillMd(`many-${index}`)],
    ]).flat(),
  ),
  'retired.json': [
    { id: 200, slug: 'between', movedTo: 'many-3' },
    { id: 103, slug: 'former', movedTo: 'between' },
    { id: 201, slug: 'removed', reason: 'Nobody used it.' },
  ],
  'blog/first.md':
    '---\ntitle: First & last\ndescription: About <things>\ndate: 2026-01-01\n---\n## Why\n\nBecause.\n',
  'pages/about.md': '---\ntitle: About\ndescription: Who\ndate: 2026-01-01\n---\nUs.\n',
}

let site: TestSite
let summary: BuildSummary
let tree: Map<string, string>
const read = (name: string): string => site.read(name)
const listPages = (): string[] => [...tree.keys()].filter((name) => name.endsWith('.html'))

beforeAll(async () => {
  site = new TestSite(CONTENT)
  summary = await site.build()
  tree = site.tree()
})
afterAll(removeFolders)

describe('a build', () => {
  test('reports what it wrote, and how many break the specification', () => {
    expect(summary).toMatchObject({ skills: 54, broken: 1, removed: 0 })
    expect(summary.written).toBe(summary.files)
    expect(tree.size).toBe(summary.files)
  })

  test('writes every page and its Markdown twin', () => {
    const pages = listPages()
    expect(pages).toHaveLength(summary.pages)
    for (const page of pages) expect(read(page)).toMatch(/<\/html>$/)
    for (const page of pages) expect(read(page.replace(/html$/, 'md'))).toMatch(/^# .+\n[^]*\n$/)
  })

  test('lists exactly the indexable pages in the sitemap, with their dates', () => {
    const sitemap = read('public/sitemap.xml')
    const rows = [...sitemap.matchAll(/<loc>(.*?)<\/loc><lastmod>(\d{4}-\d\d-\d\d)<\/lastmod>/g)]
    const pages = listPages()
    const hidden = pages.filter((page) => read(page).includes('content="noindex"'))
    expect(rows).toHaveLength(pages.length - hidden.length)
    const own = hidden.filter((page) => !page.startsWith('public/categories/'))
    expect(own.sort()).toEqual(['public/404.html', 'public/skills/gone.html'])
    expect(sitemap).toContain(`${ORIGIN}/categories/data-and-analytics<`)
    expect(sitemap).not.toContain('/skills/gone<')
  })

  test('omits a gone skill from every list and serves its page with noindex', () => {
    const others = [...tree.keys()]
      .filter((name) => /^public\/.*\.(?:html|md|txt|xml|json)$/.test(name))
      .filter((name) => !name.startsWith('public/skills/gone'))
      .filter((name) => /\/skills\/gone\b|gone-skill/.test(read(name)))
    expect(others).toEqual([])
    expect(read('private/search.index')).not.toContain('gone-skill')
    expect(read('public/skills/gone.html')).toContain('<meta name="robots" content="noindex"')
    expect(read('public/skills/gone.md')).toContain('missing on 2025-05-05')
    expect(read('public/skills/gone/SKILL.md')).toContain('synthesized from catalog metadata')
  })

  test('writes an index for each skill whose own text is in its zip', () => {
    const folder = site.path('public/skills')
    const indexes = globSync('*/.well-known/agent-skills/index.json', { cwd: folder })
    expect(indexes).toContain('near/.well-known/agent-skills/index.json')
    expect(indexes.join()).not.toMatch(/gone\/|bare\//)
    expect(indexes).toHaveLength(summary.skills - 2)
    for (const index of indexes) {
      const [slug = ''] = index.split('/')
      const { skills } = JSON.parse(read(`public/skills/${index}`)) as { skills: DiscoveryEntry[] }
      expect(skills.map(({ name }) => name)).toEqual([slug])
      const { url, digest, size, files } = skills[0]!
      const zip = readFileSync(site.path(`public/${url}`))
      expect([digest, size]).toEqual([`sha256:${sha256(zip)}`, zip.length])
      expect(files[0]!.path).toBe('SKILL.md')
      for (const file of files) {
        const bytes = readFileSync(join(folder, slug, file.path))
        expect([file.size, file.sha256]).toEqual([bytes.length, sha256(bytes)])
      }
    }
  })

  test('redirects from each former slug and id in one step', () => {
    expect(JSON.parse(read('private/moves.json'))).toMatchObject({
      slugs: { between: 'many-3', former: 'many-3' },
      ids: { 200: 103 },
      removed: { removed: 'Nobody used it.' },
    })
  })

  test('has an index of the starter set, in its order, by current slugs', () => {
    const { skills } = JSON.parse(read('public/.well-known/agent-skills/index.json')) as {
      skills: DiscoveryEntry[]
    }
    expect(skills.map(({ name }) => name)).toEqual(['many-3', 'near'])
  })

  test('shows the name of the site and its example searches, and preloads our fonts', () => {
    const page = read('public/index.html')
    expect(page).toMatch(/<link rel="preload" href="\/_astro\/text\.\w+\.woff2"/)
    expect(page).toContain(`<span>Tom &amp; &quot;Ann&quot; &lt;&#39;s&gt; Registry</span>`)
    expect(read('public/index.md')).toContain('Try: [zzzz](/skills?q=zzzz)\n')
  })

  test('uses no inline script or style, as the content security policy requires', () => {
    for (const name of listPages()) {
      expect(read(name)).not.toMatch(
        /<style|<script(?![^>]* src=| type="application\/ld\+json">)|\sstyle="/,
      )
    }
  })
})

test.each(['# Heading', '- item', '```code', '***'])('the footer %s is refused', async (footer) => {
  const other = new TestSite({ ...SMALL_CONTENT, 'site.json': { ...SITE, footer } })
  await expect(other.build()).rejects.toMatchObject({
    problems: [{ file: 'site.json', field: 'footer', message: expect.stringContaining(footer) }],
  })
})

test('a different origin -> everything is printed again', () => {
  const [one, other] = [ORIGIN, 'https://other.example'].map((siteUrl) =>
    readInputs({ ...site.settings(), siteUrl }),
  )
  expect(other?.keys.code).not.toBe(one?.keys.code)
})
