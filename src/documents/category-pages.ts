import { byUpdated } from '../catalog/browse.ts'
import type { Category } from '../catalog/categories.ts'
import { CATEGORIES } from '../catalog/categories.ts'
import { pageDayOf } from '../catalog/skill.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import { countOf, showNumber } from '../catalog/text.ts'
import type { Document, DocumentPlan, Section } from './document.ts'
import {
  firstOfAuthors,
  listSkills,
  nameSlice,
  printLinks,
  skillEntry,
  slicePages,
  writeSlice,
} from './entries.ts'
import type { Slice } from './entries.ts'
import { writeListInstall } from './marketplace.ts'
import { CATEGORY_SENTENCES, categoryEntries } from './listings.ts'
import { PATHS, authorPath, categoryPath } from './paths.ts'
import { latestDay } from './site.ts'
import type { Site } from './site.ts'

/** Most topics of a category. */
const TOPICS = 12

/** Words of names that tell what kind of thing a skill is and not what it is about. */
const EMPTY_WORDS = new Set(
  `agent ai an and app assistant automation basic best build builder bulk code core create creating creator dev
  development engineer engineering expert for from full gen general generate generation generator get guide guidelines
  helper how in integration kit make maker manager my new of on open or patterns practices pro set setup simple skill
  suite system systems template templates the this to tool tools toolkit use using utils with work workflow workflows
  write you your`.split(/\s+/),
)

const wordsOf = (name: string): Set<string> =>
  new Set(
    name
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}+#.]+/u)
      .filter((word) => /^\p{L}[^]/u.test(word) && !EMPTY_WORDS.has(word)),
  )

/** A word in the names of one category: how many have it, and whether more than one author does. */
interface Use {
  count: number
  author: string
  isShared: boolean
}

type Uses = Map<string, Map<Category, Use>>

const countWords = (skills: readonly SkillFacts[]): Uses => {
  const uses: Uses = new Map()
  for (const { name, author, category } of skills)
    for (const word of wordsOf(name)) {
      const byCategory = uses.get(word) ?? new Map<Category, Use>()
      uses.set(word, byCategory)
      const use = byCategory.get(category) ?? { count: 0, author, isShared: false }
      byCategory.set(category, use)
      use.count += 1
      use.isShared ||= use.author !== author
    }
  return uses
}

const term = (seen: number, expected: number): number =>
  seen === 0 ? 0 : seen * Math.log(seen / expected)

/** How far a word is from standing in a category by chance: the log-likelihood ratio of two counts. */
const weigh = (here: number, elsewhere: number, share: number): number => {
  const all = here + elsewhere
  return here <= all * share ? 0 : term(here, all * share) + term(elsewhere, all * (1 - share))
}

interface Weighed {
  word: string
  weight: number
}

const isPluralOf = (a: string, b: string): boolean => a === `${b}s`

const pickTopics = (words: readonly Weighed[]): string[] => {
  const picked: string[] = []
  for (const { word } of words.toSorted(
    (a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1),
  )) {
    if (picked.length === TOPICS) break
    if (!picked.some((one) => isPluralOf(one, word) || isPluralOf(word, one))) picked.push(word)
  }
  return picked
}

/**
 * The words that tell the skills of each category from the others, the most telling first: words of their names,
 * which are known of every skill, that more than one author uses.
 */
const findTopics = (
  skills: readonly SkillFacts[],
  byCategory: ReadonlyMap<Category, readonly SkillFacts[]>,
): Map<Category, string[]> => {
  const weighed = new Map<Category, Weighed[]>()
  for (const [word, uses] of countWords(skills)) {
    const all = [...uses.values()].reduce((sum, { count }) => sum + count, 0)
    for (const [category, { count, isShared }] of uses) {
      if (!isShared || category.toLowerCase() === word) continue
      const share = (byCategory.get(category)?.length ?? 0) / skills.length
      const weight = weigh(count, all - count, share)
      if (weight === 0) continue
      const words = weighed.get(category) ?? []
      weighed.set(category, words)
      words.push({ word, weight })
    }
  }
  return new Map([...weighed].map(([category, words]) => [category, pickTopics(words)]))
}

const writeCategoriesDocument = (site: Site): Document => ({
  kind: 'listing',
  path: PATHS.categories,
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
              `${PATHS.skills}?${new URLSearchParams({ q: word, cat: category })}`,
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
  const others = rest > 0 ? [[`${showNumber(rest)} more`, PATHS.authors] as const] : []
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
      ['In this category', PATHS.skills + query],
      ['As JSON', PATHS.listingApi + query],
    ]),
  }
  const described = isFirst ? `${countOf(skills.length, 'agent skill')} for` : 'Agent skills for'
  return {
    ...writeSlice(slice, slice.items.map(pageDayOf)),
    heading: `${category}${nameSlice(slice)}`,
    lead: [CATEGORY_SENTENCES[category]],
    description: `${described} ${category}${nameSlice(slice)}. ${CATEGORY_SENTENCES[category]}`,
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
  yield { kind: 'listing', path: PATHS.categories, write: () => writeCategoriesDocument(site) }
  const found = findTopics(site.listed, site.byCategory)
  for (const category of CATEGORIES) {
    const skills = site.byCategory.get(category) ?? []
    const topics = found.get(category) ?? []
    for (const slice of slicePages(categoryPath(category), skills)) {
      const { path, page, pages, items } = slice
      yield {
        kind: 'listing',
        path,
        shows: page === 1 ? { skills, pages, more: topics.join(' ') } : { skills: items, pages },
        write: () => writeCategoryDocument(site, category, slice, topics),
      }
    }
  }
}
