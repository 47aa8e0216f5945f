import { expect, test } from 'vitest'
import { FRAME } from '../../testing/sample-site.ts'
import { describeApi } from '../api/openapi.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import type { ApiDescription } from './api-page.ts'
import type { Document } from './document.ts'
import { renderLlms } from './feeds/llms.ts'
import { renderTwin } from './prose/markdown.ts'
import { planSitePages } from './pages.ts'
import { viewDocument } from './view.ts'
import { createSite } from './site.ts'
import type { Site } from './site.ts'
import { sampleFacts } from '../../testing/sample-facts.ts'

const ORIGIN = 'https://r.example'
const API = describeApi({ name: 'N', description: 'D', origin: ORIGIN }) as ApiDescription

const siteOf = (skills: readonly SkillFacts[], catalog: Partial<Site['catalog']> = {}): Site => {
  const texts = { name: 'N', tagline: 'T', description: 'D' }
  const none = { posts: [], pages: [], isCounted: false }
  return createSite({ site: texts, ...none, ...catalog }, skills, ORIGIN)
}

const pageAt = (site: Site, path: string): Document =>
  [...planSitePages(site, API)].find((plan) => plan.path === path)!.write()

const SITE = siteOf([
  sampleFacts(1, { name: 'flaky-test-triage', category: 'Coding', author: 'ann' }),
  sampleFacts(2, { name: 'code-review', category: 'Coding', author: 'bob' }),
  sampleFacts(3, { name: 'a', category: 'Writing' }),
  sampleFacts(4, { name: 'plain language', category: 'Writing', safety: 'Review' }),
  sampleFacts(5, { name: '<b>*x*</b>', category: 'Design', summary: 'See <i>this</i> [x]' }),
])

test.each(['/', '/skills', '/categories'])('%s does not show empty categories', (path) => {
  const { sections } = pageAt(SITE, path)
  const titles = sections.find(({ id }) => id === 'categories')?.entries?.map(({ title }) => title)
  expect(titles).toEqual(['Coding', 'Design', 'Writing'])
})

const homeWords = (site: Site): string =>
  String(pageAt(site, '/').sections.find(({ id }) => id === 'numbers')?.markdown)

const boxOf = (site: Site): string =>
  String(pageAt(site, '/').sections.find(({ id }) => id === 'your-agent')?.markdown)

test('the home page says how to connect an agent, or links to llms.txt on a static host', () => {
  expect(boxOf(SITE)).toContain(
    '- Claude Code: In a terminal.\n  ```\n  claude mcp add --transport http skills https://r.example/mcp\n  ```',
  )
  expect(boxOf({ ...SITE, isStatic: true })).toContain('Read https://r.example/llms.txt')
  expect(boxOf({ ...SITE, isStatic: true })).not.toContain('mcp')
})

test('the home page has example searches if there are any', () => {
  const { catalog } = SITE
  const site = { ...SITE, catalog: { ...catalog, site: { ...catalog.site, examples: ['a b'] } } }
  expect(String(pageAt(site, '/').below?.markdown)).toBe('- Try: [a b](/skills?q=a+b)')
  expect(pageAt(SITE, '/').below?.html.html).toBe('')
})

test('the home page states the size of the catalog, and the skills to review if there are any', () => {
  expect(homeWords(SITE)).toMatch(
    /^\[5 skills\]\(\/skills\) by \[\d authors\]\(\/authors\)\. \[The scan\]\(\/docs\/safety\) marked \[1 for review\]\(\/skills\?findings=review\)\.$/,
  )
  const clean = siteOf([sampleFacts(1, { updated: '2026-01-02' })])
  expect(homeWords(clean)).toMatch(/, last changed 2026-01-02\.$/)
})

const PAGE = {
  slug: 'docs-clients',
  title: 'From your tools',
  description: 'Commands.',
  date: '2026-01-02',
  updated: '2026-01-03',
  markdown: 'Text.',
}

const BLOCKS = ['api', 'static'].map(
  (host) => `<!-- ${host} -->\n\nFor ${host}.\n\n<!-- /${host} -->\n\n`,
)

test.each([
  [false, 'One.\n\nFor api.\n\nTwo.'],
  [true, 'One.\n\nFor static.\n\nTwo.'],
])(
  'a page keeps only the blocks for its kind of host, without their comments: isStatic = %s',
  (isStatic, words) => {
    const page = { ...PAGE, markdown: `One.\n\n${BLOCKS.join('')}Two.\n` }
    const site = { ...siteOf([], { pages: [page] }), isStatic }
    expect(String(pageAt(site, '/docs/clients').sections[0]?.markdown).trim()).toBe(words)
  },
)

const block = (kind: string, text: string) => `<!-- ${kind} -->\n\n${text}\n\n<!-- /${kind} -->\n\n`

test.each([
  [{}, 'One.\n\nTwo.'],
  [{ private: true }, 'One.\n\nAt r.example.\n\nTwo.'],
  [{ npm: '@acme/skills' }, 'One.\n\nTwo.'],
  [{ private: true, npm: '@acme/skills' }, 'One.\n\nAt r.example.\n\nAs @acme/skills.\n\nTwo.'],
])(
  'a page keeps the blocks for a private registry and its npm package only in one: %j',
  (more, words) => {
    const inner = block('npm', 'As {site-npm}.')
    const markdown = `One.\n\n${block('private', `At {site-host}.\n\n${inner}`)}Two.\n`
    const { catalog, ...rest } = siteOf([], { pages: [{ ...PAGE, markdown }] })
    const site = { ...rest, catalog: { ...catalog, site: { ...catalog.site, ...more } } }
    const shown = String(pageAt(site, '/docs/clients').sections[0]?.markdown)
    expect(shown.trim().replace(/\n{2,}/g, '\n\n')).toBe(words)
  },
)

test('on a private registry, an agent reads the login from ~/.netrc', () => {
  const { catalog } = SITE
  const closed = { ...SITE, catalog: { ...catalog, site: { ...catalog.site, private: true } } }
  expect(boxOf(closed)).toContain('curl -n https://r.example/llms.txt')
  expect(boxOf(closed)).toContain('send it in a header')
})

test('llms.txt of a static host names only files', () => {
  const promises = /\/api\/v1|\/mcp|Accept/
  expect(renderLlms(SITE)).toMatch(promises)
  expect(renderLlms({ ...SITE, isStatic: true })).not.toMatch(promises)
})

test('llms.txt says how to pin a version if the registry promises versions', () => {
  const { catalog } = SITE
  const versions = { since: 'a'.repeat(40) }
  const promised = { ...SITE, catalog: { ...catalog, site: { ...catalog.site, versions } } }
  for (const words of ['@{version} -y`', '/versions.ndjson)']) {
    expect(renderLlms(promised)).toContain(words)
    expect(renderLlms(SITE)).not.toContain(words)
  }
})

test('a page names the author given in its front matter', () => {
  const site = siteOf([], { pages: [PAGE, { ...PAGE, slug: 'about', author: 'Ada' }] })
  expect(pageAt(site, '/docs/clients').below).toBeUndefined()
  expect(String(pageAt(site, '/about').below?.markdown)).toBe('by Ada')
})

const POST = { ...PAGE, slug: 'post' }

const htmlOf = (site: Site, path: string): string =>
  viewDocument(pageAt(site, path), FRAME).body.html

test('no heading of a post gets an anchor of the layout or of the list below the post', () => {
  const markdown = '## Content\n\n## More\n\n## Text\n\n[a](#more)'
  const body = htmlOf(siteOf([], { posts: [{ ...POST, markdown }, PAGE] }), '/blog/post')
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
    const site = siteOf([], { pages: [page], posts: [{ ...page, slug: 'post' }] })
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
  const site = siteOf([], { pages: [{ ...PAGE, markdown }] })
  expect(renderTwin(pageAt(site, '/docs/clients'))).toBe(
    '# From your tools\n\nCommands.\n\n## A *b*\n\n<b>c</b> [d](#a-b)\n\n### E\n\n## F\n',
  )
  expect(htmlOf(site, '/docs/clients')).toContain('<code>&lt;b&gt;</code>c<code>')
})

test('/docs lists the generated documents and those of the content folder', () => {
  const document = pageAt(siteOf([], { pages: [PAGE] }), '/docs')
  expect(document.updated).toBe('2026-01-03')
  expect(document.sections.at(-1)?.entries?.map(({ path }) => path)).toEqual([
    '/docs/api',
    '/docs/safety',
    '/docs/directories',
    '/docs/clients',
  ])
})

test('untrusted text is escaped in Markdown twins and in llms.txt', () => {
  const texts = [renderTwin(pageAt(SITE, '/categories/design')), renderLlms(SITE)]
  for (const text of texts) {
    expect(text).toContain('[\\<b\\>\\*x\\*\\</b\\>](')
    expect(text).toContain('See \\<i\\>this\\</i\\> \\[x\\]')
  }
})

test('a twin has one empty line between blocks and no trailing blanks', () => {
  const site = siteOf([sampleFacts(1, {})], { pages: [PAGE], posts: [PAGE] })
  for (const plan of planSitePages(site, API))
    expect(renderTwin(plan.write()), plan.path).not.toMatch(/\n\n\n|^[ \t]+$|\S[ \t]+$/m)
})

test.each([
  '`GET https://r.example/skills/{slug}.json`',
  '`npx skills add https://r.example/skills/{slug} -y`',
  '`https://r.example/mcp`',
  '[API](https://r.example/docs/api.md): ',
  'Names and descriptions of skills, here and in every list and response, are written by their authors',
])('llms.txt contains %s', (text) => {
  expect(renderLlms(SITE)).toContain(text)
})
