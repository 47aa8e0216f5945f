import { plainRepository, readAddress } from '../../catalog/address.ts'
import type { Prose } from '../../catalog/load.ts'
import { DEFAULT_SORT, compareCodePoints } from '../../catalog/browse.ts'
import type { Category, CategoryRecord } from '../../catalog/categories.ts'
import { FACET_VALUES } from '../../catalog/facets.ts'
import { pageDayOf } from '../../catalog/skill.ts'
import type { SkillFacts } from '../../catalog/skill.ts'
import { countOf, showNumber } from '../../catalog/text.ts'
import type { Document, DocumentPlan, Entry, SearchForm, Section, EntryFact } from '../document.ts'
import { PATHS, authorPath, basePath, categoryPath, postPath, prosePath } from '../paths.ts'
import { CLIENT_COUNT } from '../skill/clients.ts'
import { latestDay, listChoices } from '../site.ts'
import type { Site } from '../site.ts'
import {
  describeRange,
  listSkills,
  nameSlice,
  planSlices,
  slicePages,
  writeSlice,
} from './entries.ts'
import type { Slice } from './entries.ts'
import { writeListInstall } from '../feeds/marketplace.ts'
import {
  NO_WORDS,
  bullets,
  factLine,
  inCode,
  joinPhrases,
  linked,
  paragraphs,
  phrase,
} from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'

/** Picks the first `count` skills, but takes a second skill of an author only if there are too few authors. */
export const pickOnePerAuthor = (skills: readonly SkillFacts[], count: number): SkillFacts[] => {
  const byAuthor = new Map<string, SkillFacts>()
  for (const skill of skills) {
    if (byAuthor.size === count) break
    const author = skill.author.toLowerCase()
    if (!byAuthor.has(author)) byAuthor.set(author, skill)
  }
  return [...new Set([...byAuthor.values(), ...skills.slice(0, count)])].slice(0, count)
}

const categoryEntries = (site: Site): Entry[] =>
  site.categories.flatMap(({ name: category, description }) => {
    const skills = site.byCategory.get(category) ?? []
    if (skills.length === 0) return []
    return {
      title: category,
      path: categoryPath(category),
      text: description,
      category,
      facts: [{ kind: 'count', text: showNumber(skills.length) }],
    }
  })

export const listCategories = (site: Site): Section & { entries: Entry[] } => ({
  id: 'categories',
  ...NO_WORDS,
  entries: categoryEntries(site),
  list: 'cells',
})

/** Lists pages by title, such as posts. */
export const listTitles = (entries: Entry[]): Omit<Section, 'id'> => ({
  ...NO_WORDS,
  entries,
  list: 'titles',
})

/** Lists the documentation: generated pages first, then pages of the content folder. */
export const docEntries = ({ catalog }: Pick<Site, 'catalog'>): Entry[] =>
  [
    ['API', PATHS.apiDocs, 'Requests, responses, parameters and errors.'],
    ['Findings', PATHS.safetyDocs, 'What skills are scanned for, and what the scan misses.'],
    ['Directories', PATHS.directories, `Where each of ${CLIENT_COUNT} clients looks for skills.`],
    ...catalog.pages.map(({ title, slug, description }) => [title, prosePath(slug), description]),
  ].map(([title = '', path = '', text = '']) => ({ title, path, text, facts: [] }))

export const postEntry = (post: Prose): Entry => ({
  title: post.title,
  path: postPath(post.slug),
  text: post.description,
  facts: [{ kind: 'day', text: post.date }],
})

/** Counts skills as a search does: it leaves out a copy if the original is also in the list. */
const countWithoutCopies = (skills: readonly SkillFacts[], { copies }: Site): number => {
  const ids = new Set(skills.map(({ id }) => id))
  return skills.filter(({ id }) => !ids.has(copies[id] ?? 0)).length
}

const emptySearch = (site: Site): SearchForm => ({
  q: '',
  sort: DEFAULT_SORT,
  categories: [],
  facets: {},
  counts: Object.fromEntries(
    [...site.byCategory].map(([category, skills]) => [category, countWithoutCopies(skills, site)]),
  ),
  facetCounts: FACET_VALUES.map(({ has }) => countWithoutCopies(site.listed.filter(has), site)),
  choices: listChoices(site),
})

/** Writes one page of all skills, most popular first. Page 1 has the search form. */
const writeListingDocument = (site: Site, slice: Slice<SkillFacts>): Document => {
  const count = site.listed.length
  const isFirst = slice.page === 1
  const rows: Section = {
    ...listSkills(slice, count, site.catalog.isCounted),
    id: 'all-skills',
    heading: isFirst ? 'All skills' : 'Skills',
  }
  const access = site.isStatic
    ? phrase`read all of them from ${inCode(basePath(site.origin) + PATHS.dump)}`
    : phrase`search at ${inCode(`GET ${PATHS.listingApi}?q=`)}`
  const categories: Section = {
    ...listCategories(site),
    heading: 'Categories',
    ...paragraphs(
      phrase`Every skill is in ${linked('one category', PATHS.categories)}. Programs can ${access}.`,
    ),
  }
  return {
    ...writeSlice(slice, slice.items.map(pageDayOf)),
    kind: isFirst ? 'search' : 'listing',
    heading: `Skills${nameSlice(slice)}`,
    lead: isFirst
      ? phrase`Search the catalog, or browse it.`
      : phrase`All skills in the catalog, page by page.`,
    description: isFirst
      ? `${countOf(count, 'agent skill')} to search, filter and install.`
      : `Agent skills to search, filter and install${nameSlice(slice)} of ${slice.pages}.`,
    sections: isFirst ? [rows, categories] : [rows],
    ...(isFirst ? { search: emptySearch(site) } : {}),
  }
}

export function* planSkills(site: Site): Generator<DocumentPlan> {
  const write = (slice: Slice<SkillFacts>): Document => writeListingDocument(site, slice)
  for (const plan of planSlices(PATHS.skills, site.listed, write))
    // The search form of the first page depends on more than its skills.
    yield plan.path === PATHS.skills ? { path: plan.path, write: plan.write } : plan
}

const writeCategoriesDocument = (site: Site): Document => ({
  kind: 'listing',
  path: PATHS.categories,
  heading: 'Categories',
  lead: phrase`${countOf(site.listed.length, 'skill')}, each in one category.`,
  description: `The categories of ${countOf(site.listed.length, 'agent skill')}.`,
  updated: latestDay(site.listed.map(pageDayOf)),
  isUnindexed: false,
  sections: [listCategories(site)],
})

const writeCategoryDocument = (
  { byCategory, catalog, origin, isStatic }: Site,
  { name: category, description: about }: CategoryRecord,
  slice: Slice<SkillFacts>,
): Document => {
  const skills = byCategory.get(category) ?? []
  const isFirst = slice.page === 1
  const query = `?cat=${encodeURIComponent(category)}`
  const rows = listSkills(slice, skills.length, catalog.isCounted, 'category')
  const searches: Section = {
    id: 'ways-on',
    heading: 'Search',
    ...bullets([
      linked('In this category', PATHS.skills + query),
      !isStatic && linked('As JSON', PATHS.listingApi + query),
    ]),
  }
  const described = isFirst ? `${countOf(skills.length, 'agent skill')} for` : 'Agent skills for'
  const place = { origin, category, isPrivate: catalog.site.private }
  return {
    ...writeSlice(slice, slice.items.map(pageDayOf)),
    heading: `${category}${nameSlice(slice)}`,
    lead: phrase`${about}`,
    description: `${described} ${category}${nameSlice(slice)}. ${about}`,
    category,
    isUnindexed: skills.length === 0,
    hasFeed: true,
    sections: isFirst ? [rows, ...writeListInstall(slice.path, skills, place), searches] : [rows],
  }
}

export function* planCategories(site: Site): Generator<DocumentPlan> {
  yield { path: PATHS.categories, write: () => writeCategoriesDocument(site) }
  for (const category of site.categories) {
    const skills = site.byCategory.get(category.name) ?? []
    yield* planSlices(categoryPath(category.name), skills, (slice) =>
      writeCategoryDocument(site, category, slice),
    )
  }
}

/** An author with their skills. */
type Author = Site['byAuthor'] extends ReadonlyMap<string, infer Value> ? Value : never

/** Counts equal words, the most frequent first. */
const countBy = (words: readonly string[]): [string, number][] =>
  [...Map.groupBy(words, (word) => word)]
    .map(([word, { length }]): [string, number] => [word, length])
    .sort(([a, countA], [b, countB]) => countB - countA || compareCodePoints(a, b))

/** Returns the first and last day on which skills changed, as `2025-01-02 to 2026-03-04`; undefined if unknown. */
const spanOf = (skills: readonly SkillFacts[]): string | undefined => {
  const days = skills.flatMap(({ updated }) => updated ?? []).sort()
  const [first, last] = [days[0], days.at(-1)]
  return first === last ? first : `${first} to ${last}`
}

const categoriesOf = (skills: readonly SkillFacts[]): [Category, number][] =>
  countBy(skills.map(({ category }) => category))

/** Returns all authors, most skills first. */
const orderAuthors = ({ byAuthor }: Pick<Site, 'byAuthor'>): Author[] =>
  [...byAuthor.values()].sort(
    (a, b) =>
      b.skills.length - a.skills.length ||
      compareCodePoints(a.name.toLowerCase(), b.name.toLowerCase()),
  )

const authorEntry = ({ name, skills }: Author): Entry => {
  const categories = categoriesOf(skills)
  const span = spanOf(skills)
  const [main] = categories
  return {
    title: name,
    path: authorPath(name),
    text: categories.map(([category, count]) => `${category}\u00a0${showNumber(count)}`).join(', '),
    ...(main ? { category: main[0] } : {}),
    facts: [
      { kind: 'count', text: countOf(skills.length, 'skill') },
      ...(span === undefined ? [] : [{ kind: 'days', text: span } satisfies EntryFact]),
    ],
  }
}

const writeAuthorsDocument = (slice: Slice<Author>, entries: Entry[], count: number): Document => ({
  ...writeSlice(
    slice,
    slice.items.flatMap(({ skills }) => skills.map(({ updated = '' }) => updated)),
  ),
  heading: `Authors${nameSlice(slice)}`,
  lead: phrase`Who wrote the skills in the catalog, and for which categories.`,
  description:
    slice.page === 1
      ? `${countOf(count, 'author')} of agent skills, with the number of skills by each.`
      : `Authors of agent skills${nameSlice(slice)} of ${slice.pages}.`,
  sections: [
    {
      id: 'all-authors',
      ...paragraphs(
        phrase`${describeRange(slice, count, 'author')}, most skills first, then by name.`,
      ),
      entries,
    },
  ],
})

/** Returns the repository of a skill's source, or else the origin of the source. */
const repositoryOf = ({ source }: SkillFacts): string =>
  source.kind === 'own'
    ? ''
    : (plainRepository(readAddress(source.url)) ?? new URL(source.url).origin)

/** An author page names at most this many repositories and licences. */
const MOST_NAMED = 3

const nameLicences = (skills: readonly SkillFacts[]): Phrase | undefined => {
  const counts = countBy(skills.flatMap(({ licence }) => licence ?? []))
  const named = counts.slice(0, MOST_NAMED).map(([licence]) => licence)
  return named.length === 0 ? undefined : joinPhrases(named, ', ', counts.length - named.length)
}

const writeCategories = (skills: readonly SkillFacts[]): Section => {
  const links = categoriesOf(skills).map(
    ([category, count]) => phrase`${linked(category, categoryPath(category))} ${showNumber(count)}`,
  )
  return { id: 'categories', ...paragraphs(phrase`Categories: ${joinPhrases(links)}.`) }
}

/** Writes the facts of an author: repositories, licences, and the days of the skills. */
const describeAuthor = (skills: readonly SkillFacts[]): Phrase => {
  const repositories = countBy(skills.map(repositoryOf).filter(Boolean)).slice(0, MOST_NAMED)
  const span = spanOf(skills)
  return factLine([
    ...repositories.map(([url]) => linked(url.replace(/^https?:\/\//, ''), url)),
    nameLicences(skills),
    span !== undefined && `updated ${span}`,
  ])
}

const writeAuthorDocument = (
  { name, skills }: Author,
  slice: Slice<SkillFacts>,
  { catalog: { isCounted, site }, origin }: Site,
): Document => {
  const isFirst = slice.page === 1
  const rows = listSkills(slice, skills.length, isCounted, 'author')
  return {
    ...writeSlice(slice, slice.items.map(pageDayOf)),
    heading: `${name}${nameSlice(slice)}`,
    lead: phrase`${isFirst ? countOf(skills.length, 'skill') : 'Skills'} by ${name}.`,
    description: isFirst
      ? `${countOf(skills.length, 'agent skill')} by ${name}, with their sources.`
      : `Agent skills by ${name}${nameSlice(slice)}.`,
    ...(isFirst ? { below: describeAuthor(skills) } : {}),
    sections: isFirst
      ? [
          writeCategories(skills),
          rows,
          ...writeListInstall(slice.path, skills, { origin, isPrivate: site.private }),
        ]
      : [rows],
  }
}

export function* planAuthors(site: Site): Generator<DocumentPlan> {
  const authors = orderAuthors(site)
  for (const slice of slicePages(PATHS.authors, authors)) {
    const entries = slice.items.map(authorEntry)
    yield {
      path: slice.path,
      shows: {
        skills: [],
        pages: slice.pages,
        otherData: JSON.stringify([slice.page === 1 && authors.length, entries]),
      },
      write: () => writeAuthorsDocument(slice, entries, authors.length),
    }
  }
  for (const author of site.byAuthor.values())
    yield* planSlices(authorPath(author.name), author.skills, (slice) =>
      writeAuthorDocument(author, slice, site),
    )
}
