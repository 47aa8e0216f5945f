import { byNewest } from '../../catalog/browse.ts'
import { categorySlug } from '../../catalog/categories.ts'
import type { Category } from '../../catalog/categories.ts'
import { UNKNOWN_DAY } from '../../catalog/skill.ts'
import type { SkillFacts } from '../../catalog/skill.ts'
import {
  PATHS,
  FEED_FORMS,
  authorPath,
  categoryPath,
  downloadPath,
  feedPath,
  skillPath,
  versionPath,
} from '../paths.ts'
import type { Advisory } from '../../catalog/schema.ts'
import type { Site } from '../site.ts'
import { endSentence, truncateAtWord, foldLine } from '../../catalog/text.ts'
import { html } from '../prose/markup.ts'
import type { Html } from '../prose/markup.ts'

/** Entries of one feed. */
const ENTRIES = 50

interface FeedEntry {
  /** Its address by id, which stays the same when its slug or text changes. */
  id: string
  title: string
  page: string
  author: { name: string; page: string }
  category: Category | undefined
  description: string
  /** RFC 3339 time. */
  updated: string
  /** Address of the description of its change. */
  change: string | undefined
}

interface Feed {
  title: string
  /** Contents and order. */
  description: string
  page: string
  updated: string
  entries: readonly FeedEntry[]
}

/** The skills of a feed, and where it is. */
interface Channel {
  /** Address of the folder of its files; '' for the root. */
  folder: string
  /** Address of the page that lists the same skills. */
  page: string
  /** Stands before the name of the site in its title. */
  label?: string
  /** The plural of its skills, such as `skills in Coding`. */
  noun: string
  includes: (skill: SkillFacts) => boolean
}

/**
 * The feeds besides those of the categories. A new one is a row: llms.txt, the header rules of a host of files and the
 * addresses that a withdrawal purges read this table.
 */
export const FEEDS: readonly (Channel & { title: string; about: string })[] = [
  {
    title: 'Feed',
    about: 'new and changed skills; each category has its own',
    folder: '',
    page: PATHS.home,
    noun: 'skills',
    includes: () => true,
  },
]

const categoryChannel = (category: Category): Channel => ({
  folder: categoryPath(category),
  page: categoryPath(category),
  label: category,
  noun: `skills in ${category}`,
  includes: (skill) => skill.category === category,
})

const timeOf = (day: string): string => `${day}T00:00:00Z`

/** The skills that changed last, without those whose day is unknown. */
const listNewest = (skills: readonly SkillFacts[]): SkillFacts[] =>
  skills
    .filter(({ updated }) => updated !== undefined)
    .sort(byNewest)
    .slice(0, ENTRIES)

const ORDER = 'newest change first, then last added first'

const describeFeed = (entries: readonly FeedEntry[], noun: string): string =>
  entries.length === 0
    ? `New and changed ${noun}: empty, since no skill has a known date of change.`
    : `New and changed ${noun}, ${ORDER}. Skills without a known date are left out. Descriptions are in their authors’ words.`

/** A description as a quotation that no mark in it can end. */
const quoteAuthor = ({ author, description }: SkillFacts): string =>
  `${cleanLine(author)}: “${cleanLine(description).replace(/[“”„‟"]/g, '’')}”`

/** The place on the page of a version that says what changed. */
const changePath = (slug: string, name: string): string => `${versionPath(slug, name)}#what-changed`

/** The entry of an advisory, unless that was a mistake. */
const toEntry =
  (origin: string, siteName: string) =>
  ({ id, published, withdrawn, summary, affected }: Advisory): FeedEntry[] => {
    const names = affected.flatMap(({ slug, versions }) => versions.map((one) => `${slug}@${one}`))
    const entry = {
      id: `${origin}${PATHS.advisories}#${id}`,
      title: cleanLine(`Withdrawn: ${affected.map(({ slug }) => slug).join(', ')}`),
      page: origin + skillPath(affected[0]!.slug),
      author: { name: cleanLine(siteName), page: origin + PATHS.home },
      category: undefined,
      description: cleanLine(`${summary} (${names.join(', ')})`),
      updated: timeOf(published),
      change: undefined,
    }
    return withdrawn === undefined ? [entry] : []
  }

/** The entry that says of a skill that it is deprecated. */
const toDeprecation =
  (origin: string, siteName: string) =>
  ({ id, name, slug, category, deprecated }: SkillFacts): FeedEntry[] => {
    if (!deprecated) return []
    const { since, reason = '', use } = deprecated
    return [
      {
        id: `${origin}${downloadPath(id)}#deprecated`,
        title: cleanLine(`Deprecated: ${name}`),
        page: origin + skillPath(slug),
        author: { name: cleanLine(siteName), page: origin + PATHS.home },
        category,
        description: cleanLine(
          `${endSentence(reason)}${use === undefined ? '' : ` Use ${use} instead.`}`.trim(),
        ),
        updated: timeOf(since),
        change: undefined,
      },
    ]
  }

const writeFeed = (
  { catalog, listed, origin, changed, advisories = [] }: Site,
  { folder, page, label, noun, includes }: Channel,
): Feed => {
  const skills = listed.filter(includes)
  const newest = listNewest(skills)
  const entries = newest.map((skill) => {
    const version = changed?.get(skill.slug)
    return {
      id: origin + downloadPath(skill.id),
      title: cleanLine(skill.name),
      page: origin + skillPath(skill.slug),
      author: { name: cleanLine(skill.author), page: origin + authorPath(skill.author) },
      category: skill.category,
      description: quoteAuthor(skill),
      updated: timeOf(skill.updated ?? UNKNOWN_DAY),
      change: version && origin + changePath(skill.slug, version),
    }
  })
  const { name } = catalog.site
  const withdrawals = folder === '' ? advisories.flatMap(toEntry(origin, name)) : []
  const deprecations = skills.flatMap(toDeprecation(origin, name))
  const latest = [...withdrawals, ...deprecations, ...entries].sort(
    (a, b) => Number(a.updated < b.updated) - Number(a.updated > b.updated),
  )
  return {
    title: cleanLine([label ?? [], name].flat().join(' · ')),
    description: describeFeed(entries, noun),
    page: origin + page,
    updated: latest[0]?.updated ?? timeOf(UNKNOWN_DAY),
    entries: latest.slice(0, ENTRIES),
  }
}

const renderEntry = ({
  id,
  title,
  updated,
  author,
  category,
  page,
  description,
  change,
}: FeedEntry): Html =>
  html`<entry>
<id>${id}</id>
<title>${title}</title>
<updated>${updated}</updated>
<author><name>${author.name}</name><uri>${author.page}</uri></author>
${
  category &&
  html`<category term="${categorySlug(category)}" label="${category}"/>
`
}<link rel="alternate" type="text/html" href="${page}"/>
${
  change &&
  html`<link rel="related" type="text/html" title="What changed" href="${change}"/>
`
}<summary>${description}</summary>
</entry>
`

/** Renders a feed as Atom (RFC 4287). */
const renderAtom = (feed: Feed, address: string): string =>
  html`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${address}</id>
<title>${feed.title}</title>
<subtitle>${feed.description}</subtitle>
<updated>${feed.updated}</updated>
<link rel="self" type="application/atom+xml" href="${address}"/>
<link rel="alternate" type="text/html" href="${feed.page}"/>
${feed.entries.map(renderEntry)}</feed>
`.html

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
      content_text: entry.change
        ? `${entry.description}\n\nWhat changed: ${entry.change}`
        : entry.description,
      date_modified: entry.updated,
      authors: [{ name: entry.author.name, url: entry.author.page }],
      tags: [entry.category ?? []].flat(),
    })),
  })}\n`

const RENDERERS = { atom: renderAtom, json: renderJson }

/** The feeds of the table and of each category, in both forms. */
export const listFeeds = (site: Site): { path: string; make: () => string }[] =>
  [...FEEDS, ...[...site.byCategory.keys()].map(categoryChannel)].flatMap((channel) => {
    let feed: Feed | undefined
    return FEED_FORMS.map((form) => {
      const path = feedPath(form, channel.folder)
      const make = (): string =>
        RENDERERS[form]((feed ??= writeFeed(site, channel)), site.origin + path)
      return { path, make }
    })
  })

/**
 * Characters that XML 1.0 allows nowhere, not even escaped, besides the controls and lone surrogates that `foldLine`
 * drops.
 */
const NOT_IN_XML = /[\uFFFE\uFFFF]/g

/** Makes a text of strangers one line without hidden or control characters, which any format of feeds can hold. */
const cleanLine = (text: string): string => foldLine(text).replace(NOT_IN_XML, '')

/** Most characters that OpenSearch 1.1 allows. */
const LIMITS = { ShortName: 16, LongName: 48, Description: 1024 }

const limit = (field: keyof typeof LIMITS, text: string): string =>
  truncateAtWord(cleanLine(text), LIMITS[field])

/** Renders /opensearch.xml, by which a browser adds the search of the site to its own. */
export const renderOpenSearch = ({
  catalog,
  origin,
  isStatic,
}: Pick<Site, 'catalog' | 'origin' | 'isStatic'>): string => {
  const { name, description } = catalog.site
  const json = html`<Url type="application/json" rel="results" template="${origin}${PATHS.listingApi}?q={searchTerms}"/>
`
  return html`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${limit('ShortName', name)}</ShortName>
<LongName>${limit('LongName', name)}</LongName>
<Description>${limit('Description', description)}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image type="image/svg+xml">${origin}${PATHS.favicon}</Image>
<Url type="text/html" rel="results" template="${origin}${PATHS.skills}?q={searchTerms}"/>
${isStatic ? '' : json}<Url type="application/opensearchdescription+xml" rel="self" template="${origin}${PATHS.opensearch}"/>
</OpenSearchDescription>
`.html
}
