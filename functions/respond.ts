import { hash } from 'node:crypto'
import type { ClawhubRequest } from '../src/api/clawhub.ts'
import { ALLOW, methodNotAllowed, skillNotFound, unavailable } from '../src/api/errors.ts'
import type { ClientSkill } from '../src/api/openapi-schemas.ts'
import { DEFAULT_SORT } from '../src/catalog/browse.ts'
import { renderDiscovery } from '../src/api/discovery.ts'
import { describeFile, mediaTypeOf } from '../src/api/media-types.ts'
import { POLICIES, fitPrivacy } from '../src/api/policies.ts'
import type { PolicyName } from '../src/api/policies.ts'
import type { AskedPage, ListingQuery, SearchQuery } from '../src/api/query.ts'
import { writeBundle, writeNoBundle, writeUnbundled } from '../src/documents/answered/bundle.ts'
import {
  writeCompared,
  writeIncomparable,
  writeSame,
  writeUncompared,
} from '../src/documents/answered/compare.ts'
import { writeUnknownSkill } from '../src/documents/answered/missing.ts'
import { printAnswered } from '../src/documents/answered/print.ts'
import type { AnsweredDocument, AnsweredSite } from '../src/documents/answered/print.ts'
import { writeRefusal, writeResults } from '../src/documents/answered/results.ts'
import { readFilePage } from './file-page.ts'
import { joinBytes } from '../src/search/index.ts'
import { COMPARE_PATH, DOWNLOAD_PATH, comparePath, skillPath } from '../src/documents/paths.ts'
import { answerBytes, answerFile, answerRedirect, answerThrown, fitMethod } from './answers.ts'
import type { Answer, Report } from './answers.ts'
import { MCP_ALLOW } from './posted.ts'
import { rawTypeOf } from './media-types.ts'
import type { Form } from './negotiate.ts'
import { findResults } from './results.ts'
import {
  findBundle,
  findInstalled,
  findNamedSkill,
  findNearestSkills,
  findSheets,
} from './named-skills.ts'
import { findIndex, readEntry } from './discovered.ts'
import { bundleAddress, findMovedAddress, findRoute } from './route.ts'
import { findClawhub } from './clawhub.ts'
import type { Route, SiteRequest } from './route.ts'
import type { ServedSite } from './site.ts'
import { readBody } from './store.ts'
import type { ByteRange, Store, StoredFile } from './store.ts'
import type { NamedSkill } from './named-skills.ts'

/** Where the served site comes from; a newer build may replace it at any time. */
export interface SiteSource {
  /** The current build. Throws UNAVAILABLE if there is none. */
  current(): Promise<ServedSite>
  /** The origin for failures while there is no build. */
  origin: string
  /** Answers the Model Context Protocol; without it, `/mcp` does not exist. */
  mcp?: ((request: SiteRequest, site: ServedSite) => Promise<Answer>) | undefined
}

/** File extension of each form of a page. */
const ENDINGS: Record<Form, string> = { html: '.html', markdown: '.md' }

const readPage = (store: Store, page: string, form: Form): Promise<StoredFile | undefined> =>
  store.read(`public/${page}${ENDINGS[form]}`)

const answerMissing = async (form: Form, { store }: ServedSite): Promise<Answer> => {
  const file = await readPage(store, '404', form)
  if (!file) return answerBytes('There is no such page.\n', 404, POLICIES.plain.headers)
  const headers = { ...POLICIES[form].headers, 'Cache-Control': 'no-store' }
  return answerBytes(await readBody(await file.body()), 404, headers)
}

/** The form is part of the ETag, so that one never validates the other. */
const answerPage = async (
  request: SiteRequest,
  { page, form }: Extract<Route, { kind: 'page' }>,
  site: ServedSite,
): Promise<Answer> => {
  const file = await readPage(site.store, page, form)
  if (!file) return answerMissing(form, site)
  const version = `${await file.digest()}-${form}`
  return answerFile(request, { file, policy: form, version })
}

/** Answers with a raw file of a skill or one of the site's own files. */
const answerSiteFile = async (
  request: SiteRequest,
  { file: name, policy, form }: Extract<Route, { kind: 'file' }>,
  site: ServedSite,
): Promise<Answer> => {
  const file = await site.store.read(`public/${name}`)
  if (!file) return answerMissing(form, site)
  const headers =
    policy === 'skillFile' ? { 'Content-Type': await rawTypeOf(name, file) } : describeFile(name)
  return answerFile(request, { file, policy, version: await file.digest(), headers })
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const [START, COMMA] = [encode('{"skills":['), encode(',')]

/** Writes a SkillSearchResponse (registry-api 2.3). Rows stay bytes: decoding them would take a fifth longer. */
const writeListing = async (
  query: ListingQuery,
  site: ServedSite,
): Promise<Uint8Array<ArrayBuffer>> => {
  const { limit, offset } = query
  const search = await site.search()
  if (!search.findRows) {
    const { skills, total } = await search.find(query)
    return encode(JSON.stringify({ skills, total, limit, offset }))
  }
  const { rows, total } = await search.findRows(query)
  const parts = rows.flatMap((row, at) => (at === 0 ? [row] : [COMMA, row]))
  const end = encode(`],"total":${total},"limit":${limit},"offset":${offset}}`)
  return joinBytes([START, ...parts, end])
}

/** Answers with generated bytes, whose digest is the ETag. */
const answerMade = (
  request: SiteRequest,
  bytes: Uint8Array<ArrayBuffer>,
  policy: PolicyName,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  // The bytes are in memory, so a range is a slice.
  const body = async (range?: ByteRange) =>
    range ? bytes.subarray(range.first, range.last + 1) : bytes
  const file = { size: bytes.length, body }
  return answerFile(request, { file, policy, version: hash('sha256', bytes, 'base64url'), headers })
}

const answerListing = async (
  request: SiteRequest,
  query: ListingQuery,
  site: ServedSite,
): Promise<Answer> => {
  return answerMade(request, await writeListing(query, site), 'listing')
}

/** Answers the search for clients, which print each row as `{source}@{name}`, an address that they can install from. */
const answerSearch = async (
  request: SiteRequest,
  { owner: author, ...query }: SearchQuery,
  site: ServedSite,
): Promise<Answer> => {
  const search = await site.search()
  const asked = { ...query, author, sort: DEFAULT_SORT, categories: [], offset: 0 }
  const { skills } = await search.find(asked)
  const found = skills.map(({ slug, installs }): ClientSkill => {
    const path = skillPath(slug)
    return { id: path.slice(1), name: slug, source: site.origin + path, installs }
  })
  return answerMade(request, encode(JSON.stringify({ skills: found })), 'listing')
}

/**
 * Answers a download with the zip of the skill (registry-api 4.2; decisions, "Downloads"), or 308 if
 * another skill has replaced it.
 */
const answerDownload = async (
  request: SiteRequest,
  id: number,
  site: ServedSite,
): Promise<Answer> => {
  const download = await site.findDownload(id)
  if (!download) {
    const next = (await site.moves()).ids[id]
    if (next === undefined) throw skillNotFound(String(id))
    return answerRedirect(`${DOWNLOAD_PATH}/${next}`)
  }
  const file = await site.store.read(`public${DOWNLOAD_PATH}/${id}`)
  if (!file) throw unavailable(new Error(`the zip of skill ${id} is missing`))
  const headers = { 'Content-Disposition': `attachment; filename="${download.slug}.zip"` }
  return answerFile(request, { file, policy: 'zip', version: download.sha256, headers })
}

/** Answers the ClawHub CLI. A single skill must be revalidated at each use, so that its version and zip are of one build. */
const answerClawhub = async (
  request: SiteRequest,
  asked: ClawhubRequest,
  site: ServedSite,
): Promise<Answer> => {
  const found = await findClawhub(asked, site)
  if ('zip' in found) return answerRedirect(found.zip, 307)
  if ('list' in found) return answerMade(request, encode(found.list), 'listing')
  const headers = { 'Content-Type': mediaTypeOf('.json') }
  return answerMade(request, encode(found.one), 'siteFile', headers)
}

const answerPrinted = (
  document: AnsweredDocument,
  status: number,
  form: Form,
  site: ServedSite,
  answered: AnsweredSite,
): Answer => {
  const { headers } = form === 'html' ? POLICIES.answered : POLICIES.markdown
  return answerBytes(printAnswered(document, form, site.origin, answered), status, headers)
}

const writeSearch = async (
  { query, problem }: AskedPage,
  given: string,
  orders: AnsweredSite['orders'],
  site: ServedSite,
): Promise<AnsweredDocument> => {
  if (problem) return writeRefusal({ ...query, orders }, problem, given)
  const { counts, ...results } = await findResults(query, await site.search())
  return writeResults({ ...query, counts, orders }, results)
}

/** Answers a search with a page of results, or with a page that explains an invalid parameter. */
const answerResults = async (
  { asked, given, form }: Extract<Route, { kind: 'results' }>,
  site: ServedSite,
): Promise<Answer> => {
  const answered = await site.answered()
  const document = await writeSearch(asked, given, answered.orders, site)
  return answerPrinted(document, asked.problem?.status ?? 200, form, site, answered)
}

/** Answers a comparison, with a page that names unknown skills if there are any. */
const answerCompared = async (
  { asked: { slugs, problem }, given, form }: Extract<Route, { kind: 'compare' }>,
  site: ServedSite,
): Promise<Answer> => {
  const answered = await site.answered()
  const print = (document: AnsweredDocument, status: number): Answer =>
    answerPrinted(document, status, form, site, answered)
  if (problem) return print(writeUncompared(slugs, problem, given), problem.status)
  const found = await findSheets(slugs, site)
  if ('one' in found) return print(writeSame(slugs, found.one, given), 400)
  if ('moved' in found) return answerRedirect(comparePath(found.moved, form === 'markdown'))
  if ('missing' in found) return print(writeIncomparable(slugs, found.missing, given), 404)
  return print(writeCompared(found.sheets), 200)
}

const answerIndex = (request: SiteRequest, text: string): Promise<Answer> =>
  answerMade(request, encode(text), 'siteFile', { 'Content-Type': mediaTypeOf('.json') })

/** Answers a bundle as a page or an index, or with a page that names unknown skills. */
const answerBundle = async (
  request: SiteRequest,
  { asked: { slugs, problem }, address, form, location }: Extract<Route, { kind: 'bundle' }>,
  site: ServedSite,
): Promise<Answer> => {
  const print = async (document: AnsweredDocument, status: number): Promise<Answer> =>
    answerPrinted(document, status, form, site, await site.answered())
  if (problem) return print(writeNoBundle(slugs, problem), 404)
  const answerWith = async <Part extends object>(
    read: (slug: string, site: ServedSite) => Promise<Part | undefined>,
    answer: (parts: Part[]) => Promise<Answer>,
  ): Promise<Answer> => {
    const found = await findBundle(slugs, read, site)
    if ('moved' in found) return answerRedirect(bundleAddress(found.moved, address))
    if ('unbundled' in found) return print(writeUnbundled(slugs, found.unbundled), 404)
    return location === undefined ? answer(found.parts) : answerRedirect(location)
  }
  return address.isIndex
    ? answerWith(readEntry, (entries) => answerIndex(request, renderDiscovery(entries)))
    : answerWith(findInstalled, (sheets) => print(writeBundle(sheets, site.origin), 200))
}

/** Answers an unknown address below /skills with suggestions. */
const answerUnknownSkill = async (
  { slug, form }: NamedSkill,
  site: ServedSite,
): Promise<Answer> => {
  const answered = await site.answered()
  const nearest = await findNearestSkills(slug, site)
  const document = writeUnknownSkill(answered.siteName, slug, nearest)
  return answerPrinted(document, 404, form, site, answered)
}

/** Answers with the page of a file, or with a page that explains why there is none. */
const answerView = async (
  route: Extract<Route, { kind: 'view' }>,
  site: ServedSite,
): Promise<Answer> => {
  const page = await readFilePage(route, site)
  if (!page) return answerMissing(route.form, site)
  if (page.status === 200 && route.location !== undefined) return answerRedirect(route.location)
  return answerPrinted(page.document, page.status, route.form, site, await site.answered())
}

const answerDiscovery = async (
  request: SiteRequest,
  { discovery, form }: Extract<Route, { kind: 'discovery' }>,
  site: ServedSite,
): Promise<Answer> => {
  const found = await findIndex(discovery, site)
  if (!found) return answerMissing(form, site)
  if ('location' in found) return answerRedirect(found.location)
  return answerIndex(request, found.text)
}

const answerOptions = (allow = ALLOW): Answer => {
  const headers = { Allow: allow, 'Access-Control-Allow-Methods': allow }
  return { status: 204, headers: { ...POLICIES.options.headers, ...headers }, body: null }
}

/** Answers the Model Context Protocol; 404 on a host without it. */
const answerProtocol = async (
  request: SiteRequest,
  site: ServedSite,
  mcp: SiteSource['mcp'],
): Promise<Answer> => {
  const { method } = request
  const allow = mcp ? MCP_ALLOW : ALLOW
  if (method === 'OPTIONS') return answerOptions(allow)
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead && !(mcp && method === 'POST')) throw methodNotAllowed(method, allow)
  return mcp ? mcp(request, site) : answerMissing('html', site)
}

const answerRoute = async (
  route: Route,
  request: SiteRequest,
  site: ServedSite,
  mcp: SiteSource['mcp'],
): Promise<Answer> => {
  switch (route.kind) {
    case 'mcp':
      return answerProtocol(request, site, mcp)
    case 'options':
      return answerOptions()
    case 'listing':
      return answerListing(request, route.query, site)
    case 'search':
      return answerSearch(request, route.query, site)
    case 'download':
      return answerDownload(request, route.id, site)
    case 'clawhub':
      return answerClawhub(request, route.asked, site)
    case 'results':
      return answerResults(route, site)
    case 'view':
      return answerView(route, site)
    case 'compare':
      return answerCompared(route, site)
    case 'bundle':
      return answerBundle(request, route, site)
    case 'discovery':
      return answerDiscovery(request, route, site)
    case 'page':
      return answerPage(request, route, site)
    case 'file':
      return answerSiteFile(request, route, site)
    case 'moved': {
      const isPrinted = `/${route.page}` === COMPARE_PATH
      const isPage = isPrinted || (await readPage(site.store, route.page, route.form))
      return isPage ? answerRedirect(route.location) : answerMissing(route.form, site)
    }
    case 'missing':
      return answerMissing(route.form, site)
  }
}

/** Whether an address, in any spelling, may be that of a moved skill. */
const isBelowSkills = (target: string): boolean => {
  const path = target.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
  return /^\/(?:skills|files)\/./i.test(path)
}

/** Answers an address that was not found: with a redirect if the skill moved, else with suggestions. */
const answerElse = async (
  route: Route,
  { target }: SiteRequest,
  site: ServedSite,
  answer: Answer,
  report: Report,
): Promise<Answer> => {
  // If the moves cannot be read, only such an address is affected.
  if (!isBelowSkills(target)) return answer
  const location = findMovedAddress(target, (await site.moves()).slugs)
  if (location !== undefined) return answerRedirect(location)
  const named = findNamedSkill(route)
  if (!named || (await readPage(site.store, `skills/${named.slug}`, 'html'))) return answer
  try {
    return await answerUnknownSkill(named, site)
  } catch (error) {
    // Without a search, the plain 404 page is still correct.
    report(error)
    return answer
  }
}

const respondAsPublic = async (
  request: SiteRequest,
  site: ServedSite,
  { mcp }: SiteSource,
  report: Report,
): Promise<Answer> => {
  try {
    const route = findRoute(request)
    const answer = await answerRoute(route, request, site, mcp)
    if (answer.status !== 404) return fitMethod(request.method, answer)
    return fitMethod(request.method, await answerElse(route, request, site, answer, report))
  } catch (thrown) {
    return answerThrown(thrown, request, site.origin, report)
  }
}

/** Answers a request from one finished build. It never throws: every failure is an answer. */
const respond: typeof respondAsPublic = async (request, site, source, report) => {
  const answer = await respondAsPublic(request, site, source, report)
  return site.isPrivate ? { ...answer, headers: fitPrivacy(answer.headers, true) } : answer
}

/** Statuses that may only mean that the build was removed during the request. */
const DOUBTFUL = new Set([404, 500, 503])

/** Answers a request from the current build, and once more if the build changed under it. */
export const serve = async (
  request: SiteRequest,
  source: SiteSource,
  report: Report,
): Promise<Answer> => {
  try {
    const site = await source.current()
    const answer = await respond(request, site, source, report)
    if (!DOUBTFUL.has(answer.status)) return answer
    const later = await source.current()
    return later === site ? answer : await respond(request, later, source, report)
  } catch (thrown) {
    return answerThrown(thrown, request, source.origin, report)
  }
}
