import type { Sort } from '../../catalog/browse.ts'
import { ALL } from './categories.ts'
import type { IsIn } from './categories.ts'
import type { Sections } from './layout.ts'

/** Ordinals of a page, and how many skills there are on all pages. */
export interface Page {
  ordinals: number[]
  total: number
}

/** Lists a page of all skills of some categories. */
export type Browse = (sort: Sort, mask: number, offset: number, limit: number) => Page

/** Opens the orders of a file; ordinals are popular order already. */
export const openBrowsing = (sections: Sections, size: number, isIn: IsIn): Browse => {
  const orders: Record<Sort, Uint32Array | undefined> = {
    popular: undefined,
    installs: sections.byInstalls,
    views: sections.byViews,
    name: sections.byName,
  }

  const countIn = (mask: number): number =>
    sections.categoryCounts.reduce(
      (sum, held, category) => ((mask >> category) & 1 ? sum + held : sum),
      0,
    )

  return (sort, mask, offset, limit) => {
    const order = orders[sort]
    const ordinals: number[] = []
    // Without a filter the page is where it says.
    let skipped = mask === ALL ? Math.min(offset, size) : 0
    for (let place = skipped; place < size && ordinals.length < limit; place++) {
      const ordinal = order === undefined ? place : order[place]!
      if (!isIn(ordinal, mask)) continue
      if (skipped < offset) skipped++
      else ordinals.push(ordinal)
    }
    return { ordinals, total: countIn(mask) }
  }
}
