import {
  ABOUT_PATH,
  AUTHORS_PATH,
  BLOG_PATH,
  CATEGORIES_PATH,
  DOWNLOAD_PATH,
  FEED_FORMS,
  SITEMAP_PATH,
  SITE_FILE_PATHS,
  STATS_PATH,
  ZIP_TABLE_PATHS,
  feedPath,
} from '../documents/paths.ts'
import { DISCOVERY_PATH } from './discovery.ts'
import { describeFile } from './media-types.ts'
import { POLICIES, fitPrivacy } from './policies.ts'
import type { PolicyName } from './policies.ts'

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

const rawFiles = (pattern: string): [string, HeaderFields][] => [
  [pattern, { ...POLICIES.skillFile.headers, ...PLAIN_TEXT }],
  [
    `${pattern}.md`,
    { ...POLICIES.skillFile.headers, 'Content-Type': POLICIES.markdown.headers['Content-Type']! },
  ],
  ...BINARY.split(' ').map((ending): [string, HeaderFields] => [
    `${pattern}.${ending}`,
    { ...POLICIES.skillFile.headers, 'Content-Type': 'application/octet-stream' },
  ]),
]

const index = (scope: string): [string, HeaderFields] => [
  `${scope}${DISCOVERY_PATH}`,
  { ...POLICIES.siteFile.headers, 'Content-Type': 'application/json' },
]

/** Lists for clients need their own type: their address is below a page, whose rule would send them as HTML. */
const LIST: HeaderFields = { ...POLICIES.siteFile.headers, 'Content-Type': 'application/json' }

const pages = (...patterns: readonly string[]): [string, HeaderFields][] =>
  patterns.flatMap((pattern) => [
    [pattern, POLICIES.html.headers],
    [`${pattern}.md`, POLICIES.markdown.headers],
  ])

const files = (policy: PolicyName, ...patterns: readonly string[]): [string, HeaderFields][] =>
  patterns.map((pattern) => [pattern, POLICIES[policy].headers])

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
    ABOUT_PATH,
    AUTHORS_PATH,
    BLOG_PATH,
    `${BLOG_PATH}/:post`,
    '/docs/:page',
    STATS_PATH,
    AUTHORS_PATH,
    `${AUTHORS_PATH}/*`,
    CATEGORIES_PATH,
    `${CATEGORIES_PATH}/*`,
  ),
  ...pages('/skills', '/skills/:slug'),
  ...rawFiles('/skills/:slug/*'),
  index('/skills/:slug'),
  index('/skills/:slug/SKILL.md'),
  ...pages('/skills/page/:number'),
  // With an escaped slash, a file of a skill would match the rule for its page.
  ['/skills/:slug%2F*', ESCAPED],
  ['/skills/:slug%2f*', ESCAPED],
  ...files('zip', `${DOWNLOAD_PATH}/:id`),
  ...files('asset', '/_astro/*'),
  ...files('siteFile', '/previews/*', '/.well-known/*'),
  index(''),
  [`${AUTHORS_PATH}/:author/.well-known/*`, LIST],
  [`${CATEGORIES_PATH}/:category/.well-known/*`, LIST],
  [`${CATEGORIES_PATH}/:category/marketplace.json`, LIST],
  ...typed(
    ...SITE_FILE_PATHS,
    ...ZIP_TABLE_PATHS,
    SITEMAP_PATH,
    '/sitemap-:number.xml',
    ...FEED_FORMS.flatMap((form) => [
      feedPath(form),
      `${CATEGORIES_PATH}/:category${feedPath(form)}`,
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
