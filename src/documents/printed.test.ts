import { expect, test } from 'vitest'
import type { Document } from './document.ts'
import { PRINTED } from './printed.ts'

const AROUND = { origin: 'https://skills.example', siteName: 'Registry' }

const PAGE: Document = {
  kind: 'skill',
  path: '/skills/one',
  heading: 'one',
  lead: ['Does one thing.'],
  description: 'Does one thing.',
  updated: '2026-01-02',
  isIndexable: true,
  category: 'Coding',
  facts: [],
  sections: [],
}

const describe = (change: Partial<Document> = {}): Record<string, unknown>[] => {
  const { html } = PRINTED.renderData({ ...PAGE, ...change }, AROUND)
  expect(html).not.toContain('<')
  return (JSON.parse(html) as { '@graph': Record<string, unknown>[] })['@graph']
}

test('what is not known of a skill is not said', () => {
  expect(describe({ work: { author: 'somebody', download: '/api/skills/download/1' } })[0]).toEqual(
    {
      '@type': 'SoftwareSourceCode',
      url: 'https://skills.example/skills/one',
      name: 'one',
      description: 'Does one thing.',
      isPartOf: { '@id': 'https://skills.example/#site' },
      author: 'somebody',
      encoding: {
        '@type': 'MediaObject',
        encodingFormat: 'application/zip',
        contentUrl: 'https://skills.example/api/skills/download/1',
      },
    },
  )
})

test('a name that ends the element stays a name', () => {
  const heading = '</script><script>alert(1)</script><!--'
  const [skill, trail] = describe({ heading, work: { author: '\u2028"\\' } })
  expect(skill).toMatchObject({ name: heading, author: '\u2028"\\' })
  expect(trail).toMatchObject({ itemListElement: [{}, {}, { name: 'Coding' }, { name: heading }] })
})

test('of a page that is not to be indexed only its place is told', () => {
  expect(describe({ isIndexable: false }).map((thing) => thing['@type'])).toEqual([
    'BreadcrumbList',
  ])
})

test('a listing numbers what it shows', () => {
  const entry = { title: 'One', path: '/skills/one', text: '', facts: [] }
  const sections = [
    { id: 'words', markdown: 'Words.' },
    { id: 'skills', markdown: '', entries: [entry, { ...entry, title: 'Two' }] },
  ]
  const [page] = describe({ kind: 'listing', path: '/categories/coding', sections })
  expect(page).toMatchObject({
    '@type': 'CollectionPage',
    mainEntity: {
      numberOfItems: 2,
      itemListElement: [
        { position: 1, name: 'One', url: 'https://skills.example/skills/one' },
        { position: 2, name: 'Two' },
      ],
    },
  })
})

test.each([
  ['home', '/', ['WebSite']],
  ['post', '/blog/a', ['BlogPosting', 'BreadcrumbList']],
  ['reference', '/docs/api', ['TechArticle', 'BreadcrumbList']],
  ['prose', '/docs/safety', ['TechArticle', 'BreadcrumbList']],
  ['prose', '/about', ['WebPage', 'BreadcrumbList']],
  ['results', '/skills', ['BreadcrumbList']],
] as const)('%s at %s is %j', (kind, path, types) => {
  expect(describe({ kind, path }).map((thing) => thing['@type'])).toEqual(types)
})

test.each([
  ['/categories/coding', ['/', '/categories']],
  ['/categories/coding/page/2', ['/', '/categories', '/categories/coding']],
  ['/authors/registry', ['/', '/authors']],
  ['/authors/registry/page/2', ['/', '/authors', '/authors/registry']],
  ['/authors', ['/']],
])('%s stands below %j', (path, above) => {
  const things = describe({ kind: 'listing', path, heading: 'One, page 2' })
  const trail = things.find((thing) => thing['@type'] === 'BreadcrumbList')
  expect(trail).toMatchObject({
    itemListElement: [...above, path].map((item) => ({ item: `https://skills.example${item}` })),
  })
})
