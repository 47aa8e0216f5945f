import type { CategoryRecord } from '../../catalog/categories.ts'
import { pageDayOf } from '../../catalog/skill.ts'
import type { SkillFacts } from '../../catalog/skill.ts'
import { countOf } from '../../catalog/text.ts'
import type { Document, DocumentPlan, Section } from '../document.ts'
import { listSkills, nameSlice, planSlices, writeSlice } from './entries.ts'
import type { Slice } from './entries.ts'
import { writeListInstall } from '../feeds/marketplace.ts'
import { listCategories } from './listings.ts'
import { PATHS, categoryPath } from '../paths.ts'
import { latestDay } from '../site.ts'
import type { Site } from '../site.ts'
import { bullets, linked, phrase } from '../prose/phrases.ts'

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

/** Plans the page of all categories, and the pages of each category. */
export function* planCategories(site: Site): Generator<DocumentPlan> {
  yield { path: PATHS.categories, write: () => writeCategoriesDocument(site) }
  for (const category of site.categories) {
    const skills = site.byCategory.get(category.name) ?? []
    yield* planSlices(categoryPath(category.name), skills, (slice) =>
      writeCategoryDocument(site, category, slice),
    )
  }
}
