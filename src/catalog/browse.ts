import type { Skill } from './skill.ts'

interface Dated {
  /** Day of the last change, YYYY-MM-DD; absent if it is not known. */
  updated?: string | undefined
}

/** The fields that the sort orders compare. */
export type Sortable = Pick<Skill, 'id' | 'name' | 'installs' | 'views'> & Dated

type Comparator = (a: Sortable, b: Sortable) => number

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Compares two texts by code point; `<` would compare UTF-16 units and put emoji before `～`. */
export const compareCodePoints = (a: string, b: string): number => {
  const shorter = Math.min(a.length, b.length)
  let at = 0
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++
  if (at === shorter) return a.length - b.length
  // If texts differ inside a surrogate pair, compares from its first half.
  if (at > 0 && isHighSurrogate(a.charCodeAt(at - 1))) at--
  return (a.codePointAt(at) ?? 0) - (b.codePointAt(at) ?? 0)
}

const byInstalls: Comparator = (a, b) => b.installs - a.installs
const byViews: Comparator = (a, b) => b.views - a.views

/** Newest first; skills without a known day come last. */
const byUpdated = ({ updated: a = '' }: Dated, { updated: b = '' }: Dated): number =>
  a < b ? 1 : Number(a !== b) * -1

/** Like `byUpdated`; skills with the same day are sorted by id, latest addition first. */
export const byNewest = (a: Dated & Pick<Skill, 'id'>, b: Dated & Pick<Skill, 'id'>): number =>
  byUpdated(a, b) || b.id - a.id

const byName: Comparator = (a, b) =>
  compareCodePoints(a.name.toLowerCase(), b.name.toLowerCase()) || a.id - b.id

/** Sort orders of the API, as its description lists them. */
export const API_SORTS = ['popular', 'installs', 'views', 'name'] as const

export const PAGE_SORTS = [...API_SORTS, 'newest'] as const

export type Sort = (typeof PAGE_SORTS)[number]

/** Comparators of the sort orders. Each order is total: ids break every tie. */
export const SORTS: Readonly<Record<Sort, Comparator>> = {
  popular: (a, b) => byInstalls(a, b) || byViews(a, b) || byUpdated(a, b) || byName(a, b),
  installs: (a, b) => byInstalls(a, b) || byName(a, b),
  views: (a, b) => byViews(a, b) || byName(a, b),
  name: byName,
  newest: (a, b) => byUpdated(a, b) || byName(a, b),
}

export const DEFAULT_SORT: Sort = 'popular'
