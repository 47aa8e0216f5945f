import type { Category } from '../catalog/categories.ts'
import { CATEGORIES } from '../catalog/categories.ts'
import { pageDayOf } from '../catalog/skill.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import { countOf } from '../catalog/text.ts'
import type { Document, DocumentPlan, Section } from './document.ts'
import { listSkills, nameSlice, printLinks, slicePages, writeSlice } from './entries.ts'
import type { Slice } from './entries.ts'
import { writeListInstall } from './marketplace.ts'
import { CATEGORY_SENTENCES, categoryEntries } from './listings.ts'
import { PATHS, categoryPath } from './paths.ts'
import { latestDay } from './site.ts'
import type { Site } from './site.ts'

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

const writeCategoryDocument = (
  { byCategory, catalog, origin }: Site,
  category: Category,
  slice: Slice<SkillFacts>,
): Document => {
  const skills = byCategory.get(category) ?? []
  const isFirst = slice.page === 1
  const query = `?cat=${encodeURIComponent(category)}`
  const list = listSkills(slice, skills.length, catalog.isCounted, 'category')
  const ways: Section = {
    id: 'ways-on',
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
      ? [list, ...writeListInstall(slice.path, skills, { origin, category }), ways]
      : [list],
  }
}

/** The page of all categories, and the pages of each. */
export function* planCategories(site: Site): Generator<DocumentPlan> {
  yield { kind: 'listing', path: PATHS.categories, write: () => writeCategoriesDocument(site) }
  for (const category of CATEGORIES) {
    const skills = site.byCategory.get(category) ?? []
    for (const slice of slicePages(categoryPath(category), skills)) {
      const { path, page, pages, items } = slice
      yield {
        kind: 'listing',
        path,
        shows: { skills: page === 1 ? skills : items, pages },
        write: () => writeCategoryDocument(site, category, slice),
      }
    }
  }
}
