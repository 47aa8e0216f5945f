import { VERSIONS, ZIPS } from '../fixture.ts'
import { clause } from './clause.ts'

const INDEX = '.well-known/agent-skills/index.json'
const { served, dropped, withheld } = VERSIONS
const PIN = `/skills/csv-clean@${served}`

const ZIP = {
  'content-type': 'application/zip',
  'cache-control': 'public, max-age=31536000, immutable',
  'x-robots-tag': 'noindex',
  'content-disposition': `attachment; filename="csv-clean@${served}.zip"`,
  'access-control-allow-origin': '*',
  etag: /^"[0-9a-f]{64}"$/,
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
const PAGE = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
}
const TWIN = { ...PAGE, 'content-type': 'text/markdown; charset=utf-8' }

const gone = (ending: string, has: object, body: RegExp) =>
  clause(`GET /skills/csv-clean@${dropped}${ending}`, '410', { ...has }, body)

const moved = (ending: string) =>
  clause(`GET /skills/csv-tidy@${dropped}${ending}`, '308', {
    location: `/skills/csv-clean@${dropped}${ending}`,
  })

const missing = (address: string) =>
  clause(`GET ${address}`, '404', { 'cache-control': 'no-store' })

/** The clauses of versions: what is served, what is no longer, and what never was. */
export const VERSION_CLAUSES = [
  clause(`GET ${PIN}.zip`, '200', ZIP, ZIPS[12]!.bytes),
  clause(`HEAD ${PIN}.zip`, '200', ZIP, ''),
  clause(`GET ${PIN}.zip`, '206', { 'content-range': 'bytes 0-3/5000' }, undefined, {
    Range: 'bytes=0-3',
  }),
  clause(`GET ${PIN}/${INDEX}`, '200', { 'content-type': 'application/json' }, /"skills":\[\]/),
  clause(`GET ${PIN}`, '200', { 'content-type': 'text/html; charset=utf-8', vary: /Accept/ }),
  clause(`GET ${PIN}.md`, '200', { 'content-type': 'text/markdown; charset=utf-8' }, /^# /),
  clause(`GET ${PIN}`, '200', { 'content-type': 'text/markdown; charset=utf-8' }, /^# /, {
    Accept: 'text/markdown',
  }),
  ...['.html', '/', '.html/'].map((ending) =>
    clause(`GET ${PIN}${ending}`, '308', { location: PIN }),
  ),
  clause(`GET /Skills/CSV-Clean@${served.toUpperCase()}`, '308', { location: PIN }),
  clause('GET /skills/csv-clean@versions.json', '200', { 'content-type': 'application/json' }),
  clause('GET /versions.ndjson', '200', { 'content-type': 'application/x-ndjson' }, /^{"since":"0/),
  gone('', PAGE, /<title>This version is not served[^]*2025-02-03[^]*this one is older/),
  gone('', PAGE, new RegExp(`<a href="${PIN}.zip">${served}</a>, of 2026-02-03`)),
  gone('', PAGE, /<a href="https:\/\/git\.example\/skills\/12">/),
  gone('.md', TWIN, /^# This version is not served\n/),
  gone('.zip', PLAIN, /^# This version is not served\n/),
  gone(`/${INDEX}`, PLAIN, /this one is older/),
  clause(`HEAD /skills/csv-clean@${dropped}.zip`, '410', PLAIN, ''),
  clause(`GET /skills/csv-clean@${dropped}`, '410', TWIN, /^# This version/, {
    Accept: 'text/markdown',
  }),
  clause(`GET /skills/csv-clean@${withheld}`, '410', PAGE, /reverse-shell in SKILL\.md, line 5/),
  clause(`GET /skills/csv-purge@${dropped}`, '410', PAGE, /removed from the catalog/),
  clause('GET /api/skills/download/901', '410 WITHDRAWN'),
  clause(`GET /api/skills/download/901/${INDEX}`, '410 WITHDRAWN'),
  clause('GET /skills/csv-bad/SKILL.md', '410', PLAIN, /withdrawn: It sent files away\./),
  clause('GET /skills/csv-bad/scripts/run.py', '410', PLAIN),
  clause('GET /files/csv-bad/SKILL.md/view', '410', PLAIN),
  clause(`GET /skills/csv-bad@${dropped}`, '410', PAGE, /withdrawn \(A-1\): It sent files away\./),
  clause(`GET /skills/csv-bad@${dropped}.zip`, '410', PLAIN),
  clause('GET /skills/csv-bad', '200', { 'content-type': 'text/html; charset=utf-8' }),
  clause('GET /advisories.json', '200', { 'content-type': 'application/json' }),
  missing(`/skills/csv-bad/${INDEX}`),
  moved(''),
  moved('.md'),
  moved('.zip'),
  moved(`/${INDEX}`),
  missing('/skills/csv-clean@dddddddddddd'),
  missing('/skills/csv-clean@dddddddddddd.zip'),
  missing(`/skills/csv-clean@dddddddddddd/${INDEX}`),
  missing('/skills/csv-clean@aaaaaaaaaaa.zip'),
  missing('/skills/csv-clean@aaaaaaaaaaaaa.zip'),
  missing('/skills/CSV-CLEAN@aaaaaaaaaaaa.zip'),
  missing('/skills/csv-clean@AAAAAAAAAAAA.zip'),
  missing('/skills/constructor@aaaaaaaaaaaa'),
  missing('/skills/csv-clean@constructor'),
  missing('/skills/skill-13@versions.json'),
]
