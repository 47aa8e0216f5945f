import { DISCOVERY_PATH } from './discovery.ts'
import { POLICIES, describeFile, fitPrivacy } from './policies.ts'
import {
  PATHS,
  FEED_FORMS,
  SITE_FILES,
  downloadPath,
  feedPath,
  skillJsonPath,
  skillPath,
  twinPath,
} from '../documents/paths.ts'

type HeaderFields = Readonly<Record<string, string>>

/** Name of the file that Cloudflare Pages and Workers read header rules from. */
export const HEADERS_FILE = '_headers'

/**
 * Applies to every address that no later rule matches. Rules see an address as it was sent, but the CDN decodes
 * it before it looks up the file, so `/%73kills/x/logo.svg` reaches a stranger's file past every rule
 * that names `/skills/`. Style sheets are allowed for the 404 page, which is sent at any address.
 */
const UNKNOWN: HeaderFields = {
  ...POLICIES.skillFile.headers,
  // Most of these addresses are missing pages, which are sent as HTML or Markdown depending on Accept.
  'Cache-Control': 'no-store',
  Vary: POLICIES.html.headers['Vary'] ?? '',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; sandbox",
}

const PLAIN_TEXT = { 'Content-Type': 'text/plain; charset=utf-8' }

const ESCAPED: HeaderFields = { ...UNKNOWN, ...PLAIN_TEXT }

/** Extensions of binary raw files; all others are sent as text, whatever they are. */
const BINARY =
  'avif bin bz2 docx gif gz ico jpeg jpg mov mp3 mp4 odt otf pdf png pptx pyc tar tgz ttf wasm wav webm webp woff woff2 xlsx xz zip'

const rawFiles = (pattern: string): [string, HeaderFields][] =>
  ['', '.md', ...BINARY.split(' ').map((ending) => `.${ending}`)].map((ending) => [
    pattern + ending,
    {
      ...POLICIES.skillFile.headers,
      ...(ending === '' ? PLAIN_TEXT : describeFile(ending === '.md' ? ending : '')),
    },
  ])

/** Lists for clients need their own type: their address is below a page, whose rule would send them as HTML. */
const LIST: HeaderFields = { ...POLICIES.siteFile.headers, ...describeFile('.json') }

const pages = (...patterns: readonly string[]): [string, HeaderFields][] =>
  patterns.flatMap((pattern) => [
    [pattern, POLICIES.html.headers],
    [`${pattern}.md`, POLICIES.markdown.headers],
  ])

/** CDNs disagree on the type and the charset of these files. */
const typed = (...patterns: readonly string[]): [string, HeaderFields][] =>
  patterns.map((pattern) => [
    pattern,
    { ...POLICIES.siteFile.headers, ...describeFile(pattern.slice(1)) },
  ])

/** Only the last matching rule applies: each rule removes the headers that earlier ones set. */
const RULES: readonly [pattern: string, headers: HeaderFields][] = [
  ['/*', UNKNOWN],
  ['/', POLICIES.html.headers],
  ['/index.md', POLICIES.markdown.headers],
  ['/.md', POLICIES.markdown.headers],
  ...pages(
    PATHS.about,
    PATHS.authors,
    PATHS.blog,
    `${PATHS.blog}/:post`,
    PATHS.docs,
    `${PATHS.docs}/:page`,
    PATHS.stats,
    PATHS.authors,
    `${PATHS.authors}/*`,
    PATHS.categories,
    `${PATHS.categories}/*`,
  ),
  ...pages('/skills', '/skills/:slug'),
  ['/skills/:slug.json', { ...POLICIES.skillJson.headers, ...describeFile('.json') }],
  ...rawFiles('/skills/:slug/*'),
  [`/skills/:slug${DISCOVERY_PATH}`, LIST],
  [`/skills/:slug/SKILL.md${DISCOVERY_PATH}`, LIST],
  ...pages('/skills/page/:number'),
  // With an escaped slash, a file of a skill would match the rule for its page.
  ['/skills/:slug%2F*', ESCAPED],
  ['/skills/:slug%2f*', ESCAPED],
  [`${PATHS.download}/:id`, POLICIES.zip.headers],
  ['/_astro/*', POLICIES.asset.headers],
  ['/previews/*', POLICIES.siteFile.headers],
  ['/.well-known/*', POLICIES.siteFile.headers],
  [DISCOVERY_PATH, LIST],
  [`${PATHS.authors}/:author/.well-known/*`, LIST],
  [`${PATHS.categories}/:category/.well-known/*`, LIST],
  [`${PATHS.categories}/:category/marketplace.json`, LIST],
  ...typed(
    ...Object.values(SITE_FILES),
    PATHS.dump,
    PATHS.sums,
    PATHS.sitemap,
    '/sitemap-:number.xml',
    ...FEED_FORMS.flatMap((form) => [
      feedPath(form),
      `${PATHS.categories}/:category${feedPath(form)}`,
    ]),
  ),
]

const NAMES = [...new Set(RULES.flatMap(([, headers]) => Object.keys(headers)))]

const renderRule = ([pattern, headers]: readonly [string, HeaderFields], at: number): string => {
  // A field that two rules set would be sent with both values. Detaching Content-Type also removes the type that
  // the CDN gives a file, so only a rule with a type of its own does that.
  const detached = NAMES.filter((name) => at > 0 && (name !== 'Content-Type' || name in headers))
  const set = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)
  return [pattern, ...detached.map((name) => `  ! ${name}`), ...set].join('\n')
}

/**
 * Renders the header policies for a CDN that serves only the files, in the format of Cloudflare's
 * `_headers`: at most 100 rules, 2,000 characters a line, one `*` a rule.
 */
export const renderHeadersFile = (isPrivate?: boolean): string =>
  `${RULES.map(([pattern, headers], at) => renderRule([pattern, fitPrivacy(headers, isPrivate)], at)).join('\n\n')}\n`

/** Name of the file that Cloudflare and Netlify read redirects from. */
export const REDIRECTS_FILE = '_redirects'

/** Cloudflare's limits: rules for exact addresses, and rules with placeholders. */
const EXACT_LIMIT = 2_000
const PATTERN_LIMIT = 100

/** A skill whose slug or id has changed. */
interface MovedSkill {
  slug: string
  id: number
  to: { slug: string; id: number }
}

type Rule = readonly [from: string, to: string, status?: 200 | 308]

const LISTS = [PATHS.skills, PATHS.authors, PATHS.categories]

const EXACT: readonly Rule[] = [
  ['/index', '/'],
  ['/index.html', '/'],
  ['/.md', '/index.md', 200],
  ...LISTS.flatMap((path): Rule[] => [
    [`${path}/page/1`, path],
    [`${path}/page/1.md`, `${path}.md`],
  ]),
  ...[...LISTS, PATHS.blog, PATHS.docs, PATHS.about, PATHS.stats].flatMap((path): Rule[] => [
    [`${path}/`, path],
    [`${path}.html`, path],
  ]),
]

const PATTERNS: readonly Rule[] = [
  // A client that was given the address of a skill looks for its index below that address.
  [`${PATHS.skills}/:slug.md${DISCOVERY_PATH}`, `${PATHS.skills}/:slug${DISCOVERY_PATH}`, 200],
  [
    `${PATHS.skills}/:slug/SKILL.md${DISCOVERY_PATH}`,
    `${PATHS.skills}/:slug${DISCOVERY_PATH}`,
    200,
  ],
  ...[PATHS.authors, PATHS.categories].flatMap((path): Rule[] => [
    [`${path}/:name/page/1`, `${path}/:name`],
    [`${path}/:name/page/1.md`, `${path}/:name.md`],
  ]),
  ...[
    ...[...LISTS, PATHS.blog, PATHS.docs].map((path) => `${path}/:name`),
    ...[PATHS.skills, PATHS.authors, PATHS.categories].map((path) => `${path}/page/:page`),
    ...[PATHS.authors, PATHS.categories].map((path) => `${path}/:name/page/:page`),
  ].flatMap((path): Rule[] => [
    [`${path}/`, path],
    [`${path}.html`, path],
  ]),
]

/** The redirects of a moved skill: exact rules for its addresses, patterns for its files. */
const listMoves = ({ slug, id, to }: MovedSkill): { exact: Rule[]; pattern: Rule } => {
  const [from, next] = [skillPath(slug), skillPath(to.slug)]
  const zip: Rule[] = id === to.id ? [] : [[downloadPath(id), downloadPath(to.id)]]
  return {
    exact: [
      [from, next],
      [twinPath(from), twinPath(next)],
      [skillJsonPath(slug), skillJsonPath(to.slug)],
      [`${from}.html`, next],
      ...zip,
    ],
    pattern: [`${from}/*`, `${next}/:splat`],
  }
}

/**
 * Renders the redirects of moved skills and of other spellings of an address, for a CDN that serves only the
 * files. A CDN reads a limited number: `left` counts the moved skills without redirects of their pages or files.
 */
export const renderRedirectsFile = (
  moves: readonly MovedSkill[],
): { text: string; left: { pages: number; files: number } } => {
  const exact = [...EXACT]
  const patterns = [...PATTERNS]
  const left = { pages: 0, files: 0 }
  for (const move of moves) {
    const rules = listMoves(move)
    if (exact.length + rules.exact.length > EXACT_LIMIT) left.pages += 1
    else exact.push(...rules.exact)
    if (patterns.length < PATTERN_LIMIT) patterns.unshift(rules.pattern)
    else left.files += 1
  }
  // Exact rules come first, since the first match wins.
  const lines = [...exact, ...patterns].map(([from, to, status = 308]) => `${from} ${to} ${status}`)
  return { text: `${lines.join('\n')}\n`, left }
}
