import type { Sort } from '../../catalog/browse.ts'
import { CATEGORIES } from '../../catalog/categories.ts'
import type { Filter, FindRequest } from '../find.ts'
import type { Sections } from '../format/layout.ts'

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
