import type { Catalog } from '../catalog/load.ts'
import { allCategories, nameCategories } from '../catalog/categories.ts'
import type { Category, CategoryRecord } from '../catalog/categories.ts'
import { SORTS } from '../catalog/browse.ts'
import type { Copies } from '../catalog/references.ts'
import { UNKNOWN_DAY, isListed } from '../catalog/skill.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import type { Choices, SampleLabel } from './document.ts'

/** The input for all pages of a site: the catalog, its address, and lookups that are made once. */
export interface Site {
  catalog: Pick<Catalog, 'site' | 'posts' | 'pages' | 'isCounted'>
  /** Origin of every absolute address, without a final slash. */
  origin: string
  /** Whether the site is for a static host, which serves only files: no search API, no pages printed on request. */
  isStatic: boolean
  /** The label of one skill, which the home page and /docs show as a sample. */
  sampleLabel?: SampleLabel | undefined
  /** The original of each copy, by id. */
  copies: Copies
  /** The skills that may be listed, most popular first. */
  listed: readonly SkillFacts[]
  /** In the order of `site.json`. */
  categories: readonly CategoryRecord[]
  byCategory: ReadonlyMap<Category, readonly SkillFacts[]>
  /** Keys are authors in lower case, as in addresses; `name` is the first spelling found. */
  byAuthor: ReadonlyMap<string, { name: string; skills: readonly SkillFacts[] }>
  /** By slug, the names of current versions that changed a skill. Absent unless the registry promises versions. */
  changed?: ReadonlyMap<string, string>
}

const groupByAuthor = (skills: readonly SkillFacts[]): Site['byAuthor'] => {
  const authors = new Map<string, { name: string; skills: SkillFacts[] }>()
  for (const skill of skills) {
    const key = skill.author.toLowerCase()
    const author = authors.get(key) ?? { name: skill.author, skills: [] }
    author.skills.push(skill)
    authors.set(key, author)
  }
  return authors
}

const groupByCategory = (
  skills: readonly SkillFacts[],
  names: readonly Category[],
): Site['byCategory'] => {
  const found = Map.groupBy(skills, ({ category }) => category)
  return new Map(names.map((category) => [category, found.get(category) ?? []]))
}

/** Prepares a catalog for writing its pages. `origin` may end in a slash. */
export const createSite = (
  catalog: Site['catalog'],
  skills: readonly SkillFacts[],
  origin: string,
  isStatic = false,
): Site => {
  const listed = skills.filter(isListed).sort(SORTS.popular)
  return {
    catalog,
    origin: origin.replace(/\/+$/, ''),
    isStatic,
    copies: {},
    listed,
    categories: allCategories(catalog.site),
    byCategory: groupByCategory(listed, nameCategories(catalog.site)),
    byAuthor: groupByAuthor(listed),
  }
}

/** Lists what the search form can offer. */
export const listChoices = ({
  catalog,
  listed,
  byCategory,
}: Pick<Site, 'catalog' | 'listed' | 'byCategory'>): Choices => ({
  isCounted: catalog.isCounted,
  isDated: listed.some(({ updated }) => updated !== undefined),
  categories: [...byCategory].flatMap(([category, { length }]) => (length > 0 ? category : [])),
})

/** Returns the latest day, or UNKNOWN_DAY if there are none. */
export const latestDay = (days: Iterable<string>): string => {
  let latest = UNKNOWN_DAY
  for (const day of days) if (day > latest) latest = day
  return latest
}
