import { DEFAULT_SORT } from '../src/catalog/browse.ts'
import { CATEGORIES } from '../src/catalog/categories.ts'
import type { SearchPageQuery } from '../src/api/query.ts'
import type { ResultRow, Results, WaysOn } from '../src/documents/answered/results.ts'
import { LISTING_SIZE } from '../src/documents/entries.ts'
import { excerptMatches, markMatches } from '../src/search/index.ts'
import type { CardRow, Corrected, Excerpt, SearchBackend } from '../src/search/index.ts'

/** Categories that are offered where nothing is found. */
const CATEGORIES_OFFERED = 3

/** Everything, but no rows of it: only what is counted. */
const EVERYTHING = { sort: DEFAULT_SORT, categories: [], limit: 1, offset: 0 } as const

const countWords = ({ text, matches }: Excerpt): number =>
  new Set(matches.map(({ from, to }) => text.slice(from, to).toLowerCase())).size

/** A skill is shown by its summary, unless another part of its description shows more of the words. */
const showRow = (row: CardRow, q: string, corrected: readonly Corrected[]): ResultRow => {
  const summary = { text: row.summary, matches: markMatches(row.summary, q, corrected) }
  const excerpt = excerptMatches(row.description, q, corrected)
  return {
    ...row,
    nameMatches: markMatches(row.name, q, corrected),
    excerpt: countWords(excerpt) > countWords(summary) ? excerpt : summary,
  }
}

const findWaysOn = async (q: string, search: SearchBackend): Promise<WaysOn> => {
  const [everywhere, everything, words] = await Promise.all([
    search.findPage({ ...EVERYTHING, q }),
    search.findPage(EVERYTHING),
    search.suggestWords(q),
  ])
  const counts = CATEGORIES.map((category, at) => ({
    category,
    count: everything.categoryCounts[at] ?? 0,
  }))
  return {
    words,
    anywhere: everywhere.total,
    categories: counts.sort((a, b) => b.count - a.count).slice(0, CATEGORIES_OFFERED),
  }
}

/** What a page of a search shows, and how many results each category would have. */
export const findResults = async (
  { page, q, ...asked }: SearchPageQuery,
  search: SearchBackend,
): Promise<Results & { counts: readonly number[] }> => {
  // Past the end of everything there is, wherever that is: `offset` stays exact.
  const offset = Math.min((page - 1) * LISTING_SIZE, Number.MAX_SAFE_INTEGER)
  const found = await search.findPage({ ...asked, q, limit: LISTING_SIZE, offset })
  const { rows, total, corrected, categoryCounts } = found
  return {
    rows: rows.map((row) => showRow(row, q, corrected)),
    total,
    page,
    corrected,
    counts: categoryCounts,
    waysOn: total === 0 ? await findWaysOn(q, search) : undefined,
  }
}
