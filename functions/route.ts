import type { Discovery } from './discovered.ts'
import { chooseForm } from './negotiate.ts'
import type { Form } from './negotiate.ts'
import type { Posted } from './store.ts'
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
  parseDownload,
  parseListingQuery,
  parseSearchPageQuery,
  parseSearchQuery,
} from '../src/api/query.ts'
import type { ListingQuery } from '../src/api/query.ts'
import type { Category } from '../src/catalog/categories.ts'
import { encodePath } from '../src/catalog/address.ts'
import { VERSION_NAME } from '../src/catalog/text.ts'
import { PATHS } from '../src/documents/paths.ts'

/** The only address that accepts a request body. */
export const MCP_PATH = '/mcp'

/** The methods of `MCP_PATH`. GET is missing, since it would open an event stream. */
export const MCP_ALLOW = 'POST, OPTIONS'

/** The parts of a request that an answer can depend on. It never depends on the user agent. */
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

type FilePolicy = 'asset' | 'siteFile' | 'skillFile' | 'skillJson'

/** What a request asks for. The file or page need not exist. */
export type Route =
  | { kind: 'options' }
  | { kind: 'mcp' }
  | { kind: 'listing'; query: ListingQuery }
  | { kind: 'search'; query: Parsed<typeof parseSearchQuery> }
  | { kind: 'download'; id: number }
  /** `page` is the address without its first `/`. The page of `/` is `index`. */
  | { kind: 'page'; page: string; form: Form }
  /** `file` is a path in `public/`. `form` is the form of the 404 page if there is no such file. */
  | { kind: 'file'; file: string; policy: FilePolicy; form: Form }
  /** A redirect to the canonical address of a page, if the page exists. */
  | { kind: 'moved'; page: string; form: Form; location: string }
  /** A redirect, such as to the new address of a skill. */
  | { kind: 'redirect'; location: string }
  /** A search page; `rawQuery` is for the address of its twin. */
  | ({ kind: 'results'; rawQuery: string; form: Form } & Parsed<typeof parseSearchPageQuery>)
  /** The page of a file; `location` is its canonical address if the request had another spelling. */
  | { kind: 'view'; slug: string; path: string; form: Form; location?: string }
  /** An index for install clients. */
  | { kind: 'discovery'; discovery: Discovery; form: Form }
  /** A version of a skill: its page, or a file whose address is the page's address with an ending. */
  | { kind: 'version'; slug: string; name: string; ending: string; form: Form }
  | { kind: 'missing'; form: Form }

/** The parts of a request target that an answer depends on, both still percent-encoded. */
interface Target {
  path: string
  query: string
}

/** A path, with or without scheme and host (RFC 9112 3.2), which are ignored: a server has only one site. */
const TARGET = /^(?:https?:\/\/[^/?#]+(?![^/?])|(?=\/))([^?#]*)(?:\?([^#]*))?$/i

/** Undefined if the target is not an address: it is `*`, has a fragment, or does not start with `/`. */
const parseTarget = (target: string): Target | undefined => {
  const [, path, query = ''] = TARGET.exec(target) ?? []
  return path === undefined ? undefined : { path: path || '/', query }
}

/** Also true with a final slash, since not every client repeats a POST after a redirect. */
const isMcpTarget = (target: string): boolean =>
  parseTarget(target)?.path.replace(/\/$/, '') === MCP_PATH

/** Whether the body of a request is read. */
export const isPosted = (method: string, target: string): boolean =>
  method === 'POST' && isMcpTarget(target)

/** Decodes the path of a target leniently, since a target can be malformed. */
export const readPath = (target: string): string =>
  target
    .replace(/^https?:\/\/[^/?#]+|[?#].*$/gis, '')
    .replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )

const isApiTarget = (target: string): boolean => /^\/api(?:\/|$)/.test(readPath(target))

/** Whether errors at this target use the API's error envelope: below `/api`, and where a JSON file could be. */
export const isJsonTarget = (target: string): boolean =>
  isApiTarget(target) || readPath(target).endsWith('.json')

/** New slug by old slug, of moved skills. */
type Slugs = Readonly<Record<string, string>>

interface RoutingFacts {
  slugs?: Slugs
  /** The names of its categories. */
  categories?: readonly Category[] | undefined
}

/** An address that is being routed. */
interface Address extends Pick<RoutingFacts, 'categories'> {
  /** Each segment is decoded once. */
  path: string
  /** Still percent-encoded. */
  query: string
  form: Form
  slugs: Slugs
}

/** An address outside `/api`, read as the address of a page. */
interface SiteAddress extends Address {
  page: string
  isTwin: boolean
  /** The canonical spelling of the page's path. */
  folded: string
}

/**
 * A pattern of paths, the kind of route, and a parser of its other fields. If the parser returns undefined, the next
 * row is tried.
 */
type Row<AddressType> = {
  [Kind in Route['kind']]: readonly [
    pattern: RegExp,
    kind: Kind,
    parse: (
      match: readonly string[],
      address: AddressType,
    ) => Omit<Extract<Route, { kind: Kind }>, 'kind'> | undefined,
  ]
}[Route['kind']]

/** Returns the route of the first row whose pattern matches and whose parser accepts the match. */
const findRow = <AddressType>(
  rows: readonly Row<AddressType>[],
  path: string,
  address: AddressType,
): Route | undefined => {
  for (const [pattern, kind, parse] of rows) {
    const match = pattern.exec(path)
    const fields = match && parse([...match], address)
    if (fields) return { kind, ...fields } as Route
  }
  return undefined
}

/** Makes a pattern for the address of an index. */
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

/** Decodes a segment if the result has only characters that need no escape (RFC 3986 2.3). */
const decodePlain = (raw: string): string => {
  const text = decodePercent(raw)
  return text !== undefined && /^[\w.~-]*$/.test(text) ? text : raw
}

const routeApi = ({ path, query }: Target, { categories }: RoutingFacts): Route => {
  const decoded = path.split('/').map(decodePlain).join('/')
  const route = findRow(API_ROWS, decoded, { path, query, form: 'html', slugs: {}, categories })
  if (!route) throw addressNotFound(path)
  return route
}

const NOT_A_SEGMENT = new Set(['', '.', '..'])

const isPlain = (segment: string | undefined): segment is string =>
  segment !== undefined && !NOT_A_SEGMENT.has(segment) && !/[/\\\p{Cc}]/u.test(segment)

/**
 * Decodes the segments of a path, which can end in a slash. Undefined if the path has malformed escapes, dot segments,
 * empty segments, backslashes, control characters or escaped slashes (RFC 3986 3.3). So no redirect starts with `//`,
 * which browsers would read as another host.
 */
const decodePath = (path: string): string | undefined => {
  const raw = path.slice(1).split('/')
  const end = raw.at(-1) === '' ? raw.pop() : undefined
  const segments = raw.map(decodePercent)
  if (!segments.every(isPlain)) return undefined
  return `/${segments.join('/')}${end === undefined || segments.length === 0 ? '' : '/'}`
}

/** Encodes a path, except the `@` before the name of a version. */
const encodeAddress = (path: string): string => encodePath(path).replaceAll('%40', '@')

const keepVisible = (query: string): string => query.replace(/[^!-~]/g, '')

/** Renders the end of a `Location`. Header fields can contain only visible ASCII. */
const renderQuery = (query: string): string => (query === '' ? '' : `?${keepVisible(query)}`)

/** Page 1 of a list, whose canonical address has no number. */
const FIRST_PAGE = /^(\/(?:skills|(?:authors|categories)(?:\/[^/]+)?))\/page\/1$/

/** Reduces an address to its canonical spelling: lower case, without a final slash, `.html`, `/index` or `/page/1`. */
const foldPage = (path: string): Pick<SiteAddress, 'page' | 'isTwin' | 'folded'> => {
  const lower = path.toLowerCase().replace(/(?<=.)\/$/s, '')
  // `/.md` is a second address of the twin of `/`.
  if (lower === '/.md') return { page: 'index', isTwin: true, folded: lower }
  const [, base = lower, ending] = /^(.*[^/])(\.md|\.html)$/s.exec(lower) ?? []
  const page = base.replace(FIRST_PAGE, '$1').slice(1) || 'index'
  const isTwin = ending === '.md'
  return { page, isTwin, folded: isTwin ? `/${page}.md` : page === 'index' ? '/' : `/${page}` }
}

/** The addresses that move with a skill: page, twin, JSON, files, indexes and versions. */
const MOVABLE = new RegExp(
  `^/(skills|files(?=/[^/]+/))/([^/.@]+)(@(?:${VERSION_NAME}(?:\\.zip)?|versions))?(\\.md|\\.json|@\\2(?=${DISCOVERY_PATH}$))?(/.*[^/])?$`,
)

/** The new address of anything below an old slug, with the same query. */
const followMove = ({ path, query, slugs }: Address): string | undefined => {
  const isPage = /^\/skills\/[^/]*(?<!\.json\/?)\/?$/i.test(path)
  const address = isPage ? foldPage(path).folded : path
  const [, folder = '', slug = '', pin = '', ending = '', tail = ''] = MOVABLE.exec(address) ?? []
  if (!Object.hasOwn(slugs, slug)) return undefined
  const below = tail.endsWith(DISCOVERY_PATH) ? DISCOVERY_PATH : ending + tail
  return encodeAddress(`/${folder}/${slugs[slug]}${pin}${below}`) + renderQuery(query)
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

/** A name with an extension is a file, unless the extension is that of a page. */
const FILE_NAME = /\.(?!md$|html$)[a-z0-9]+$/i

const fileOf =
  (policy: FilePolicy) =>
  (_: readonly string[], { path, form }: Address) =>
    path.endsWith('/') ? undefined : { file: path.slice(1), policy, form }

/** A slug in an address. `/skills/page/2` is a page of a list. */
const OF_SKILL = '(?!page/)([^/]+)'

const ANY = /^/

/** Addresses that must match exactly, except the slug and `/view` in the address of a file's page. */
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
    new RegExp(`^/skills/([^/@.]+)@(${VERSION_NAME})(|\\.md|\\.zip|${DISCOVERY_PATH})$`),
    'version',
    ([, slug = '', name = '', ending = ''], { form }) => ({ slug, name, ending, form }),
  ],
  [/^\/skills\/[^/]+\.json$/, 'file', fileOf('skillJson')],
  [new RegExp(`^/skills/${OF_SKILL}/(?!\\.well-known/).`, 's'), 'file', fileOf('skillFile')],
  [/^\/_astro\//, 'file', fileOf('asset')],
  [/\/\.well-known\//, 'file', fileOf('siteFile')],
  [FILE_NAME, 'file', fileOf('siteFile')],
]

/** Longest query that a page repeats in the address of its twin, in characters. */
const REPEATED_QUERY = 2_000

/** Pages. Every other spelling is redirected to the canonical one. */
const PAGE_ROWS: readonly Row<SiteAddress>[] = [
  // A skill's file notes.html must not be served as a page.
  [new RegExp(`^(?:404$|skills/${OF_SKILL}/)`), 'missing', (_, { form }) => ({ form })],
  [FILE_NAME, 'missing', (_, { form }) => ({ form })],
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
      const rawQuery = query.length > REPEATED_QUERY ? '' : keepVisible(query)
      return parsed && { ...parsed, rawQuery, form }
    },
  ],
  [
    // Only page 1 shows search results, so a query on a later page redirects to page 1.
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

const routeSite = (target: Target, negotiated: Form, facts: RoutingFacts): Route => {
  const path = decodePath(target.path)
  if (path === undefined) return { kind: 'missing', form: formOf(target.path, negotiated) }
  const form = formOf(path, negotiated)
  const address = { path, query: target.query, form, slugs: {}, ...facts }
  const location = followMove(address)
  if (location !== undefined) return { kind: 'redirect', location }
  const site = { ...address, ...foldPage(path) }
  const route = findRow(EXACT_ROWS, path, address) ?? findRow(PAGE_ROWS, site.page, site)
  return route ?? { kind: 'missing', form }
}

/** Finds the route of a request, or throws an ApiError. */
export const findRoute = (
  { method, target, accept }: Pick<SiteRequest, 'method' | 'target' | 'accept'>,
  facts: RoutingFacts = {},
): Route => {
  if (target.length > TARGET_LIMIT) throw addressTooLong()
  if (isMcpTarget(target)) return { kind: 'mcp' }
  if (!METHODS.includes(method)) throw methodNotAllowed(method)
  if (method === 'OPTIONS') return { kind: 'options' }
  const parsed = parseTarget(target)
  if (!parsed) throw badRequest('The address is not a path', target)
  return isApiTarget(target)
    ? routeApi(parsed, facts)
    : routeSite(parsed, chooseForm(accept), facts)
}
