import type { Discovery } from './discovered.ts'
import { chooseForm } from './negotiate.ts'
import type { Form } from './negotiate.ts'
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
import { PATHS, bundlePath } from '../src/documents/paths.ts'

/** The one address that takes a body. */
export const MCP_PATH = '/mcp'

/** Its methods. No GET, which would open an event stream. */
export const MCP_ALLOW = 'POST, OPTIONS'

/** Largest body in bytes. */
export const BODY_LIMIT = 64 * 1024

/** A request body sent to `MCP_PATH`, with its header fields. */
interface Posted {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Undefined if it is larger than `BODY_LIMIT`. */
  body: Uint8Array<ArrayBuffer> | undefined
}

/** Header fields of the protocol in addition to `Mcp-*`. */
const READ = new Set(['accept', 'content-type'])

const collect = async (
  chunks: AsyncIterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const body = new Uint8Array(BODY_LIMIT)
  let length = 0
  for await (const chunk of chunks) {
    if (length + chunk.length > BODY_LIMIT) return undefined
    body.set(chunk, length)
    length += chunk.length
  }
  return body.slice(0, length)
}

/** Whether the declared length exceeds the limit; a chunked body declares none. */
export const isTooLong = (length: string | undefined): boolean => Number(length ?? 0) > BODY_LIMIT

/** Reads a body up to the limit. `fields` are header fields with names in lower case. */
export const readPosted = async (
  chunks: AsyncIterable<Uint8Array>,
  fields: Iterable<[string, string]>,
): Promise<Posted> => ({
  headers: Object.fromEntries(
    [...fields].filter(([name]) => READ.has(name) || name.startsWith('mcp-')),
  ),
  body: await collect(chunks),
})

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

/** Whose file it is that an address names. */
type FilePolicy = 'asset' | 'siteFile' | 'skillFile' | 'skillJson'

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
  /** A search page; `rawQuery` is for the address of its twin. */
  | ({ kind: 'results'; rawQuery: string; form: Form } & Parsed<typeof parseSearchPageQuery>)
  /** The page of a file; `location` is its canonical address if the request had another spelling. */
  | { kind: 'view'; slug: string; path: string; form: Form; location?: string }
  /** A bundle or its index; `location` is the canonical address if the request had another spelling. */
  | ({ kind: 'bundle'; address: BundleAddress; form: Form; location?: string } & Parsed<
      typeof parseBundle
    >)
  /** An index made from another one. */
  | { kind: 'discovery'; discovery: Discovery; form: Form }
  | { kind: 'missing'; form: Form }

/** Page, twin or index of a bundle. */
interface BundleAddress {
  isTwin: boolean
  isIndex: boolean
}

/** The parts of a request target that an answer depends on, both still percent-encoded. */
interface Target {
  path: string
  query: string
}

/** Absolute form of a target, as sent to proxies (RFC 9112 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]+/i

/**
 * Splits a request target into path and query (RFC 9112 3.2). Scheme and host of an absolute target are ignored,
 * since one server serves one site. Undefined if it names no resource: `*`, a
 * fragment, or anything that does not begin with `/`.
 */
const parseTarget = (target: string): Target | undefined => {
  const rest = target.replace(ABSOLUTE_FORM, '')
  const local = rest !== target && !rest.startsWith('/') ? `/${rest}` : rest
  if (!local.startsWith('/') || local.includes('#')) return undefined
  const mark = local.indexOf('?')
  return mark < 0
    ? { path: local, query: '' }
    : { path: local.slice(0, mark), query: local.slice(mark + 1) }
}

const isMcpTarget = (target: string): boolean => parseTarget(target)?.path === MCP_PATH

/** Whether a request may have a body that is read. */
export const isPosted = (method: string, target: string): boolean =>
  method === 'POST' && isMcpTarget(target)

/** Whether the path of a target is `room` or below. Decodes leniently, since the target may be malformed. */
const isBelow = (room: string, target: string): boolean => {
  const path = target.replace(ABSOLUTE_FORM, '').replace(/[?#].*$/s, '')
  const shown = path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return shown === room || shown.startsWith(`${room}/`)
}

/** Whether failures at this target use the error envelope. */
export const isApiTarget = (target: string): boolean => isBelow('/api', target)

const NOT_A_SEGMENT = new Set(['', '.', '..'])

const isPlain = (segment: string | undefined): segment is string =>
  segment !== undefined && !NOT_A_SEGMENT.has(segment) && !/[/\\\p{Cc}]/u.test(segment)

/**
 * Splits a raw path into decoded segments; `/` has none. Undefined if the path is invalid:
 * malformed escapes, dot segments, empty segments, backslashes, control characters, and slashes that
 * are escaped (RFC 3986 3.3).
 */
const parseSegments = (
  path: string,
): { segments: string[]; hasTrailingSlash: boolean } | undefined => {
  const raw = path.slice(1).split('/')
  const hasTrailingSlash = raw.length > 1 && raw.at(-1) === ''
  if (raw.at(-1) === '') raw.pop()
  const segments = raw.map(decodePercent)
  return segments.every(isPlain) ? { segments, hasTrailingSlash } : undefined
}

/** Never begins with `//`, which browsers would take for another host. */
const renderPath = (segments: readonly string[]): string =>
  `/${segments.map((segment) => encodeURIComponent(segment)).join('/')}`

const visible = (query: string): string => query.replace(/[^!-~]/g, '')

/** For the end of a `Location`: header fields may contain only visible ASCII. */
const renderQuery = (query: string): string => (query === '' ? '' : `?${visible(query)}`)

/** Compares the number of slashes too, since an escaped slash is not a separator. */
const isAt = (path: string, address: string): boolean =>
  decodePercent(path) === address && path.split('/').length === address.split('/').length

const routeApi = ({ path, query }: Target): Route => {
  if (path.endsWith(DISCOVERY_PATH)) {
    const id = path.slice(`${PATHS.download}/`.length, -DISCOVERY_PATH.length)
    if (path.startsWith(`${PATHS.download}/`) && !id.includes('/')) {
      return { kind: 'discovery', discovery: { id: parseDownload(id, query) }, form: 'html' }
    }
  }
  const lastSlash = path.lastIndexOf('/')
  if (isAt(path.slice(0, lastSlash), PATHS.download)) {
    return { kind: 'download', id: parseDownload(path.slice(lastSlash + 1), query) }
  }
  if (isAt(path, PATHS.listingApi)) return { kind: 'listing', query: parseListingQuery(query) }
  if (isAt(path, PATHS.searchApi)) return { kind: 'search', query: parseSearchQuery(query) }
  throw addressNotFound(path)
}

/** Files of the site whose names are not pages, whatever their extension. */
const FILE_FOLDERS = new Set(['_astro', '.well-known'])

/** `/skills/{slug}/…`: the files of a skill; `/skills/page/N` is a page (no skill has that slug). */
const isSkillFile = ([first, slug, ...rest]: readonly string[]): boolean =>
  first === 'skills' && slug !== 'page' && rest.length > 0 && rest[0] !== '.well-known'

const isSiteFile = (segments: readonly string[]): boolean =>
  segments.some((segment) => FILE_FOLDERS.has(segment)) ||
  /\.(?!md$|html$)[a-z0-9]+$/i.test(segments.at(-1) ?? '')

const JSON_ENDING = '.json'

/** `/skills/{slug}.json` */
const isSkillJson = ([room, name = '', ...rest]: readonly string[]): boolean =>
  room === 'skills' && name.endsWith(JSON_ENDING) && rest.length === 0

const filePolicy = (segments: readonly string[]): FilePolicy => {
  if (isSkillFile(segments)) return 'skillFile'
  if (isSkillJson(segments)) return 'skillJson'
  return segments[0] === '_astro' ? 'asset' : 'siteFile'
}

/** The first page of a listing has no number. */
const FIRST_PAGE = /^(skills|(?:authors|categories)(?:\/[^/]+)?)\/page\/1$/

/** Longest query that a page repeats in the address of its twin, in characters. */
const REPEATED_QUERY = 2_000

const LATER_PAGE = /^skills\/page\/\d+$/

/** The canonical name of a page, and the form that an extension asks for. */
const namePage = (segments: readonly string[]): { page: string; ending: string } => {
  const path = segments.join('/').toLowerCase()
  if (path === '' || path === '.md') return { page: 'index', ending: path }
  const [, base = path, ending = ''] = /^(.*[^/])(\.md|\.html)$/s.exec(path) ?? []
  return { page: base.replace(FIRST_PAGE, '$1'), ending }
}

/** An address that ends in `.md` is answered in Markdown, even if it is not found. */
const formOf = (path: string, negotiated: Form): Form =>
  /\.md\/?$/i.test(path) ? 'markdown' : negotiated

const pageAddress = (page: string, isTwin: boolean): string => {
  if (page === 'index') return isTwin ? '/index.md' : '/'
  return renderPath(`${page}${isTwin ? '.md' : ''}`.split('/'))
}

/** The first segment of the pages of files. */
const FILES = PATHS.files.slice(1)

const VIEW = /^view(\.md|\.html)?$/i

/** Forms of a skill's address, such as `foo.md` and `foo@foo`, below which clients look for an index. */
const SKILL_ADDRESS = /^([^.@]+)(?:\.md|@\1)$/

/** Routes the indexes that are generated from other indexes. */
const routeDiscovery = (segments: readonly string[], form: Form): Route | undefined => {
  const [room, name = '', ...rest] = segments
  const below = rest.join('/')
  if (room === 'authors' && below === DISCOVERY_PATH.slice(1))
    return { kind: 'discovery', discovery: { author: name }, form }
  if (room !== 'skills') return undefined
  const index = DISCOVERY_PATH.slice(1)
  const slug =
    below === `SKILL.md/${index}` ? name : below === index && SKILL_ADDRESS.exec(name)?.[1]
  return slug ? { kind: 'discovery', discovery: { slug }, form } : undefined
}

/** Address of the page, twin or index of a bundle. */
export const bundleAddress = (
  slugs: readonly string[],
  { isTwin, isIndex }: BundleAddress,
): string => bundlePath(slugs, isTwin) + (isIndex ? DISCOVERY_PATH : '')

/** Routes `/b/{slug}+{slug}`, its twin, the index below both, and the form that leads there. */
const routeBundle = (
  segments: readonly string[],
  { requested, query, form }: { requested: string; query: string; form: Form },
): Route | undefined => {
  const isIndex = segments.slice(2).join('/') === DISCOVERY_PATH.slice(1)
  if (isIndex && requested.endsWith('/')) return undefined
  const { page, ending } = namePage(isIndex ? segments.slice(0, 2) : segments)
  const [room, name = '', ...rest] = page.split('/')
  if (`/${room}` !== PATHS.bundles || rest.length > 0) return undefined
  const parsed = parseBundle(name, query)
  const address = { isTwin: ending === '.md', isIndex }
  const location = bundleAddress(parsed.slugs, address)
  const route = { kind: 'bundle', ...parsed, address, form: isIndex ? 'markdown' : form } as const
  // An escaped `+` is equivalent.
  if (requested.replaceAll('%2B', '+') === location) return route
  return { ...route, location: location + renderQuery(name === '' ? '' : query) }
}

/** Routes `/files/{slug}/{path}/view` and its twin; the path of a file is case-sensitive. */
const routeView = (
  segments: readonly string[],
  { requested, query, form }: { requested: string; query: string; form: Form },
): Route | undefined => {
  const [room = '', name = '', ...rest] = segments
  const last = VIEW.exec(rest.pop() ?? '')
  const slug = name.toLowerCase()
  if (room.toLowerCase() !== FILES || !last || !isSkillFile(['skills', slug, ...rest]))
    return undefined
  const view = last[1]?.toLowerCase() === '.md' ? 'view.md' : 'view'
  const address = renderPath([FILES, slug, ...rest, view])
  const route = { kind: 'view', slug, path: rest.join('/'), form } as const
  return requested === address ? route : { ...route, location: address + renderQuery(query) }
}

/**
 * Routes an address outside `/api`. A page has one address: lower-case, without trailing slash,
 * `.html` or `/index`; other spellings redirect there, query kept (decisions, "Markdown").
 */
const routeSite = ({ path, query }: Target, negotiated: Form): Route => {
  const split = parseSegments(path)
  if (!split) return { kind: 'missing', form: formOf(path, negotiated) }
  const { segments, hasTrailingSlash } = split
  const form = formOf(segments.at(-1) ?? '', negotiated)
  const requested = renderPath(segments) + (hasTrailingSlash ? '/' : '')
  const view = routeView(segments, { requested, query, form })
  if (view) return view
  const bundle = routeBundle(segments, { requested, query, form })
  if (bundle) return bundle
  const discovery = hasTrailingSlash ? undefined : routeDiscovery(segments, form)
  if (discovery) return discovery
  if (isSkillFile(segments) || isSiteFile(segments)) {
    return hasTrailingSlash
      ? { kind: 'missing', form }
      : { kind: 'file', file: segments.join('/'), policy: filePolicy(segments), form }
  }
  const { page, ending } = namePage(segments)
  // Nor is `/Skills/foo/notes` a page: the file notes.html of a skill must not be served as one.
  if (page === '404' || isSkillFile(page.split('/'))) return { kind: 'missing', form }
  const address = pageAddress(page, ending === '.md')
  // `/.md` is a second address of the twin of `/` (decisions, "Markdown").
  if (requested === address || requested === '/.md') {
    if (requested === MCP_PATH) return { kind: 'mcp' }
    const twin = { rawQuery: query.length > REPEATED_QUERY ? '' : visible(query), form }
    const isSearch = `/${page}` === PATHS.skills || LATER_PAGE.test(page)
    const parsed = isSearch ? parseSearchPageQuery(query) : undefined
    if (!parsed) return { kind: 'page', page, form }
    if (`/${page}` === PATHS.skills) return { kind: 'results', ...parsed, ...twin }
    // Only the first page shows search results, so a query on a later one redirects there.
    const location = pageAddress('skills', ending === '.md') + renderQuery(query)
    return { kind: 'moved', page: 'skills', form, location }
  }
  return { kind: 'moved', page, form, location: address + renderQuery(query) }
}

/** Finds the route of a request, or throws an ApiError. */
export const findRoute = ({ method, target, accept }: SiteRequest): Route => {
  if (target.length > TARGET_LIMIT) throw addressTooLong()
  if (isMcpTarget(target)) return { kind: 'mcp' }
  if (!METHODS.includes(method)) throw methodNotAllowed(method)
  if (method === 'OPTIONS') return { kind: 'options' }
  const parsed = parseTarget(target)
  if (!parsed) throw badRequest('The address is not a path', target)
  return isApiTarget(target) ? routeApi(parsed) : routeSite(parsed, chooseForm(accept))
}

/** Pages ignore case and a trailing slash, files and the JSON of a skill do not. */
const splitMoved = (segments: readonly string[], isFile: boolean): ReturnType<typeof namePage> => {
  const path = segments.join('/')
  if (isFile) return { page: path, ending: '' }
  return isSkillJson(segments)
    ? { page: path.slice(0, -JSON_ENDING.length), ending: JSON_ENDING }
    : namePage(segments)
}

/**
 * The address of a moved skill's page, twin, file, file page or anything else below its slug, with the new
 * slug and the same query. `slugs` maps old slugs to new ones. Undefined if the target names none of them.
 */
export const findMovedAddress = (
  target: string,
  slugs: Readonly<Record<string, string>>,
): string | undefined => {
  const parsed = parseTarget(target)
  const path = parsed && parseSegments(parsed.path)
  if (!parsed || !path) return undefined
  const { segments, hasTrailingSlash } = path
  const isFile = segments.length > 2
  if (isFile && hasTrailingSlash) return undefined
  const { page, ending } = splitMoved(segments, isFile)
  const [room = '', slug = '', ...rest] = page.split('/')
  const isSkills = room === 'skills' || (room === FILES && isFile)
  const next = isSkills && Object.hasOwn(slugs, slug) ? slugs[slug] : undefined
  if (next === undefined || (ending === JSON_ENDING && hasTrailingSlash)) return undefined
  const name = ending === '.html' ? next : next + ending
  return renderPath([room, name, ...rest]) + renderQuery(parsed.query)
}
