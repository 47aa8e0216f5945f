import { byNewest } from '../catalog/browse.ts'
import { CATEGORIES, categorySlug } from '../catalog/categories.ts'
import type { Category } from '../catalog/categories.ts'
import { UNKNOWN_DAY } from '../catalog/skill.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import {
  PATHS,
  FEED_FORMS,
  authorPath,
  categoryPath,
  downloadPath,
  feedPath,
  skillPath,
} from './paths.ts'
import type { Site } from './site.ts'
import { truncateAtWord, foldLine } from '../catalog/text.ts'
import { escapeText } from './markup.ts'

/** Entries of one feed. */
const ENTRIES = 50

interface FeedEntry {
  /** Its address by id, which stays the same when its slug or text changes. */
  id: string
  title: string
  page: string
  author: { name: string; page: string }
  category: Category
  description: string
  /** RFC 3339 time. */
  updated: string
}

interface Feed {
  title: string
  /** Contents and order. */
  description: string
  page: string
  updated: string
  entries: readonly FeedEntry[]
  category: Category | undefined
}

const timeOf = (day: string): string => `${day}T00:00:00Z`

/** The skills that changed last, without those whose day is unknown. */
const listNewest = (skills: readonly SkillFacts[]): SkillFacts[] => {
  const newest: SkillFacts[] = []
  for (const skill of skills) {
    const last = newest[ENTRIES - 1]
    if (skill.updated === undefined || (last && byNewest(skill, last) > 0)) continue
    newest.push(skill)
    newest.sort(byNewest)
    if (last) newest.pop()
  }
  return newest
}

const ORDER = 'the latest change first, and of one day what was added last'

const describeFeed = (entries: readonly FeedEntry[], category: Category | undefined): string => {
  const skills = `skills${category ? ` in ${category}` : ''}`
  return entries.length === 0
    ? `New and changed ${skills}: empty, since the day of the last change is known of none.`
    : `New and changed ${skills}, ${ORDER}. Only those whose day is known.`
}

const writeFeed = ({ catalog, listed, byCategory, origin }: Site, category?: Category): Feed => {
  const newest = listNewest(category ? (byCategory.get(category) ?? []) : listed)
  const entries = newest.map((skill) => ({
    id: origin + downloadPath(skill.id),
    title: cleanLine(skill.name),
    page: origin + skillPath(skill.slug),
    author: { name: cleanLine(skill.author), page: origin + authorPath(skill.author) },
    category: skill.category,
    description: cleanLine(skill.description),
    updated: timeOf(skill.updated ?? UNKNOWN_DAY),
  }))
  const { name } = catalog.site
  return {
    title: cleanLine(category ? `${category} · ${name}` : name),
    description: describeFeed(entries, category),
    page: origin + (category ? categoryPath(category) : PATHS.home),
    updated: entries[0]?.updated ?? timeOf(UNKNOWN_DAY),
    entries,
    category,
  }
}

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`

const link = (rel: string, type: string, address: string): string =>
  `<link rel="${rel}" type="${type}" href="${escapeXml(address)}"/>`

const renderEntry = ({ id, title, updated, author, category, page, description }: FeedEntry) =>
  [
    '<entry>',
    element('id', id),
    element('title', title),
    element('updated', updated),
    `<author>${element('name', author.name)}${element('uri', author.page)}</author>`,
    `<category term="${categorySlug(category)}" label="${escapeXml(category)}"/>`,
    link('alternate', 'text/html', page),
    element('summary', description),
    '</entry>',
  ].join('\n')

/** Renders a feed as Atom (RFC 4287). */
const renderAtom = ({ title, description, page, updated, entries }: Feed, address: string) =>
  [
    XML_HEAD,
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', address),
    element('title', title),
    element('subtitle', description),
    element('updated', updated),
    link('self', 'application/atom+xml', address),
    link('alternate', 'text/html', page),
    ...entries.map(renderEntry),
    '</feed>\n',
  ].join('\n')

/** Renders a feed as JSON Feed 1.1. */
const renderJson = ({ title, description, page, entries }: Feed, address: string): string =>
  `${JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: page,
    feed_url: address,
    description,
    items: entries.map((entry) => ({
      id: entry.id,
      url: entry.page,
      title: entry.title,
      content_text: entry.description,
      date_modified: entry.updated,
      authors: [{ name: entry.author.name, url: entry.author.page }],
      tags: [entry.category],
    })),
  })}\n`

const RENDERERS = { atom: renderAtom, json: renderJson }

/** The feeds of the site and of each category, in both forms. */
export const listFeeds = (site: Site): { path: string; make: () => string }[] =>
  [undefined, ...CATEGORIES].flatMap((category) => {
    let feed: Feed | undefined
    return FEED_FORMS.map((form) => {
      const path = feedPath(form, category)
      const make = (): string =>
        RENDERERS[form]((feed ??= writeFeed(site, category)), site.origin + path)
      return { path, make }
    })
  })

/** What XML 1.0 allows nowhere, not even escaped, besides the controls and lone surrogates that `foldLine` drops. */
const NOT_IN_XML = /[\uFFFE\uFFFF]/g

/** Makes a text of strangers one line without hidden or control characters, which any format of feeds can hold. */
const cleanLine = (text: string): string => foldLine(text).replace(NOT_IN_XML, '')

/** Cleans a text, and escapes it for XML, between tags and in attributes. */
const escapeXml = (text: string): string => escapeText(cleanLine(text))

/** The first line of every XML file. */
const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'

/** Most characters that OpenSearch 1.1 allows. */
const LIMITS = { ShortName: 16, LongName: 48, Description: 1024 }

const limited = (field: keyof typeof LIMITS, text: string): string =>
  element(field, truncateAtWord(cleanLine(text), LIMITS[field]))

/** Renders /opensearch.xml, by which a browser adds the search of the site to its own. */
export const renderOpenSearch = ({ catalog, origin }: Pick<Site, 'catalog' | 'origin'>): string => {
  const { name, description } = catalog.site
  const address = (type: string, path: string, rel = 'results'): string =>
    `<Url type="${type}" rel="${rel}" template="${escapeXml(origin)}${path}"/>`
  return [
    XML_HEAD,
    '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">',
    limited('ShortName', name),
    limited('LongName', name),
    limited('Description', description),
    '<InputEncoding>UTF-8</InputEncoding>',
    `<Image type="image/svg+xml">${escapeXml(origin)}${PATHS.favicon}</Image>`,
    address('text/html', `${PATHS.skills}?q={searchTerms}`),
    address('application/json', `${PATHS.listingApi}?q={searchTerms}`),
    address('application/opensearchdescription+xml', PATHS.opensearch, 'self'),
    '</OpenSearchDescription>\n',
  ].join('\n')
}
