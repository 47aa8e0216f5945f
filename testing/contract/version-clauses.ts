import { VERSIONS, ZIPS } from '../fixture.ts'
import { INDEX_PATH, PAGE, TWIN, clause, missing, moved } from './clause.ts'

const { served, old, withheld, withdrawn } = VERSIONS
const PIN = `/skills/csv-clean@${served}`

const UNKNOWN = `/skills/csv-clean@${'d'.repeat(32)}`

const ZIP = {
  'content-type': 'application/zip',
  'cache-control': 'public, max-age=31536000, immutable',
  'x-robots-tag': 'noindex',
  'content-disposition': `attachment; filename="csv-clean@${served}.zip"`,
  'access-control-allow-origin': '*',
  etag: /^"[0-9a-f]{64}"$/,
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }

/** Versions that are not served, with the reason. */
export const UNSERVED = [
  [`csv-clean@${old}`, /no longer kept/],
  [`csv-clean@${withheld}`, /reverse-shell in SKILL\.md, line 5/],
  [`csv-clean@${withdrawn}`, /withdrawn \(A-2\): It forgot a step\./],
  [`csv-bad@${old}`, /withdrawn \(A-1\): It sent files away\./],
  [`csv-purge@${old}`, /removed from the catalog/],
] as const

/** Each address of an unserved version answers with the reason, and other spellings redirect to these addresses. */
const refuse = (version: string, reason: RegExp) => {
  const page = `/skills/${version}`
  return [
    clause(`GET ${page}`, '410', PAGE, reason),
    clause(`GET ${page}`, '410', TWIN, reason, { Accept: 'text/markdown' }),
    clause(`GET ${page}.md`, '410', TWIN, reason),
    clause(`GET ${page}.zip`, '410', PLAIN, reason),
    clause(`HEAD ${page}.zip`, '410', PLAIN, ''),
    clause(`GET ${page}/${INDEX_PATH}`, '410', PLAIN, reason),
    ...['.html', '/'].map((ending) => moved(page + ending, page)),
    moved(`${page.toUpperCase()}.MD`, `${page}.md`),
    missing(`${page}/SKILL.md`),
  ]
}

/** The addresses of a skill whose current version is withdrawn, except its page. */
const WITHDRAWN = ['SKILL.md', 'scripts/run.py', INDEX_PATH, `SKILL.md/${INDEX_PATH}`].map(
  (name) => `/skills/csv-bad/${name}`,
)

/** The clauses of versions: served, no longer served, and never published. */
export const VERSION_CLAUSES = [
  clause(`GET ${PIN}.zip`, '200', ZIP, ZIPS[12]!.bytes),
  clause(`HEAD ${PIN}.zip`, '200', ZIP, ''),
  clause(`GET ${PIN}.zip`, '206', { 'content-range': 'bytes 0-3/5000' }, undefined, {
    Range: 'bytes=0-3',
  }),
  clause(
    `GET ${PIN}/${INDEX_PATH}`,
    '200',
    { 'content-type': 'application/json' },
    /"skills":\[\]/,
  ),
  clause(`GET ${PIN}`, '200', { 'content-type': 'text/html; charset=utf-8', vary: /Accept/ }),
  clause(`GET ${PIN}.md`, '200', { 'content-type': 'text/markdown; charset=utf-8' }, /^# /),
  clause(`GET ${PIN}`, '200', { 'content-type': 'text/markdown; charset=utf-8' }, /^# /, {
    Accept: 'text/markdown',
  }),
  ...['.html', '/', '.html/'].map((ending) => moved(PIN + ending, PIN)),
  moved(`/Skills/CSV-Clean@${served.toUpperCase()}`, PIN),
  clause('GET /skills/csv-clean@versions.json', '200', { 'content-type': 'application/json' }),
  clause(
    'GET /versions.ndjson',
    '200',
    { 'content-type': 'application/x-ndjson' },
    /^{"slug":"csv-clean"/,
  ),
  ...UNSERVED.flatMap(([version, reason]) => refuse(version, reason)),
  ...[
    /<title>This version is not served[^]*2025-02-03[^]*no longer kept/,
    new RegExp(`<a href="${PIN}">${served.slice(0, 12)}</a>, of 2026-02-03`),
    /<a href="https:\/\/git\.example\/skills\/12" rel=/,
  ].map((body) => clause(`GET /skills/csv-clean@${old}`, '410', PAGE, body)),
  clause('GET /api/skills/download/901', '410 WITHDRAWN'),
  clause(`GET /api/skills/download/901/${INDEX_PATH}`, '410 WITHDRAWN'),
  ...[
    ...WITHDRAWN,
    `/skills/csv-bad.md/${INDEX_PATH}`,
    `/skills/csv-bad@csv-bad/${INDEX_PATH}`,
    '/files/csv-bad/SKILL.md/view',
  ].map((address) =>
    address.endsWith('.json')
      ? clause(`GET ${address}`, '410 WITHDRAWN', { 'cache-control': 'no-store' })
      : clause(`GET ${address}`, '410', PLAIN, /withdrawn: It sent files away\./),
  ),
  clause('GET /skills/csv-bad', '200', { 'content-type': 'text/html; charset=utf-8' }),
  clause('GET /advisories.json', '200', { 'content-type': 'application/json' }),
  ...['', '.md', '.zip', `/${INDEX_PATH}`].map((ending) =>
    moved(`/skills/csv-tidy@${old}${ending}`, `/skills/csv-clean@${old}${ending}`),
  ),
  moved(`/skills/csv-tidy@${old}/`, `/skills/csv-clean@${old}`),
  ...['', '.zip', `/${INDEX_PATH}`].map((ending) => missing(UNKNOWN + ending)),
  ...[PIN.slice(0, -1), `${PIN}a`, PIN.replace('csv-clean', 'CSV-CLEAN')].map((pin) =>
    missing(`${pin}.zip`),
  ),
  missing(`/skills/csv-clean@${served.toUpperCase()}.zip`),
  missing(`/skills/constructor@${served}`),
  missing('/skills/csv-clean@constructor'),
  missing('/skills/skill-13@versions.json'),
]
