import { readFileSync } from 'node:fs'
import { renderApiCatalog } from '../../src/api/openapi.ts'
import {
  HEADERS_FILE,
  REDIRECTS_FILE,
  renderHeadersFile,
  renderRedirectsFile,
} from '../../src/api/cdn.ts'
import { DISCOVERY_PATH, joinDiscovery } from '../../src/api/discovery.ts'
import { DOWNLOADS_NAME, writeDownloads } from '../../src/catalog/tables.ts'
import { resolveMoves } from '../../src/catalog/references.ts'
import type { Problem } from '../../src/catalog/problems.ts'
import type { Retired } from '../../src/catalog/schema.ts'
import { isListed, pageDayOf, isInstallable } from '../../src/catalog/skill.ts'
import type { Skill, SkillFacts } from '../../src/catalog/skill.ts'
import { ANSWERED_KINDS } from '../../src/documents/answered/page.ts'
import type { AnsweredKind, AnsweredSite } from '../../src/documents/answered/page.ts'
import type { ApiDescription } from '../../src/documents/api-page.ts'
import { listFeeds, renderOpenSearch } from '../../src/documents/feeds.ts'
import { renderLlms, renderRobots, sitemapRow } from '../../src/documents/llms.ts'
import type { SitemapRow } from '../../src/documents/llms.ts'
import { renderFavicon } from '../../src/documents/leaf.ts'
import {
  PATHS,
  SITE_FILES,
  authorPath,
  categoryPath,
  skillPath,
} from '../../src/documents/paths.ts'
import { listChoices } from '../../src/documents/site.ts'
import type { Site } from '../../src/documents/site.ts'
import type { Template } from '../../src/documents/template.ts'
import { publicName } from './skill-files.ts'
import type { Output } from './skill-files.ts'
import type { DiscoveryEntry } from '../../src/api/discovery.ts'
import { CATEGORIES } from '../../src/catalog/categories.ts'
import {
  MOST_OFFERED,
  listPlugins,
  marketplacePath,
  renderMarketplace,
} from '../../src/documents/marketplace.ts'
import type { BuildState, ListRow, SkillLine } from './state.ts'
import type { Tree } from './tree.ts'

/** Renders the table of moved slugs and ids; `skills` are those that have a page. */
const renderMoves = (
  retired: readonly Retired[],
  skills: readonly Pick<Skill, 'id' | 'slug'>[],
): string => {
  const moves = resolveMoves(retired, skills)
  const slugs = Object.fromEntries(moves.map(({ slug, to }) => [slug, to.slug]))
  const others = moves.filter(({ id, to }) => id !== to.id)
  const ids = Object.fromEntries(others.map(({ id, to }) => [id, to.id]))
  const removed = Object.fromEntries(
    retired
      .filter(({ slug }) => !Object.hasOwn(slugs, slug))
      .map(({ slug, reason = '' }) => [slug, reason]),
  )
  return `${JSON.stringify({ slugs, ids, removed })}\n`
}

/** Warns about moved skills that a CDN without the function cannot redirect. */
export const warnOfMoves = (
  retired: readonly Retired[],
  skills: readonly Pick<Skill, 'id' | 'slug'>[],
): Problem[] => {
  const { left } = renderRedirectsFile(resolveMoves(retired, skills))
  return (['pages', 'files'] as const)
    .filter((lost) => left[lost] > 0)
    .map((lost) => ({
      file: 'retired.json',
      field: 'movedTo',
      remedy: `public/${REDIRECTS_FILE} is full: a CDN without the function will not find the ${lost} of ${left[lost]} moved skills at their old addresses`,
    }))
}

/** The sitemap row of a skill's page; undefined if it must not be indexed. */
export const mapSkill = (
  skill: Pick<Skill, 'slug' | 'updated' | 'source' | 'visibility'>,
  origin: string,
): SitemapRow[] =>
  sitemapRow(
    { path: skillPath(skill.slug), updated: pageDayOf(skill), isIndexable: isListed(skill) },
    origin,
  )

/** A skill in the tables of zips. */
type ZipRow = ReturnType<BuildState['listZips']>[number]

/** The catalog as NDJSON. */
const renderDump = (rows: readonly ZipRow[]): string =>
  rows
    .filter((row) => row.isListed)
    .map(({ id, slug, sha256, updated, category, source }) => {
      const line = { id, slug, digest: `sha256:${sha256}`, updated, category, source }
      return `${JSON.stringify(line)}\n`
    })
    .join('')

/** Checksums of all zips by download file name, for `sha256sum -c`. */
const renderSums = (rows: readonly ZipRow[]): string =>
  rows.map((row) => (row.isListed ? `${row.sha256}  ${row.slug}.zip\n` : '')).join('')

/** Lists the files with a line for each zip; every change to a skill's files changes them. */
export const listZipTables = (listZips: () => readonly ZipRow[]): Output[] => {
  let rows: readonly ZipRow[] | undefined
  const toOutput =
    (render: (rows: readonly ZipRow[]) => Uint8Array | string): Output['make'] =>
    () =>
      render((rows ??= listZips()))
  return [
    { name: DOWNLOADS_NAME, make: toOutput(writeDownloads) },
    { name: publicName(PATHS.dump), make: toOutput(renderDump) },
    { name: publicName(PATHS.sums), make: toOutput(renderSums) },
  ]
}

export const INDEX_NAME = 'private/search.index'

/** File with the templates and data of the pages that the function renders. */
export const ANSWERED_NAME = 'private/answered.json'

export const renderAnswered = (
  site: Parameters<typeof listChoices>[0],
  templates: Readonly<Record<AnsweredKind, Template>>,
): string => {
  const answered: AnsweredSite = {
    siteName: site.catalog.site.name,
    choices: listChoices(site),
    templates: Object.fromEntries(
      ANSWERED_KINDS.map((kind) => [kind, templates[kind]]),
    ) as AnsweredSite['templates'],
  }
  return `${JSON.stringify(answered)}\n`
}

/** The inputs of the files that depend on the whole catalog. */
interface SiteFileSource {
  site: Site
  api: ApiDescription
  retired: readonly Retired[]
  /** Skills that have a page, by id. */
  skills: readonly Pick<Skill, 'id' | 'slug'>[]
  /** Files that Astro made: styles, scripts, the icon. */
  assets: readonly { name: string; path: string }[]
  /** Makes the file that the function renders pages from. */
  makeAnswered: () => string
  listZips: () => readonly ZipRow[]
}

/** Every file of a site that is neither a page, nor a skill's, nor a sitemap, nor the search index. */
export const listSiteFiles = (source: SiteFileSource): Output[] => {
  const { site, api, retired, skills, assets, makeAnswered, listZips } = source
  const { origin } = site
  const isPrivate = site.catalog.site.private
  const rendered: Record<(typeof SITE_FILES)[keyof typeof SITE_FILES], () => string> = {
    [PATHS.openapi]: () => `${JSON.stringify(api, null, 2)}\n`,
    [PATHS.llms]: () => renderLlms(site),
    [PATHS.robots]: () => renderRobots(origin, isPrivate),
    [PATHS.favicon]: () => renderFavicon(site.catalog.site.look),
    [PATHS.opensearch]: () => renderOpenSearch(site),
    [PATHS.apiCatalog]: () => renderApiCatalog(origin),
  }
  return [
    ...assets.map(({ name, path }) => ({ name, make: () => readFileSync(path) })),
    ...Object.values(SITE_FILES).map((path) => ({ name: publicName(path), make: rendered[path] })),
    ...listFeeds(site).map(({ path, make }) => ({ name: publicName(path), make })),
    { name: `public/${HEADERS_FILE}`, make: () => renderHeadersFile(isPrivate) },
    {
      name: `public/${REDIRECTS_FILE}`,
      make: () => renderRedirectsFile(resolveMoves(retired, skills)).text,
    },
    { name: 'private/site.json', make: () => `${JSON.stringify({ origin, isPrivate })}\n` },
    { name: ANSWERED_NAME, make: makeAnswered },
    { name: 'private/moves.json', make: () => renderMoves(retired, skills) },
    ...listZipTables(listZips),
  ]
}

/** Most addresses in one sitemap file (sitemaps.org protocol, and decisions). */
const SITEMAP_LIMIT = 50_000

/** An address that the package's normalization leaves unchanged, as most are. */
const PLAIN_ADDRESS = /^https?:\/\/(?:[a-z\d.-]+\.)?[a-z]+(?::[1-9]\d{3})?(?:\/[\w-]+)+$/

// Addresses contain no other characters that XML escapes.
const escapeAddress = (url: string): string =>
  PLAIN_ADDRESS.test(url) ? url : new URL(url).href.replaceAll('&', '&amp;')

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'

/** Renders one sitemap, byte-equal to the package's, whose stream takes ten times as long. */
const renderSitemap = (rows: readonly SitemapRow[]): string => {
  const lines = rows.map(
    ({ url, lastmod }) =>
      `<url><loc>${escapeAddress(url)}</loc>${lastmod ? `<lastmod>${lastmod}</lastmod>` : ''}</url>`,
  )
  return `${HEAD}${lines.join('')}</urlset>`
}

const renderIndex = async (urls: readonly string[], lastmod: string): Promise<Buffer> => {
  // Loaded lazily: most builds write no sitemap index.
  const { SitemapIndexStream, streamToPromise } = await import('sitemap')
  const stream = new SitemapIndexStream({ lastmodDateOnly: true })
  for (const url of urls) stream.write(lastmod === '' ? { url } : { url, lastmod })
  stream.end()
  return streamToPromise(stream)
}

/** Writes /sitemap.xml; above `limit` rows, as an index of /sitemap-1.xml and so on. */
export const writeSitemaps = async (
  given: readonly SitemapRow[],
  origin: string,
  limit = SITEMAP_LIMIT,
): Promise<Output[]> => {
  const latest = given.reduce((day, { lastmod = '' }) => (lastmod > day ? lastmod : day), '')
  // Every address needs a date; an unknown one is at most the latest known.
  const rows = given.map((row) =>
    row.lastmod || latest === '' ? row : { ...row, lastmod: latest },
  )
  if (rows.length <= limit) {
    return [{ name: 'public/sitemap.xml', make: () => renderSitemap(rows) }]
  }
  const outputs: Output[] = []
  for (let at = 0; at < rows.length; at += limit) {
    const part = rows.slice(at, at + limit)
    outputs.push({
      name: `public/sitemap-${outputs.length + 1}.xml`,
      make: () => renderSitemap(part),
    })
  }
  const urls = outputs.map(({ name }) => origin + name.slice('public'.length))
  const index = await renderIndex(urls, latest)
  return [...outputs, { name: 'public/sitemap.xml', make: () => index }]
}

/** A file that lets a client install several skills: an index, or the marketplace of a category. */
interface ClientList {
  path: string
  skills: readonly SkillFacts[]
}

const listOf = (path: string, skills: readonly SkillFacts[]): ClientList[] =>
  skills.length === 0 ? [] : [{ path, skills }]

const takeDiscovered = (skills: readonly SkillFacts[]): SkillFacts[] => {
  const first: SkillFacts[] = []
  for (const skill of skills) {
    if (first.length === MOST_OFFERED) break
    if (isInstallable(skill)) first.push(skill)
  }
  return first
}

/** Plans the lists of a site, most popular skills first; `starter` lists the skills of the root index, in order. */
export function* planLists(site: Site, starter: readonly SkillFacts[]): Generator<ClientList> {
  yield* listOf(DISCOVERY_PATH, starter)
  for (const category of CATEGORIES) {
    const skills = site.byCategory.get(category) ?? []
    yield* listOf(categoryPath(category) + DISCOVERY_PATH, takeDiscovered(skills))
    yield* listOf(marketplacePath(category), listPlugins(skills, site.origin))
  }
  for (const { name, skills } of site.byAuthor.values()) {
    // For an author with one skill, the function answers with that skill's own index.
    const listed = takeDiscovered(skills)
    if (listed.length > 1) yield* listOf(authorPath(name) + DISCOVERY_PATH, listed)
  }
}

/** Paths of the lists that may contain a skill. */
const listPathsOf = ({ category, author }: SkillFacts): string[] => [
  DISCOVERY_PATH,
  categoryPath(category) + DISCOVERY_PATH,
  marketplacePath(category),
  authorPath(author) + DISCOVERY_PATH,
]

interface ListSource {
  siteName: string
  origin: string
  readIndex: (slug: string) => string
}

export const renderList = (
  { path, skills }: ClientList,
  { siteName, origin, readIndex }: ListSource,
): string => {
  const [first] = skills
  if (!first || path !== marketplacePath(first.category))
    return joinDiscovery(skills.map(({ slug }) => readIndex(slug)))
  const zipDigestOf = ({ slug }: SkillFacts): string => {
    const { skills: entries } = JSON.parse(readIndex(slug)) as { skills: DiscoveryEntry[] }
    return entries[0]!.digest.replace('sha256:', '')
  }
  return renderMarketplace({ siteName, origin, category: first.category, skills, zipDigestOf })
}

/** Prints the lists whose members changed or that contain a changed skill; returns the rows of all lists. */
export const printLists = (
  lists: Iterable<ClientList>,
  source: ListSource,
  tree: Tree,
  { old, changed }: { old: ReadonlyMap<string, ListRow>; changed: ReadonlySet<number> },
): ListRow[] => {
  const rows: ListRow[] = []
  for (const list of lists) {
    const { path, skills } = list
    const before = old.get(path)
    const ids = skills.map(({ id }) => id)
    const row = { path, ids: ids.join() }
    const isSame = before?.ids === row.ids
    if (!isSame || ids.some((id) => changed.has(id)))
      tree.place(publicName(path), renderList(list, source))
    rows.push(isSame ? before : row)
  }
  return rows
}

/** Prints the lists that contain one of the given skills, provided that no list's members changed. */
export const reprintLists = (
  changed: readonly SkillLine[],
  source: ListSource,
  tree: Tree,
  { findList, find }: ListLookup,
): void => {
  const ids = new Set(changed.map(({ id }) => id))
  for (const path of new Set(changed.flatMap(({ facts }) => listPathsOf(facts)))) {
    const listed = findList(path)?.ids.split(',').map(Number) ?? []
    if (!listed.some((id) => ids.has(id))) continue
    const skills = listed.flatMap((id) => find(id)?.facts ?? [])
    tree.place(publicName(path), renderList({ path, skills }, source))
  }
}

/** Looks up a list in the last build and a skill in this one. */
interface ListLookup {
  findList: (path: string) => ListRow | undefined
  find: (id: number) => SkillLine | undefined
}
