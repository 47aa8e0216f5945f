import { expect, test } from 'vitest'
import { FRAME, sampleSite } from '../../testing/sample-site.ts'
import { describeApi } from '../api/openapi.ts'
import type { ApiDescription } from './api-page.ts'
import type { Document } from './document.ts'
import { renderLlms } from './feeds/llms.ts'
import { renderTwin } from './prose/markdown.ts'
import { planSitePages } from './pages.ts'
import { viewDocument } from './view.ts'
import type { Site } from './site.ts'
import { sampleFacts } from '../../testing/sample-facts.ts'

const API = describeApi({ name: 'N', description: 'D', origin: FRAME.origin }) as ApiDescription

const pageAt = (site: Site, path: string): Document =>
  [...planSitePages(site, API)].find((plan) => plan.path === path)!.write()

const SITE = sampleSite([
  sampleFacts(1, {
    name: 'flaky-test-triage',
    category: 'Coding',
    author: 'ann',
    deprecated: { since: '2026-03-04', use: 'code-review' },
  }),
  sampleFacts(2, {
    name: 'code-review',
    category: 'Coding',
    author: 'bob',
    tokens: 90,
    touches: ['commands', 'unasked', 'login', 'key', 'hosts'],
  }),
  sampleFacts(3, { name: 'a', category: 'Writing' }),
  sampleFacts(4, { name: 'plain language', category: 'Writing', safety: 'Review' }),
  sampleFacts(5, { name: '<b>*x*</b>', category: 'Design', summary: 'See <i>this</i> [x]' }),
])

/** A site with other settings. */
const change = (site: Site, settings: Partial<Site['catalog']['site']>): Site => ({
  ...site,
  catalog: { ...site.catalog, site: { ...site.catalog.site, ...settings } },
})

const OPEN = change(SITE, {
  examples: ['a b'],
  contact: 'https://github.com/acme/skills',
  versions: { since: 'a'.repeat(40) },
})

const CLOSED = {
  ...change(sampleSite([sampleFacts(1, { updated: '2026-01-02' })]), { private: true }),
}

// `npx vitest run src/documents/pages -u` writes these texts anew, to be reviewed as a diff.
test.each([
  ['open', OPEN],
  ['closed', CLOSED],
  ['static', { ...SITE, isStatic: true }],
])('the home page, lists, /docs and llms.txt of a site: %s', async (name, site) => {
  const paths = [
    '/',
    '/skills',
    '/categories/coding',
    '/categories/design',
    '/authors/ann',
    '/docs',
  ]
  const found = paths.filter((path) =>
    [...planSitePages(site, API)].some((plan) => plan.path === path),
  )
  const texts = [...found.map((path) => renderTwin(pageAt(site, path))), renderLlms(site)]
  await expect(texts.join('\n\n')).toMatchFileSnapshot(`testing/golden/${name}.md.txt`)
})

const PAGE = {
  slug: 'docs-clients',
  title: 'From your tools',
  description: 'Commands.',
  date: '2026-01-02',
  updated: '2026-01-03',
  markdown: 'Text.',
}

const block = (kind: string, text: string) => `<!-- ${kind} -->\n\n${text}\n\n<!-- /${kind} -->\n\n`

test.each([
  [{}, false, 'One. By api. Two.'],
  [{}, true, 'One. By static. Two.'],
  [{ private: true }, false, 'One. By api. At r.example. Two.'],
  [{ npm: '@acme/skills' }, false, 'One. By api. Two.'],
  [
    { private: true, npm: '@acme/skills' },
    true,
    'One. By static. At r.example. As @acme/skills. Two.',
  ],
])(
  'a page keeps only the blocks for its kind of site, without their comments: %j, isStatic = %s',
  (settings, isStatic, words) => {
    const hosts = block('api', 'By api.') + block('static', 'By static.')
    const inner = block('npm', 'As {site-npm}.')
    const markdown = `One.\n\n${hosts}${block('private', `At {site-host}.\n\n${inner}`)}Two.\n`
    const site = change(sampleSite([], { pages: [{ ...PAGE, markdown }] }), settings)
    const { sections } = pageAt({ ...site, isStatic }, '/docs/clients')
    expect(String(sections[0]?.markdown).trim().replace(/\s+/g, ' ')).toBe(words)
  },
)

test('a page names the author given in its front matter', () => {
  const site = sampleSite([], { pages: [PAGE, { ...PAGE, slug: 'about', author: 'Ada' }] })
  expect(pageAt(site, '/docs/clients').below?.html.html).toBe('')
  expect(String(pageAt(site, '/about').below?.markdown)).toBe('by Ada')
})

const POST = { ...PAGE, slug: 'post' }

const htmlOf = (site: Site, path: string): string =>
  viewDocument(pageAt(site, path), FRAME).body.html

test('no heading of a post gets an anchor of the layout or of the list below the post', () => {
  const markdown = '## Content\n\n## More\n\n## Text\n\n[a](#more)'
  const body = htmlOf(sampleSite([], { posts: [{ ...POST, markdown }, PAGE] }), '/blog/post')
  const ids = Array.from(body.matchAll(/<h2 id="([^"]*)"/g), ([, id]) => id)
  expect(ids).toEqual(['content-1', 'more-1', 'text', 'more'])
  expect(body).toContain('<a href="#more-1">')
})

test.each([
  [`${'> '.repeat(120)}x`, 'is nested too deeply, or becomes too long'],
  ['## A\n\n#### B', 'has a heading of level 4, "B", right below a heading of level 2'],
  ['### A', 'has a heading of level 3, "A", right below a heading of level 1'],
  ['# A', 'has a heading of level 1, "A", right below a heading of level 1'],
  ['## A\n\n```\nb', 'has unclosed code or HTML'],
  ['<!-- a', 'has unclosed code or HTML'],
])(
  'a text of the registry that would break its page is reported as a problem of its file: %j',
  (markdown, fault) => {
    const page = { ...PAGE, markdown }
    const site = sampleSite([], { pages: [page], posts: [{ ...page, slug: 'post' }] })
    const problem = {
      message: `its text ${fault}`,
      remedy: 'simplify its headings, lists and HTML',
    }
    for (const [path, file] of [
      ['/docs/clients', 'pages/docs-clients.md'],
      ['/blog/post', 'blog/post.md'],
    ] as const)
      expect(() => pageAt(site, path)).toThrow(
        expect.objectContaining({ problems: [expect.objectContaining({ file, ...problem })] }),
      )
  },
)

test("the registry's own text is unchanged in the Markdown twin", () => {
  const markdown = '## A *b*\r\n\r\n<b>c</b> [d](#a-b)\r\n\r\n### E\r\n\r\n## F\r\n'
  const site = sampleSite([], { pages: [{ ...PAGE, markdown }] })
  expect(renderTwin(pageAt(site, '/docs/clients'))).toBe(
    '# From your tools\n\nCommands.\n\n## A *b*\n\n<b>c</b> [d](#a-b)\n\n### E\n\n## F\n',
  )
  expect(htmlOf(site, '/docs/clients')).toContain('<code>&lt;b&gt;</code>c<code>')
})

test('a twin has one empty line between blocks and no trailing blanks', () => {
  const site = sampleSite([sampleFacts(1, {})], { pages: [PAGE], posts: [PAGE] })
  for (const plan of planSitePages(site, API))
    expect(renderTwin(plan.write()), plan.path).not.toMatch(/\n\n\n|^[ \t]+$|\S[ \t]+$/m)
})
