import { ALLOW_FIELD, PAGE, clause, moved } from './clause.ts'
import type { ContractClause } from './clause.ts'
import { RAW_SKILL_MD } from '../fixture.ts'

const HTML = { 'content-type': 'text/html; charset=utf-8', vary: /\bAccept\b(?!-)/ }
const MARKDOWN = {
  'content-type': 'text/markdown; charset=utf-8',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  vary: /\bAccept\b(?!-)/,
}
const RAW = {
  'x-robots-tag': 'noindex',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': /sandbox/,
}
const wants = (accept: string): Record<string, string> => ({ Accept: accept })
const notFound = (address: string, form: ContractClause['has'] = HTML): ContractClause =>
  clause(`GET ${address}`, '404', { ...form, 'cache-control': 'no-store' }, /404 one/)
const FORMS = [
  clause(
    'GET /',
    '200',
    {
      ...HTML,
      'cache-control': 'public, max-age=0, must-revalidate',
      'cross-origin-resource-policy': 'same-origin',
    },
    /<title>index one/,
  ),
  clause('GET /', '200', MARKDOWN, /^# index one/, wants('text/markdown')),
  clause('GET /skills/csv-clean', '200', MARKDOWN, /^# /, wants('text/markdown, text/html, */*')),
  clause('GET /skills/csv-clean', '200', HTML, /<title>/, wants('text/html, text/markdown;q=0.9')),
  clause('GET /skills/csv-clean', '200', HTML, /<title>/, wants('*/*')),
  clause('GET /blog/hello', '200', MARKDOWN, /^# /, wants('TEXT/MARKDOWN;variant=GFM')),
  clause('GET /skills/csv-clean.md', '200', MARKDOWN, /^# skills\/csv-clean one/),
  clause('GET /index.md', '200', MARKDOWN, /^# index one/),
  clause('GET /.md', '200', MARKDOWN, /^# index one/),
  clause('GET /docs/safety', '200', HTML),
  clause('GET /skills/page/2?x=1&x=2', '200', HTML),
  moved('/skills/page/2?q=csv', '/skills?q=csv'),
  moved('/skills/page/2.md?sort=name&x=%C3%A9', '/skills.md?sort=name&x=%C3%A9'),

  ...[
    'authors authors/octo authors/octo/page/2 categories categories/data-and-analytics/page/2',
    // An author can have the name `page`.
    'authors/page authors/page/2 authors/page/page/2',
  ].flatMap((names) =>
    names
      .split(' ')
      .flatMap((name) => [
        clause(`GET /${name}`, '200', HTML, new RegExp(`<title>${name} one<`)),
        clause(`GET /${name}.md`, '200', MARKDOWN, new RegExp(`^# ${name} one\n`)),
      ]),
  ),
  clause('GET /%73kills/csv%2Dclean', '200', HTML, /csv-clean one/),
  clause('GET /%2Emd', '200', MARKDOWN, /^# index one/),
  clause('GET /skills/csv-clean.m%64', '200', MARKDOWN, /^# skills\/csv-clean one/),
  clause('GET http://elsewhere.example', '200', HTML, /<title>index one/),
  clause('HEAD /', '200', { ...HTML, etag: /^W\/".*html"$/ }, ''),
  clause('GET /', '304', { 'cache-control': /./, 'content-type': null }, '', {
    'If-None-Match': '*',
  }),
  clause('GET /nope', '404', {}, /404 one/, { 'If-None-Match': '*' }),
  clause('GET /', '200', { 'content-security-policy': /default-src 'none'(?!.*unsafe)/ }),
]

const REDIRECTS = [
  moved('/skills/', '/skills'),
  moved('/skills/?a=1&b=%2F', '/skills?a=1&b=%2F'),
  moved('/Skills/CSV-Clean', '/skills/csv-clean'),
  moved('/skills/csv-clean.html', '/skills/csv-clean'),
  moved('/SKILLS/CSV-CLEAN.HTML/', '/skills/csv-clean'),
  moved('/skills/page/1', '/skills'),
  moved('/authors/page/1', '/authors'),
  moved('/authors/octo/page/1.md', '/authors/octo.md'),
  moved('/authors/page/page/1', '/authors/page'),
  moved('/Categories/data-and-analytics/page/1/', '/categories/data-and-analytics'),
  moved('/index', '/'),
  moved('/index.html', '/'),
  moved('/Docs/?q=%20', '/docs?q=%20'),
  moved('/skills/csv-clean.md/', '/skills/csv-clean.md'),
  moved('/Skills/CSV-Clean.md', '/skills/csv-clean.md'),
]

/** All former addresses of a moved skill answer 308: page, twin, raw files, index. */
const MOVED_SKILL = [
  moved('/skills/csv-tidy', '/skills/csv-clean'),
  moved('/skills/csv-tidy?a=1&b=%2F', '/skills/csv-clean?a=1&b=%2F'),
  moved('/skills/csv-tidy.md', '/skills/csv-clean.md'),
  moved('/skills/csv-old.md?x', '/skills/csv-clean.md?x'),
  moved('/skills/csv-tidy.html', '/skills/csv-clean'),
  moved('/skills/csv-tidy.json?v=1', '/skills/csv-clean.json?v=1'),
  moved('/Skills/CSV-Tidy/', '/skills/csv-clean'),
  moved('/%73kills/csv%2Dtidy', '/skills/csv-clean'),
  moved('/skills/csv-tidy/SKILL.md', '/skills/csv-clean/SKILL.md'),
  moved(
    '/skills/csv-tidy/references/two%20words.txt?v=1',
    '/skills/csv-clean/references/two%20words.txt?v=1',
  ),
  moved(
    '/skills/csv-tidy/.well-known/agent-skills/index.json',
    '/skills/csv-clean/.well-known/agent-skills/index.json',
  ),
  clause(
    'GET /skills/csv-tidy',
    '308',
    { location: '/skills/csv-clean', 'access-control-allow-origin': '*' },
    /^This is at/,
    wants('text/markdown'),
  ),
  clause('HEAD /skills/csv-tidy', '308', { location: '/skills/csv-clean' }, ''),
]

const NOT_FOUND = [
  '/nope /nope/ /Nope /nope.html /404 /404.html /404/ /skills/page/0 /authors/octo/page/9 /blog/page/1',
  '/apix //api/x /x/../api/ //evil.example/ //evil.example /\\evil.example /skills//csv-clean /.. /skills/../about',
  '/skills%2Fcsv-clean /skills/csv-clean%00 /%zz /%5Cabout',
  '/skills/csv-clean/nothing.txt /skills/csv-tidy.json/ /openapi.json/ /API/v1/skills',
  '/_headers /_HEADERS /Skills/csv-clean/references/page /skills/csv-clean/references/page',
  '/skills/csv-clean/.odd/ci.yml /skills/csv-tidy/LICENSE/ /csv-tidy /authors/csv-tidy /skills/csv-tidy%00',
].flatMap((addresses) => addresses.split(' ').map((address) => notFound(address)))

/** Where a JSON file could be, programs get an error that they can read. */
const NOT_FOUND_JSON = [
  '/skills/nothing.json /skills/csv-clean/nothing.json /skills/nothing@versions.json /OpenAPI.json',
  '/private/site.json /%2e%2e/private/site.json /authors/nobody/marketplace.json /skills/csv%zz.json',
].flatMap((addresses) =>
  addresses
    .split(' ')
    .map((address) => clause(`GET ${address}`, '404 NOT_FOUND', { 'cache-control': 'no-store' })),
)

const NOT_FOUND_TWINS = [
  '/nope.md /404.md /api.md /openapi.json.md /favicon.svg.md',
  '/skills/csv-clean/SKILL.md.md /skills/csv-clean/nothing.md',
].flatMap((addresses) => addresses.split(' ').map((address) => notFound(address, MARKDOWN)))

const ON_REQUEST = { ...PAGE, vary: HTML.vary, etag: null }

/** An address that is similar to a skill's address gets suggestions. */
const MISSPELT = [
  clause(
    'GET /skills/cvs-clean',
    '404',
    { ...ON_REQUEST, 'content-security-policy': /default-src 'none'/ },
    /<\/code> is near these names:[^]*<a href="\/skills\/csv-clean"[^>]*>csv-clean/,
  ),
  clause(
    'GET /skills/csv-claen.md',
    '404',
    MARKDOWN,
    /^# No skill has this address\n\n`\/skills\/csv-claen` is near these names:\n[^]*- \[csv-clean\]\(\/skills\/csv-clean\)/,
  ),
  clause(
    'GET /skills/clean-a-grand-piano.md',
    '404',
    MARKDOWN,
    /^# No skill has this address\n\n(?![^]*csv-clean)/,
  ),
  clause(
    'GET /skills/csv-purge.md',
    '404',
    MARKDOWN,
    /^# Skill removed\n\nThe skill `csv-purge` was removed from the catalog: Its author asked for it\.\n/,
  ),
  clause(
    'GET /Skills/CSV-claen/',
    '404',
    ON_REQUEST,
    /<a href="\/skills\/csv-clean"[^>]*>csv-clean/,
  ),
  clause('GET /skills/csv-tydi', '404', ON_REQUEST, /<a href="\/skills\/csv-clean"[^>]*>csv-clean/),
  clause('GET /skills/clean', '404', MARKDOWN, /\(\/skills\/csv-clean\)/, wants('text/markdown')),
  clause('GET /skills/csv-clean.html.md', '404', MARKDOWN, /\(\/skills\/csv-clean\)/),
  clause('HEAD /skills/cvs-clean', '404', ON_REQUEST, ''),
  clause(
    'GET /skills/%3Cscript%3E%60%5D(javascript:1)',
    '404',
    ON_REQUEST,
    /^(?![^]*<script>)[^]*value="script javascript 1"/,
  ),
  clause(
    'GET /skills/%60%5D(javascript:0).md',
    '404',
    MARKDOWN,
    /``\/skills\/`\]\(javascript:0\)``/,
  ),
  clause('GET /skills/constructor', '404', ON_REQUEST, /value="constructor"/),
  clause('GET /skills/csv-clean.md.md', '404', MARKDOWN, /^# No skill has this address/),
]

const FILES = [
  clause(
    'GET /skills/csv-clean.json',
    '200',
    {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=0, must-revalidate',
      'x-robots-tag': 'noindex',
      'access-control-allow-origin': '*',
    },
    /^\{"id":\d+,"slug":"csv-clean",.*"zip":.*"install":/,
  ),
  clause('HEAD /skills/csv-clean.json', '200', { 'content-type': 'application/json' }, ''),
  clause(
    'GET /skills/csv-clean/SKILL.md',
    '200',
    { ...RAW, 'content-type': 'text/markdown; charset=utf-8' },
    RAW_SKILL_MD,
  ),
  clause(
    'GET /skills/csv-clean/references/page.html',
    '200',
    { ...RAW, 'content-type': 'text/plain; charset=utf-8' },
    /^<script>/,
  ),
  clause('GET /skills/csv-clean/references/two%20words%20&%20more.txt', '200', RAW, 'plain\n'),
  clause(
    'GET /skills/csv-clean/scripts/run.py',
    '200',
    { ...RAW, 'content-type': 'text/plain; charset=utf-8' },
    /^print/,
  ),
  clause(
    'GET /skills/csv-clean/LICENSE',
    '200',
    { 'content-type': 'text/plain; charset=utf-8' },
    'MIT\n',
  ),
  clause('GET /skills/csv-clean/empty.txt', '200', { 'content-length': '0' }, ''),
  clause('GET /skills/csv-clean/assets/logo.png', '200', {
    ...RAW,
    'content-type': 'application/octet-stream',
  }),
  clause(
    'GET /openapi.json',
    '200',
    { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
    /"3\.1\.0"/,
  ),
  clause(
    'GET /openapi.json',
    '200',
    { 'content-type': 'application/json' },
    undefined,
    wants('text/markdown'),
  ),
  clause('GET /llms.txt', '200', {
    'content-type': 'text/plain; charset=utf-8',
    'access-control-allow-origin': '*',
  }),
  clause('GET /sitemap.xml', '200', { 'content-type': 'application/xml; charset=utf-8' }),
  clause('GET /robots.txt', '200', { 'content-type': 'text/plain; charset=utf-8' }),
  clause('GET /favicon.svg', '200', {
    'content-type': /^image\/svg\+xml/,
    'content-security-policy': "default-src 'none'; sandbox",
  }),
  clause('GET /_astro/site.Ab12Cd.css', '200', {
    'cache-control': 'public, max-age=31536000, immutable',
  }),
  clause('GET /.well-known/agent-skills/index.json', '200', { 'content-type': 'application/json' }),
  clause('GET /llms.txt', '206', { 'content-range': 'bytes 2-4/10' }, 'Fix', {
    Range: 'bytes=2-4',
  }),
  clause('GET /skills/csv-clean/empty.txt', '200', { 'content-range': null }, '', {
    Range: 'bytes=0-',
  }),
  clause(
    'GET /llms.txt',
    '416',
    { 'content-type': /^text\/plain/, 'content-range': 'bytes */10' },
    undefined,
    { Range: 'bytes=10-' },
  ),
]

/** The search as a page, for the form without JavaScript and for shared addresses. */
const SEARCHES = [
  clause(
    'GET /skills?q=csv',
    '200',
    { ...ON_REQUEST, 'content-security-policy': /default-src 'none'/ },
    /value="csv"[^]*<h2 id="found">1 skill for “csv”<\/h2>[^]*<a href="\/skills\/csv-clean"[^>]*><mark>csv<\/mark>-clean<\/a>/,
  ),
  clause(
    'GET /skills.md?q=csv',
    '200',
    MARKDOWN,
    /^# Skills\n[^]*- \[csv-clean\]\(\/skills\/csv-clean\)/,
  ),
  clause('GET /skills?q=csv', '200', MARKDOWN, /1 skill for “csv”/, wants('text/markdown')),
  clause('HEAD /skills?q=csv', '200', ON_REQUEST, ''),
  clause(
    'GET /skills?cat=Coding&cat=Design&sort=name',
    '200',
    ON_REQUEST,
    /value="Design"\s+checked[^]*value="Coding"\s+checked[^]*\d+ skills in Coding, Design/,
  ),
  clause('GET /skills?sort=newest', '200', ON_REQUEST, /<option value="newest" selected>/),
  clause('GET /skills.md?sort=newest', '200', MARKDOWN, /## \d+ skills\n\n- \[csv-clean\]/),
  clause('GET /skills?page=2', '200', ON_REQUEST, /<a href="\/skills\?page=3"[^>]*>Next/),
  clause('GET /skills?page=9', '200', ON_REQUEST, /page 9 does not exist\. <a href="\/skills">/),
  clause(
    'GET /skills?q=%3Cscript%3Ealert(1)%3C/script%3E',
    '200',
    ON_REQUEST,
    /for “&lt;script&gt;alert/,
  ),
  clause(
    'GET /skills?q=%5B%5D(javascript:1)%0A',
    '400',
    MARKDOWN,
    /control characters/,
    wants('text/markdown'),
  ),
  clause('GET /skills?sort=best', '400', ON_REQUEST, /sort &quot;best&quot;|sort "best"/),
  clause(
    'GET /skills?cat=coding',
    '400',
    ON_REQUEST,
    /href="\/skills\.md\?cat=coding"[^]*Did you mean/,
  ),
  clause(
    'GET /skills?q=csv&cat=Coding,coding&sort=best&licence=none',
    '400',
    ON_REQUEST,
    /value="csv"[^]*value="Coding"\s+checked[^]*value="none"\s+checked[^]*sort (?:"|&quot;)best(?:"|&quot;)[^]*<a href="\/skills\?q=csv&amp;cat=Coding&amp;licence=none">Search without it<\/a>/,
  ),
  clause(
    'GET /skills.md?q=csv&page=0',
    '400',
    MARKDOWN,
    /\[Search without it\]\(\/skills\?q=csv\)/,
  ),
  clause('GET /skills?q=a&q=b', '400', ON_REQUEST, /value="a"[^]*given twice/),
  clause(
    'GET /skills?q=csv&sort=popular&licence=&without=files&without=hosts',
    '200',
    ON_REQUEST,
    /name="without"\s+value="files"\s+checked[^]*\d+ skills? for “csv”, leaving out what lacks files or calls hosts/,
  ),
  clause('GET /skills?without=all', '400', ON_REQUEST, /without &quot;all&quot;|without "all"/),
  clause('GET /skills?licence=MIT', '400', ON_REQUEST, /permissive, copyleft, other, none/),
  clause(
    'GET /skills?q=csv&cat=Coding',
    '200',
    ON_REQUEST,
    /<h2 [^>]*>Nothing found<\/h2>[^]*0 skills for “csv” in Coding\.[^]*without filters<\/a>: 1 skill/,
  ),
  clause(
    'GET /skills?q=csw&cat=Design',
    '200',
    ON_REQUEST,
    /<h2 [^>]*>Nothing fits<\/h2>[^]*0 skills for “csw” in Design\./,
  ),
  clause(
    'GET /skills?q=clean+a+grand+piano',
    '200',
    ON_REQUEST,
    /<h2 [^>]*>Nothing fits<\/h2>[^]*0 skills for “clean a grand piano”\. Nearest:[^]*csv-<mark>clean<\/mark><\/a>/,
  ),
  clause(
    'GET /skills.md?q=clean+a+grand+piano',
    '200',
    MARKDOWN,
    /## Nothing fits\n\n0 skills for “clean a grand piano”\. Nearest:\n\n- \[csv-clean\][^\n]+\n\n## Where to go\n/,
  ),
  clause('GET /skills?page=0', '400', ON_REQUEST, /page "0"|page &quot;0&quot;/),
  clause('GET /skills?q=%FF', '400', ON_REQUEST, /not valid UTF-8/),
  clause(
    'GET /skills?utm_source=x&Q=csv',
    '200',
    { ...HTML, 'cache-control': 'public, max-age=0, must-revalidate' },
    /skills one/,
  ),
]

/** The page of a skill's file. Its address ends in `/view`, so that it cannot be the twin of another file's page. */
const FILE_PAGES = [
  clause(
    'GET /files/csv-clean/references/notes.md/view',
    '200',
    { ...ON_REQUEST, 'content-security-policy': /default-src 'none'(?!.*unsafe)/ },
    /href="\/files\/csv-clean\/references\/notes\.md\/view\.md"[^]*<span id="L1"># Notes\n<\/span>/,
  ),
  clause(
    'GET /files/csv-clean/references/notes.md/view.md',
    '200',
    MARKDOWN,
    /^# references\/notes\.md\n[^]*\n\n```md\n# Notes\n```\n$/,
  ),
  clause(
    'GET /files/csv-clean/references/notes.md/view',
    '200',
    MARKDOWN,
    /```md\n# Notes\n```\n$/,
    wants('text/markdown'),
  ),
  clause('HEAD /files/csv-clean/LICENSE/view', '200', { ...ON_REQUEST, 'content-length': /./ }, ''),
  clause('HEAD /files/csv-clean/LICENSE/view.md', '200', MARKDOWN, ''),
  clause(
    'GET /files/csv-clean/references/two%20words%20&%20more.txt/view',
    '200',
    ON_REQUEST,
    /plain/,
  ),
  clause(
    'GET /files/csv-clean/%53KILL.md/view',
    '200',
    ON_REQUEST,
    /<bdi data-sign="\[U\+FEFF\]">/,
  ),
  clause(
    'GET /files/csv-clean/references/page.html/view',
    '200',
    ON_REQUEST,
    /^(?![^]*<script>alert)[^]*&lt;script&gt;alert\(1\)/,
  ),
  clause(
    'GET /files/csv-clean/scripts/run.py/view',
    '200',
    ON_REQUEST,
    /<span id="L1"><a class="warn" href="\/docs\/safety#reverse-shell" aria-label="High: reverse-shell"><\/a>print/,
  ),
  clause(
    'GET /files/csv-clean/scripts/run.py/view.md',
    '200',
    MARKDOWN,
    /## Findings\n\n- \*\*High/,
  ),
  clause('GET /files/csv-clean/empty.txt/view.md', '200', MARKDOWN, /\n\n```txt\n```\n$/),
  // A file can have the name with which these addresses end.
  clause('GET /files/csv-clean/odd/view/view', '200', ON_REQUEST, />called view\n</),
  clause('GET /files/csv-clean/odd/view/view.md', '200', MARKDOWN, /\ncalled view\n/),
  clause('GET /files/csv-clean/odd/view.md/view', '200', ON_REQUEST, />called view\.md\n</),
  clause('GET /files/csv-clean/odd/view.md/view.md', '200', MARKDOWN, /\ncalled view\.md\n/),
  clause('GET /files/csv-clean/odd/view', '404', ON_REQUEST, /has no file <code>odd<\/code>/),
  clause('GET /files/csv-clean/odd/view.md', '404', MARKDOWN, /has no file `odd`/),
  moved('/files/csv-clean/LICENSE/view/', '/files/csv-clean/LICENSE/view'),
  moved('/Files/CSV-Clean/LICENSE/VIEW.html?a=%2F', '/files/csv-clean/LICENSE/view?a=%2F'),
  moved('/files/csv-clean/LICENSE/View.md', '/files/csv-clean/LICENSE/view.md'),
  moved(
    '/files/csv-tidy/references/a%20b.md/view?x',
    '/files/csv-clean/references/a%20b.md/view?x',
  ),
  moved('/files/csv-old/SKILL.md/view.md', '/files/csv-clean/SKILL.md/view.md'),
  clause(
    'GET /files/csv-clean/license/view',
    '404',
    ON_REQUEST,
    /The skill <a href="\/skills\/csv-clean">csv-clean<\/a> has no file <code>license</,
  ),
  // A file in a folder with a leading dot has a page but no raw address.
  clause('GET /files/csv-clean/.odd/ci.yml/view', '200', ON_REQUEST, /on: push/),
  clause(
    'GET /files/csv-clean/.well-known/x/view',
    '404',
    ON_REQUEST,
    /csv-clean<\/a> has no file <code>\.well-known\/x</,
  ),
  clause(
    'GET /files/csv-clean/%3Cscript%3E%60%5D(javascript:1)/view',
    '404',
    ON_REQUEST,
    /^(?![^]*<script>)[^]*<h2 [^>]*>Where to go/,
  ),
  clause(
    'GET /files/csv-clean/assets/logo.png/view',
    '404',
    ON_REQUEST,
    /is not UTF-8 text[^]*<a href="\/skills\/csv-clean\/assets\/logo\.png">/,
  ),
  clause(
    'GET /files/csv-clean/odd/long.txt/view.md',
    '404',
    MARKDOWN,
    /# File not shown[^]*64\.0 KiB[^]*\(\/skills\/csv-clean\/odd\/long\.txt\)/,
  ),
  clause('GET /files/csv-clean/odd/longest.txt/view', '200', ON_REQUEST, /id="L1024"/),
  clause(
    'GET /files/cvs-clean/SKILL.md/view',
    '404',
    ON_REQUEST,
    /<a href="\/skills\/csv-clean"[^>]*>/,
  ),
  clause('GET /files/page/2.html/view', '404', HTML),
  ...[
    '/files /files/ /files/csv-clean /files/csv-clean/view /files/csv-clean/LICENSE /files/view',
    '/files/../skills/csv-clean /files/csv-clean/../LICENSE/view /files/csv-clean/%2e%2e/12/view',
    '/files/csv-clean/odd%2Fview/view /files/csv-clean//LICENSE/view /files/csv-clean/a%00/view',
    '/files/csv-clean%2FLICENSE/view /files/%zz/LICENSE/view',
  ].flatMap((addresses) => addresses.split(' ').map((address) => notFound(address))),
]

const METHODS = [
  clause('POST /skills', '405', { ...ALLOW_FIELD, 'content-type': 'text/plain; charset=utf-8' }),
  clause('TRACE /', '405', ALLOW_FIELD),
  clause('OPTIONS /skills/csv-clean', '204', ALLOW_FIELD),
  clause(`GET /${'a'.repeat(33_000)}`, '414', { 'content-type': 'text/plain; charset=utf-8' }),
  clause('GET *', '400', { 'content-type': 'text/plain; charset=utf-8' }),
]

/** The clauses of pages, their twins and the files of the site. */
export const SITE_CLAUSES = [
  ...FORMS,
  ...REDIRECTS,
  ...MOVED_SKILL,
  ...NOT_FOUND,
  ...NOT_FOUND_TWINS,
  ...NOT_FOUND_JSON,
  ...MISSPELT,
  ...FILES,
  ...SEARCHES,
  ...FILE_PAGES,
  ...METHODS,
]
