import { expect, test } from 'vitest'
import { describeFile } from './policies.ts'

test.for([
  ['sitemap.xml', 'application/xml; charset=utf-8'],
  ['FONT.WOFF2', 'font/woff2'],
  ['catalog.ndjson', 'application/x-ndjson'],
  ['feed.atom', 'application/atom+xml; charset=utf-8'],
  ['feed.json', 'application/feed+json'],
  ['categories/coding/feed.json', 'application/feed+json'],
  ['my-feed.json', 'application/json'],
  ['opensearch.xml', 'application/opensearchdescription+xml; charset=utf-8'],
  [
    '.well-known/api-catalog',
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  ],
  ['constructor', 'application/octet-stream'],
  ['x.constructor', 'application/octet-stream'],
] as [string, string][])('%s is %s', ([name, type]) => {
  expect(describeFile(name)['Content-Type']).toBe(type)
})
