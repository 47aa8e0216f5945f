import { INDEX_PATH, clause, missing, moved } from './clause.ts'
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
  clause('POST /mcp/', '415', { 'cache-control': 'no-store', 'access-control-allow-origin': '*' }),
  clause('POST /mcp/?x=1', '415'),
  clause('GET /mcp/', '405', { allow: MCP_ALLOW, 'content-type': 'application/json' }),
  clause('OPTIONS /mcp/', '204', { allow: MCP_ALLOW }, ''),
  clause('POST /mcp//', '405', { allow: 'GET, HEAD, OPTIONS' }),
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

/** A file for feed readers or scripts, with its header fields. */
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
export const CLIENT_CLAUSES = [...DISCOVERY, ...MCP, ...LISTS, ...FEEDS]
