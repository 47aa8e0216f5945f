import { readFileSync } from 'node:fs'
import { renderApiCatalog } from '../../src/api/openapi.ts'
import {
  HEADERS_FILE,
  REDIRECTS_FILE,
  renderHeadersFile,
  renderRedirectsFile,
} from '../../src/api/cdn.ts'
import { renderClawhubFile } from '../../src/api/discovery.ts'
import { DOWNLOADS_NAME, writeDownloads } from '../../src/catalog/tables.ts'
import { resolveMoves } from '../../src/catalog/references.ts'
import type { Problem } from '../../src/catalog/problems.ts'
import type { Retired } from '../../src/catalog/schema.ts'
import { isListed, pageDayOf } from '../../src/catalog/skill.ts'
import type { Skill } from '../../src/catalog/skill.ts'
import { ANSWERED_KINDS } from '../../src/documents/answered/page.ts'
import type { AnsweredKind, AnsweredSite } from '../../src/documents/answered/page.ts'
import type { ApiDescription } from '../../src/documents/api-page.ts'
import { listFeeds, renderOpenSearch } from '../../src/documents/feeds.ts'
import { renderLlms, renderRobots, sitemapRow } from '../../src/documents/llms.ts'
import type { SitemapRow } from '../../src/documents/llms.ts'
import { renderFavicon } from '../../src/documents/leaf.ts'
import { PATHS, SITE_FILES, skillPath } from '../../src/documents/paths.ts'
import { knownOrders } from '../../src/documents/site.ts'
import type { Site } from '../../src/documents/site.ts'
import type { Template } from '../../src/documents/template.ts'
import { publicName } from './skill-files.ts'
import type { Output } from './skill-files.ts'
import { renderDump, renderSums } from './zip-tables.ts'
import type { ZipRow } from './zip-tables.ts'

/** Renders the table of moved slugs and ids; `skills` are those that have a page. */
const renderMoves = (
  retired: readonly Retired[],
  skills: readonly Pick<Skill, 'id' | 'slug'>[],
): string => {
  const moves = resolveMoves(retired, skills)
  const slugs = Object.fromEntries(moves.map(({ slug, to }) => [slug, to.slug]))
  const others = moves.filter(({ id, to }) => id !== to.id)
  const ids = Object.fromEntries(others.map(({ id, to }) => [id, to.id]))
  return `${JSON.stringify({ slugs, ids })}\n`
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
  site: Pick<Site, 'catalog' | 'listed'>,
  templates: Readonly<Record<AnsweredKind, Template>>,
): string => {
  const answered: AnsweredSite = {
    siteName: site.catalog.site.name,
    orders: knownOrders(site),
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
    [PATHS.clawhubFile]: () => renderClawhubFile(origin),
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
