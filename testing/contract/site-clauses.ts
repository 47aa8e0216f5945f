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
const ON_REQUEST = { ...PAGE, vary: HTML.vary, etag: null }
const RAW = {
  'x-robots-tag': 'noindex',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': /sandbox/,
}
const wants = (accept: string): Record<string, string> => ({ Accept: accept })
type Pattern = ContractClause['body']
const html = (address: string, body?: Pattern, outcome = '200'): ContractClause =>
  clause(`GET ${address}`, outcome, HTML, body)
const markdown = (address: string, body: Pattern, outcome = '200'): ContractClause =>
  clause(`GET ${address}`, outcome, MARKDOWN, body)
/** A page that the function renders. */
const shown = (address: string, body: Pattern, outcome = '200'): ContractClause =>
  clause(`GET ${address}`, outcome, ON_REQUEST, body)
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
  markdown('/skills/csv-clean.md', /^# skills\/csv-clean one/),
  markdown('/index.md', /^# index one/),
  markdown('/.md', /^# index one/),
  html('/docs/safety'),
  html('/skills/page/2?x=1&x=2'),
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
        html(`/${name}`, new RegExp(`<title>${name} one<`)),
        markdown(`/${name}.md`, new RegExp(`^# ${name} one\n`)),
      ]),
  ),
  html('/%73kills/csv%2Dclean', /csv-clean one/),
  markdown('/%2Emd', /^# index one/),
  markdown('/skills/csv-clean.m%64', /^# skills\/csv-clean one/),
  html('http://elsewhere.example', /<title>index one/),
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

/** An address that is similar to a skill's address gets suggestions. */
const MISSPELT = [
  clause(
    'GET /skills/cvs-clean',
    '404',
    { ...ON_REQUEST, 'content-security-policy': /default-src 'none'/ },
    /<\/code> is near these names:[^]*<a href="\/skills\/csv-clean"[^>]*>csv-clean/,
  ),
  markdown(
    '/skills/csv-claen.md',
    /^# No skill has this address\n\n`\/skills\/csv-claen` is near these names:\n[^]*- \[csv-clean\]\(\/skills\/csv-clean\)/,
    '404',
  ),
  markdown('/skills/csv-claen/SKILL.md', /\(\/skills\/csv-clean\)/, '404'),
  clause('GET /skills/csv-claen.json', '404 NOT_FOUND', {}, /name: \/skills\/csv-clean\.json\. A/),
  markdown(
    '/skills/clean-a-grand-piano.md',
    /^# No skill has this address\n\n(?![^]*csv-clean)/,
    '404',
  ),
  markdown(
    '/skills/csv-purge.md',
    /^# Skill removed\n\nThe skill `csv-purge` was removed from the catalog: Its author asked for it\.\n/,
    '404',
  ),
  shown('/Skills/CSV-claen/', /<a href="\/skills\/csv-clean"[^>]*>csv-clean/, '404'),
  shown('/skills/csv-tydi', /<a href="\/skills\/csv-clean"[^>]*>csv-clean/, '404'),
  clause('GET /skills/clean', '404', MARKDOWN, /\(\/skills\/csv-clean\)/, wants('text/markdown')),
  markdown('/skills/csv-clean.html.md', /\(\/skills\/csv-clean\)/, '404'),
  clause('HEAD /skills/cvs-clean', '404', ON_REQUEST, ''),
  shown(
    '/skills/%3Cscript%3E%60%5D(javascript:1)',
    /^(?![^]*<script>)[^]*value="script javascript 1"/,
    '404',
  ),
  markdown('/skills/%60%5D(javascript:0).md', /``\/skills\/`\]\(javascript:0\)``/, '404'),
  shown('/skills/constructor', /value="constructor"/, '404'),
  markdown('/skills/csv-clean.md.md', /^# No skill has this address/, '404'),
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
  markdown('/skills.md?q=csv', /^# Skills\n[^]*- \[csv-clean\]\(\/skills\/csv-clean\)/),
  clause('GET /skills?q=csv', '200', MARKDOWN, /1 skill for “csv”/, wants('text/markdown')),
  clause('HEAD /skills?q=csv', '200', ON_REQUEST, ''),
  shown(
    '/skills?cat=Coding&cat=Design&sort=name',
    /value="Design"\s+checked[^]*value="Coding"\s+checked[^]*\d+ skills in Coding, Design/,
  ),
  shown('/skills?sort=newest', /<option value="newest" selected>/),
  markdown('/skills.md?sort=newest', /## \d+ skills\n\n- \[csv-clean\]/),
  shown('/skills?page=2', /<a href="\/skills\?page=3"[^>]*>Next/),
  shown('/skills?page=9', /page 9 does not exist\. <a href="\/skills">/),
  shown('/skills?q=%3Cscript%3Ealert(1)%3C/script%3E', /for “&lt;script&gt;alert/),
  clause(
    'GET /skills?q=%5B%5D(javascript:1)%0A',
    '400',
    MARKDOWN,
    /control characters/,
    wants('text/markdown'),
  ),
  shown('/skills?sort=best', /sort &quot;best&quot;|sort "best"/, '400'),
  shown('/skills?cat=coding', /href="\/skills\.md\?cat=coding"[^]*Did you mean/, '400'),
  shown(
    '/skills?q=csv&cat=Coding,coding&sort=best&licence=none',
    /value="csv"[^]*value="Coding"\s+checked[^]*value="none"\s+checked[^]*sort (?:"|&quot;)best(?:"|&quot;)[^]*<a href="\/skills\?q=csv&amp;cat=Coding&amp;licence=none">Search without it<\/a>/,
    '400',
  ),
  markdown('/skills.md?q=csv&page=0', /\[Search without it\]\(\/skills\?q=csv\)/, '400'),
  shown('/skills?q=a&q=b', /value="a"[^]*given twice/, '400'),
  shown(
    '/skills?q=csv&sort=popular&licence=&without=files&without=hosts',
    /name="without"\s+value="files"\s+checked[^]*\d+ skills? for “csv”, leaving out what lacks files or calls hosts/,
  ),
  shown('/skills?without=all', /without &quot;all&quot;|without "all"/, '400'),
  shown('/skills?licence=MIT', /permissive, copyleft, other, none/, '400'),
  shown(
    '/skills?q=csv&cat=Coding',
    /<h2 [^>]*>Nothing found<\/h2>[^]*0 skills for “csv” in Coding\.[^]*without filters<\/a>: 1 skill/,
  ),
  shown(
    '/skills?q=csw&cat=Design',
    /<h2 [^>]*>Nothing fits<\/h2>[^]*0 skills for “csw” in Design\./,
  ),
  shown(
    '/skills?q=clean+a+grand+piano',
    /<h2 [^>]*>Nothing fits<\/h2>[^]*0 skills for “clean a grand piano”\. Nearest:[^]*csv-<mark>clean<\/mark><\/a>/,
  ),
  markdown(
    '/skills.md?q=clean+a+grand+piano',
    /## Nothing fits\n\n0 skills for “clean a grand piano”\. Nearest:\n\n- \[csv-clean\][^\n]+\n\n## Where to go\n/,
  ),
  shown('/skills?page=0', /page "0"|page &quot;0&quot;/, '400'),
  shown('/skills?q=%FF', /not valid UTF-8/, '400'),
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
  markdown(
    '/files/csv-clean/references/notes.md/view.md',
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
  shown('/files/csv-clean/references/two%20words%20&%20more.txt/view', /plain/),
  shown('/files/csv-clean/%53KILL.md/view', /<bdi data-sign="\[U\+FEFF\]">/),
  shown(
    '/files/csv-clean/references/page.html/view',
    /^(?![^]*<script>alert)[^]*&lt;script&gt;alert\(1\)/,
  ),
  shown(
    '/files/csv-clean/scripts/run.py/view',
    /<span id="L1"><a class="warn" href="\/docs\/safety#reverse-shell" aria-label="High: reverse-shell"><\/a>print/,
  ),
  markdown('/files/csv-clean/scripts/run.py/view.md', /## Findings\n\n- \*\*High/),
  markdown('/files/csv-clean/empty.txt/view.md', /\n\n```txt\n```\n$/),
  // A file can have the name with which these addresses end.
  shown('/files/csv-clean/odd/view/view', />called view\n</),
  markdown('/files/csv-clean/odd/view/view.md', /\ncalled view\n/),
  shown('/files/csv-clean/odd/view.md/view', />called view\.md\n</),
  markdown('/files/csv-clean/odd/view.md/view.md', /\ncalled view\.md\n/),
  shown('/files/csv-clean/odd/view', /has no file <code>odd<\/code>/, '404'),
  markdown('/files/csv-clean/odd/view.md', /has no file `odd`/, '404'),
  moved('/files/csv-clean/LICENSE/view/', '/files/csv-clean/LICENSE/view'),
  moved('/Files/CSV-Clean/LICENSE/VIEW.html?a=%2F', '/files/csv-clean/LICENSE/view?a=%2F'),
  moved('/files/csv-clean/LICENSE/View.md', '/files/csv-clean/LICENSE/view.md'),
  moved(
    '/files/csv-tidy/references/a%20b.md/view?x',
    '/files/csv-clean/references/a%20b.md/view?x',
  ),
  moved('/files/csv-old/SKILL.md/view.md', '/files/csv-clean/SKILL.md/view.md'),
  shown(
    '/files/csv-clean/license/view',
    /The skill <a href="\/skills\/csv-clean">csv-clean<\/a> has no file <code>license</,
    '404',
  ),
  // A file in a folder with a leading dot has a page but no raw address.
  shown('/files/csv-clean/.odd/ci.yml/view', /on: push/),
  shown(
    '/files/csv-clean/.well-known/x/view',
    /csv-clean<\/a> has no file <code>\.well-known\/x</,
    '404',
  ),
  shown(
    '/files/csv-clean/%3Cscript%3E%60%5D(javascript:1)/view',
    /^(?![^]*<script>)[^]*<h2 [^>]*>Where to go/,
    '404',
  ),
  shown(
    '/files/csv-clean/assets/logo.png/view',
    /is not UTF-8 text[^]*<a href="\/skills\/csv-clean\/assets\/logo\.png">/,
    '404',
  ),
  markdown(
    '/files/csv-clean/odd/long.txt/view.md',
    /# File not shown[^]*64\.0 KiB[^]*\(\/skills\/csv-clean\/odd\/long\.txt\)/,
    '404',
  ),
  shown('/files/csv-clean/odd/longest.txt/view', /id="L1024"/),
  shown('/files/cvs-clean/SKILL.md/view', /<a href="\/skills\/csv-clean"[^>]*>/, '404'),
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
