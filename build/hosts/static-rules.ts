import { DISCOVERY_PATH } from '../../src/api/discovery.ts'
import { POLICIES, describeFile, fitPrivacy } from '../../src/api/policies.ts'
import { FEEDS } from '../../src/documents/feeds/feeds.ts'
import {
  PATHS,
  SITE_FILES,
  downloadPath,
  feedPath,
  skillPath,
  twinPath,
} from '../../src/documents/paths.ts'

type HeaderFields = Readonly<Record<string, string>>
type HeaderRule = readonly [pattern: string, headers: HeaderFields]

/** Headers for every address that no later rule matches. Most are missing pages, which need the style sheets. */
const UNKNOWN: HeaderFields = {
  ...POLICIES.skillFile.headers,
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; sandbox",
}

const page = (pattern: string): HeaderRule => [pattern, POLICIES.html.headers]
const twin = (pattern: string): HeaderRule => [pattern, POLICIES.markdown.headers]

/** Lists for clients are below the address of a page, whose rule would send them as HTML. */
const LIST: HeaderFields = { ...POLICIES.siteFile.headers, ...describeFile('.json') }

/** Sets the type of files for which hosts send different types or charsets. */
const typed = (...patterns: readonly string[]): HeaderRule[] =>
  patterns.map((pattern) => [
    pattern,
    { ...POLICIES.siteFile.headers, ...describeFile(pattern.slice(1)) },
  ])

/** Folders of `/` with pages at any depth. */
const SECTIONS = [PATHS.authors, PATHS.categories, PATHS.blog, PATHS.docs]

/** Only the last matching rule applies: each rule removes the headers that earlier ones set. */
const listRules = (pages: readonly string[]): HeaderRule[] => [
  ['/*', UNKNOWN],
  page('/'),
  ...['/index', ...pages].map((path) => twin(twinPath(path))),
  ...pages.map((path) => page(`${path}/`)),
  ...SECTIONS.flatMap((path) => [page(`${path}/*`), twin(`${path}/*.md`)]),
  ['/skills/:slug/*', POLICIES.skillFile.headers],
  ['/skills/:slug/*.md', { ...POLICIES.skillFile.headers, ...describeFile('.md') }],
  page('/skills/:slug/'),
  twin('/skills/:slug.md'),
  page('/skills/page/:number/'),
  twin('/skills/page/:number.md'),
  ['/skills/:slug.json', { ...POLICIES.skillJson.headers, ...describeFile('.json') }],
  [`/skills/:slug${DISCOVERY_PATH}`, LIST],
  [`${PATHS.download}/:id`, POLICIES.zip.headers],
  ['/skills/:version.zip', POLICIES.versionZip.headers],
  ['/_astro/*', POLICIES.asset.headers],
  ['/previews/*', POLICIES.siteFile.headers],
  ['/private/*', POLICIES.siteFile.headers],
  ['/.well-known/*', POLICIES.siteFile.headers],
  [DISCOVERY_PATH, LIST],
  [`${PATHS.authors}/:author/.well-known/*`, LIST],
  [`${PATHS.categories}/:category/.well-known/*`, LIST],
  [`${PATHS.categories}/:category/marketplace.json`, LIST],
  ...typed(
    ...Object.values(SITE_FILES),
    PATHS.dump,
    PATHS.sums,
    PATHS.versions,
    PATHS.sitemap,
    '/sitemap-:number.xml',
    ...[...FEEDS.map(({ folder }) => folder), `${PATHS.categories}/:category`].map((folder) =>
      feedPath(folder),
    ),
  ),
]

/**
 * Renders the header policies for a static host, in the format of Cloudflare's `_headers`: at most 100 rules, each with
 * at most one `*`. `pages` are the addresses of the pages at the root.
 */
export const renderHeadersFile = (pages: readonly string[], isPrivate?: boolean): string => {
  const rules = listRules(pages)
  const names = [...new Set(rules.flatMap(([, headers]) => Object.keys(headers)))]
  const blocks = rules.map(([pattern, headers], at) => {
    // A header that two rules set would be sent with both values, so each rule first detaches (`!`) earlier values.
    // Detaching Content-Type also removes the host's own type for a file, so only rules that set a type do that.
    const detached = names.filter((name) => at > 0 && (name !== 'Content-Type' || name in headers))
    const set = Object.entries(fitPrivacy(headers, isPrivate)).map(
      ([name, value]) => `  ${name}: ${value}`,
    )
    return [pattern, ...detached.map((name) => `  ! ${name}`), ...set].join('\n')
  })
  return `${blocks.join('\n\n')}\n`
}

/** Cloudflare's limits: rules for single addresses, and rules with placeholders. */
const EXACT_LIMIT = 2_000
const PATTERN_LIMIT = 100

/** The skills that moved: new slugs by old slugs, and new ids by old ids. */
export interface Moves {
  slugs: Readonly<Record<string, string>>
  ids: Readonly<Record<string, number>>
}

type RedirectRule = readonly [from: string, to: string, status?: 200 | 308]

const PATTERNS: readonly RedirectRule[] = [
  // A client looks for the index of a skill below the address that it was given.
  ...['.md', '/SKILL.md'].map((ending): RedirectRule => [
    `${PATHS.skills}/:slug${ending}${DISCOVERY_PATH}`,
    `${PATHS.skills}/:slug${DISCOVERY_PATH}`,
    200,
  ]),
  ...[PATHS.authors, PATHS.categories].flatMap((path): RedirectRule[] => [
    [`${path}/:name/page/1/`, `${path}/:name/`],
    [`${path}/:name/page/1.md`, `${path}/:name.md`],
  ]),
]

/** Renders redirects for second addresses and moved skills. Beyond the limits, a page at the old address redirects. */
export const renderRedirectsFile = ({ slugs, ids }: Moves): string => {
  const moved = Object.entries(slugs).map(([from, to]) => [skillPath(from), skillPath(to)] as const)
  const exact: RedirectRule[] = [
    ...[PATHS.skills, PATHS.authors, PATHS.categories].flatMap((path): RedirectRule[] => [
      [`${path}/page/1/`, `${path}/`],
      [`${path}/page/1.md`, `${path}.md`],
    ]),
    ...Object.entries(ids).map(([from, to]): RedirectRule => [
      downloadPath(Number(from)),
      downloadPath(to),
    ]),
    ...moved.flatMap(([from, to]): RedirectRule[] => [
      [from, `${to}/`],
      [twinPath(from), twinPath(to)],
      [`${from}.json`, `${to}.json`],
    ]),
  ]
  const patterns = [
    ...PATTERNS,
    ...moved.map(([from, to]): RedirectRule => [`${from}/*`, `${to}/:splat`]),
  ]
  // Rules for single addresses come first, since the first match wins.
  const rules = [...exact.slice(0, EXACT_LIMIT), ...patterns.slice(0, PATTERN_LIMIT)]
  return rules.map(([from, to, status = 308]) => `${from} ${to} ${status}\n`).join('')
}
