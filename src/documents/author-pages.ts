import { CATEGORIES } from '../catalog/categories.ts'
import type { Category } from '../catalog/categories.ts'
import { compareCodePoints } from '../catalog/browse.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import { countOf, showNumber } from '../catalog/text.ts'
import type { Document, DocumentPlan, Entry, EntryFact, Fact, Section } from './document.ts'
import { writeListInstall } from './marketplace.ts'
import {
  describeRange,
  listSkills,
  nameSlice,
  pagerOf,
  printLinks,
  slicePages,
  writeSlice,
} from './paging.ts'
import { writeListingFit } from './listing-fit.ts'
import type { Slice } from './paging.ts'
import { AUTHORS_PATH, authorPath, categoryPath } from './paths.ts'
import { latestDay } from './site.ts'
import type { Site } from './site.ts'

/** An author with their skills. */
type Author = Site['byAuthor'] extends ReadonlyMap<string, infer Value> ? Value : never

const countBy = <Key>(keys: readonly Key[]): [Key, number][] =>
  [...Map.groupBy(keys, (key) => key)]
    .map(([key, all]): [Key, number] => [key, all.length])
    .sort((a, b) => b[1] - a[1])

/** The days between which skills last changed, `2025-01-02 to 2026-03-04`; undefined where none is known. */
const spanOf = (skills: readonly SkillFacts[]): string | undefined => {
  let [first, last] = ['', '']
  for (const { updated = '' } of skills) {
    if (updated > last) last = updated
    if (updated !== '' && (first === '' || updated < first)) first = updated
  }
  if (last === '') return undefined
  return first === last ? last : `${first} to ${last}`
}

const categoriesOf = (skills: readonly SkillFacts[]): [Category, number][] =>
  countBy(skills.map(({ category }) => category)).sort(
    ([a, countA], [b, countB]) => countB - countA || CATEGORIES.indexOf(a) - CATEGORIES.indexOf(b),
  )

/** All authors by number of skills, the largest first. */
export const orderAuthors = ({ byAuthor }: Pick<Site, 'byAuthor'>): Author[] =>
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
  kind: 'listing',
  path: slice.path,
  heading: `Authors${nameSlice(slice)}`,
  lead: [
    entries.some(({ facts }) => facts.some(({ kind }) => kind === 'days'))
      ? 'Who wrote the skills of the catalog, what for, and when they last changed.'
      : 'Who wrote the skills of the catalog, and what for.',
  ],
  description:
    slice.page === 1
      ? `${countOf(count, 'author')} of agent skills, with how many each has written.`
      : `Authors of agent skills${nameSlice(slice)} of ${slice.pages}.`,
  updated: latestDay(slice.items.flatMap(({ skills }) => skills.map((one) => one.updated ?? ''))),
  isIndexable: true,
  facts: [],
  sections: [
    {
      id: 'all-authors',
      markdown: `${describeRange(slice, count, 'author')}, most skills first, then by name.`,
      entries,
    },
  ],
  pager: pagerOf(slice),
})

/** Sites on which the first two path segments name a repository. */
const FORGES = new Set(['github.com', 'gitlab.com', 'codeberg.org', 'bitbucket.org'])

/** The repository of a skill's source, or its host. */
const repositoryOf = ({ source }: SkillFacts): string => {
  if (source.kind === 'own') return ''
  const { host, origin, pathname } = new URL(source.url)
  const [owner = '', name = ''] = pathname.slice(1).split('/')
  return FORGES.has(host) && name !== ''
    ? `${origin}/${owner}/${name.replace(/\.git$/, '')}`
    : origin
}

/** Most repositories and licences that the page of an author names. */
const NAMED = 3

const repositoryFacts = (skills: readonly SkillFacts[]): Fact[] =>
  countBy(skills.map(repositoryOf).filter(Boolean))
    .slice(0, NAMED)
    .map(([url]) => ({ label: 'Repository', value: url.replace(/^https?:\/\//, ''), path: url }))

const licenceFact = (skills: readonly SkillFacts[]): Fact => {
  const counts = countBy(skills.map(({ licence }) => licence ?? 'not stated'))
  const named = counts.slice(0, NAMED).map(([licence, count]) => `${licence} (${count})`)
  const rest = counts.length - named.length
  const value = counts.length === 1 ? (counts[0]?.[0] ?? '') : named.join(', ')
  return { label: 'Licences', value: rest > 0 ? `${value} and ${rest} more` : value }
}

const writeCategories = (skills: readonly SkillFacts[]): Section => ({
  id: 'categories-here',
  heading: 'Categories',
  markdown: printLinks(
    categoriesOf(skills).map(([category, count]) => [category, categoryPath(category), count]),
  ),
})

const writeAuthorDocument = (
  { name, skills }: Author,
  slice: Slice<SkillFacts>,
  { catalog: { isCounted }, origin }: Site,
): Document => {
  const isFirst = slice.page === 1
  const list = listSkills(slice, skills.length, isCounted, 'author')
  const span = spanOf(skills)
  return {
    ...writeSlice(slice),
    heading: `${name}${nameSlice(slice)}`,
    lead: [isFirst ? `${countOf(skills.length, 'skill')} by ${name}.` : `Skills by ${name}.`],
    description: isFirst
      ? `${countOf(skills.length, 'agent skill')} by ${name}, with their sources.`
      : `Agent skills by ${name}${nameSlice(slice)}.`,
    facts: isFirst
      ? [
          ...repositoryFacts(skills),
          licenceFact(skills),
          { label: 'Updated', value: span ?? 'not known', isDay: true },
        ]
      : [],
    sections: isFirst
      ? [
          writeCategories(skills),
          list,
          ...writeListInstall(slice.path, skills, { origin }),
          writeListingFit(skills),
        ]
      : [list],
  }
}

export function* planAuthors(site: Site): Generator<DocumentPlan> {
  const authors = orderAuthors(site)
  for (const slice of slicePages(AUTHORS_PATH, authors)) {
    const entries = slice.items.map(authorEntry)
    yield {
      kind: 'listing',
      path: slice.path,
      shows: {
        skills: [],
        pages: slice.pages,
        more: JSON.stringify([slice.page === 1 && authors.length, entries]),
      },
      write: () => writeAuthorsDocument(slice, entries, authors.length),
    }
  }
  for (const author of site.byAuthor.values()) {
    for (const slice of slicePages(authorPath(author.name), author.skills)) {
      const { path, page, pages, items } = slice
      yield {
        kind: 'listing',
        path,
        shows: { skills: page === 1 ? author.skills : items, pages },
        write: () => writeAuthorDocument(author, slice, site),
      }
    }
  }
}
