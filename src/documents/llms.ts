import { renderEntry } from './markdown.ts'
import { UNKNOWN_DAY } from '../catalog/skill.ts'
import { countOf } from '../catalog/text.ts'
import { categoryEntries, postEntry } from './listings.ts'
import { skillEntry } from './entries.ts'
import { escapeMarkdown } from './print.ts'
import { PATHS, prosePath, feedPath, twinPath } from './paths.ts'
import type { Document, Entry } from './document.ts'
import type { Site } from './site.ts'

const SKILLS_SHOWN = 50

/** Pages of the registry's own that are listed where the content has them. */
const PAGES = [
  ['About', PATHS.about, 'what the registry is and what it promises'],
  ['From your tools', '/docs/clients', 'commands of other tools that search and install from here'],
  ['For authors', '/docs/authors', 'the commands that bring skills into a catalog'],
] as const

/** Renders /llms.txt: what the site is, its key pages as Markdown, how to use the data. */
export const renderLlms = (site: Site): string => {
  const { catalog, listed, origin } = site
  const access = catalog.site.private
    ? 'Private and read-only: its operator decides who reads it.'
    : 'Public and read-only: no key, no account.'
  const link = (entry: Entry): string =>
    renderEntry({ ...entry, path: origin + twinPath(entry.path), facts: [] })
  const page = (title: string, path: string, text: string): string =>
    link({ title, path, text, facts: [] })
  const file = (title: string, path: string, text: string): string =>
    renderEntry({ title, path: origin + path, text, facts: [] })
  const blocks = [
    `# ${escapeMarkdown(catalog.site.name)}`,
    `> ${escapeMarkdown(catalog.site.description)}`,
    [
      `${countOf(listed.length, 'skill')} of ${countOf(site.byAuthor.size, 'author')}. ${access}`,
      `Any page is Markdown when asked with \`Accept: text/markdown\`, or at its address with \`.md\` appended.`,
      `Search: \`GET ${origin}${PATHS.listingApi}?q=words&cat=Coding&limit=24&offset=0\` answers JSON. A skill's zip lies at \`${origin}/api/skills/download/{id}\`, its text at \`${origin}/skills/{slug}/SKILL.md\`.`,
    ].join('\n'),
    '## Key pages',
    [
      page('Skills', PATHS.skills, 'all skills, in pages'),
      page('Categories', PATHS.categories, 'all nine, each with pages of its skills'),
      page('Authors', PATHS.authors, 'all authors, each with pages of their skills'),
      page('Numbers', PATHS.stats, 'skills by category, age, size, licence, source and findings'),
      page('API', PATHS.apiDocs, 'every parameter, answer and error'),
      page(
        'Findings',
        PATHS.safetyDocs,
        'the rules that skills are scanned by, and what they miss',
      ),
      page('Directories', PATHS.directories, 'where each client looks for skills'),
      ...PAGES.filter(([, path]) => catalog.pages.some(({ slug }) => prosePath(slug) === path)).map(
        ([title, path, text]) => page(title, path, text),
      ),
      file('OpenAPI description', PATHS.openapi, 'the API for machines'),
      file(
        'Dump',
        PATHS.dump,
        'a line of JSON for every skill: id, slug, digest, updated, category, source',
      ),
      file('Checksums', PATHS.sums, 'of every zip, as sha256sum -c reads them'),
      file('Feed', feedPath('json'), 'new and changed skills; each category has its own'),
      file('Feed as Atom', feedPath('atom'), 'the same'),
    ].join('\n'),
    '## Categories',
    categoryEntries(site).map(link).join('\n'),
    '## Skills',
    listed
      .slice(0, SKILLS_SHOWN)
      .map((skill) => link(skillEntry(skill)))
      .join('\n'),
    '## Optional',
    [
      ...catalog.posts.map((post) => link(postEntry(post))),
      file('Sitemap', PATHS.sitemap, 'every canonical address'),
    ].join('\n'),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
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

/** Renders /robots.txt: everything except the API may be crawled, of a private registry nothing; and the address of the sitemap. */
export const renderRobots = (origin: string, isPrivate?: boolean): string => {
  const rules = isPrivate ? 'Disallow: /' : 'Allow: /\nDisallow: /api/'
  return `User-agent: *\n${rules}\n\nSitemap: ${origin}${PATHS.sitemap}\n`
}
