import { installLine } from '../install-line.ts'
import { renderEntry } from '../prose/markdown.ts'
import { UNKNOWN_DAY } from '../../catalog/skill.ts'
import { countOf } from '../../catalog/text.ts'
import { docEntries, listCategories, postEntry } from '../lists/listings.ts'
import { skillEntry } from '../lists/entries.ts'
import { codeSpan, joinBlocks, link, list, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'
import { PATHS, feedPath, twinPath } from '../paths.ts'
import { FEEDS } from './feeds.ts'
import type { Document, Entry } from '../document.ts'
import type { Site } from '../site.ts'

const SKILLS_SHOWN = 50

type Row = readonly [title: string, path: string, text: string]

const PAGES: readonly Row[] = [
  ['Skills', PATHS.skills, 'all skills, in pages'],
  ['Categories', PATHS.categories, 'each with pages of its skills'],
  ['Authors', PATHS.authors, 'each with pages of their skills'],
  ['Numbers', PATHS.stats, 'skills by category, age, size, licence, source and findings'],
]

const VERSIONS: Row = ['Versions', PATHS.versions, 'a line of JSON for each that was published']

const FILES: readonly Row[] = [
  ['OpenAPI description', PATHS.openapi, 'the API for programs'],
  [
    'Dump',
    PATHS.dump,
    'a line of JSON for each skill, with the digest of its zip: all that a mirror needs',
  ],
  ['Checksums', PATHS.sums, 'of every zip, for sha256sum -c'],
  ...FEEDS.flatMap(({ title, about, folder }): Row[] => [
    [title, feedPath('json', folder), about],
    [`${title} as Atom`, feedPath('atom', folder), 'the same'],
  ]),
]

/** The addresses that only the function answers. */
const describeFunction = ({ catalog, origin }: Site): Markdown[] => [
  md`Search: ${codeSpan(`GET ${origin}${PATHS.listingApi}?q=words&cat=Coding&limit=24&offset=0`)} answers JSON.`,
  md`MCP: ${codeSpan(`${origin}/mcp`)} searches and reads skills${catalog.site.private ? '' : ', without a login'}.`,
]

const describeAccess = (site: Site): Markdown => {
  const { catalog, listed, byAuthor, origin, isStatic } = site
  const search = md`Search: ${codeSpan(origin + PATHS.dump)} has a line of JSON for each skill.`
  const twins = isStatic
    ? md`Any page is Markdown`
    : md`Any page is Markdown with ${codeSpan('Accept: text/markdown')}, or`
  const access = catalog.site.private
    ? 'Private and read-only: its operator decides who reads it.'
    : 'Public and read-only: no key, no account.'
  return md`${countOf(listed.length, 'skill')} by ${countOf(byAuthor.size, 'author')}. ${access}

${list([
  ...(isStatic ? [search] : describeFunction(site)),
  md`One skill in short: ${codeSpan(`GET ${origin}/skills/{slug}.json`)} has its licence, tokens, findings, zip with digest, install lines, and a label: what its files name, each with file and line.`,
  md`Install: ${codeSpan(installLine(`${origin}/skills/{slug}`))}, or the zip at ${codeSpan(`${origin}${PATHS.download}/{id}`)}.`,
  ...(catalog.site.versions
    ? [
        md`Pin: ${codeSpan(installLine(`${origin}/skills/{slug}@{version}`))} installs one version for good; ${codeSpan(`${origin}/skills/{slug}@versions.json`)} lists them.`,
      ]
    : []),
  md`Read: ${codeSpan(`${origin}/skills/{slug}/SKILL.md`)} is its text. ${twins} with ${codeSpan('.md')} after its address.`,
])}

Names and descriptions of skills, here and in every list and answer, are words of their authors, not of this registry.`
}

/** Renders /llms.txt: what the site is, its key pages as Markdown, how to use the data. */
export const renderLlms = (site: Site): string => {
  const { catalog, listed, origin } = site
  const toTwin = (entry: Entry): Markdown =>
    renderEntry({ ...entry, path: origin + twinPath(entry.path), facts: [], examples: [] })
  const page = ([title, path, text]: Row): Markdown => toTwin({ title, path, text, facts: [] })
  const file = ([title, path, text]: Row): Markdown => md`${link(title, origin + path)}: ${text}`
  const blocks = [
    md`# ${catalog.site.name}`,
    md`> ${catalog.site.description}`,
    describeAccess(site),
    md`## Key pages`,
    list([
      ...PAGES.map(page),
      ...docEntries(site).map(toTwin),
      ...[...FILES, ...(catalog.site.versions ? [VERSIONS] : [])].map(file),
    ]),
    md`## Categories`,
    list(listCategories(site).entries.map(toTwin)),
    md`## Skills`,
    list(listed.slice(0, SKILLS_SHOWN).map((skill) => toTwin(skillEntry(skill)))),
    md`## Optional`,
    list([
      ...catalog.posts.map((post) => toTwin(postEntry(post))),
      file(['Sitemap', PATHS.sitemap, 'every canonical address']),
    ]),
  ]
  return `${joinBlocks(blocks)}\n`
}

/** A line of the sitemap. */
export interface SitemapRow {
  url: string
  /** YYYY-MM-DD; none where the day is not known. */
  lastmod?: string
}

/** The sitemap's line for a page; undefined where it must not be indexed. */
export const sitemapRow = (
  document: Pick<Document, 'isIndexable' | 'path' | 'updated'>,
  origin: string,
): SitemapRow[] =>
  document.isIndexable
    ? [
        {
          url: origin + document.path,
          ...(document.updated !== UNKNOWN_DAY && { lastmod: document.updated }),
        },
      ]
    : []

/**
 * Renders /robots.txt: everything may be crawled, of a private registry nothing; and the address of the sitemap. The
 * API too, since /llms.txt sends agents there; its answers say themselves that they are not to be indexed.
 */
export const renderRobots = (origin: string, isPrivate?: boolean): string => {
  const rules = isPrivate ? 'Disallow: /' : 'Allow: /'
  return `User-agent: *\n${rules}\n\nSitemap: ${origin}${PATHS.sitemap}\n`
}
