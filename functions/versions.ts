import { VERSION_NAME } from '../src/catalog/text.ts'
import { POLICIES, describeFile } from '../src/api/policies.ts'
import { printOnRequest } from '../src/documents/on-request/page.ts'
import { writeUnserved } from '../src/documents/on-request/version.ts'
import type { ListedVersion, VersionList } from '../src/documents/on-request/version.ts'
import { versionListPath, versionPath } from '../src/documents/paths.ts'
import { answerBytes, answerFile } from './answers.ts'
import type { Answer } from './answers.ts'
import type { Route, SiteRequest } from './route.ts'
import { SLUG, readJson } from './site.ts'
import type { ServedSite } from './site.ts'

/** Reads the list of a skill's versions. Throws UNAVAILABLE if it is damaged. */
export const readVersionList = (
  { store }: ServedSite,
  slug: string,
): Promise<VersionList | undefined> =>
  readJson<VersionList>(store, `public${versionListPath(slug)}`)

/** The name of the page of a version. */
const PAGE = new RegExp(`^skills/([^/@]+)@(${VERSION_NAME})$`)

/** Finds the version of a page in its skill's list of versions. */
export const findVersion = async (
  site: ServedSite,
  page: string,
): Promise<{ list: VersionList; version: ListedVersion } | undefined> => {
  const [, slug = '', name] = PAGE.exec(page) ?? []
  const list = SLUG.test(slug) ? await readVersionList(site, slug) : undefined
  const version = list?.versions.find((row) => row.name === name)
  return list && version && { list, version }
}

type VersionRoute = Extract<Route, { kind: 'version' }>

const answerServed = async (
  request: SiteRequest,
  { slug, name, ending, form }: VersionRoute,
  { store }: ServedSite,
): Promise<Answer | undefined> => {
  const isPage = ending === '' || ending === '.md'
  const suffix = isPage ? (form === 'html' ? '.html' : '.md') : ending
  const file = await store.read(`public${versionPath(slug, name)}${suffix}`)
  if (!file) return undefined
  const version = await file.digest()
  if (isPage) return answerFile(request, { file, policy: form, version: `${version}-${form}` })
  const json = { policy: 'skillJson', headers: describeFile('.json') } as const
  if (ending !== '.zip') return answerFile(request, { file, version, ...json })
  const headers = { 'Content-Disposition': `attachment; filename="${slug}@${name}.zip"` }
  return answerFile(request, { file, policy: 'versionZip', version, headers })
}

/**
 * Answers the address of a version: with its file, or with the reason why it is not served. Undefined if the skill has
 * not had the version. Throws UNAVAILABLE if the list of versions cannot be read.
 */
export const answerVersion = async (
  request: SiteRequest,
  route: VersionRoute,
  site: ServedSite,
): Promise<Answer | undefined> => {
  const { slug, name, ending, form } = route
  if (!SLUG.test(slug)) return undefined
  const served = await answerServed(request, route, site)
  if (served) return served
  const { list, version } = (await findVersion(site, versionPath(slug, name).slice(1))) ?? {}
  if (!list || version?.reason === undefined) return undefined
  const onRequest = await site.onRequest()
  const document = writeUnserved(onRequest.siteName, list, version)
  const isPage = ending === '' || ending === '.md'
  // A program that requested a zip or an index gets plain text.
  const { headers } = isPage ? POLICIES[form === 'html' ? 'onRequest' : 'markdown'] : POLICIES.plain
  const text = printOnRequest(document, isPage ? form : 'markdown', site.origin, onRequest)
  return answerBytes(text, 410, headers)
}
