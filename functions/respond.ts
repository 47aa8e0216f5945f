import { hash } from 'node:crypto'
import {
  ALLOW,
  addressNotFound,
  methodNotAllowed,
  skillNotFound,
  unavailable,
} from '../src/api/errors.ts'
import type { ClientSkill } from '../src/api/openapi.ts'
import { POLICIES, describeFile, fitPrivacy } from '../src/api/policies.ts'
import type { PolicyName } from '../src/api/policies.ts'
import type { ListingQuery } from '../src/api/query.ts'
import { PATHS, skillPath } from '../src/documents/paths.ts'
import { answerBytes, answerFile, answerRedirect, answerThrown, fitMethod } from './answers.ts'
import type { Answer, Report } from './answers.ts'
import { findIndex } from './discovered.ts'
import type { Form } from './negotiate.ts'
import { answerResults, answerUnknownSkill, answerView, findNearestSkills } from './pages.ts'
import { answerVersion, findVersion } from './versions.ts'
import { MCP_ALLOW, findRoute, isJsonTarget, readPath } from './route.ts'
import type { Route, SiteRequest } from './route.ts'
import { ALL_SKILLS, hasSkillPage, refuseWithdrawn } from './site.ts'
import type { ServedSite } from './site.ts'
import { rawTypeOf, readBody, storeBytes } from './store.ts'
import type { Store, StoredFile } from './store.ts'

/** The source of the served site. A newer build can replace the current one at any time. */
export interface SiteSource {
  /** The current build. Throws UNAVAILABLE if there is none. */
  current(): Promise<ServedSite>
  /** The origin in error answers while there is no build. */
  origin: string
  /** Answers requests of the Model Context Protocol. If undefined, `/mcp` does not exist. */
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

/** Answers with a page. The form is part of its ETag, so the ETag of the HTML never validates the Markdown. */
const answerPageFile = async (
  request: SiteRequest,
  { page, form }: Extract<Route, { kind: 'page' }>,
  site: ServedSite,
): Promise<Answer> => {
  const file = await readPage(site.store, page, form)
  if (!file) return answerMissing(form, site)
  const version = `${await file.digest()}-${form}`
  return answerFile(request, { file, policy: form, version })
}

/** Answers with a skill's raw file or one of the site's own files. */
const answerSiteFile = async (
  request: SiteRequest,
  { file: name, policy, form }: Extract<Route, { kind: 'file' }>,
  site: ServedSite,
): Promise<Answer> => {
  const file = await site.store.read(`public/${name}`)
  // The build leaves out the files and the index of a withdrawn skill.
  const [folder, slug = ''] = name.split('/')
  if (folder === 'skills' && !file) refuseWithdrawn(site, slug)
  if (!file) return answerMissing(form, site)
  const headers =
    policy === 'skillFile' ? { 'Content-Type': await rawTypeOf(name, file) } : describeFile(name)
  return answerFile(request, { file, policy, version: await file.digest(), headers })
}

/** Answers with a generated text, whose digest is the ETag. */
const answerGenerated = (
  request: SiteRequest,
  text: string,
  policy: PolicyName,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const version = hash('sha256', text, 'base64url')
  return answerFile(request, { file: storeBytes(text), policy, version, headers })
}

/** Answers with JSON that clients must revalidate at each use. */
const answerIndex = (request: SiteRequest, text: string): Promise<Answer> =>
  answerGenerated(request, text, 'skillJson', describeFile('.json'))

const answerListing = async (
  request: SiteRequest,
  query: ListingQuery,
  site: ServedSite,
): Promise<Answer> => {
  const { limit, offset } = query
  const search = await site.search()
  const { skills, total } = await search.find(query)
  return answerGenerated(request, JSON.stringify({ skills, total, limit, offset }), 'listing')
}

/** Answers the search of install clients. They print each row as `{source}@{name}`, an address to install from. */
const answerSearch = async (
  request: SiteRequest,
  { owner: author, ...query }: Extract<Route, { kind: 'search' }>['query'],
  site: ServedSite,
): Promise<Answer> => {
  const search = await site.search()
  const { skills } = await search.find({ ...ALL_SKILLS, ...query, author })
  const found = skills.map(({ slug, installs }): ClientSkill => {
    const path = skillPath(slug)
    return { id: path.slice(1), name: slug, source: site.origin + path, installs }
  })
  return answerGenerated(request, JSON.stringify({ skills: found }), 'listing')
}

/** Answers a download with the zip of the skill, or 308 if another skill has replaced it. */
const answerDownload = async (
  request: SiteRequest,
  id: number,
  site: ServedSite,
): Promise<Answer> => {
  refuseWithdrawn(site, id)
  const download = await site.findDownload(id)
  if (!download) {
    const next = site.moves.ids[id]
    if (next === undefined) throw skillNotFound(String(id))
    return answerRedirect(`${PATHS.download}/${next}`)
  }
  const file = await site.store.read(`public${PATHS.download}/${id}`)
  if (!file) throw unavailable(new Error(`the zip of skill ${id} is missing`))
  const headers = { 'Content-Disposition': `attachment; filename="${download.slug}.zip"` }
  return answerFile(request, { file, policy: 'zip', version: download.sha256, headers })
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

/** Answers a request to `MCP_PATH`; 404 on a host without MCP. */
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
  { mcp }: SiteSource,
  report: Report,
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
    case 'results':
      return answerResults(route, site, report)
    case 'view':
      refuseWithdrawn(site, route.slug)
      return (await answerView(route, site)) ?? answerMissing(route.form, site)
    case 'redirect':
      return answerRedirect(route.location)
    case 'discovery':
      return answerDiscovery(request, route, site)
    case 'page':
      return answerPageFile(request, route, site)
    case 'file':
      return answerSiteFile(request, route, site)
    case 'moved': {
      const isThere =
        (await readPage(site.store, route.page, route.form)) ??
        (await findVersion(site, route.page))
      return isThere ? answerRedirect(route.location) : answerMissing(route.form, site)
    }
    case 'version':
      return (await answerVersion(request, route, site)) ?? answerMissing(route.form, site)
    case 'missing':
      return answerMissing(route.form, site)
  }
}

/** The slug in the address of a skill, of its files or versions. The skill need not exist. */
const findSkillSlug = (route: Route): { slug: string; form: Form } | undefined => {
  if ('slug' in route) return route
  if (!('page' in route || 'file' in route)) return undefined
  const path = 'page' in route ? route.page : route.file
  const [, slug] = /^skills\/(?!page\/)([^/]+?)(?:\.json|\/.*)?$/s.exec(path) ?? []
  return slug === undefined ? undefined : { slug, form: route.form }
}

/** Suggests skills at the address of an unknown skill. Throws NOT_FOUND where programs expect JSON. */
const suggestSkills = async (
  route: Route,
  { target }: SiteRequest,
  site: ServedSite,
  plain: Answer,
  report: Report,
): Promise<Answer> => {
  const skill = findSkillSlug(route)
  const isJson = isJsonTarget(target)
  let near: readonly string[] = []
  try {
    if (skill && !(await hasSkillPage(skill.slug, site))) {
      const nearest = await findNearestSkills(skill.slug, site)
      if (!isJson) return await answerUnknownSkill(skill, nearest, site)
      near = nearest.skills.map(({ slug }) => slug)
    }
  } catch (error) {
    // Without a search, the plain answer is still correct.
    report(error)
  }
  if (isJson) throw addressNotFound(readPath(target), near)
  return plain
}

const respondAsPublic = async (
  request: SiteRequest,
  site: ServedSite,
  source: SiteSource,
  report: Report,
): Promise<Answer> => {
  try {
    const { slugs } = site.moves
    const route = findRoute(request, { slugs, categories: site.categories })
    const answer = await answerRoute(route, request, site, source, report)
    const isUnknown = answer.status === 404
    return fitMethod(
      request.method,
      isUnknown ? await suggestSkills(route, request, site, answer, report) : answer,
    )
  } catch (thrown) {
    return answerThrown(thrown, request, site.origin, report)
  }
}

/** Answers a request from one finished build. Never throws: every failure is an answer. */
const respond: typeof respondAsPublic = async (request, site, source, report) => {
  const answer = await respondAsPublic(request, site, source, report)
  return site.isPrivate ? { ...answer, headers: fitPrivacy(answer.headers, true) } : answer
}

/** Statuses that can be due to the removal of the build during the request. */
const RETRY_ON = new Set([404, 500, 503])

/** Answers from the current build; if that fails, from a newer build if one was published meanwhile. */
export const serve = async (
  request: SiteRequest,
  source: SiteSource,
  report: Report,
): Promise<Answer> => {
  try {
    const site = await source.current()
    const answer = await respond(request, site, source, report)
    if (!RETRY_ON.has(answer.status)) return answer
    const later = await source.current()
    return later === site ? answer : await respond(request, later, source, report)
  } catch (thrown) {
    return answerThrown(thrown, request, source.origin, report)
  }
}
