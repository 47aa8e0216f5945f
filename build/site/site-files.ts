import { readFileSync } from 'node:fs'
import { SitemapIndexStream, SitemapStream, streamToPromise } from 'sitemap'
import { DISCOVERY_PATH, joinDiscovery } from '../../src/api/discovery.ts'
import { DOWNLOADS_NAME, writeDownloads } from '../../src/catalog/downloads.ts'
import { resolveMoves } from '../../src/catalog/references.ts'
import type { Advisory, Retired } from '../../src/catalog/schema.ts'
import { describeSafety } from '../../src/documents/lists/entries.ts'
import { hasText, isListed, pageDayOf, isInstallable } from '../../src/catalog/skill.ts'
import type { Skill, SkillFacts, SkillZip } from '../../src/catalog/skill.ts'
import { ON_REQUEST_KINDS } from '../../src/documents/on-request/page.ts'
import type { OnRequestKind, OnRequestSite } from '../../src/documents/on-request/page.ts'
import type { ApiDescription } from '../../src/documents/api-page.ts'
import { renderFeeds } from '../../src/documents/feeds/feeds.ts'
import { renderLlms, renderRobots, sitemapRow } from '../../src/documents/feeds/llms.ts'
import type { SitemapRow } from '../../src/documents/feeds/llms.ts'
import { renderFavicon } from '../../src/documents/mark.ts'
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
import type { SiteFrame } from '../../src/documents/view.ts'
import { digestText } from './digests.ts'
import { publicName } from './skill-files.ts'
import type { NextFolder } from './target.ts'
import {
  MOST_OFFERED,
  listPlugins,
  marketplacePath,
  renderMarketplace,
} from '../../src/documents/feeds/marketplace.ts'
import type { Marketplace } from '../../src/documents/feeds/marketplace.ts'

/** A file of the site. The name is its path in the site's folder. */
export interface SiteFile {
  name: string
  bytes: Uint8Array | string
}

/** Writes files, each as an output whose key is the digest of its content. */
export const placeFiles = (files: Iterable<SiteFile>, target: NextFolder): void => {
  for (const { name, bytes } of files) {
    const output = { name, key: digestText(bytes), files: [name] }
    if (!target.keepOrClear(output)) target.write(output, [bytes])
  }
}

/** Renders the table of moved slugs and ids; `skills` are the skills with a page. */
const renderMoves = (
  retired: readonly Retired[],
  skills: readonly Pick<Skill, 'id' | 'slug' | 'withdrawn'>[],
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
  const gone = skills.flatMap(({ id, slug, withdrawn }) =>
    withdrawn ? [[slug, { id, summary: withdrawn.summary }] as const] : [],
  )
  const withdrawn = gone.length > 0 ? Object.fromEntries(gone) : undefined
  return `${JSON.stringify({ slugs, ids, removed, withdrawn })}\n`
}

/** Returns the sitemap row of a skill's page; no row if it must not be indexed. */
export const mapSkill = (
  skill: Pick<Skill, 'slug' | 'updated' | 'source' | 'visibility'>,
  origin: string,
): SitemapRow[] => {
  const page = { path: skillPath(skill.slug), updated: pageDayOf(skill) }
  return isListed(skill) ? [sitemapRow(page, origin)] : []
}

interface ZipRow extends SkillZip {
  skill: SkillFacts & Pick<Skill, 'licenceWords'>
}

/** Renders the catalog as NDJSON, with everything that a program needs to copy it. */
const renderDump = (rows: readonly ZipRow[]): string =>
  rows
    .map(({ skill, sha256, size }) => {
      const { id, slug, updated = null, category, source, name, author, description } = skill
      const url = source.kind === 'upstream' ? source.url : null
      const licence = skill.licenceWords ?? skill.licence ?? null
      const known = { id, slug, digest: `sha256:${sha256}`, updated, category, source: url }
      const [tokens, safety] = [skill.tokens ?? null, describeSafety(skill)]
      const rest = { licence, description, hasText: hasText(skill), size, tokens, safety }
      return `${JSON.stringify({ ...known, name, author, ...rest })}\n`
    })
    .join('')

/** Renders the checksums of all zips by download file name, for `sha256sum -c`. */
const renderSums = (rows: readonly ZipRow[]): string =>
  rows.map(({ skill, sha256 }) => `${sha256}  ${skill.slug}.zip\n`).join('')

/** Lists the files with a line for each zip, sorted by id. They change with every change of a skill's files. */
export const listZipTables = (zips: readonly ZipRow[]): SiteFile[] => {
  // A gone skill has a zip but no line in the tables.
  const listed = zips.filter(({ skill }) => isListed(skill))
  const downloads = zips.map(({ skill: { id, slug }, sha256 }) => ({ id, slug, sha256 }))
  return [
    { name: DOWNLOADS_NAME, bytes: writeDownloads(downloads) },
    { name: publicName(PATHS.dump), bytes: renderDump(listed) },
    { name: publicName(PATHS.sums), bytes: renderSums(listed) },
  ]
}

/** File with the templates and data of the pages that the function renders. */
const ON_REQUEST_NAME = 'private/answered.json'

const renderOnRequest = ({
  site,
  frame: { siteName, navigation },
  templates,
}: SiteFileSource): string => {
  const data: OnRequestSite = {
    siteName,
    navigation,
    choices: listChoices(site),
    templates: Object.fromEntries(
      ON_REQUEST_KINDS.map((kind) => [kind, templates[kind]]),
    ) as OnRequestSite['templates'],
  }
  return `${JSON.stringify(data)}\n`
}

/** The inputs of the files that depend on the whole catalog. */
interface SiteFileSource {
  site: Site
  api: ApiDescription
  retired: readonly Retired[]
  /** Skills with a page, sorted by id. */
  skills: readonly Pick<Skill, 'id' | 'slug' | 'withdrawn'>[]
  /** Advisories that withdraw versions; undefined if no versions are promised. */
  advisories: readonly Advisory[] | undefined
  /** Files that Astro made: styles, scripts, fonts. */
  assets: readonly { name: string; path: string }[]
  templates: Readonly<Record<OnRequestKind, Template>>
  frame: SiteFrame
  pictures: { favicon?: string | undefined }
}

/** Lists the files of a site other than pages, files of skills, lists of skills, and the search index. */
export const listSiteFiles = (source: SiteFileSource): SiteFile[] => {
  const { site, api, retired, skills, advisories = [], assets, pictures } = source
  const { origin } = site
  const isPrivate = site.catalog.site.private
  const categories = site.catalog.site.categories && [...site.byCategory.keys()]
  const rendered: Record<(typeof SITE_FILES)[keyof typeof SITE_FILES], string> = {
    [PATHS.openapi]: `${JSON.stringify(api, null, 2)}\n`,
    [PATHS.llms]: renderLlms(site),
    [PATHS.robots]: renderRobots(origin, isPrivate),
    [PATHS.favicon]: pictures.favicon ?? renderFavicon(site.catalog.site.theme),
  }
  return [
    ...assets.map(({ name, path }) => ({ name, bytes: readFileSync(path) })),
    ...Object.values(SITE_FILES).map((path) => ({
      name: publicName(path),
      bytes: rendered[path],
    })),
    ...(advisories.length > 0
      ? [{ name: publicName(PATHS.advisories), bytes: `${JSON.stringify(advisories)}\n` }]
      : []),
    ...renderFeeds(site).map(({ path, text }) => ({ name: publicName(path), bytes: text })),
    { name: 'private/site.json', bytes: `${JSON.stringify({ origin, isPrivate, categories })}\n` },
    { name: ON_REQUEST_NAME, bytes: renderOnRequest(source) },
    { name: 'private/moves.json', bytes: renderMoves(retired, skills) },
  ]
}

/** Maximum number of addresses in a sitemap file (sitemaps.org protocol). */
const SITEMAP_LIMIT = 50_000

/** Writes rows into a stream of the `sitemap` package, and reads its output. */
const renderRows = (
  stream: SitemapStream | SitemapIndexStream,
  rows: readonly SitemapRow[],
): Promise<Buffer> => {
  for (const row of rows) stream.write(row)
  stream.end()
  return streamToPromise(stream)
}

/** Renders a sitemap without the unused namespaces of news and media. */
const renderSitemap = (rows: readonly SitemapRow[]): Promise<Buffer> => {
  const xmlns = { news: false, xhtml: false, image: false, video: false }
  return renderRows(new SitemapStream({ lastmodDateOnly: true, xmlns }), rows)
}

/** Writes /sitemap.xml; above `limit` rows, as an index of /sitemap-1.xml and so on. */
export const writeSitemaps = async (
  rows: readonly SitemapRow[],
  origin: string,
  limit = SITEMAP_LIMIT,
): Promise<SiteFile[]> => {
  const latest = rows.reduce((day, { lastmod = '' }) => (lastmod > day ? lastmod : day), '')
  // Every address needs a date. If it is unknown, use the latest known date.
  const dated = rows.map((row) =>
    row.lastmod || latest === '' ? row : { ...row, lastmod: latest },
  )
  if (dated.length <= limit) {
    return [{ name: 'public/sitemap.xml', bytes: await renderSitemap(dated) }]
  }
  const parts: SiteFile[] = []
  for (let at = 0; at < dated.length; at += limit) {
    const name = `public/sitemap-${parts.length + 1}.xml`
    parts.push({ name, bytes: await renderSitemap(dated.slice(at, at + limit)) })
  }
  const listed = parts.map(({ name }) => ({
    url: origin + name.slice('public'.length),
    lastmod: latest,
  }))
  const index = await renderRows(new SitemapIndexStream({ lastmodDateOnly: true }), listed)
  return [...parts, { name: 'public/sitemap.xml', bytes: index }]
}

/** A file that lets a client install several skills: an index, or the marketplace of a category. */
interface ClientList {
  path: string
  skills: readonly SkillFacts[]
}

const listOf = (path: string, skills: readonly SkillFacts[]): ClientList[] =>
  skills.length === 0 ? [] : [{ path, skills }]

const takeInstallable = (skills: readonly SkillFacts[]): SkillFacts[] =>
  skills.filter(isInstallable).slice(0, MOST_OFFERED)

/** Yields the client lists of a site, most popular skills first. `starter` has the skills of the root index. */
export function* listClientLists(
  site: Site,
  starter: readonly SkillFacts[],
): Generator<ClientList> {
  yield* listOf(DISCOVERY_PATH, starter)
  for (const [category, skills] of site.byCategory) {
    yield* listOf(categoryPath(category) + DISCOVERY_PATH, takeInstallable(skills))
    yield* listOf(marketplacePath(category), listPlugins(skills, site.origin))
  }
  for (const { name, skills } of site.byAuthor.values()) {
    // For an author with one skill, the function answers with that skill's own index.
    const listed = takeInstallable(skills)
    if (listed.length > 1) yield* listOf(authorPath(name) + DISCOVERY_PATH, listed)
  }
}

interface ListSource extends Omit<Marketplace, 'category' | 'skills'> {
  readIndex: (slug: string) => string
}

export const renderList = ({ path, skills }: ClientList, source: ListSource): string => {
  const [first] = skills
  return first && path === marketplacePath(first.category)
    ? renderMarketplace({ ...source, category: first.category, skills })
    : joinDiscovery(skills.map(({ slug }) => source.readIndex(slug)))
}
