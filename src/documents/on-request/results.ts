import { DEFAULT_SORT } from '../../catalog/browse.ts'
import type { Category } from '../../catalog/categories.ts'
import { FACET_NAMES } from '../../catalog/facets.ts'
import type { ListedSkill, SkillCard } from '../../catalog/skill.ts'
import { countOf } from '../../catalog/text.ts'
import { LISTING_SIZE, makePager, skillEntry } from '../lists/entries.ts'
import type { Entry, EntryFact, SearchForm, TextRange } from '../document.ts'
import { PATHS, categoryPath, skillPath } from '../paths.ts'
import { describeFacets } from '../lists/search-form.ts'
import type { OnRequestDocument } from './page.ts'
import { bullets, joinPhrases, linked, paragraphs, phrase } from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'

/** A skill in the results, with the ranges that match the query in its name and in the text of its row. */
interface ResultRow extends ListedSkill, SkillCard {
  /** Number of listed skills that are copies of this skill. */
  copies: number
  nameMatches: readonly TextRange[]
  textMatches: readonly TextRange[]
  hit: Entry['hit']
}

/** Suggestions for a search without results. */
interface SearchHints {
  /** The nearest skills, if no skill matches well enough. */
  nearest: readonly ResultRow[]
  /** Number of results of the same query without categories and filters. */
  anywhere: number
  /** Categories to browse, each with its number of skills. */
  categories: readonly { category: Category; count: number }[]
}

export interface Results {
  rows: readonly ResultRow[]
  /** Number of results on all pages. */
  total: number
  /** 1-based. */
  page: number
  /** Misspelt words of the query, each with its correction. */
  corrected: readonly (readonly [typed: string, shown: string])[]
  hints?: SearchHints | undefined
}

type Search = Pick<SearchForm, 'q' | 'sort' | 'categories' | 'facets'>

/** Returns the query string of a search, as its form sends it, without parameters that are empty or have no effect. */
const searchQuery = ({ q, sort, categories, facets }: Search, page = 1): string => {
  const parameters = new URLSearchParams()
  if (q !== '') parameters.set('q', q)
  if (categories.length > 0) parameters.set('cat', categories.join(','))
  if (q === '' && sort !== DEFAULT_SORT) parameters.set('sort', sort)
  for (const name of FACET_NAMES)
    if (facets[name]?.length) parameters.set(name, facets[name].join(','))
  if (page > 1) parameters.set('page', String(page))
  return parameters.toString()
}

/** Returns the address of one page of results. */
export const searchPath = (search: Search, page = 1): string => {
  const query = searchQuery(search, page)
  return query === '' ? PATHS.skills : `${PATHS.skills}?${query}`
}

const page = (search: SearchForm, query: string): Omit<OnRequestDocument, 'sections'> => ({
  kind: 'search',
  path: PATHS.skills,
  query,
  heading: 'Skills',
  lead: phrase`Search the catalog, or browse it.`,
  description: 'Search results from the catalog.',
  updated: '',
  isUnindexed: true,
  search,
})

const describeCount = ({ q, categories, facets }: SearchForm, total: number): string => {
  const where = categories.length > 0 ? ` in ${categories.join(', ')}` : ''
  const words = [`${countOf(total, 'skill')}${q === '' ? '' : ` for “${q}”`}${where}`]
  return [...words, ...describeFacets(facets)].join(', ')
}

const fold = (word: string): string => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Replaces the misspelt words of a query. */
const correctQuery = (q: string, corrected: Results['corrected']): string => {
  const shown = new Map(corrected)
  return q.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => shown.get(fold(word)) ?? word)
}

const describeResults = (
  search: SearchForm,
  { rows, total, page: at, corrected, hints }: Results,
): Phrase | undefined => {
  if (hints?.nearest.length) return phrase`${describeCount(search, total)}. Nearest:`
  if (rows.length === 0 && total > 0)
    return phrase`${describeCount(search, total)}; page ${at} does not exist. ${linked('See the first page', searchPath(search))}.`
  if (total === 0) return phrase`${describeCount(search, total)}.`
  // The heading already gives the count.
  if (corrected.length === 0) return undefined
  const q = correctQuery(search.q, corrected)
  // If the misspelt word is part of a longer word, such as `kubernetsCluster`, the query cannot be corrected in place.
  const shown = q === search.q ? corrected.map(([, word]) => word).join(' ') : q
  const typed = corrected.map(([word]) => `“${word}”`).join(' or ')
  const corrections = linked(shown, searchPath({ ...search, q: shown }))
  return phrase`Showing results for ${corrections}; no skill has ${typed}. ${describeCount({ ...search, q: '' }, total)}.`
}

const listNextSteps = (search: SearchForm, hints: SearchHints): Phrase[] => {
  const { anywhere, categories } = hints
  const everywhere = { ...search, categories: [], facets: {} }
  const isNarrow = search.categories.length > 0 || describeFacets(search.facets).length > 0
  const label = search.q === '' ? 'Without filters' : 'The same words without filters'
  const unfiltered = linked(label, searchPath(everywhere))
  const browse = categories.map(
    ({ category, count }) => phrase`${linked(category, categoryPath(category))} (${count})`,
  )
  return [
    ...(isNarrow && anywhere > 0 ? [phrase`${unfiltered}: ${countOf(anywhere, 'skill')}`] : []),
    phrase`Browse: ${joinPhrases(browse)}`,
  ]
}

/** Counts the copies of a skill, with a link to its page, which names them at the top. */
const copiesFact = ({ slug, copies }: ResultRow): EntryFact => ({
  kind: 'found',
  text: copies === 1 ? 'and 1 copy' : `and ${copies} copies`,
  path: skillPath(slug),
})

const writeEntry = (row: ResultRow): Entry => {
  const { facts, ...entry } = skillEntry(row)
  return {
    ...entry,
    facts: row.copies > 0 ? [...facts, copiesFact(row)] : facts,
    matches: { title: row.nameMatches, text: row.textMatches },
    hit: row.hit,
  }
}

export const writeResults = (search: SearchForm, results: Results): OnRequestDocument => {
  const { rows, total, page: at, corrected, hints } = results
  const pages = Math.max(1, Math.ceil(total / LISTING_SIZE))
  // Either no skill matches the query, or the filters exclude all that do.
  const nothing = hints?.anywhere === 0 ? 'Nothing fits' : 'Nothing found'
  const nextSteps = hints && {
    id: 'where-to-go',
    heading: 'Where to go',
    ...bullets(listNextSteps(search, hints)),
  }
  return {
    ...page(search, searchQuery(search, at)),
    sections: [
      {
        id: 'found',
        heading: hints
          ? nothing
          : describeCount({ ...search, q: correctQuery(search.q, corrected) }, total),
        ...paragraphs(...[describeResults(search, results) ?? []].flat()),
        entries: (hints?.nearest ?? rows).map(writeEntry),
      },
      ...(nextSteps ? [nextSteps] : []),
    ],
    // A page after the last has no pager, like a single page.
    pager: makePager(at, at > pages ? 1 : pages, (to) => searchPath(search, to)),
  }
}

/** Writes the page of a search with an invalid parameter. The form keeps the valid values; `query` is unchanged. */
export const writeRefusal = (
  search: SearchForm,
  { message, hint }: { message: string; hint: string },
  query: string,
): OnRequestDocument => {
  const path = searchPath(search)
  const label = path === PATHS.skills ? 'See all skills' : 'Search without it'
  return {
    ...page(search, query),
    sections: [
      {
        id: 'found',
        heading: 'This search is not valid',
        ...paragraphs(phrase`${message} ${hint}`, phrase`${linked(label, path)}.`),
      },
    ],
  }
}
