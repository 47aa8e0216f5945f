import { expect, test } from 'vitest'
import type { Document } from './document.ts'
import { phrase } from './prose/phrases.ts'
import { renderData } from './structured-data.ts'

const AROUND = { origin: 'https://skills.example', siteName: 'Registry' }

const PAGE: Document = {
  kind: 'skill',
  path: '/skills/one',
  heading: 'one',
  lead: phrase`Does one thing.`,
  description: 'Does one thing.',
  updated: '2026-01-02',
  isUnindexed: false,
  category: 'Coding',
  sections: [],
}

const describe = (change: Partial<Document> = {}): Record<string, unknown>[] => {
  const { html } = renderData({ ...PAGE, ...change }, AROUND)
  const [, json = ''] = /^<script type="application\/ld\+json">([^<]*)<\/script>$/.exec(html)!
  return (JSON.parse(json) as { '@graph': Record<string, unknown>[] })['@graph']
}

test('unknown properties of a skill are left out', () => {
  expect(describe({ work: { author: 'somebody', license: undefined } })[0]).toEqual({
    '@type': 'SoftwareSourceCode',
    url: 'https://skills.example/skills/one',
    name: 'one',
    description: 'Does one thing.',
    isPartOf: { '@id': 'https://skills.example/#site' },
    author: 'somebody',
  })
})

test('a page that should not be indexed has no structured data', () => {
  expect(renderData({ ...PAGE, isUnindexed: true }, AROUND).html).toBe('')
})

test.each([
  ['home', '/', ['WebSite']],
  ['skill', '/skills/one', ['SoftwareSourceCode', 'BreadcrumbList']],
  ['article', '/blog/a', ['BreadcrumbList']],
] as const)('%s at %s has the types %j', (kind, path, types) => {
  expect(describe({ kind, path }).map((thing) => thing['@type'])).toEqual(types)
})
