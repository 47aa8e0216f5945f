import type { Prose } from '../catalog/load.ts'
import { LISTING_BUDGETS, fitListing } from '../catalog/listing-budgets.ts'
import { pageDayOf } from '../catalog/skill.ts'
import { countOf, showNumber } from '../catalog/text.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import { LISTING_SIZE, oneAnAuthor, skillEntry } from './entries.ts'
import { DEFAULT_SORT } from '../catalog/browse.ts'
import type { Document, DocumentPlan, Entry, Fact, SearchForm, Section } from './document.ts'
import {
  postPath,
  skillPath,
  LISTING_API_PATH,
  authorPath,
  categoryPath,
  SKILLS_PATH,
} from './paths.ts'
import type { Category } from '../catalog/categories.ts'
import { CATEGORIES } from '../catalog/categories.ts'
import { escapeMarkdown } from './escape.ts'
import { latestDay } from './site.ts'
import type { Site } from './site.ts'

export const postEntry = (post: Prose): Entry => ({
  title: post.title,
  path: postPath(post.slug),
  text: post.description,
  facts: [{ kind: 'day', text: post.date }],
})

/** Most skills on the page of a category or an author; the API returns the rest. */
const GROUP_SIZE = 100

/** What the skills of each category do for a reader, as a sentence for its page. */
const CATEGORY_WORDS: Record<Category, string> = {
  Coding: 'Writing, testing, reviewing, building and running software.',
  Communication: 'Messages and meetings between people: mail, chat, support, handover.',
  'Data & Analytics': 'Databases, pipelines, metrics, statistics and the plots that show them.',
  Design: 'How things look and work for people: interfaces, type, colour, charts, media.',
  Planning: 'Deciding what to do and in which order: strategy, specs, risks, estimates.',
  Productivity: 'Office and personal work: documents, files, calendars, spreadsheets, automation.',
  Research: 'Finding out about the world: literature, sources, users, markets, evidence.',
  Security: 'Vulnerabilities, secrets, identity, privacy and compliance.',
  Writing: 'Making and mending prose: docs, articles, release notes, style, translation.',
}

/** What the skills of a category do, in a sentence. */
export const describeCategory = (category: Category): string => CATEGORY_WORDS[category]

/** Skills that stand for their category where all nine are listed. */
const NAMES_SHOWN = 3

/** The nine categories: how many skills each has, and the names of the first, an author each. */
export const categoryEntries = (site: Site): Entry[] =>
  CATEGORIES.map((category) => {
    const skills = site.byCategory.get(category) ?? []
    return {
      title: category,
      path: categoryPath(category),
      text: CATEGORY_WORDS[category],
      category,
      facts: [{ kind: 'count', text: countOf(skills.length, 'skill') }],
      names: oneAnAuthor(skills, NAMES_SHOWN).map(({ name, slug }) => ({
        title: name,
        path: skillPath(slug),
      })),
    }
  })

/** Address of a page of the listing; the first is the listing itself. */
const listingPath = (page: number): string =>
  page <= 1 ? SKILLS_PATH : `${SKILLS_PATH}/page/${page}`

/** The skills that a search within each category finds: a copy is none where its original is one. */
const countShown = ({ catalog, listed, byCategory }: Site): number[] => {
  const copies = Object.entries(catalog.copies)
  const categories = new Map<number, Category>()
  if (copies.length > 0) for (const { id, category } of listed) categories.set(id, category)
  const folded = copies.flatMap(([copy, original]) => {
    const category = categories.get(Number(copy))
    return category !== undefined && category === categories.get(original) ? [category] : []
  })
  return CATEGORIES.map(
    (category) =>
      (byCategory.get(category)?.length ?? 0) - folded.filter((one) => one === category).length,
  )
}

const emptySearch = (site: Site): SearchForm => ({
  q: '',
  sort: DEFAULT_SORT,
  categories: [],
  facets: {},
  counts: countShown(site),
  isCounted: site.catalog.isCounted,
})

/** The order of `skills` in words; where no day is known, only names are left to order by. */
const describeOrder = (isCounted: boolean, skills: readonly SkillFacts[]): string => {
  if (isCounted) return 'most installed first, then most viewed, then newest, then by name'
  return skills.some(({ updated }) => updated) ? 'newest first, then by name' : 'by name'
}

/** Writes page N of all skills in popular order; the first is the place to search. */
const writeListingDocument = (
  site: Site,
  page: number,
  pages: number,
  shown: readonly SkillFacts[],
): Document => {
  const first = (page - 1) * LISTING_SIZE + 1
  const range = shown.length > 0 ? `${first} to ${first + shown.length - 1}` : ''
  const count = site.listed.length
  // Only the first page shows the number of skills: otherwise one more skill would change all pages.
  const isFirst = page === 1
  const words = isFirst ? `${range && `${range} of `}${countOf(count, 'skill')}` : `Skills ${range}`
  const sections: Section[] = [
    {
      id: 'all-skills',
      heading: isFirst ? 'All skills' : 'Skills',
      markdown: `${words}, ${describeOrder(site.catalog.isCounted, shown)}.`,
      entries: shown.map(skillEntry),
    },
  ]
  if (isFirst) {
    sections.push({
      id: 'categories',
      heading: 'Categories',
      markdown: `Every skill is filed under one of nine. Machines search at \`GET ${LISTING_API_PATH}?q=\`.`,
      entries: categoryEntries(site),
    })
  }
  return {
    kind: isFirst ? 'skills' : 'listing',
    path: listingPath(page),
    heading: isFirst ? 'Skills' : `Skills, page ${page}`,
    lead: [isFirst ? 'Search the catalog, or browse it.' : 'Every skill of the catalog in turn.'],
    description: isFirst
      ? `${countOf(count, 'agent skill')} to search, filter and install.`
      : `Agent skills to search, filter and install, page ${page} of ${pages}.`,
    updated: latestDay(shown.map(pageDayOf)),
    isIndexable: true,
    facts: [],
    sections,
    ...(isFirst ? { search: emptySearch(site) } : {}),
    pager: {
      page,
      pages,
      ...(page > 1 ? { previous: listingPath(page - 1) } : {}),
      ...(page < pages ? { next: listingPath(page + 1) } : {}),
    },
  }
}

/** What the pages of categories and authors share; `whole` says where to find the skills that are left out. */
const listGroup = (
  skills: readonly SkillFacts[],
  isCounted: boolean,
  whole: string,
): Pick<Document, 'kind' | 'updated' | 'isIndexable' | 'sections'> => ({
  kind: 'listing',
  updated: latestDay(skills.map(pageDayOf)),
  isIndexable: true,
  sections: [
    {
      id: 'skills',
      heading: 'Skills',
      markdown:
        skills.length > GROUP_SIZE
          ? `The first ${GROUP_SIZE} of ${showNumber(skills.length)}, ${describeOrder(isCounted, skills)}; ${whole}.`
          : `${countOf(skills.length, 'skill')}, ${describeOrder(isCounted, skills)}.`,
      entries: skills.slice(0, GROUP_SIZE).map(skillEntry),
    },
  ],
})

const writeCategoryDocument = (
  category: Category,
  skills: readonly SkillFacts[],
  isCounted: boolean,
): Document => {
  const query = `?cat=${encodeURIComponent(category)}`
  const whole = `[the search](${SKILLS_PATH}${query}) shows all`
  return {
    ...listGroup(skills, isCounted, whole),
    path: categoryPath(category),
    heading: category,
    lead: [CATEGORY_WORDS[category]],
    description: `${countOf(skills.length, 'agent skill')} for ${category}. ${CATEGORY_WORDS[category]}`,
    category,
    facts: [
      { label: 'Search', value: `within ${category}`, path: `${SKILLS_PATH}${query}` },
      { label: 'JSON', value: 'the same over the API', path: `${LISTING_API_PATH}${query}` },
    ],
  }
}

/** Skills that are named where not all fit; how many more there are is said. */
const LOST_SHOWN = 10

/** Whether the descriptions of some skills fit in the listings of clients together, and which would be left out. */
const writeListingFit = (skills: readonly SkillFacts[]): string =>
  LISTING_BUDGETS.map((budget) => {
    const { client, all, unit, isShared, window, source, day } = budget
    const { taken, lost } = fitListing(skills, budget)
    const kept = `[${client}](${source}) keeps ${showNumber(all)} ${unit} of all descriptions (window of ${window / 1_000}k, ${day})`
    const these = `installed together, these take ${showNumber(taken)}`
    if (lost.length === 0) return `- ${kept}: ${these}, so all fit.`
    if (isShared) return `- ${kept}: ${these}, so the longer ones would be shortened.`
    const names = lost
      .slice(0, LOST_SHOWN)
      .map(({ name, slug }) => `[${escapeMarkdown(name)}](${skillPath(slug)})`)
      .join(', ')
    const more = lost.length > LOST_SHOWN ? ` and ${lost.length - LOST_SHOWN} more` : ''
    return `- ${kept}: ${these}. Kept in the order above, ${lost.length} would lose their text: ${names}${more}.`
  }).join('\n')

const writeAuthorDocument = (
  name: string,
  skills: readonly SkillFacts[],
  isCounted: boolean,
): Document => {
  const search = `[search for the name](${SKILLS_PATH}?q=${encodeURIComponent(name)}) to find all`
  const used = [...new Set(skills.map((skill) => skill.category))].sort()
  const facts: Fact[] = used.map((category) => ({
    label: category,
    value: String(skills.filter((skill) => skill.category === category).length),
    path: categoryPath(category),
  }))
  const group = listGroup(skills, isCounted, search)
  return {
    ...group,
    sections: [
      ...group.sections,
      { id: 'listings', heading: 'In the listings of clients', markdown: writeListingFit(skills) },
    ],
    path: authorPath(name),
    heading: name,
    lead: [`${countOf(skills.length, 'skill')} by ${name} in this registry.`],
    description: `${countOf(skills.length, 'agent skill')} by ${name}, with their sources.`,
    facts,
  }
}

/** The pages that list skills: all of them page by page, then by category and by author. */
export function* planListings(site: Site): Generator<DocumentPlan> {
  const { isCounted } = site.catalog
  // An empty catalog has one page too.
  const pages = Math.max(1, Math.ceil(site.listed.length / LISTING_SIZE))
  for (let page = 1; page <= pages; page += 1) {
    const skills = site.listed.slice((page - 1) * LISTING_SIZE, page * LISTING_SIZE)
    yield {
      kind: page === 1 ? 'skills' : 'listing',
      path: listingPath(page),
      ...(page === 1 ? {} : { shows: { skills, pages } }),
      write: () => writeListingDocument(site, page, pages, skills),
    }
  }
  for (const category of CATEGORIES) {
    const skills = site.byCategory.get(category) ?? []
    yield {
      kind: 'listing',
      path: categoryPath(category),
      shows: { skills, pages: 1 },
      write: () => writeCategoryDocument(category, skills, isCounted),
    }
  }
  for (const { name, skills } of site.byAuthor.values()) {
    yield {
      kind: 'listing',
      path: authorPath(name),
      shows: { skills, pages: 1 },
      write: () => writeAuthorDocument(name, skills, isCounted),
    }
  }
}
