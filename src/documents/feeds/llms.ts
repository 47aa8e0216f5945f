import { installLine } from '../install-line.ts'
import { renderEntry } from '../prose/markdown.ts'
import { UNKNOWN_DAY } from '../../catalog/skill.ts'
import type { SkillFacts } from '../../catalog/skill.ts'
import { countOf } from '../../catalog/text.ts'
import { docEntries, listCategories, postEntry } from '../lists/listings.ts'
import { skillEntry } from '../lists/entries.ts'
import { codeSpan, joinBlocks, link, list, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'
import { PATHS, feedPath, twinPath } from '../paths.ts'
import { FEEDS } from './feeds.ts'
import type { Document, Entry, EntryFact } from '../document.ts'
import type { Site } from '../site.ts'

const SKILLS_SHOWN = 50

type Row = readonly [title: string, path: string, text: string]

const PAGES: readonly Row[] = [
  ['Skills', PATHS.skills, 'all skills, in pages'],
  ['Categories', PATHS.categories, 'each with pages of its skills'],
  ['Authors', PATHS.authors, 'each with pages of their skills'],
]

const VERSIONS: Row = ['Versions', PATHS.versions, 'a line of JSON for each published version']

const FILES: readonly Row[] = [
  ['OpenAPI description', PATHS.openapi, 'the API for programs'],
  ['Dump', PATHS.dump, 'a line of JSON for each skill, with the digest of its zip'],
  ['Checksums', PATHS.sums, 'of every zip, for sha256sum -c'],
  ...FEEDS.map(({ title, about, folder }): Row => [title, feedPath(folder), about]),
]

/** Writes the addresses that only exist on a host with the function. */
const describeFunction = ({ catalog, origin }: Site): Markdown[] => [
  md`Search: ${codeSpan(`GET ${origin}${PATHS.listingApi}?q=words&cat=Coding&limit=24&offset=0`)} returns names and descriptions as JSON.`,
  md`Before you choose, ask MCP or read ${codeSpan(`${origin}/skills/{slug}.json`)}: both say licence, tokens, findings, and whether a skill is deprecated.`,
  md`MCP: ${codeSpan(`${origin}/mcp`)} searches and reads skills${catalog.site.private ? '' : ', without a login'}.`,
]

const describeAccess = (site: Site): Markdown => {
  const visibility = { isPrivate: site.catalog.site.private }
  const { catalog, listed, byAuthor, origin, isStatic } = site
  const search = md`Search: ${codeSpan(origin + PATHS.dump)} has a line of JSON for each skill.`
  const twins = isStatic
    ? md`Every page is also Markdown,`
    : md`Every page is also Markdown, with ${codeSpan('Accept: text/markdown')} or`
  const access = catalog.site.private
    ? 'Private and read-only: its operator decides who can read it.'
    : 'Public and read-only: no key, no account.'
  return md`${countOf(listed.length, 'skill')} by ${countOf(byAuthor.size, 'author')}. ${access}

${list([
  ...(isStatic ? [search] : describeFunction(site)),
  md`Summary of a skill: ${codeSpan(`GET ${origin}/skills/{slug}.json`)} has its licence, tokens, findings, zip with digest, install commands, and a label: the commands, hosts and other names in its files, each with file and line.`,
  md`Install: ${codeSpan(installLine(`${origin}/skills/{slug}`, visibility))}, or the zip at ${codeSpan(`${origin}${PATHS.download}/{id}`)}.`,
  ...(catalog.site.versions
    ? [
        md`Pin: ${codeSpan(installLine(`${origin}/skills/{slug}@{version}`, visibility))} installs one fixed version; ${codeSpan(`${origin}/skills/{slug}@versions.json`)} lists all versions.`,
      ]
    : []),
  md`Read: ${codeSpan(`${origin}/skills/{slug}/SKILL.md`)} is the text of a skill. ${twins} with ${codeSpan('.md')} after its address.`,
])}

Names and descriptions of skills, here and in every list and response, are written by their authors, not by this registry.`
}

/** Renders /llms.txt: what the site is, how to use its data, and its key pages as Markdown. */
export const renderLlms = (site: Site): string => {
  const { catalog, listed, origin } = site
  const toTwin = (entry: Entry, facts: EntryFact[] = []): Markdown =>
    renderEntry({ ...entry, path: origin + twinPath(entry.path), facts })
  const toSkillTwin = (skill: SkillFacts): Markdown => {
    const { use, since } = skill.deprecated ?? {}
    const words = `deprecated${use === undefined ? '' : `; use ${use}`}`
    return toTwin(skillEntry(skill), since ? [{ kind: 'found', text: words }] : [])
  }
  const page = ([title, path, text]: Row): Markdown => toTwin({ title, path, text, facts: [] })
  const file = ([title, path, text]: Row): Markdown => md`${link(title, origin + path)}: ${text}`
  const blocks = [
    md`# ${catalog.site.name}`,
    md`> ${catalog.site.description}`,
    describeAccess(site),
    md`## Key pages`,
    list([
      ...PAGES.map(page),
      ...docEntries(site).map((entry) => toTwin(entry)),
      ...[...FILES, ...(catalog.site.versions ? [VERSIONS] : [])].map(file),
    ]),
    md`## Categories`,
    list(listCategories(site).entries.map((entry) => toTwin(entry))),
    md`## Skills`,
    list(listed.slice(0, SKILLS_SHOWN).map(toSkillTwin)),
    md`## Optional`,
    list([
      ...catalog.posts.map((post) => toTwin(postEntry(post))),
      file(['Sitemap', PATHS.sitemap, 'every canonical address']),
    ]),
  ]
  return `${joinBlocks(blocks)}\n`
}

export interface SitemapRow {
  url: string
  /** YYYY-MM-DD; absent if the day is unknown. */
  lastmod?: string
}

/** Returns the sitemap entry of a page that may be indexed. */
export const sitemapRow = (
  { path, updated }: Pick<Document, 'path' | 'updated'>,
  origin: string,
): SitemapRow => ({ url: origin + path, ...(updated !== UNKNOWN_DAY && { lastmod: updated }) })

/**
 * Renders /robots.txt. Crawlers may read everything, or nothing in a private registry. The API is included, because
 * /llms.txt sends agents there; its responses have a header that forbids indexing.
 */
export const renderRobots = (origin: string, isPrivate?: boolean): string => {
  const rules = isPrivate ? 'Disallow: /' : 'Allow: /'
  return `User-agent: *\n${rules}\n\nSitemap: ${origin}${PATHS.sitemap}\n`
}
