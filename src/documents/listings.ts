import type { Prose } from '../catalog/load.ts'
import { DEFAULT_SORT } from '../catalog/browse.ts'
import { CATEGORIES } from '../catalog/categories.ts'
import type { Category } from '../catalog/categories.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import { countOf } from '../catalog/text.ts'
import { planAuthors } from './author-pages.ts'
import { categoryEntries, planCategories } from './category-pages.ts'
import type { Document, DocumentPlan, Entry, SearchForm, Section } from './document.ts'
import { listSkills, nameSlice, slicePages, writeSlice } from './paging.ts'
import type { Slice } from './paging.ts'
import { CATEGORIES_PATH, LISTING_API_PATH, SKILLS_PATH, postPath } from './paths.ts'
import { knownOrders } from './site.ts'
import type { Site } from './site.ts'

export const postEntry = (post: Prose): Entry => ({
  title: post.title,
  path: postPath(post.slug),
  text: post.description,
  facts: [{ kind: 'day', text: post.date }],
})

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
  orders: knownOrders(site),
})

/** Writes a page of all skills in popular order; the first is the place to search. */
const writeListingDocument = (site: Site, slice: Slice<SkillFacts>): Document => {
  const count = site.listed.length
  const isFirst = slice.page === 1
  const list: Section = {
    ...listSkills(slice, count, site.catalog.isCounted),
    id: 'all-skills',
    heading: isFirst ? 'All skills' : 'Skills',
  }
  const categories: Section = {
    id: 'categories',
    heading: 'Categories',
    markdown: `Every skill is filed under [one of nine](${CATEGORIES_PATH}). Machines search at \`GET ${LISTING_API_PATH}?q=\`.`,
    entries: categoryEntries(site),
  }
  return {
    ...writeSlice(slice),
    kind: isFirst ? 'skills' : 'listing',
    heading: `Skills${nameSlice(slice)}`,
    lead: [isFirst ? 'Search the catalog, or browse it.' : 'Every skill of the catalog in turn.'],
    description: isFirst
      ? `${countOf(count, 'agent skill')} to search, filter and install.`
      : `Agent skills to search, filter and install${nameSlice(slice)} of ${slice.pages}.`,
    facts: [],
    sections: isFirst ? [list, categories] : [list],
    ...(isFirst ? { search: emptySearch(site) } : {}),
  }
}

/** The pages that list skills: all of them page by page, then by category and by author. */
export function* planListings(site: Site): Generator<DocumentPlan> {
  for (const slice of slicePages(SKILLS_PATH, site.listed)) {
    const { path, page, pages, items } = slice
    yield {
      kind: page === 1 ? 'skills' : 'listing',
      path,
      ...(page === 1 ? {} : { shows: { skills: items, pages } }),
      write: () => writeListingDocument(site, slice),
    }
  }
  yield* planCategories(site)
  yield* planAuthors(site)
}
