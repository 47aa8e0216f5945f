import { categorySlug } from '../../catalog/categories.ts'
import type { Category } from '../../catalog/categories.ts'
import { UNKNOWN_DAY } from '../../catalog/skill.ts'
import type { SkillFacts } from '../../catalog/skill.ts'
import {
  PATHS,
  authorPath,
  categoryPath,
  downloadPath,
  feedPath,
  skillPath,
  versionPath,
} from '../paths.ts'
import type { Site } from '../site.ts'
import { endSentence, foldLine } from '../../catalog/text.ts'
import { html } from '../prose/markup.ts'
import type { Html } from '../prose/markup.ts'

/** Maximum number of entries in a feed. */
const ENTRIES = 50

interface FeedEntry {
  /** The address of the skill's zip, which stays the same if the slug or text changes. */
  id: string
  title: string
  page: string
  author: { name: string; page: string }
  category: Category | undefined
  description: string
  /** RFC 3339 time. */
  updated: string
  /** Address of the page section about the change. */
  change: string | undefined
}

interface Feed {
  title: string
  /** Says what the feed contains and in which order. */
  description: string
  page: string
  updated: string
  entries: readonly FeedEntry[]
}

/** Which skills a feed has, and its addresses. */
interface Channel {
  /** Path of the folder with the feed's file; empty for the root. */
  folder: string
  /** Path of the page that lists the same skills. */
  page: string
  /** Comes before the name of the site in the feed's title. */
  label?: string
  /** Noun for the skills, in the plural: `skills in Coding`. */
  noun: string
  includes: (skill: SkillFacts) => boolean
}

/** All feeds except those of categories. To add a feed, add a row: llms.txt and the header rules for static hosts use it. */
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

/** When this registry took the current version in; of records without it, the day of the last change. */
const addedTo = ({ added, updated }: SkillFacts): string | undefined =>
  added ?? (updated && timeOf(updated))

interface Timed {
  updated: string
}

const byLatest = (a: Timed, b: Timed): number =>
  Number(a.updated < b.updated) - Number(a.updated > b.updated)

/** Lists the latest skills. Leaves out skills without a known date. */
const listLatest = (skills: readonly SkillFacts[]): (Timed & { skill: SkillFacts })[] =>
  skills
    .flatMap((skill) => {
      const updated = addedTo(skill)
      return updated === undefined ? [] : { skill, updated }
    })
    .sort((a, b) => byLatest(a, b) || b.skill.id - a.skill.id)
    .slice(0, ENTRIES)

const describeFeed = (entries: readonly FeedEntry[], noun: string): string =>
  entries.length === 0
    ? `New and changed ${noun}: empty, because no skill has a known date.`
    : `New and changed ${noun}, latest first. Skills without a known date are left out. Descriptions are in their authors’ words.`

/** Quotes a description. Quotation marks in it cannot end the quotation. */
const quoteAuthor = ({ author, description }: SkillFacts): string =>
  `${cleanLine(author)}: “${cleanLine(description).replace(/[“”„‟"]/g, '’')}”`

/** Returns the address of the section about changes on the page of a version. */
const changePath = (slug: string, name: string): string => `${versionPath(slug, name)}#what-changed`

/** Makes the entry about a deprecation; none if the skill is not deprecated. */
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
  { catalog, listed, origin, changed }: Site,
  { page, label, noun, includes }: Channel,
): Feed => {
  const skills = listed.filter(includes)
  const entries = listLatest(skills).map(({ skill, updated }) => {
    const version = changed?.get(skill.slug)
    return {
      id: origin + downloadPath(skill.id),
      title: cleanLine(skill.name),
      page: origin + skillPath(skill.slug),
      author: { name: cleanLine(skill.author), page: origin + authorPath(skill.author) },
      category: skill.category,
      description: quoteAuthor(skill),
      updated,
      change: version && origin + changePath(skill.slug, version),
    }
  })
  const { name } = catalog.site
  const deprecations = skills.flatMap(toDeprecation(origin, name))
  const latest = [...deprecations, ...entries].sort(byLatest)
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

/** Renders the feeds of the table and of each category. */
export const renderFeeds = (site: Site): { path: string; text: string }[] =>
  [...FEEDS, ...[...site.byCategory.keys()].map(categoryChannel)].map((channel) => {
    const path = feedPath(channel.folder)
    return { path, text: renderAtom(writeFeed(site, channel), site.origin + path) }
  })

/** Characters that XML 1.0 does not allow, even escaped. `foldLine` removes control characters and lone surrogates. */
const NOT_IN_XML = /[\uFFFE\uFFFF]/g

/** Makes untrusted text a single line without hidden or control characters, valid in XML. */
const cleanLine = (text: string): string => foldLine(text).replace(NOT_IN_XML, '')
