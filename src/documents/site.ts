import type { Catalog } from '../catalog/load.ts'
import { allCategories, nameCategories } from '../catalog/categories.ts'
import type { Category, CategoryRecord } from '../catalog/categories.ts'
import { SORTS } from '../catalog/browse.ts'
import type { Advisory } from '../catalog/schema.ts'
import { UNKNOWN_DAY, isListed } from '../catalog/skill.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import type { Choices, LabelView } from './document.ts'

/** A search to try, and how many skills it finds. */
export interface Example {
  q: string
  count: number
}

/** The input of a site's pages: the catalog, its address, and lookups made once. */
export interface Site {
  catalog: Pick<Catalog, 'site' | 'posts' | 'pages' | 'isCounted' | 'copies'>
  /** Origin of every absolute address, without a final slash. */
  origin: string
  /** Whether it is for a host of files alone, where no program can search and no address without a file is answered. */
  isStatic: boolean
  /** A label that stands for those of all skills. */
  specimen?: LabelView | undefined
  /** Searches that the start page offers. */
  examples?: readonly Example[]
  /** Skills that may be listed, in popular order. */
  listed: readonly SkillFacts[]
  /** In their order. */
  categories: readonly CategoryRecord[]
  byCategory: ReadonlyMap<Category, readonly SkillFacts[]>
  /** By author in lower case, as in addresses; the first spelling is shown. */
  byAuthor: ReadonlyMap<string, { name: string; skills: readonly SkillFacts[] }>
  /** The names of current versions that changed a skill, by slug, where versions are promised. */
  changed?: ReadonlyMap<string, string>
  /** The advisories, where versions are promised. */
  advisories?: readonly Advisory[]
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

/** Prepares a catalog for its pages; `origin` may end in a slash. */
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
    listed,
    categories: allCategories(catalog.site),
    byCategory: groupByCategory(listed, nameCategories(catalog.site)),
    byAuthor: groupByAuthor(listed),
  }
}

/** The choices of a catalog's search form. */
export const listChoices = ({
  catalog,
  listed,
  byCategory,
}: Pick<Site, 'catalog' | 'listed' | 'byCategory'>): Choices => ({
  isCounted: catalog.isCounted,
  isDated: listed.some(({ updated }) => updated !== undefined),
  categories: [...byCategory].flatMap(([category, { length }]) => (length > 0 ? category : [])),
})

/** The latest of some days; UNKNOWN_DAY where there are none. */
export const latestDay = (days: Iterable<string>): string => {
  let latest = UNKNOWN_DAY
  for (const day of days) if (day > latest) latest = day
  return latest
}
