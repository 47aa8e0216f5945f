import { createHash } from 'node:crypto'
import { POLICIES } from '../../src/api/policies.ts'
import type { PolicyName } from '../../src/api/policies.ts'
import { CATEGORIES } from '../../src/catalog/categories.ts'
import {
  PATHS,
  categoryPath,
  downloadPath,
  filePagePath,
  skillJsonPath,
  skillPath,
  twinPath,
} from '../../src/documents/paths.ts'
import { DISCOVERY_PATH } from '../../src/api/discovery.ts'
import type { AskSite } from './ask.ts'
import { ALLOW_FIELD, clause } from './clause.ts'
import { LISTING_CACHE } from './api-clauses.ts'
import type { ContractClause } from './clause.ts'

/** A site does not answer as one of ours: the message says what was asked. */
export class NotASiteError extends Error {
  override name = 'NotASiteError'
}

/** The header fields that a policy promises for every answer of its kind. */
const promised = (policy: PolicyName): ContractClause['has'] =>
  Object.fromEntries(
    Object.entries(POLICIES[policy].headers)
      .filter(([name]) => name !== 'Vary')
      .map(([name, value]) => [name.toLowerCase(), value]),
  )

const page = (form: 'html' | 'markdown' | 'answered' = 'html') => ({
  ...promised(form),
  vary: /\bAccept\b(?!-)/,
})

const wants = { Accept: 'text/markdown, text/html, */*' }

interface ListedRow {
  id: number
  slug: string
}

const ask = async (asking: AskSite, address: string) => {
  const answered = await asking({ line: `GET ${address}`, headers: {} })
  if (answered.status !== 200)
    throw new NotASiteError(`GET ${address} answers ${answered.status}, not 200`)
  return answered
}

const readJson = async <Value>(asking: AskSite, address: string): Promise<Value> => {
  const { body } = await ask(asking, address)
  try {
    return JSON.parse(body.toString()) as Value
  } catch {
    throw new NotASiteError(`GET ${address} answers no JSON`)
  }
}

const describePages = (paths: readonly string[]): ContractClause[] =>
  paths.flatMap((path) => [
    clause(`GET ${path}`, '200', page(), /<title>/),
    clause(`HEAD ${path}`, '200', page(), ''),
    clause(`GET ${path}`, '200', page('markdown'), /^# /, wants),
    clause(`GET ${twinPath(path)}`, '200', page('markdown'), /^# /),
  ])

const describeSkill = async (
  asking: AskSite,
  { id, slug }: ListedRow,
): Promise<ContractClause[]> => {
  const zip = await ask(asking, downloadPath(id))
  const sha256 = createHash('sha256').update(zip.body).digest('hex')
  const ofZip = {
    ...promised('zip'),
    'content-disposition': `attachment; filename="${slug}.zip"`,
    etag: `"${sha256}"`,
    'content-encoding': null,
  }
  const address = `GET ${downloadPath(id)}`
  const range = { Range: 'bytes=0-3' }
  return [
    ...describePages([skillPath(slug)]),
    clause(address, '200', { ...ofZip, 'content-length': String(zip.body.length) }, zip.body),
    clause(address, '206', { 'content-length': '4' }, zip.body.subarray(0, 4), range),
    clause(address, '304', { etag: `"${sha256}"` }, '', { 'If-None-Match': `"${sha256}"` }),
    clause(
      `GET ${skillPath(slug)}${DISCOVERY_PATH}`,
      '200',
      { ...promised('siteFile'), 'content-type': 'application/json' },
      new RegExp(`"digest":"sha256:${sha256}"`),
    ),
    clause(
      `GET ${skillPath(slug)}/SKILL.md`,
      '200',
      { ...promised('skillFile'), 'content-type': 'text/markdown; charset=utf-8' },
      /^\uFEFF?---/,
    ),
    clause(
      `GET ${skillJsonPath(slug)}`,
      '200',
      { ...promised('skillJson'), 'content-type': 'application/json' },
      new RegExp(`"digest":"sha256:${sha256}"`),
    ),
    clause(`GET ${filePagePath(slug, 'SKILL.md')}`, '200', page('answered'), /SKILL\.md/),
    clause(`GET ${skillPath(slug)}/nothing.here`, '404', { 'cache-control': 'no-store' }),
    clause(`GET ${skillPath(slug)}/`, '308', { location: skillPath(slug) }),
    clause(`GET ${skillPath(slug).toUpperCase()}`, '308', { location: skillPath(slug) }),
    clause(`GET ${skillPath(slug)}.html`, '308', { location: skillPath(slug) }),
  ]
}

const refused = (line: string, gives: string): ContractClause =>
  clause(line, gives, promised('envelope'))

const LISTING = { ...promised('listing'), 'cache-control': LISTING_CACHE }

const ANYWHERE: readonly ContractClause[] = [
  clause(`GET ${PATHS.listingApi}?limit=1`, '200', LISTING, /"limit":1,"offset":0}$/),
  clause(`HEAD ${PATHS.listingApi}`, '200', LISTING, ''),
  ...[
    'sort=best 400 INVALID_SORT',
    'cat=coding 400 INVALID_CATEGORY',
    'limit=0 400 INVALID_LIMIT',
    'offset=-1 400 INVALID_OFFSET',
    'q=%FF 400 INVALID_QUERY',
    'q=a&q=b 400 DUPLICATE_PARAMETER',
    'Q=a 400 UNKNOWN_PARAMETER',
  ].map((row) => {
    const [query = '', ...gives] = row.split(' ')
    return refused(`GET ${PATHS.listingApi}?${query}`, gives.join(' '))
  }),
  refused('GET /api', '404 NOT_FOUND'),
  refused('GET /api/nothing', '404 NOT_FOUND'),
  refused(`GET ${PATHS.download}/012`, '400 INVALID_ID'),
  refused(`GET ${PATHS.download}/${'9'.repeat(30)}`, '404 SKILL_NOT_FOUND'),
  clause('POST /api/v1/skills', '405 METHOD_NOT_ALLOWED', {
    ...promised('envelope'),
    ...ALLOW_FIELD,
  }),
  clause('POST /skills', '405', ALLOW_FIELD),
  clause('OPTIONS /api/v1/skills', '204', promised('options')),
  clause('GET /skills?q=a', '200', page('answered'), /<title>/),
  clause('GET /skills?sort=best', '400', page('answered'), /best/),
  clause('GET /skills/page/1', '308', { location: '/skills' }),
  clause('GET /no-such-page', '404', { ...page(), 'cache-control': 'no-store' }, /<title>/),
  clause('GET /no-such-page.md', '404', page('markdown'), /^# /),
  clause('GET /_headers', '404', { 'cache-control': 'no-store' }),
  clause('GET /private/site.json', '404', { 'cache-control': 'no-store' }),
  clause('GET /skills/../private/site.json', '404', { 'cache-control': 'no-store' }),
  clause('GET //elsewhere.example/', '404', { 'cache-control': 'no-store' }),
  ...[
    [PATHS.openapi, 'application/json'],
    [PATHS.llms, 'text/plain; charset=utf-8'],
    [PATHS.robots, 'text/plain; charset=utf-8'],
    [PATHS.sitemap, 'application/xml; charset=utf-8'],
  ].map(([path, type]) =>
    clause(`GET ${path}`, '200', { ...promised('siteFile'), 'content-type': type! }),
  ),
]

/** Chooses clauses from what a site that is up says of itself. Throws NotASiteError. */
export const chooseClauses = async (
  asking: AskSite,
  isPrivate: boolean,
): Promise<ContractClause[]> => {
  const { skills } = await readJson<{ skills: ListedRow[] }>(asking, `${PATHS.listingApi}?limit=3`)
  const category = CATEGORIES[0]
  return [
    ...describePages(['/', '/skills', '/authors', '/about', '/docs/api', categoryPath(category)]),
    ...(await Promise.all(skills.map((skill) => describeSkill(asking, skill)))).flat(),
    ...ANYWHERE,
    clause(
      `GET ${PATHS.robots}`,
      '200',
      {},
      isPrivate ? /^Disallow: \/$/m : /^Disallow: \/api\/$/m,
    ),
  ]
}

/** The origin that a site names in its absolute addresses. */
export const readOrigin = async (asking: AskSite): Promise<string> => {
  const { servers } = await readJson<{ servers?: { url: string }[] }>(asking, PATHS.openapi)
  return new URL(servers?.[0]?.url ?? '').origin
}
