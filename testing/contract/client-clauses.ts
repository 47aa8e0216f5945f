import { clause } from './clause.ts'
import type { ContractClause } from './clause.ts'
import { RAW_SKILL_MD } from '../fixture.ts'

const INDEX = {
  'content-type': 'application/json',
  'access-control-allow-origin': '*',
  etag: /^W\/"/,
}

const DISCOVERED = '.well-known/agent-skills/index.json'

/** What every scope of one skill answers: the one entry of its index. */
const index = (scope: string, name: string): ContractClause =>
  clause(
    `GET ${scope}/${DISCOVERED}`,
    '200',
    INDEX,
    new RegExp(
      `^{"\\$schema":"https://schemas.agentskills.io/discovery/0.2.0/schema.json","skills":\\[{"name":"${name}","type":"archive","description":"[^"]+","url":"/api/skills/download/\\d+","digest":"sha256:[0-9a-f]{64}",`,
    ),
  )

const moved = (address: string, location: string): ContractClause =>
  clause(`GET ${address}`, '308', { location })

const missing = (address: string): ContractClause =>
  clause(`GET ${address}`, '404', { 'cache-control': 'no-store' })

const DISCOVERY = [
  index('/skills/csv-clean', 'csv-clean'),
  index('/skills/csv-clean.md', 'csv-clean'),
  index('/skills/csv-clean@csv-clean', 'csv-clean'),
  index('/skills/csv-clean/SKILL.md', 'csv-clean'),
  index('/api/skills/download/12', 'csv-clean'),
  index('/api/skills/download/13', 'skill-13'),
  clause(`HEAD /skills/csv-clean.md/${DISCOVERED}`, '200', INDEX, ''),
  moved(`/skills/csv-tidy.md/${DISCOVERED}`, `/skills/csv-clean/${DISCOVERED}`),
  moved(`/skills/csv-tidy@csv-tidy/${DISCOVERED}`, `/skills/csv-clean/${DISCOVERED}`),
  moved(`/skills/csv-tidy/SKILL.md/${DISCOVERED}`, `/skills/csv-clean/${DISCOVERED}`),
  moved(`/api/skills/download/899/${DISCOVERED}`, `/api/skills/download/12/${DISCOVERED}`),
  // Its text is ours: an update would put it over the real one.
  missing(`/skills/gone/${DISCOVERED}`),
  missing(`/skills/gone.md/${DISCOVERED}`),
  clause(`GET /api/skills/download/900/${DISCOVERED}`, '404 SKILL_NOT_FOUND'),
  clause(`GET /api/skills/download/77/${DISCOVERED}`, '404 SKILL_NOT_FOUND'),
  clause(`GET /api/skills/download/abc/${DISCOVERED}`, '400 INVALID_ID'),
  clause(`GET /api/skills/download/12/x/${DISCOVERED}`, '404 NOT_FOUND'),
  clause(`GET /api/v1/skills/${DISCOVERED}`, '404 NOT_FOUND'),
  missing(`/skills/csv-clean@skill-13/${DISCOVERED}`),
  missing(`/skills/csv-clean.html/${DISCOVERED}`),
  missing(`/skills/csv-clean.md/${DISCOVERED}/`),
  missing(`/skills/csv-clean/LICENSE/${DISCOVERED}`),
  missing(`/skills/constructor.md/${DISCOVERED}`),
  // A client takes this older index where the digest of the newer one is wrong, and installs unchecked.
  missing('/skills/csv-clean/.well-known/skills/index.json'),
]

const OPEN_CODE = [
  clause(
    'GET /skills/csv-clean/.well-known/opencode/index.json',
    '200',
    INDEX,
    /^{"skills":\[{"name":"csv-clean","description":"[^"]+","files":\["SKILL.md",[^\]]*"references\/notes.md"[^\]]*\],"version":"sha256:[0-9a-f]{64}"}\]}\n$/,
  ),
  clause(
    'GET /skills/csv-clean/.well-known/opencode/csv-clean/SKILL.md',
    '200',
    { 'content-type': 'text/markdown; charset=utf-8', 'content-security-policy': /sandbox/ },
    RAW_SKILL_MD,
  ),
  clause('GET /skills/csv-clean/.well-known/opencode/csv-clean/references/page.html', '200', {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': /sandbox/,
  }),
  moved(
    '/skills/csv-tidy/.well-known/opencode/index.json',
    '/skills/csv-clean/.well-known/opencode/index.json',
  ),
  moved(
    '/skills/csv-tidy/.well-known/opencode/csv-clean/SKILL.md',
    '/skills/csv-clean/.well-known/opencode/csv-clean/SKILL.md',
  ),
  moved(
    '/skills/csv-tidy/.well-known/opencode/csv-tidy/references/notes.md?x=1',
    '/skills/csv-clean/.well-known/opencode/csv-clean/references/notes.md?x=1',
  ),
  missing('/skills/csv-clean/.well-known/opencode/csv-clean/none.md'),
  missing(`/skills/csv-clean/.well-known/opencode/csv-clean/${DISCOVERED}`),
  missing('/skills/csv-clean/.well-known/opencode/skill-13/SKILL.md'),
  missing('/skills/csv-clean/.well-known/opencode/csv-clean/../../../../private/site.json'),
  missing('/skills/gone/.well-known/opencode/index.json'),
]

const MCP_ALLOW = 'POST, OPTIONS'

const MCP = [
  clause('GET /mcp', '405', { allow: MCP_ALLOW, 'content-type': 'application/json' }),
  clause('HEAD /mcp', '405', { allow: MCP_ALLOW }, ''),
  clause(
    'OPTIONS /mcp',
    '204',
    { allow: MCP_ALLOW, 'access-control-allow-methods': MCP_ALLOW },
    '',
  ),
  clause('POST /mcp', '415', { 'cache-control': 'no-store', 'access-control-allow-origin': '*' }),
  clause('PUT /mcp', '405', { allow: MCP_ALLOW }),
  clause('POST /MCP', '405', { allow: 'GET, HEAD, OPTIONS' }),
  clause('POST /mcp/', '405', { allow: 'GET, HEAD, OPTIONS' }),
  missing('/mcp.md'),
]

/** Files that list skills. */
const LISTS = [
  clause(`GET /${DISCOVERED}`, '200', INDEX),
  clause(`GET /categories/data-and-analytics/${DISCOVERED}`, '200', INDEX),
  clause('GET /categories/data-and-analytics/marketplace.json', '200', INDEX),
  clause(`GET /authors/octo/${DISCOVERED}`, '200', INDEX),
  // No file: one skill of this author has an index.
  index('/authors/hex', 'csv-clean'),
  missing(`/authors/nobody/${DISCOVERED}`),
  clause(`HEAD /authors/octo/${DISCOVERED}`, '200', INDEX, ''),
  // Without an index of its own an address must not fall back to another one.
  missing(`/authors/nobody/${DISCOVERED}`),
  missing(`/categories/none/${DISCOVERED}`),
  missing(`/categories/${DISCOVERED}`),
  missing('/categories/none/marketplace.json'),
  missing('/authors/octo/marketplace.json'),
  missing('/.well-known/skills/index.json'),
]

const PAGE = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
}
const TWIN = { ...PAGE, 'content-type': 'text/markdown; charset=utf-8' }

const unbundled = (address: string, says: RegExp, has = PAGE): ContractClause =>
  clause(`GET ${address}`, '404', has, says)

/** Skills together: the page, its twin and the index, and what they say where some are not to be had. */
const BUNDLES = [
  clause(
    `GET /b/skill-13+csv-clean/${DISCOVERED}`,
    '200',
    INDEX,
    /^{"\$schema":"[^"]+","skills":\[{"name":"skill-13",[^]*"url":"\/api\/skills\/download\/13"[^]*},{"name":"csv-clean",[^]*"url":"\/api\/skills\/download\/12"[^]*}\]}\n$/,
  ),
  clause(`GET /b/csv-clean%2Bskill-13/${DISCOVERED}`, '200', INDEX),
  clause(`HEAD /b/csv-clean+skill-13.md/${DISCOVERED}`, '200', INDEX, ''),
  clause(
    'GET /b/csv-clean+skill-13',
    '200',
    { ...PAGE, etag: null, 'content-security-policy': /default-src 'none'/ },
    /href="\/b\/csv-clean\+skill-13\.md"[^]*<code>npx skills add https:\/\/skills\.example\/b\/csv-clean\+skill-13\n?<\/code>[^]*<a href="\/skills\/csv-clean">[^]*<a href="\/skills\/skill-13">/,
  ),
  clause('GET /b/csv-clean%2bskill-13', '200', PAGE),
  clause(
    'GET /b/csv-clean+skill-13.md',
    '200',
    TWIN,
    /^# Skills to install together\n[^]*- \[csv-clean\]\(\/skills\/csv-clean\)[^]*Does the thing number 12/,
  ),
  clause('GET /b/csv-clean+skill-13', '200', TWIN, /^# /, { Accept: 'text/markdown' }),
  moved('/b?skills=csv-clean,skill-13', '/b/csv-clean+skill-13'),
  moved('/b?skills=csv-clean&skills=skill-13&add=skill-14', '/b/csv-clean+skill-13'),
  moved('/b.md?skills=CSV-clean%2Cskill-13', '/b/csv-clean+skill-13.md'),
  moved('/B/CSV-clean+skill-13/?x=1', '/b/csv-clean+skill-13?x=1'),
  moved('/b/csv-clean++skill-13.html', '/b/csv-clean+skill-13'),
  moved('/b/csv-clean%20skill-13', '/b/csv-clean+skill-13'),
  moved(`/b/CSV-clean+skill-13/${DISCOVERED}`, `/b/csv-clean+skill-13/${DISCOVERED}`),
  moved('/b/csv-tidy+skill-13', '/b/csv-clean+skill-13'),
  moved('/b/skill-13+csv-tidy.md', '/b/skill-13+csv-clean.md'),
  moved(`/b/csv-tidy+skill-13/${DISCOVERED}`, `/b/csv-clean+skill-13/${DISCOVERED}`),
  unbundled('/b', /No skills are named/),
  unbundled('/b/', /No skills are named/),
  unbundled('/b?skills=%FF,x', /is not UTF-8/),
  unbundled('/b/csv-clean+nope', /rel="alternate" href="\/b\/csv-clean\+nope\.md"/),
  unbundled('/b/csv-clean', /Only one skill is named[^]*<a href="\/skills\/csv-clean">/),
  unbundled(
    '/b/csv-clean+skill-13+CSV-clean',
    /(&quot;|")csv-clean(&quot;|") is named twice[^]*<a href="\/b\/csv-clean\+skill-13">/,
  ),
  unbundled('/b/a+b+c+d+e+f+g+h+i+j+k+l+m.md', /13 skills are named, 1 too many: "m"/, TWIN),
  unbundled(
    '/b/skill-13+cvs-clean',
    /No skill has the slug ("|&quot;)cvs-clean[^]*<a href="\/skills\/skill-13">Install skill-13 alone/,
  ),
  unbundled('/b/skill-13+gone.md', /\[gone\]\(\/skills\/gone\) cannot be installed/, TWIN),
  unbundled(`/b/skill-13+gone/${DISCOVERED}`, /\[gone\]\(\/skills\/gone\) cannot be/, TWIN),
  unbundled(`/b/csv-clean+none/${DISCOVERED}`, /No skill has the slug "none"/, TWIN),
  unbundled(`/b/csv-clean/${DISCOVERED}`, /Only one skill is named/, TWIN),
  unbundled(`/b/..+csv-clean/${DISCOVERED}`, /No skill has the slug "\.\."/, TWIN),
  unbundled('/b/%3Cscript%3E+csv-clean', /^(?![^]*<script>)[^]*&lt;script&gt;/),
  unbundled('/b/constructor+__proto__', /constructor[^]*__proto__/),
  missing('/b/csv-clean+skill-13/x'),
  missing('/b/csv-clean%2Fskill-13'),
  missing(`/b/csv-clean+skill-13/${DISCOVERED}/`),
  missing('/b/csv-clean+skill-13/.well-known/skills/index.json'),
]

const CLAWHUB = '/compat/clawhub/api/v1'

const clawhub = (
  address: string,
  body: RegExp | string,
  has: ContractClause['has'] = {},
): ContractClause =>
  clause(
    `GET ${CLAWHUB}/${address}`,
    '200',
    { 'content-type': 'application/json', 'access-control-allow-origin': '*', ...has },
    body,
  )

/** A failure is one line of text, which the client prints as it is. */
const line = (request: string, status: string, says = /./): ContractClause =>
  clause(
    request,
    status,
    { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    new RegExp(
      `^(?=${says.source.startsWith('^') ? '' : '.*'}${says.source.replace(/^\^/, '')})[^\\n<]+\\n$`,
    ),
  )

const refusedThere = (address: string, status: string, says?: RegExp): ContractClause =>
  line(`GET ${CLAWHUB}/${address}`, status, says)

const CSV_CLEAN = `"slug":"csv-clean","displayName":"csv-clean","summary":"Does the thing number 12: cleans csv files. Licence: MIT.","tags":{"latest":"2026.2.3"},"stats":{},"createdAt":1770076800000,"updatedAt":1770076800000`
const VERSION = `"latestVersion":{"version":"2026.2.3","createdAt":1770076800000,"changelog":""}`
const zipOf = (id: number, query: string): ContractClause =>
  clause(`GET ${CLAWHUB}/download?${query}`, '307', {
    location: `/api/skills/download/${id}`,
    'cache-control': /must-revalidate/,
  })

const CLAW_HUB = [
  clause(
    'GET /.well-known/clawhub.json',
    '200',
    INDEX,
    '{"apiBase":"https://skills.example/compat/clawhub","minCliVersion":"0.1.0"}\n',
  ),
  clawhub(
    'search?q=csv&limit=25',
    /^{"results":\[{"slug":"csv-clean","displayName":"csv-clean","summary":"Does the thing number 12: cleans csv files.","score":1,"ownerHandle":"hex","owner":{"handle":"hex","displayName":"hex","image":null},"downloads":12}[\],]/,
    { 'cache-control': 's-maxage=60, stale-while-revalidate=300' },
  ),
  clawhub('search?q=csv-clean&mode=exact', /^{"results":\[{"slug":"csv-clean",[^[]*}\]}$/),
  clawhub('search?q=SKILL+13&mode=exact', /^{"results":\[{"slug":"skill-13",[^[]*}\]}$/),
  clawhub('search?q=csv&mode=exact', '{"results":[]}'),
  clawhub('search?q=zzzzqqq', '{"results":[]}'),
  clawhub(
    'skills?limit=25&sort=createdAt',
    /^{"items":\[(?:.*?"latestVersion".*?){25}\],"nextCursor":"25"}$/,
  ),
  clawhub('skills?limit=2&sort=installs', /^{"items":\[.*\],"nextCursor":"2"}$/),
  clawhub(
    'skills?limit=100&cursor=100',
    /^{"items":\[(?:.*?"latestVersion".*?){30}\],"nextCursor":null}$/,
  ),
  clawhub('skills?cursor=500', '{"items":[],"nextCursor":null}'),
  clawhub('skills?prefix=csv&limit=25', `{"items":[{${CSV_CLEAN},${VERSION}}],"nextCursor":null}`),
  clawhub('skills?prefix=CSV-C', `{"items":[{${CSV_CLEAN},${VERSION}}],"nextCursor":null}`),
  clawhub(
    'skills?prefix=Skill+12',
    /^{"items":\[{"slug":"skill-120",.*{"slug":"skill-129",[^{]*{[^{]*{[^{]*{[^{]*}\],"nextCursor":null}$/,
  ),
  clawhub('skills?prefix=Skill+12&limit=4', /^{"items":\[.*"skill-123",.*\],"nextCursor":"\d+"}$/),
  clawhub('skills?prefix=zzz', '{"items":[],"nextCursor":null}'),
  clawhub('skills?prefix=+', /"nextCursor":"24"}$/),
  clawhub(
    'skills/csv-clean',
    `{"skill":{${CSV_CLEAN}},${VERSION},"metadata":null,"owner":{"handle":"hex","displayName":"hex","image":null},"moderation":null}`,
    { 'cache-control': 'public, max-age=0, must-revalidate', etag: /^W\/"/ },
  ),
  clawhub('skills/csv-clean?ownerHandle=HEX', /^{"skill":/),
  clawhub('skills/skill-13', /"version":"0\.0\.1","createdAt":0,/),
  clawhub(
    `resolve?slug=csv-clean&ownerHandle=hex&hash=${'0'.repeat(64)}`,
    '{"match":null,"latestVersion":{"version":"2026.2.3"}}',
  ),
  zipOf(12, 'slug=csv-clean&ownerHandle=hex&version=2026.2.3'),
  zipOf(12, 'slug=csv-clean'),
  zipOf(13, 'slug=skill-13&version=0.0.1'),
  clause(`HEAD ${CLAWHUB}/skills/csv-clean`, '200', { 'content-length': /^\d+$/ }, ''),
  clause(`OPTIONS ${CLAWHUB}/search`, '204', { 'access-control-allow-origin': '*' }),
  refusedThere('search?q=%FF', '400', /^q /),
  refusedThere('search?q=csv&limit=0', '400', /^limit "0" /),
  refusedThere(
    'search?q=csv&mode=fuzzy',
    '400',
    /^mode "fuzzy" is not allowed\. Allowed values: exact\./,
  ),
  refusedThere('search?q=csv&q=json', '400', /given twice/),
  refusedThere('search?q=csv&owner=hex', '400', /There is no parameter "owner"/),
  refusedThere('skills?sort=best', '400', /createdAt, updated/),
  refusedThere('skills?sort=constructor', '400'),
  refusedThere('skills?cursor=abc', '400'),
  refusedThere('skills?prefix=%00', '400'),
  refusedThere('skills/nope', '404', /^There is no skill "nope"\./),
  refusedThere('skills/constructor', '404'),
  refusedThere('skills/..%2F..', '404'),
  refusedThere('skills/%FF', '404'),
  refusedThere('skills/csv-clean?ownerHandle=octo', '404', /not by "octo"/),
  refusedThere('skills/csv-clean?ownerHandle=', '400'),
  refusedThere('skills/csv-clean?version=1', '400'),
  refusedThere(
    'skills/gone',
    '404',
    /is not here to install.*https:\/\/skills\.example\/skills\/gone/,
  ),
  refusedThere('skills/csv-tidy', '404', /is now "csv-clean"/),
  refusedThere('skills/csv-clean/versions/1.0.0', '404'),
  refusedThere('skills/csv-clean/', '404'),
  refusedThere('resolve', '400', /^No skill is named\./),
  refusedThere('resolve?slug=nope&hash=0', '404'),
  refusedThere('resolve?slug=..%2Fcsv-clean', '404'),
  refusedThere('download?slug=', '400'),
  refusedThere('download?slug=gone', '404'),
  refusedThere('download?slug=csv-clean&version=2025.1.1', '404', /is here is 2026\.2\.3/),
  refusedThere('download?slug=csv-clean&ownerHandle=octo', '404'),
  refusedThere(`search?q=${'a'.repeat(33_000)}`, '414'),
  refusedThere('packages', '404', /Below \/compat\/clawhub\/api\/v1 are search/),
  line('GET /compat', '404'),
  line('GET /compat/', '404'),
  line('GET /compat/nope.md', '404'),
  line('GET /compat/clawhub', '404'),
  line('GET /compat/clawhub/api/v1', '404'),
  line('GET /compat/clawhub/api/v2/search', '404'),
  line('GET /%63ompat/%00', '404'),
  line(`POST ${CLAWHUB}/search`, '405'),
]

/** A file for readers of feeds, browsers or mirrors, and its header fields. */
const shared = (address: string, type: string, body: RegExp, more = {}): ContractClause[] => {
  const has = {
    'content-type': type,
    'cache-control': 'public, max-age=0, must-revalidate',
    'access-control-allow-origin': '*',
    ...more,
  }
  return [
    clause(`GET ${address}`, '200', has, body),
    clause(`HEAD ${address}`, '200', { ...has, etag: /^W\/"/ }, ''),
  ]
}

const ATOM = 'application/atom+xml; charset=utf-8'

const FEEDS = [
  ...shared('/feed.atom', ATOM, /^<feed /),
  ...shared('/categories/data-and-analytics/feed.atom', ATOM, /^<feed /),
  ...shared('/feed.json', 'application/feed+json', /^{"items"/),
  ...shared('/categories/data-and-analytics/feed.json', 'application/feed+json', /^{"items"/),
  ...shared('/opensearch.xml', 'application/opensearchdescription+xml; charset=utf-8', /^<Open/),
  ...shared(
    '/.well-known/api-catalog',
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    /^{"linkset"/,
    { link: '</.well-known/api-catalog>; rel="api-catalog"' },
  ),
  ...shared('/catalog.ndjson', 'application/x-ndjson', /^{"id":1,[^\n]*}\n{"id":2,/),
  ...shared('/sha256sums.txt', 'text/plain; charset=utf-8', /^a{64}  csv-clean\.zip\n$/),
  clause('GET /feed.atom', '200', { 'content-type': ATOM }, /^<feed /, { Accept: 'text/markdown' }),
  clause('GET /catalog.ndjson', '206', { 'content-range': /^bytes 0-6\// }, '{"id":1', {
    Range: 'bytes=0-6',
  }),
  missing('/categories/coding/feed.json'),
  missing('/categories/no-such/feed.atom'),
  missing('/authors/octo/feed.atom'),
  missing('/feed.atom/'),
  missing('/Feed.atom'),
  missing('/feed'),
]

/** What clients of others read. */
export const CLIENT_GROUPS = {
  'indexes of skills': DISCOVERY,
  'indexes for OpenCode': OPEN_CODE,
  '`/mcp`': MCP,
  'lists of skills for clients': LISTS,
  'skills to install together': BUNDLES,
  'the ClawHub CLI': CLAW_HUB,
  'feeds, the dump and its sums': FEEDS,
}
