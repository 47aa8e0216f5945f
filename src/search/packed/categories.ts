import { CATEGORIES } from '../../catalog/categories.ts'
import type { Category } from '../../catalog/categories.ts'
import type { Sections } from './layout.ts'

/** Every category, one bit each. */
export const ALL = 2 ** CATEGORIES.length - 1

/** Gives the bits of some categories; none named is all of them. */
export const maskOf = (categories: readonly Category[]): number =>
  categories.length === 0
    ? ALL
    : categories.reduce((mask, category) => mask | (1 << CATEGORIES.indexOf(category)), 0)

/** Says whether a skill is in one of the categories of a mask. */
export type IsIn = (ordinal: number, mask: number) => boolean

/** Opens the categories of a file. */
export const openCategories =
  ({ categories }: Sections): IsIn =>
  (ordinal, mask) =>
    ((mask >> categories[ordinal]!) & 1) === 1
