import type { Discovery } from './discovered.ts'
import { chooseForm } from './negotiate.ts'
import type { Form } from './negotiate.ts'
import type { Posted } from './posted.ts'
import { DISCOVERY_PATH } from '../src/api/discovery.ts'
import {
  METHODS,
  TARGET_LIMIT,
  addressNotFound,
  addressTooLong,
  badRequest,
  methodNotAllowed,
} from '../src/api/errors.ts'
import {
  decodePercent,
  parseBundle,
  parseDownload,
  parseListingQuery,
  parseSearchPageQuery,
  parseSearchQuery,
} from '../src/api/query.ts'
import type { ListingQuery } from '../src/api/query.ts'
import type { Category } from '../src/catalog/categories.ts'
import { encodePath } from '../src/catalog/address.ts'
import { PATHS, bundlePath } from '../src/documents/paths.ts'

/** The one address that takes a body. */
export const MCP_PATH = '/mcp'

/** Its methods. No GET, which would open an event stream. */
export const MCP_ALLOW = 'POST, OPTIONS'

/** The parts of a request that an answer depends on; the user agent is never one. */
export interface SiteRequest {
  method: string
  /** The request target as it was sent, in ASCII. */
  target: string
  accept?: string | undefined
  ifNoneMatch?: string | undefined
  range?: string | undefined
  ifRange?: string | undefined
  /** The body, read only for `MCP_PATH`. */
  posted?: Posted | undefined
}

type Parsed<Parse extends (...values: never[]) => unknown> = NonNullable<ReturnType<Parse>>

/** The header policy of a file, by its owner: the site or an author. */
type FilePolicy = 'asset' | 'siteFile' | 'skillFile' | 'skillJson'

/** Page, twin or index of a bundle. */
interface BundleAddress {
  isTwin: boolean
  isIndex: boolean
}

/** What answers a request. Files and pages may turn out not to exist. */
export type Route =
  | { kind: 'options' }
  | { kind: 'mcp' }
  | { kind: 'listing'; query: ListingQuery }
  | { kind: 'search'; query: Parsed<typeof parseSearchQuery> }
  | { kind: 'download'; id: number }
  /** `page` is the address without its `/`; that of `/` is `index`. */
  | { kind: 'page'; page: string; form: Form }
  /** `file` lies under `public/`; `form` is that of the page that says it is missing. */
  | { kind: 'file'; file: string; policy: FilePolicy; form: Form }
  /** A redirect to the canonical address of a page, if the page exists. */
  | { kind: 'moved'; page: string; form: Form; location: string }
  /** A redirect to where a skill is now. */
  | { kind: 'redirect'; location: string }
  /** A search page; `rawQuery` is for the address of its twin. */
  | ({ kind: 'results'; rawQuery: string; form: Form } & Parsed<typeof parseSearchPageQuery>)
  /** The page of a file; `location` is its canonical address if the request had another spelling. */
  | { kind: 'view'; slug: string; path: string; form: Form; location?: string }
  /** A bundle or its index; `location` is the canonical address if the request had another spelling. */
  | ({ kind: 'bundle'; isIndex: boolean; form: Form; location?: string } & Parsed<
      typeof parseBundle
    >)
  /** An index made from another one. */
  | { kind: 'discovery'; discovery: Discovery; form: Form }
  /** A version of a skill: its page, or a file whose address begins as that of its page does. */
  | { kind: 'version'; slug: string; name: string; ending: string; form: Form }
  | { kind: 'missing'; form: Form }

/** The parts of a request target that an answer depends on, both still percent-encoded. */
interface Target {
  path: string
  query: string
}

/** A path, alone or after scheme and host, which do not matter as one server serves one site (RFC 9112 3.2). */
const TARGET = /^(?:https?:\/\/[^/?#]+(?![^/?])|(?=\/))([^?#]*)(?:\?([^#]*))?$/i

/** Undefined if a target names no resource: `*`, a fragment, or anything that does not begin with `/`. */
const parseTarget = (target: string): Target | undefined => {
  const [, path, query = ''] = TARGET.exec(target) ?? []
  return path === undefined ? undefined : { path: path || '/', query }
}

const isMcpTarget = (target: string): boolean => parseTarget(target)?.path === MCP_PATH

/** Whether a request has a body that is read. */
export const isPosted = (method: string, target: string): boolean =>
  method === 'POST' && isMcpTarget(target)

/** Whether failures at this target use the error envelope of the API. Decodes leniently: it may be malformed. */
export const isApiTarget = (target: string): boolean => {
  const path = target.replace(/^https?:\/\/[^/?#]+|[?#].*$/gis, '')
  const shown = path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return /^\/api(?:\/|$)/.test(shown)
}

/** New slugs by old ones. */
type Slugs = Readonly<Record<string, string>>

/** The moved skills and the categories of a site, by which its addresses are routed. */
interface Known {
  /** The new slugs of moved skills by the old ones. */
  slugs?: Slugs
  /** The names of its categories. */
  categories?: readonly Category[] | undefined
}

/** An address that is being routed. */
interface Address extends Pick<Known, 'categories'> {
  /** Each segment is decoded once. */
  path: string
  /** Still percent-encoded. */
  query: string
  form: Form
  slugs: Slugs
}

/** An address outside `/api`, and the page that it names if it is one. */
interface SiteAddress extends Address {
  page: string
  isTwin: boolean
  /** The one spelling of the page's path. */
  folded: string
}

/**
 * A pattern of paths, the kind of their route, and its other values; where these are undefined, the next row is tried.
 */
type Row<Asked> = {
  [Kind in Route['kind']]: readonly [
    pattern: RegExp,
    kind: Kind,
    parse: (
      match: readonly string[],
      asked: Asked,
    ) => Omit<Extract<Route, { kind: Kind }>, 'kind'> | undefined,
  ]
}[Route['kind']]

/** The first row whose pattern matches and whose parser accepts the match decides. */
const findRow = <Asked>(
  rows: readonly Row<Asked>[],
  path: string,
  asked: Asked,
): Route | undefined => {
  for (const [pattern, kind, parse] of rows) {
    const match = pattern.exec(path)
    const fields = match && parse([...match], asked)
    if (fields) return { kind, ...fields } as Route
  }
  return undefined
}

/** A path that ends in an index of skills. */
const indexOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern}${DISCOVERY_PATH.replaceAll('.', '\\.')}$`)

const API_ROWS: readonly Row<Address>[] = [
  [
    /^\/api\/v1\/skills$/,
    'listing',
    (_, { query, categories }) => ({ query: parseListingQuery(query, categories) }),
  ],
  [/^\/api\/search$/, 'search', (_, { query }) => ({ query: parseSearchQuery(query) })],
  [
    /^\/api\/skills\/download\/([^/]*)$/,
    'download',
    ([, id = ''], { query }) => ({ id: parseDownload(id, query) }),
  ],
  [
    indexOf('/api/skills/download/([^/]*)'),
    'discovery',
    ([, id = ''], { query, form }) => ({ discovery: { id: parseDownload(id, query) }, form }),
  ],
]

/** Decodes a segment if that gives only characters that need no escape (RFC 3986 2.3). */
const decodePlain = (raw: string): string => {
  const text = decodePercent(raw)
  return text !== undefined && /^[\w.~-]*$/.test(text) ? text : raw
}

const routeApi = ({ path, query }: Target, { categories }: Known): Route => {
  const shown = path.split('/').map(decodePlain).join('/')
  const route = findRow(API_ROWS, shown, { path, query, form: 'html', slugs: {}, categories })
  if (!route) throw addressNotFound(path)
  return route
}

const NOT_A_SEGMENT = new Set(['', '.', '..'])

const isPlain = (segment: string | undefined): segment is string =>
  segment !== undefined && !NOT_A_SEGMENT.has(segment) && !/[/\\\p{Cc}]/u.test(segment)

/**
 * Decodes the segments of a path, which may end in a slash. Undefined if it is invalid: malformed escapes, dot segments,
 * empty segments, backslashes, control characters, and slashes that are escaped (RFC 3986 3.3). So no address that is made
 * of it begins with `//`, which browsers would take for another host.
 */
const decodePath = (path: string): string | undefined => {
  const raw = path.slice(1).split('/')
  const end = raw.at(-1) === '' ? raw.pop() : undefined
  const segments = raw.map(decodePercent)
  if (!segments.every(isPlain)) return undefined
  return `/${segments.join('/')}${end === undefined || segments.length === 0 ? '' : '/'}`
}

/** Never begins with `//`, which browsers would take for another host. An `@` stands before the name of a version. */
const encodeAddress = (path: string): string => encodePath(path).replaceAll('%40', '@')

const visible = (query: string): string => query.replace(/[^!-~]/g, '')

/** For the end of a `Location`: header fields may contain only visible ASCII. */
const renderQuery = (query: string): string => (query === '' ? '' : `?${visible(query)}`)

/** The first page of a listing has no number. */
const FIRST_PAGE = /^(\/(?:skills|(?:authors|categories)(?:\/[^/]+)?))\/page\/1$/

/** Folds the spellings of a page's address: case, a slash or `.html` at the end, `/index`, the first page of a list. */
const foldPage = (path: string): Pick<SiteAddress, 'page' | 'isTwin' | 'folded'> => {
  const lower = path.toLowerCase().replace(/(?<=.)\/$/s, '')
  // A second address of the twin of `/`.
  if (lower === '/.md') return { page: 'index', isTwin: true, folded: lower }
  const [, base = lower, ending] = /^(.*[^/])(\.md|\.html)$/s.exec(lower) ?? []
  const page = base.replace(FIRST_PAGE, '$1').slice(1) || 'index'
  const isTwin = ending === '.md'
  return { page, isTwin, folded: isTwin ? `/${page}.md` : page === 'index' ? '/' : `/${page}` }
}

/** The address of a page, file or index of a moved skill. */
const MOVABLE = new RegExp(
  `^/(skills|files(?=/[^/]+/))/([^/.@]+)(\\.md|\\.json|@\\2(?=${DISCOVERY_PATH}$))?(/.*[^/])?$`,
)

/** The new address of anything below an old slug, with the same query. */
const followMove = ({ path, query, slugs }: Address): string | undefined => {
  const isPage = /^\/skills\/[^/]*(?<!\.json\/?)\/?$/i.test(path)
  const shown = isPage ? foldPage(path).folded : path
  const [, room = '', slug = '', ending = '', rest = ''] = MOVABLE.exec(shown) ?? []
  if (!Object.hasOwn(slugs, slug)) return undefined
  const below = rest.endsWith(DISCOVERY_PATH) ? DISCOVERY_PATH : ending + rest
  return encodeAddress(`/${room}/${slugs[slug]}${below}`) + renderQuery(query)
}

const parseView = (
  [, name = '', file = '', ending = '']: readonly string[],
  { path, query, form }: Address,
) => {
  const slug = name.toLowerCase()
  const view = ending.toLowerCase() === '.md' ? 'view.md' : 'view'
  const address = `${PATHS.files}/${slug}/${file}/${view}`
  const fields = { slug, path: file, form }
  return path === address
    ? fields
    : { ...fields, location: encodeAddress(address) + renderQuery(query) }
}

const parseBundleAt = (
  name: string,
  { isTwin, isIndex }: BundleAddress,
  { path, query, form, slugs: moves }: Address,
) => {
  const { slugs: named, ...parsed } = parseBundle(name, query)
  const now = named.map((slug) => (Object.hasOwn(moves, slug) ? (moves[slug] ?? slug) : slug))
  const slugs = [...new Set(now)]
  const address = bundlePath(slugs, isTwin) + (isIndex ? DISCOVERY_PATH : '')
  const fields = { ...parsed, slugs, isIndex, form: isIndex ? 'markdown' : form } as const
  return path === decodePath(address)
    ? fields
    : { ...fields, location: address + renderQuery(name === '' ? '' : query) }
}

/** A name with an extension is a file, except for pages. */
const FILE_NAME = /\.(?!md$|html$)[a-z0-9]+$/i

const fileOf =
  (policy: FilePolicy) =>
  (_: readonly string[], { path, form }: Address) =>
    path.endsWith('/') ? undefined : { file: path.slice(1), policy, form }

/** A skill in an address; `/skills/page/2` is of a list. */
const OF_SKILL = '(?!page/)([^/]+)'

const ANY = /^/

/** Addresses that match exactly; in that of a file's page, only the slug and `/view` may be in any case. */
const EXACT_ROWS: readonly Row<Address>[] = [
  [new RegExp(`^/files/${OF_SKILL}/(.+)/view(\\.md|\\.html)?/?$`, 'is'), 'view', parseView],
  [
    indexOf('/authors/([^/]+)'),
    'discovery',
    ([, author = ''], { form }) => ({ discovery: { author }, form }),
  ],
  [
    indexOf('/skills/([^/.@]+)(?:\\.md|@\\1|/SKILL\\.md)'),
    'discovery',
    ([, slug = ''], { form }) => ({ discovery: { slug }, form }),
  ],
  [
    new RegExp(`^/skills/([^/@.]+)@([0-9a-f]{12})(|\\.md|\\.zip|${DISCOVERY_PATH})$`),
    'version',
    ([, slug = '', name = '', ending = ''], { form }) => ({ slug, name, ending, form }),
  ],
  [
    indexOf('/b/([^/]+?)(\\.md)?'),
    'bundle',
    ([, name = '', ending], asked) =>
      parseBundleAt(name, { isTwin: ending === '.md', isIndex: true }, asked),
  ],
  [/^\/skills\/[^/]+\.json$/, 'file', fileOf('skillJson')],
  [new RegExp(`^/skills/${OF_SKILL}/(?!\\.well-known/).`, 's'), 'file', fileOf('skillFile')],
  [/^\/_astro\//, 'file', fileOf('asset')],
  [/\/\.well-known\//, 'file', fileOf('siteFile')],
  [FILE_NAME, 'file', fileOf('siteFile')],
]

/** Longest query that a page repeats in the address of its twin, in characters. */
const REPEATED_QUERY = 2_000

/** Pages in their one spelling; what is not spelled so is redirected. */
const PAGE_ROWS: readonly Row<SiteAddress>[] = [
  // The file notes.html of a skill must not be served as a page.
  [new RegExp(`^(?:404$|skills/${OF_SKILL}/)`), 'missing', (_, { form }) => ({ form })],
  [FILE_NAME, 'missing', (_, { form }) => ({ form })],
  // `/b` is no file in the built site, so the row of pages does not match it.
  [
    /^b$/,
    'redirect',
    (_, { path, folded, query }) =>
      path === folded ? undefined : { location: folded + renderQuery(query) },
  ],
  [
    /^b(?:\/([^/]*))?$/,
    'bundle',
    ([, name = ''], asked) => parseBundleAt(name, { isTwin: asked.isTwin, isIndex: false }, asked),
  ],
  [
    ANY,
    'moved',
    (_, { path, folded, page, form, query }) =>
      path === folded
        ? undefined
        : { page, form, location: encodeAddress(folded) + renderQuery(query) },
  ],
  [
    /^skills$/,
    'results',
    (_, { query, form, categories }) => {
      const parsed = parseSearchPageQuery(query, categories)
      const rawQuery = query.length > REPEATED_QUERY ? '' : visible(query)
      return parsed && { ...parsed, rawQuery, form }
    },
  ],
  [
    // Only the first page shows search results, so a query on a later one redirects there.
    /^skills\/page\/\d+$/,
    'moved',
    (_, { query, form, isTwin }) =>
      parseSearchPageQuery(query) && {
        page: 'skills',
        form,
        location: PATHS.skills + (isTwin ? '.md' : '') + renderQuery(query),
      },
  ],
  [ANY, 'page', (_, { page, form }) => ({ page, form })],
]

/** An address that ends in `.md` is answered in Markdown, even if it is not found. */
const formOf = (path: string, negotiated: Form): Form =>
  /\.md\/?$/i.test(path) ? 'markdown' : negotiated

const routeSite = (target: Target, negotiated: Form, known: Known): Route => {
  const path = decodePath(target.path)
  if (path === undefined) return { kind: 'missing', form: formOf(target.path, negotiated) }
  const form = formOf(path, negotiated)
  const address = { path, query: target.query, form, slugs: {}, ...known }
  const location = followMove(address)
  if (location !== undefined) return { kind: 'redirect', location }
  const asked = { ...address, ...foldPage(path) }
  const route = findRow(EXACT_ROWS, path, asked) ?? findRow(PAGE_ROWS, asked.page, asked)
  return route ?? { kind: 'missing', form }
}

/** Finds the route of a request, or throws an ApiError. */
export const findRoute = (
  { method, target, accept }: Pick<SiteRequest, 'method' | 'target' | 'accept'>,
  known: Known = {},
): Route => {
  if (target.length > TARGET_LIMIT) throw addressTooLong()
  if (isMcpTarget(target)) return { kind: 'mcp' }
  if (!METHODS.includes(method)) throw methodNotAllowed(method)
  if (method === 'OPTIONS') return { kind: 'options' }
  const parsed = parseTarget(target)
  if (!parsed) throw badRequest('The address is not a path', target)
  return isApiTarget(target)
    ? routeApi(parsed, known)
    : routeSite(parsed, chooseForm(accept), known)
}
