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

interface Entry {
  /** RFC 3339 time. */
  updated: string
  xml: Html
}

const renderEntry = (
  { category, slug }: SkillFacts,
  origin: string,
  entry: Record<'id' | 'title' | 'updated' | 'author' | 'authorPath' | 'summary', string>,
  change?: string,
): Entry => ({
  updated: entry.updated,
  xml: html`<entry>
<id>${origin}${entry.id}</id>
<title>${cleanLine(entry.title)}</title>
<updated>${entry.updated}</updated>
<author><name>${cleanLine(entry.author)}</name><uri>${origin}${entry.authorPath}</uri></author>
${
  category &&
  html`<category term="${categorySlug(category)}" label="${category}"/>
`
}<link rel="alternate" type="text/html" href="${origin}${skillPath(slug)}"/>
${
  change &&
  html`<link rel="related" type="text/html" title="What changed" href="${origin}${change}"/>
`
}<summary>${cleanLine(entry.summary)}</summary>
</entry>
`,
})

/** Renders the entry of a skill. Its id stays the same if the slug or text changes. */
const renderChange = (skill: SkillFacts, updated: string, { origin, changed }: Site): Entry => {
  const { id, slug, name, author, description } = skill
  const version = changed?.get(slug)
  // Quotation marks in a description cannot end the quotation.
  const quoted = cleanLine(description).replace(/[“”„‟"]/g, '’')
  const entry = {
    id: downloadPath(id),
    title: name,
    updated,
    author,
    authorPath: authorPath(author),
    summary: `${cleanLine(author)}: “${quoted}”`,
  }
  return renderEntry(skill, origin, entry, version && `${versionPath(slug, version)}#what-changed`)
}

/** Makes the entry about a deprecation; none if the skill is not deprecated. */
const listDeprecation = (skill: SkillFacts, { origin, catalog: { site } }: Site): Entry[] => {
  if (!skill.deprecated) return []
  const { since, reason = '', use } = skill.deprecated
  const entry = {
    id: `${downloadPath(skill.id)}#deprecated`,
    title: `Deprecated: ${skill.name}`,
    updated: timeOf(since),
    author: site.name,
    authorPath: PATHS.home,
    summary: `${endSentence(reason)}${use === undefined ? '' : ` Use ${use} instead.`}`.trim(),
  }
  return [renderEntry(skill, origin, entry)]
}

const byLatest = (a: { updated: string }, b: { updated: string }): number =>
  Number(a.updated < b.updated) - Number(a.updated > b.updated)

/** Renders a feed as Atom (RFC 4287). */
const renderAtom = (site: Site, { folder, page, label, noun, includes }: Channel): string => {
  const { catalog, listed, origin } = site
  const skills = listed.filter(includes)
  const changes = skills
    .flatMap((skill) => {
      const updated = addedTo(skill)
      return updated === undefined ? [] : { skill, updated }
    })
    .sort((a, b) => byLatest(a, b) || b.skill.id - a.skill.id)
    .slice(0, ENTRIES)
    .map(({ skill, updated }) => renderChange(skill, updated, site))
  const deprecations = skills.flatMap((skill) => listDeprecation(skill, site))
  const entries = [...deprecations, ...changes].sort(byLatest).slice(0, ENTRIES)
  const order =
    changes.length === 0
      ? ': empty, because no skill has a known date.'
      : ', latest first. Skills without a known date are left out. Descriptions are in their authors’ words.'
  const address = origin + feedPath(folder)
  return html`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${address}</id>
<title>${cleanLine([label ?? [], catalog.site.name].flat().join(' · '))}</title>
<subtitle>New and changed ${noun}${order}</subtitle>
<updated>${entries[0]?.updated ?? timeOf(UNKNOWN_DAY)}</updated>
<link rel="self" type="application/atom+xml" href="${address}"/>
<link rel="alternate" type="text/html" href="${origin}${page}"/>
${entries.map(({ xml }) => xml)}</feed>
`.html
}

export const renderFeeds = (site: Site): { path: string; text: string }[] =>
  [...FEEDS, ...[...site.byCategory.keys()].map(categoryChannel)].map((channel) => ({
    path: feedPath(channel.folder),
    text: renderAtom(site, channel),
  }))

/** Characters that XML 1.0 does not allow, even escaped. `foldLine` removes control characters and lone surrogates. */
const NOT_IN_XML = /[\uFFFE\uFFFF]/g

/** Makes untrusted text a single line without hidden or control characters, valid in XML. */
const cleanLine = (text: string): string => foldLine(text).replace(NOT_IN_XML, '')
