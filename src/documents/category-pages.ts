import { byUpdated } from '../catalog/browse.ts'
import type { Category } from '../catalog/categories.ts'
import { CATEGORIES } from '../catalog/categories.ts'
import { pageDayOf } from '../catalog/skill.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import { countOf, showNumber } from '../catalog/text.ts'
import type { Document, DocumentPlan, Entry, Section } from './document.ts'
import { firstOfAuthors, pickOnePerAuthor, skillEntry } from './entries.ts'
import { writeListInstall } from './marketplace.ts'
import { listSkills, printLinks, nameSlice, slicePages, writeSlice } from './paging.ts'
import type { Slice } from './paging.ts'
import {
  AUTHORS_PATH,
  CATEGORIES_PATH,
  LISTING_API_PATH,
  SKILLS_PATH,
  authorPath,
  categoryPath,
  skillPath,
} from './paths.ts'
import { latestDay } from './site.ts'
import type { Site } from './site.ts'
import { findTopics } from './topics.ts'

/** A sentence for the page of each category. */
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

/** Describes in a sentence what the skills of a category do. */
export const describeCategory = (category: Category): string => CATEGORY_WORDS[category]

/** Example skills of each category in the list of all nine. */
const NAMES_SHOWN = 3

/** The nine categories, each with its number of skills and the first skills of different authors. */
export const categoryEntries = (site: Site): Entry[] =>
  CATEGORIES.map((category) => {
    const skills = site.byCategory.get(category) ?? []
    return {
      title: category,
      path: categoryPath(category),
      text: CATEGORY_WORDS[category],
      category,
      facts: [{ kind: 'count', text: countOf(skills.length, 'skill') }],
      names: pickOnePerAuthor(skills, NAMES_SHOWN).map(({ name, slug }) => ({
        title: name,
        path: skillPath(slug),
      })),
    }
  })

const writeCategoriesDocument = (site: Site): Document => ({
  kind: 'listing',
  path: CATEGORIES_PATH,
  heading: 'Categories',
  lead: [`Every one of ${countOf(site.listed.length, 'skill')} is filed under one of nine.`],
  description: `The nine categories of ${countOf(site.listed.length, 'agent skill')}.`,
  updated: latestDay(site.listed.map(pageDayOf)),
  isIndexable: true,
  facts: [],
  sections: [{ id: 'categories', markdown: '', entries: categoryEntries(site) }],
})

const writeTopics = (category: Category, topics: readonly string[]): Section[] =>
  topics.length === 0
    ? []
    : [
        {
          id: 'topics',
          isAside: true,
          heading: 'Topics',
          markdown: printLinks(
            topics.map((word) => [
              word,
              `${SKILLS_PATH}?${new URLSearchParams({ q: word, cat: category })}`,
            ]),
          ),
        },
      ]

/** Most authors named on the page of a category. */
const AUTHORS_SHOWN = 6

const writeAuthors = (skills: readonly SkillFacts[]): Section[] => {
  const byAuthor = [...Map.groupBy(skills, ({ author }) => author.toLowerCase()).values()]
  const first = byAuthor.sort((a, b) => b.length - a.length).slice(0, AUTHORS_SHOWN)
  const links = first.flatMap((own) =>
    own.slice(0, 1).map(({ author }) => [author, authorPath(author), own.length] as const),
  )
  const rest = byAuthor.length - first.length
  const others = rest > 0 ? [[`${showNumber(rest)} more`, AUTHORS_PATH] as const] : []
  return links.length === 0
    ? []
    : [
        {
          id: 'authors-here',
          isAside: true,
          heading: 'Authors',
          markdown: printLinks([...links, ...others]),
        },
      ]
}

/** Most skills named as newest. */
const NEWEST_SHOWN = 5

/** The skills that changed last, one of each author; empty if the list below begins with the same ones. */
const writeNewest = (skills: readonly SkillFacts[]): Section[] => {
  const dated = skills.filter(({ updated }) => updated !== undefined).sort(byUpdated)
  const shown = firstOfAuthors(dated, NEWEST_SHOWN)
  return shown.length < 2 || shown.every((skill, at) => skill === skills[at])
    ? []
    : [
        {
          id: 'newest',
          isAside: true,
          heading: 'Newest, one an author',
          markdown: '',
          entries: shown.map(skillEntry),
        },
      ]
}

const writeCategoryDocument = (
  { byCategory, catalog, origin }: Site,
  category: Category,
  slice: Slice<SkillFacts>,
  topics: readonly string[],
): Document => {
  const skills = byCategory.get(category) ?? []
  const isFirst = slice.page === 1
  const query = `?cat=${encodeURIComponent(category)}`
  const list = listSkills(slice, skills.length, catalog.isCounted, 'category')
  const ways: Section = {
    id: 'ways-on',
    isAside: true,
    heading: 'Search',
    markdown: printLinks([
      ['In this category', SKILLS_PATH + query],
      ['As JSON', LISTING_API_PATH + query],
    ]),
  }
  const described = isFirst ? `${countOf(skills.length, 'agent skill')} for` : 'Agent skills for'
  return {
    ...writeSlice(slice),
    heading: `${category}${nameSlice(slice)}`,
    lead: [CATEGORY_WORDS[category]],
    description: `${described} ${category}${nameSlice(slice)}. ${CATEGORY_WORDS[category]}`,
    category,
    hasFeed: true,
    facts: [],
    sections: isFirst
      ? [
          list,
          ...writeListInstall(slice.path, skills, { origin, category }),
          ...writeTopics(category, topics),
          ...writeAuthors(skills),
          ...writeNewest(skills),
          ways,
        ]
      : [list],
  }
}

/** The page of all categories, and the pages of each. */
export function* planCategories(site: Site): Generator<DocumentPlan> {
  yield { kind: 'listing', path: CATEGORIES_PATH, write: () => writeCategoriesDocument(site) }
  let topics: ReturnType<typeof findTopics> | undefined
  const topicsOf = (category: Category): readonly string[] =>
    (topics ??= findTopics(site.listed, site.byCategory)).get(category) ?? []
  for (const category of CATEGORIES) {
    for (const slice of slicePages(categoryPath(category), site.byCategory.get(category) ?? [])) {
      const { path, page, pages, items } = slice
      yield {
        kind: 'listing',
        path,
        // The first page depends on every skill of the catalog.
        ...(page === 1 ? {} : { shows: { skills: items, pages } }),
        write: () =>
          writeCategoryDocument(site, category, slice, page === 1 ? topicsOf(category) : []),
      }
    }
  }
}
