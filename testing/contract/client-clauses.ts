import { INDEX_PATH, PAGE, TWIN, clause, missing, moved } from './clause.ts'
import type { ContractClause } from './clause.ts'

const INDEX = {
  'content-type': 'application/json',
  'access-control-allow-origin': '*',
  etag: /^W\/"/,
}

/** The scope of one skill has an index with only that skill. */
const index = (scope: string, name: string): ContractClause =>
  clause(
    `GET ${scope}/${INDEX_PATH}`,
    '200',
    INDEX,
    new RegExp(
      `^{"\\$schema":"https://schemas.agentskills.io/discovery/0.2.0/schema.json","skills":\\[{"name":"${name}","type":"archive","description":"[^"]+","url":"/api/skills/download/\\d+","digest":"sha256:[0-9a-f]{64}",`,
    ),
  )

const DISCOVERY = [
  index('/skills/csv-clean', 'csv-clean'),
  index('/skills/csv-clean.md', 'csv-clean'),
  index('/skills/csv-clean@csv-clean', 'csv-clean'),
  index('/skills/csv-clean/SKILL.md', 'csv-clean'),
  clause(`GET /api/skills/download/12/${INDEX_PATH}`, '200', {
    ...INDEX,
    'x-robots-tag': 'noindex',
  }),
  index('/api/skills/download/12', 'csv-clean'),
  index('/api/skills/download/13', 'skill-13'),
  clause(`HEAD /skills/csv-clean.md/${INDEX_PATH}`, '200', INDEX, ''),
  moved(`/skills/csv-tidy.md/${INDEX_PATH}`, `/skills/csv-clean/${INDEX_PATH}`),
  moved(`/skills/csv-tidy@csv-tidy/${INDEX_PATH}`, `/skills/csv-clean/${INDEX_PATH}`),
  moved(`/skills/csv-tidy/SKILL.md/${INDEX_PATH}`, `/skills/csv-clean/${INDEX_PATH}`),
  moved(`/api/skills/download/899/${INDEX_PATH}`, `/api/skills/download/12/${INDEX_PATH}`),
  // The registry wrote this text, so an update would replace the author's text.
  missing(`/skills/gone/${INDEX_PATH}`),
  missing(`/skills/gone.md/${INDEX_PATH}`),
  clause(`GET /api/skills/download/900/${INDEX_PATH}`, '404 SKILL_NOT_FOUND'),
  clause(`GET /api/skills/download/77/${INDEX_PATH}`, '404 SKILL_NOT_FOUND'),
  clause(`GET /api/skills/download/abc/${INDEX_PATH}`, '400 INVALID_ID'),
  clause(`GET /api/skills/download/12/x/${INDEX_PATH}`, '404 NOT_FOUND'),
  clause(`GET /api/v1/skills/${INDEX_PATH}`, '404 NOT_FOUND'),
  missing(`/skills/csv-clean@skill-13/${INDEX_PATH}`),
  missing(`/skills/csv-clean.html/${INDEX_PATH}`),
  missing(`/skills/csv-clean.md/${INDEX_PATH}/`),
  missing(`/skills/csv-clean/LICENSE/${INDEX_PATH}`),
  missing(`/skills/constructor.md/${INDEX_PATH}`),
  // If the digest of the newer index is wrong, clients use this older index, and install without a check.
  missing('/skills/csv-clean/.well-known/skills/index.json'),
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
  clause(`GET /${INDEX_PATH}`, '200', INDEX),
  clause(`GET /categories/data-and-analytics/${INDEX_PATH}`, '200', INDEX),
  clause('GET /categories/data-and-analytics/marketplace.json', '200', INDEX),
  clause(`GET /authors/octo/${INDEX_PATH}`, '200', INDEX),
  // The author has no index file, but one skill with an index.
  index('/authors/hex', 'csv-clean'),
  missing(`/authors/nobody/${INDEX_PATH}`),
  clause(`HEAD /authors/octo/${INDEX_PATH}`, '200', INDEX, ''),
  // An address without an index must not fall back to another index.
  missing(`/authors/nobody/${INDEX_PATH}`),
  missing(`/categories/none/${INDEX_PATH}`),
  missing(`/categories/${INDEX_PATH}`),
  missing('/categories/none/marketplace.json'),
  missing('/authors/octo/marketplace.json'),
  missing('/.well-known/skills/index.json'),
]

const unbundled = (address: string, says: RegExp, has = PAGE): ContractClause =>
  clause(`GET ${address}`, '404', has, says)

const CHOICE = /<title>Skills to install together[^]*<a href="\/skills">lists of skills<\/a>/
const CHOICE_TWIN = /^# Skills to install together\n[^]*\[lists of skills\]\(\/skills\)/

/** Bundles: the page, its twin and the index, and the answers if a skill cannot be installed. */
const BUNDLES = [
  clause(
    `GET /b/skill-13+csv-clean/${INDEX_PATH}`,
    '200',
    INDEX,
    /^{"\$schema":"[^"]+","skills":\[{"name":"skill-13",[^]*"url":"\/api\/skills\/download\/13"[^]*},{"name":"csv-clean",[^]*"url":"\/api\/skills\/download\/12"[^]*}\]}\n$/,
  ),
  clause(`GET /b/csv-clean%2Bskill-13/${INDEX_PATH}`, '200', INDEX),
  clause(`HEAD /b/csv-clean+skill-13.md/${INDEX_PATH}`, '200', INDEX, ''),
  clause(
    'GET /b/csv-clean+skill-13',
    '200',
    { ...PAGE, etag: null, 'content-security-policy': /default-src 'none'/ },
    /href="\/b\/csv-clean\+skill-13\.md"[^]*<code>npx skills add https:\/\/skills\.example\/b\/csv-clean\+skill-13 -y\n?<\/code>[^]*<a href="\/skills\/csv-clean"[^>]*>[^]*<a href="\/skills\/skill-13"[^>]*>/,
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
  moved(`/b/CSV-clean+skill-13/${INDEX_PATH}`, `/b/csv-clean+skill-13/${INDEX_PATH}`),
  moved('/b/csv-tidy+skill-13', '/b/csv-clean+skill-13'),
  moved('/b/skill-13+csv-tidy.md', '/b/skill-13+csv-clean.md'),
  moved(`/b/csv-tidy+skill-13/${INDEX_PATH}`, `/b/csv-clean+skill-13/${INDEX_PATH}`),
  // The form leads here without JavaScript.
  clause('GET /b', '200', { ...PAGE, vary: /Accept/ }, CHOICE),
  clause('HEAD /b', '200', PAGE, ''),
  clause('GET /b?', '200', PAGE, CHOICE),
  clause('GET /b', '200', TWIN, CHOICE_TWIN, { Accept: 'text/markdown' }),
  clause('GET /b.md', '200', TWIN, CHOICE_TWIN),
  clause(
    'GET /b?skills=csv-clean',
    '200',
    PAGE,
    /<a href="\/skills\/csv-clean">Install csv-clean alone/,
  ),
  clause('GET /b.md?skills=csv-tidy', '200', TWIN, /`\/b\/csv-clean\+\{slug\}`/),
  clause('GET /b?skills=csv-clean,none', '200', PAGE, /No skill has the slug ("|&quot;)none/),
  clause(
    'GET /b?skills=csv-clean,gone',
    '200',
    PAGE,
    /<a href="\/skills\/gone">gone<\/a> cannot be/,
  ),
  clause('GET /b?skills=%3Cb%3E', '200', PAGE, /^(?![^]*<b>)[^]*&lt;b&gt;/),
  clause('GET /b?skills=%FF,x', '400', PAGE, /is not UTF-8/),
  clause('GET /b.md?skills=a,b,c,d,e,f,g,h,i,j,k,l,m', '400', TWIN, /13 skills are named/),
  unbundled('/b?skills=csv-clean,skill-13,none', /Install csv-clean, skill-13<\/a>/),
  moved('/b/', '/b'),
  moved('/b.html?skills=csv-clean', '/b?skills=csv-clean'),
  moved('/B.md', '/b.md'),
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
  unbundled(`/b/skill-13+gone/${INDEX_PATH}`, /\[gone\]\(\/skills\/gone\) cannot be/, TWIN),
  unbundled(`/b/csv-clean+none/${INDEX_PATH}`, /No skill has the slug "none"/, TWIN),
  unbundled(`/b/csv-clean/${INDEX_PATH}`, /Only one skill is named/, TWIN),
  unbundled(`/b/..+csv-clean/${INDEX_PATH}`, /No skill has the slug "\.\."/, TWIN),
  unbundled('/b/%3Cscript%3E+csv-clean', /^(?![^]*<script>)[^]*&lt;script&gt;/),
  unbundled('/b/constructor+__proto__', /constructor[^]*__proto__/),
  missing('/b/csv-clean+skill-13/x'),
  missing('/b/csv-clean%2Fskill-13'),
  missing(`/b/csv-clean+skill-13/${INDEX_PATH}/`),
  missing('/b/csv-clean+skill-13/.well-known/skills/index.json'),
]

/** A file for feed readers or mirrors, with its header fields. */
const shared = (address: string, type: string, body: RegExp): ContractClause[] => {
  const has = {
    'content-type': type,
    'cache-control': 'public, max-age=0, must-revalidate',
    'access-control-allow-origin': '*',
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
  ...shared('/catalog.ndjson', 'application/x-ndjson', /^{"id":1,[^\n]*}\n{"id":2,/),
  ...shared('/sha256sums.txt', 'text/plain; charset=utf-8', /^a{64}  csv-clean\.zip\n$/),
  clause('GET /feed.atom', '200', { 'content-type': ATOM }, /^<feed /, { Accept: 'text/markdown' }),
  clause('GET /catalog.ndjson', '206', { 'content-range': /^bytes 0-6\// }, '{"id":1', {
    Range: 'bytes=0-6',
  }),
  missing('/categories/coding/feed.atom'),
  missing('/categories/no-such/feed.atom'),
  missing('/authors/octo/feed.atom'),
  missing('/feed.atom/'),
  missing('/Feed.atom'),
  missing('/feed'),
]

/** The clauses of files for clients from other projects. */
export const CLIENT_CLAUSES = [...DISCOVERY, ...MCP, ...LISTS, ...BUNDLES, ...FEEDS]
