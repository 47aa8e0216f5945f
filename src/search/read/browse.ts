import type { Sort } from '../../catalog/browse.ts'
import { CATEGORIES } from '../../catalog/categories.ts'
import type { Category } from '../../catalog/categories.ts'
import type { ListedSkill } from '../../catalog/skill.ts'
import type { Sections } from '../format/layout.ts'

/** Which skills are wanted, whatever else is asked. */
export interface Filter {
  /** Any of these; an empty list is all. */
  categories: readonly Category[]
}

/** What a reader asks of the index, checked: `limit` is at least 1, `offset` at least 0. */
export interface FindRequest extends Filter {
  q?: string | undefined
  /** The order without a query; with one, results are scored. */
  sort: Sort
  limit: number
  offset: number
}

/** A page of skills, and how many there are on all pages (registry-api 2.3). */
export interface Found {
  skills: ListedSkill[]
  total: number
}

/** The listed skills of a registry, opened for search and browsing (registry-api 4.1). */
export interface SkillIndex {
  size: number
  find(request: FindRequest): Found
  /** Finds the same page as JSON in UTF-8, where the rows lie ready as such. */
  findRows?(request: FindRequest): { rows: Uint8Array[]; total: number }
}

/** Ordinals of a page, and how many skills there are on all pages. */
export interface OrdinalPage {
  ordinals: number[]
  total: number
}

/** The skills of a file that a filter wants. */
export class FilteredSkills {
  readonly size: number
  /** True where nothing is filtered out. */
  readonly isAll: boolean
  readonly #categories: Uint8Array
  /** One bit for each wanted category. */
  readonly #mask: number

  constructor({ categories, categoryCounts }: Sections, filter: Filter) {
    const wanted = filter.categories.map((category) => CATEGORIES.indexOf(category))
    this.isAll = wanted.length === 0
    this.#categories = categories
    const mask = wanted.reduce((bits, category) => bits | (1 << category), 0)
    this.#mask = this.isAll ? -1 : mask
    this.size = categoryCounts.reduce(
      (sum, count, category) => ((this.#mask >> category) & 1 ? sum + count : sum),
      0,
    )
  }

  has(ordinal: number): boolean {
    return ((this.#mask >> this.#categories[ordinal]!) & 1) === 1
  }
}

/** Lists a page of the wanted skills in one order; ordinals are popular order already. */
export const browseSkills = (
  sections: Sections,
  wanted: FilteredSkills,
  { sort, offset, limit }: FindRequest,
): OrdinalPage => {
  const orders: Record<Sort, Uint32Array | undefined> = {
    popular: undefined,
    installs: sections.byInstalls,
    views: sections.byViews,
    name: sections.byName,
  }
  const order = orders[sort]
  const size = sections.categories.length
  const ordinals: number[] = []
  // Without a filter the page is where it says.
  let skipped = wanted.isAll ? Math.min(offset, size) : 0
  for (let place = skipped; place < size && ordinals.length < limit; place++) {
    const ordinal = order === undefined ? place : order[place]!
    if (!wanted.has(ordinal)) continue
    if (skipped < offset) skipped++
    else ordinals.push(ordinal)
  }
  return { ordinals, total: wanted.size }
}
