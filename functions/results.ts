import { DEFAULT_SORT } from '../src/catalog/browse.ts'
import { CATEGORIES } from '../src/catalog/categories.ts'
import type { SearchPageQuery } from '../src/api/query.ts'
import type { ResultRow, Results, SearchHints } from '../src/documents/answered/results.ts'
import { LISTING_SIZE } from '../src/documents/entries.ts'
import { openMatcher } from '../src/search/index.ts'
import type { CardRow, Matcher, SearchBackend } from '../src/search/index.ts'

/** Categories suggested when nothing is found. */
const CATEGORIES_OFFERED = 3

/** Matches all skills; only the counts are used. */
const EVERYTHING = { sort: DEFAULT_SORT, categories: [], limit: 1, offset: 0 } as const

/** Shows the summary, unless another excerpt of the description matches more words of the query. */
const showRow = (row: CardRow, matcher: Matcher): ResultRow => {
  const summary = matcher.excerpt(row.summary)
  const excerpt = summary.words < matcher.words ? matcher.excerpt(row.description) : summary
  return {
    ...row,
    nameMatches: matcher.mark(row.name).matches,
    excerpt: excerpt.words > summary.words ? excerpt : summary,
  }
}

const findWaysOn = async (q: string, search: SearchBackend): Promise<SearchHints> => {
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

/** Finds the results of a search page, with the number of results in each category. */
export const findResults = async (
  { page, q, ...asked }: SearchPageQuery,
  search: SearchBackend,
): Promise<Results & { counts: readonly number[] }> => {
  // Any offset past the end gives an empty page; this one is still an exact integer.
  const offset = Math.min((page - 1) * LISTING_SIZE, Number.MAX_SAFE_INTEGER)
  const found = await search.findPage({ ...asked, q, limit: LISTING_SIZE, offset })
  const { rows, total, corrected, categoryCounts, plan } = found
  const matcher = openMatcher(plan, corrected)
  return {
    rows: rows.map((row) => showRow(row, matcher)),
    total,
    page,
    corrected,
    counts: categoryCounts,
    hints: total === 0 ? await findWaysOn(q, search) : undefined,
  }
}
