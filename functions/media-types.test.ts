import { expect, test } from 'vitest'
import { mediaTypeOf } from '../src/api/media-types.ts'
import { rawTypeOf } from './media-types.ts'
import { createStore } from './store.ts'

test.for([
  ['nothing', [], true],
  ['ASCII', [0x61, 0x0a], true],
  ['UTF-8 cut in a character', [0x61, 0xc3], true],
  ['NUL among letters', [0x61, 0x00, 0x62], false],
  ['a byte that is not UTF-8', [0x61, 0xff, 0x62], false],
] as [string, number[], boolean][])('%s: %j reads as text: %s', async ([, bytes, isSo]) => {
  const file = await createStore(() => new Uint8Array(bytes)).read('file')
  const type = isSo ? 'text/plain; charset=utf-8' : 'application/octet-stream'
  expect(file && (await rawTypeOf('file', file))).toBe(type)
})

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
  expect(mediaTypeOf(name)).toBe(type)
})
