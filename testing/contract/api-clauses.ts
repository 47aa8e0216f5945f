import { createHash } from 'node:crypto'
import { ALLOW_FIELD, clause } from './clause.ts'
import type { ContractClause } from './clause.ts'
import { ZIPS } from '../fixture.ts'

/** The value that the contract requires. */
const LISTING_CACHE = 's-maxage=60, stale-while-revalidate=300'

const LISTING = {
  'content-type': 'application/json',
  'cache-control': LISTING_CACHE,
  'x-robots-tag': 'noindex',
}
const ENVELOPE = {
  'x-robots-tag': 'noindex',
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
}
const refused = (line: string, outcome: string, has: ContractClause['has'] = {}): ContractClause =>
  clause(line, outcome, { ...ENVELOPE, ...has })
const listing = (query: string, body: RegExp): ContractClause =>
  clause(`GET /api/v1/skills${query}`, '200', LISTING, body)

const LISTINGS = [
  clause(
    'GET /api/v1/skills',
    '200',
    { ...LISTING, etag: /^W\/"/ },
    /"total":130,"limit":24,"offset":0}$/,
  ),
  listing('?q=csv+files', /^{"skills":\[{"id":12,/),
  listing('?q=', /"total":130/),
  listing('?q=%20+', /"total":130/),
  listing('?q=clean+a+grand+piano', /^{"skills":\[\],"total":0,"limit":24,"offset":0}$/),
  listing('?&&limit=3&', /"limit":3,/),
  listing('?', /"limit":24,/),
  listing('?limit=101', /"limit":100,/),
  listing(`?limit=${'9'.repeat(400)}`, /"limit":100,/),
  listing('?offset=1000', /^{"skills":\[\],"total":130,"limit":24,"offset":1000}$/),
  listing('?cat=Data%20%26%20Analytics', /"category":"Data & Analytics"/),
  listing('?cat=Data+%26+Analytics,Coding,Coding', /"total":29/),
  listing('?%71=csv', /"id":12,/),
  clause('GET /%61pi/v1/skills', '200', LISTING),
  clause('HEAD /api/v1/skills', '200', { ...LISTING, 'content-length': /^\d+$/ }, ''),
]

/** Queries of an address, each refused with a code. */
const refuseQueries = (address: string, codes: Record<string, string>): ContractClause[] =>
  Object.entries(codes).flatMap(([code, queries]) =>
    queries.split(' ').map((query) => refused(`GET ${address}?${query}`, `400 ${code}`)),
  )

const BAD_QUERIES = [
  ...refuseQueries('/api/v1/skills', {
    INVALID_SORT: 'sort=best sort=newest sort= q=csv&sort=POPULAR sort=%FF',
    INVALID_CATEGORY: 'cat= cat=coding cat=Coding,,Writing cat=Coding,%20Writing',
    UNKNOWN_PARAMETER: 'cat=Data%20&%20Analytics Q=a =a %ff=a',
    INVALID_LIMIT: 'limit=0 limit= limit=+5 limit=1e1 limit=%',
    INVALID_OFFSET: 'offset=-1 offset=9007199254740992',
    INVALID_QUERY: 'q=%00 q=a%09b q=%C2%85 q=%ED%A0%80 q=100%',
    DUPLICATE_PARAMETER: 'q=a&q=b q=a&%71=b',
  }),
  refused('HEAD /api/v1/skills?sort=best', '400'),
]

const found = (query: string, body: RegExp): ContractClause =>
  clause(`GET /api/search${query}`, '200', LISTING, body)

const SEARCHES = [
  clause(
    'GET /api/search?q=csv&limit=20',
    '200',
    { ...LISTING, 'access-control-allow-origin': '*', etag: /^W\/"/ },
    /^{"skills":\[{"id":"skills\/csv-clean","name":"csv-clean","source":"https:\/\/skills\.example\/skills\/csv-clean","installs":12}[\],]/,
  ),
  found('', /^{"skills":\[(?:{[^}]*},){23}{[^}]*}\]}$/),
  found('?q=', /^{"skills":\[(?:{[^}]*},){23}{[^}]*}\]}$/),
  found('?limit=1', /^{"skills":\[{[^}]*}\]}$/),
  found('?limit=999', /^{"skills":\[(?:{[^}]*},){99}{[^}]*}\]}$/),
  found('?q=csv&owner=hex', /^{"skills":\[{"id":"skills\/csv-clean",/),
  found('?q=csv&owner=HEX', /^{"skills":\[{"id":"skills\/csv-clean",/),
  // The best matches are by another author: a filter that is applied only to the first page would find nothing.
  found('?q=thing&owner=hex&limit=1', /^{"skills":\[{"id":"skills\/skill-\d*[02468]",[^}]*}\]}$/),
  found('?q=thing&owner=nobody', /^{"skills":\[\]}$/),
  found('?q=zzzzqqq', /^{"skills":\[\]}$/),
  clause('HEAD /api/search?q=csv', '200', { ...LISTING, 'content-length': /^\d+$/ }, ''),
  clause('OPTIONS /api/search', '204', { 'access-control-allow-origin': '*' }),
  ...refuseQueries('/api/search', {
    INVALID_QUERY: 'q=%FF q=%00',
    INVALID_LIMIT: 'limit=0 q=csv&limit=abc',
    INVALID_OWNER: 'owner= owner=+ owner=%ff owner=a%0Ab',
    DUPLICATE_PARAMETER: 'q=a&q=b',
    UNKNOWN_PARAMETER: 'q=csv&offset=1 q=csv&sort=name q=csv&cat=Coding',
  }),
  refused('POST /api/search', '405 METHOD_NOT_ALLOWED', ALLOW_FIELD),
]

const API_ADDRESSES = [
  ...[
    '/api /api/ /ap%69 /api?x http://elsewhere.example/api/x /api/v1/skills/ /api/v1/skills.md',
    '/api/../etc/passwd /api/%zz /api%2Fv1%2Fskills /%61pi/%00',
    '/api/search/ /api/search/x /api/v1/search',
  ].flatMap((addresses) =>
    addresses.split(' ').map((address) => refused(`GET ${address}`, '404 NOT_FOUND')),
  ),
  clause(
    'GET /api/v1/skills/12',
    '404 NOT_FOUND',
    {},
    /A single skill is at \/skills\/\{slug\}\.json/,
  ),
  clause('GET /api/v1/skills/csv-clean', '404 NOT_FOUND', {}, /is at \/skills\/csv-clean\.json/),
  clause('GET /api/v1/skills/%22', '404 NOT_FOUND', {}, /is at \/skills\/\{slug\}\.json/),
  refused('GET /api/v1/skills#top', '400 BAD_REQUEST'),
  refused('POST /api/v1/skills', '405 METHOD_NOT_ALLOWED', ALLOW_FIELD),
  refused('DELETE /api/nothing', '405 METHOD_NOT_ALLOWED', ALLOW_FIELD),
  refused(`GET /api/v1/skills?q=${'a'.repeat(33_000)}`, '414 URI_TOO_LONG'),
  clause('OPTIONS /api/v1/skills', '204', {
    ...ALLOW_FIELD,
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  }),
  clause('OPTIONS *', '204', ALLOW_FIELD),
  clause('GET http://elsewhere.example/api/v1/skills', '200', LISTING),
]

const BAD_IDS =
  'abc 0 -1 +1 012 1.0 1e3 0x1 1_0 12.md %2012 1%00 12%2F %EF%BC%91 %D9%A1 %zz %FF 1,2 %00 ..'.split(
    ' ',
  )

const ZIP = ZIPS[12]?.bytes ?? new Uint8Array()
const TAG = `"${createHash('sha256').update(ZIP).digest('hex')}"`
const ZIP_HEADERS = {
  'content-type': 'application/zip',
  'x-robots-tag': 'noindex',
  'content-disposition': 'attachment; filename="csv-clean.zip"',
  etag: /^"[0-9a-f]{64}"$/,
  'accept-ranges': 'bytes',
  'content-encoding': null,
}
const UNCHANGED = { etag: ZIP_HEADERS.etag, 'content-type': null }
const ranged = (
  range: string,
  outcome: string,
  has: ContractClause['has'],
  body?: ContractClause['body'],
): ContractClause => clause('GET /api/skills/download/12', outcome, has, body, { Range: range })

/** Several ranges, and values that RFC 9110 does not allow: the answer is the whole file. */
const NO_RANGES = [
  'bytes=0-1,3-4',
  'bytes=4-1',
  'bytes=-',
  'bytes=',
  'bytes=a-b',
  'bytes=1-2-3',
  'bytes=+1-2',
  'bytes=0x1-2',
  'bytes 0-1',
  'lines=0-1',
]

const PAST_THE_END = ['bytes=5000-', 'bytes=5000-6000', `bytes=${'9'.repeat(400)}-`, 'bytes=-0']

/** Values of If-None-Match that name the tag, compared weakly, and values that do not. */
const FRESH = ['*', ' * ', TAG, `W/${TAG}`, `"b", W/${TAG}`, `"x,y" , ${TAG}`, `,${TAG},`]
const STALE = ['"b"', TAG.slice(1, -1), `w/${TAG}`, TAG.slice(0, -1), '"**"', TAG.toUpperCase()]

const DOWNLOADS = [
  clause('GET /api/skills/download/12', '200', { ...ZIP_HEADERS, 'content-length': '5000' }, ZIP),
  clause('GET /api/skills/download/13', '200', { 'content-length': '700000' }, ZIPS[13]?.bytes),
  clause('GET /api/skills/download/900', '200', { 'content-disposition': /gone\.zip/ }),
  clause('HEAD /api/skills/download/12', '200', { ...ZIP_HEADERS, 'content-length': '5000' }, ''),
  clause('HEAD /api/skills/download/13', '200', { 'content-length': '700000' }, '', {
    Range: 'bytes=0-1',
  }),
  ...['', ...BAD_IDS].map((id) => refused(`GET /api/skills/download/${id}`, '400 INVALID_ID')),
  refused('GET /api/skills/download', '404 NOT_FOUND'),
  refused('GET /api/skills/download/12/', '404 NOT_FOUND'),
  refused('GET /api/skills/download/12/x', '404 NOT_FOUND'),
  refused('GET /api/skills/download/1', '404 SKILL_NOT_FOUND'),
  clause(
    'GET /api/skills/download/899',
    '308',
    { location: '/api/skills/download/12', 'access-control-allow-origin': '*' },
    /^This is at/,
  ),
  clause('HEAD /api/skills/download/899', '308', { location: '/api/skills/download/12' }, ''),
  refused(`GET /api/skills/download/${'9'.repeat(30)}`, '404 SKILL_NOT_FOUND'),
  refused('GET /api/skills/download/12?x=1', '400 UNKNOWN_PARAMETER'),
  ranged(
    'bytes=0-0',
    '206',
    { ...ZIP_HEADERS, 'content-range': 'bytes 0-0/5000' },
    ZIP.subarray(0, 1),
  ),
  ranged('bytes=-10', '206', { 'content-range': 'bytes 4990-4999/5000' }, ZIP.subarray(4_990)),
  ranged('BYTES=4990-', '206', { 'content-length': '10' }, ZIP.subarray(4_990)),
  ranged('bytes=-6000', '206', { 'content-range': 'bytes 0-4999/5000' }, ZIP),
  ranged('bytes= 1-2 ,', '206', { 'content-range': 'bytes 1-2/5000' }, ZIP.subarray(1, 3)),
  ...NO_RANGES.map((range) => ranged(range, '200', { 'content-range': null }, ZIP)),
  ...PAST_THE_END.map((range) =>
    ranged(range, '416 RANGE_NOT_SATISFIABLE', { ...ENVELOPE, 'content-range': 'bytes */5000' }),
  ),
  clause(
    'GET /api/skills/download/13',
    '206',
    { 'content-range': 'bytes 100-600099/700000', 'content-length': '600000' },
    ZIPS[13]?.bytes.subarray(100, 600_100),
    { Range: 'bytes=100-600099' },
  ),
  ...[TAG, `W/${TAG}`, '"x"', 'Sat, 21 Nov 2026 04:41:02 GMT'].map((tag) =>
    clause('GET /api/skills/download/12', tag === TAG ? '206' : '200', {}, undefined, {
      Range: 'bytes=0-1',
      'If-Range': tag,
    }),
  ),
  ...FRESH.map((tags) =>
    clause('GET /api/skills/download/12', '304', UNCHANGED, '', {
      Range: 'bytes=0-1',
      'If-None-Match': tags,
    }),
  ),
  ...STALE.map((tags) =>
    clause('GET /api/skills/download/12', '200', { etag: ZIP_HEADERS.etag }, ZIP, {
      'If-None-Match': tags,
    }),
  ),
]

/** The clauses of everything under `/api`. */
export const API_CLAUSES = [
  ...LISTINGS,
  ...BAD_QUERIES,
  ...SEARCHES,
  ...API_ADDRESSES,
  ...DOWNLOADS,
]
