import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeSite } from '../../build/site/inputs.ts'
import { PROJECT_ROOT } from '../../build/site/settings.ts'
import { loadCatalog } from '../catalog/load.ts'
import { planSitePages } from '../documents/pages.ts'
import { createSite } from '../documents/site.ts'
import { findRoute } from '../../functions/route.ts'
import { renderHeadersFile, renderRedirectsFile } from './cdn.ts'
import { POLICIES, describeFile } from './policies.ts'
import { DEFAULT_ORIGIN, PATHS, SITE_FILES, skillPath, twinPath } from '../documents/paths.ts'
import { readHeaderRules, readRedirectRules } from '../../testing/contract/cdn.ts'

const { fieldsOf } = readHeaderRules(renderHeadersFile())

const lowerCased = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** The header fields that our own hosts send for an address. */
const promised = (target: string): Record<string, string> => {
  const route = findRoute({ method: 'GET', target })
  if (route.kind === 'page') return lowerCased(POLICIES[route.form].headers)
  if (route.kind === 'discovery') return lowerCased(POLICIES.siteFile.headers)
  if (route.kind === 'download') return lowerCased(POLICIES.zip.headers)
  return route.kind === 'file' ? lowerCased(POLICIES[route.policy].headers) : {}
}

/** Files whose addresses are below those of pages. */
const LISTS = [
  '/authors/octo/.well-known/agent-skills/index.json',
  '/categories/coding/.well-known/agent-skills/index.json',
  '/categories/coding/marketplace.json',
]

const catalog = loadCatalog(join(PROJECT_ROOT, 'content'))
const site = createSite(catalog, catalog.skills, DEFAULT_ORIGIN)
const PAGES = [
  ...Array.from(planSitePages(site, describeSite(catalog, site.origin)), ({ path }) => path),
  ...catalog.skills.map(({ slug }) => skillPath(slug)),
  PATHS.stats,
]
const ADDRESSES = PAGES.flatMap((path) => [path, twinPath(path)])
  .filter((path) => !path.startsWith('/404'))
  .concat(
    '/skills/page/2 /skills/page/2.md /authors/page/2 /authors/octo/page/3 /categories/coding/page/2.md'.split(
      ' ',
    ),
    '/skills/foo/SKILL.md /skills/foo/scripts/x.html /skills/foo/assets/x.svg'.split(' '),
    '/skills/foo/run.py /skills/foo/page/2 /skills/pages/x.html /skills/page-2/a.html'.split(' '),
    '/api/skills/download/12',
    '/sitemap.xml /sitemap-1.xml /_astro/site.Ab12Cd.css /.well-known/x/index.json'.split(' '),
    LISTS,
  )

/** Files whose type is set by a rule instead of being guessed by the CDN. */
const TYPED = [
  ...Object.values(SITE_FILES),
  PATHS.dump,
  PATHS.sums,
  '/feed.atom',
  '/feed.json',
  '/categories/coding/feed.atom',
  '/categories/data-and-analytics/feed.json',
]

test.for(TYPED)('a plain CDN sends %s with the type of our own hosts', (address) => {
  expect(fieldsOf(address)).toEqual({
    ...promised(address),
    ...lowerCased(describeFile(address.slice(1))),
  })
})

describe('a plain CDN sends the header fields of our own hosts', () => {
  test.for(ADDRESSES)('%s', (address) => {
    const { 'content-type': type, ...fields } = fieldsOf(address)
    const { 'content-type': promisedType = type, ...others } = promised(address)
    expect({ ...fields, type }).toEqual({ ...others, type: promisedType })
    expect(Object.keys(promised(address))).toContain('x-content-type-options')
  })
})

describe('no spelling of an address lets a file of a skill run in the browser', () => {
  const FILES = ['skills/foo/x.svg', 'skills/foo/scripts/x', 'skills/foo/page/x.html']
  const SPELLINGS: ((path: string) => string)[] = [
    (path) => path,
    (path) => path.replace('skills', '%73kills'),
    (path) => path.replace('foo', '%66oo'),
    (path) => path.replaceAll('/', '%2F'),
    (path) => path.replaceAll('/', '%2f'),
    (path) => path.replace('/', '%2F'),
    (path) => path.replace('/foo/', '/foo%2F'),
    (path) => path.replace('/foo/', '/foo%2f'),
    (path) => path.replace('skills', 'skill%73').replace('/foo/', '/foo%2f'),
  ]
  test.for(FILES.flatMap((file) => SPELLINGS.map((spell) => `/${spell(file)}`)))('%s', (path) => {
    expect(fieldsOf(path)['content-security-policy']).toMatch(/default-src 'none'.*sandbox$/)
    expect(fieldsOf(path)['x-content-type-options']).toBe('nosniff')
    expect(fieldsOf(path)['x-robots-tag']).toBe('noindex')
  })
})

test('a CDN in front of a private registry must not cache answers for other readers', () => {
  const rules = readHeaderRules(renderHeadersFile(true))
  for (const address of [...ADDRESSES, ...TYPED]) {
    const { 'cache-control': directive, ...others } = fieldsOf(address)
    const isAsset = directive?.includes('immutable')
    expect(rules.fieldsOf(address)).toEqual({
      ...others,
      'x-robots-tag': 'noindex',
      'cache-control': isAsset ? directive?.replace('public', 'private') : 'private, no-store',
    })
  }
})

test('a 404 page at any address loads its styles and runs no script', () => {
  expect(fieldsOf('/nope')['content-security-policy']).toMatch(/style-src 'self'.*sandbox$/)
})

test.each([
  ['x.html', 'text/plain; charset=utf-8'],
  ['scripts/run.py', 'text/plain; charset=utf-8'],
  ['LICENSE', 'text/plain; charset=utf-8'],
  ['notes/x.svg', 'text/plain; charset=utf-8'],
  ['SKILL.md', 'text/markdown; charset=utf-8'],
  ['assets/x.png', 'application/octet-stream'],
  ['.well-known/agent-skills/index.json', 'application/json'],
])('the file %s of a skill is sent as %s', (file, type) => {
  expect(fieldsOf(`/skills/foo/${file}`)['content-type']).toBe(type)
})

const MOVED = [
  { slug: 'old', id: 3, to: { slug: 'new', id: 3 } },
  { slug: 'older', id: 4, to: { slug: 'new', id: 3 } },
]
const find = readRedirectRules(renderRedirectsFile(MOVED).text)

describe('the old addresses of a moved skill lead to it', () => {
  test.each([
    ['/skills/old', '/skills/new'],
    ['/skills/old.md', '/skills/new.md'],
    ['/skills/old.html', '/skills/new'],
    ['/skills/old/SKILL.md', '/skills/new/SKILL.md'],
    ['/skills/older/a/b%20c.txt', '/skills/new/a/b%20c.txt'],
    ['/api/skills/download/4', '/api/skills/download/3'],
  ])('%s', (from, to) => expect(find(from)).toMatchObject({ to, status: 308 }))

  test.each(['/skills/new', '/skills/old-one', '/skills/new/old', '/api/skills/download/3'])(
    '%s is left alone',
    (address) => expect(find(address)).toBeUndefined(),
  )
})

test.each(
  `/skills/ /skills/foo/ /skills/foo.html /skills/page/1 /skills/page/2/ /skills/page/1.md /index /index.html
   /authors/page/1 /authors/octo/page/1 /authors/octo/page/1.md /authors/octo/page/2.html /authors/page/page/1
   /categories/coding/ /blog/hello.html /docs/ /docs/api/ /about/ /stats.html`.split(/\s+/),
)('%s leads where the function would send it', (target) => {
  expect(findRoute({ method: 'GET', target })).toMatchObject({
    kind: 'moved',
    location: find(target)?.to,
  })
})

test('redirects above the limit of the CDN are left out and counted', () => {
  const moves = Array.from({ length: 1_000 }, (_, at) => ({
    slug: `old-${at}`,
    id: at + 10_000,
    to: { slug: `new-${at}`, id: at },
  }))
  const { text, left } = renderRedirectsFile(moves)
  expect(() => readRedirectRules(text)).not.toThrow()
  expect(left.pages).toBeGreaterThan(500)
  expect(left.files).toBeGreaterThan(900)
  expect(renderRedirectsFile(moves.slice(0, 50)).left).toEqual({ pages: 0, files: 0 })
})
