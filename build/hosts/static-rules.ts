import { DISCOVERY_PATH } from '../../src/api/discovery.ts'
import { POLICIES, describeFile, fitPrivacy } from '../../src/api/policies.ts'
import { FEEDS } from '../../src/documents/feeds/feeds.ts'
import {
  PATHS,
  FEED_FORMS,
  SITE_FILES,
  downloadPath,
  feedPath,
  skillPath,
  twinPath,
} from '../../src/documents/paths.ts'

type HeaderFields = Readonly<Record<string, string>>
type HeaderRule = readonly [pattern: string, headers: HeaderFields]

/** Applies to every address that no later rule matches; most are missing pages, which need the style sheets. */
const UNKNOWN: HeaderFields = {
  ...POLICIES.skillFile.headers,
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; sandbox",
}

const page = (pattern: string): HeaderRule => [pattern, POLICIES.html.headers]
const twin = (pattern: string): HeaderRule => [pattern, POLICIES.markdown.headers]

/** Lists for clients need their own type: their address is below a page, whose rule would send them as HTML. */
const LIST: HeaderFields = { ...POLICIES.siteFile.headers, ...describeFile('.json') }

/** Hosts disagree on the type and the charset of these files. */
const typed = (...patterns: readonly string[]): HeaderRule[] =>
  patterns.map((pattern) => [
    pattern,
    { ...POLICIES.siteFile.headers, ...describeFile(pattern.slice(1)) },
  ])

/** The folders of `/` whose pages lie at any depth. */
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
    ...[...FEEDS.map(({ folder }) => folder), `${PATHS.categories}/:category`].flatMap((folder) =>
      FEED_FORMS.map((form) => feedPath(form, folder)),
    ),
  ),
]

/**
 * Renders the header policies for a host of files, in the format of Cloudflare's `_headers`: at most 100 rules, one
 * `*` a rule. `pages` are the addresses of the pages at the root.
 */
export const renderHeadersFile = (pages: readonly string[], isPrivate?: boolean): string => {
  const rules = listRules(pages)
  const names = [...new Set(rules.flatMap(([, headers]) => Object.keys(headers)))]
  const blocks = rules.map(([pattern, headers], at) => {
    // A field that two rules set would be sent with both values. Detaching Content-Type also removes the type that
    // the host gives a file, so only a rule with a type of its own does that.
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

/** What a build keeps of skills that moved: new slugs by old ones, and new ids. */
export interface Moves {
  slugs: Readonly<Record<string, string>>
  ids: Readonly<Record<string, number>>
}

type RedirectRule = readonly [from: string, to: string, status?: 200 | 308]

const PATTERNS: readonly RedirectRule[] = [
  // A client that was given the address of a skill looks for its index below that address.
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

/** Renders the redirects of moved skills, and of pages that have another address; others have a page that leads on. */
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
