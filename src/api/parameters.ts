import { SORTS, isSort } from '../catalog/browse.ts'
import type { Sort } from '../catalog/browse.ts'
import { CATEGORIES, categorySlug, isCategory } from '../catalog/categories.ts'
import type { Category } from '../catalog/categories.ts'
import { CONTROL_CHARACTERS, showValue } from '../catalog/text.ts'
import { ApiError } from './errors.ts'
import { findNearest } from './nearest-name.ts'

/** Bounds of `limit`; what is above the maximum is clamped to it (registry-api 8). */
export const LIMIT = { minimum: 1, maximum: 100, fallback: 24 } as const

/** Bounds of `offset`: what a number holds exactly. */
export const OFFSET = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER, fallback: 0 } as const

/** The allowed values of `sort`, in their published order. */
export const SORT_NAMES = Object.keys(SORTS) as Sort[]

/** How the values of one parameter are read, and refused. */
export interface Parameter<Value> {
  /** Undefined where a decoded text is no value. */
  read(text: string): Value | undefined
  /** Makes the error that names the bad text and the allowed values. */
  refuse(text: string): ApiError
}

/** Decimal digits as one writes them: no sign, no leading zero, no fraction. */
const PLAIN_INTEGER = /^(?:0|[1-9][0-9]*)$/

const query: Parameter<string> = {
  read: (text) => (CONTROL_CHARACTERS.test(text) ? undefined : text),
  refuse: (text) =>
    new ApiError(
      'INVALID_QUERY',
      `q ${showValue(text)} is not valid UTF-8 or holds control characters.`,
      'Percent-encode q as UTF-8, without tabs, line breaks, NUL or other control characters. Any other text is a query; leaving q out browses.',
    ),
}

const sort: Parameter<Sort> = {
  read: (text) => (isSort(text) ? text : undefined),
  refuse: (text) =>
    new ApiError(
      'INVALID_SORT',
      `sort ${showValue(text)} is not a sort order.`,
      `Allowed values: ${SORT_NAMES.join(', ')}. Omitting the parameter sorts by popular.`,
    ),
}

/** A category's name, or its address form, which people type too. */
const nearestCategory = (text: string): Category => {
  const slugs = CATEGORIES.map(categorySlug)
  const nearest = findNearest(text, [...CATEGORIES, ...slugs])
  return CATEGORIES.find((category) => categorySlug(category) === nearest) ?? (nearest as Category)
}

const suggestCategory = (text: string): string =>
  text.trim() === ''
    ? 'Did you mean to leave cat out?'
    : `Did you mean "${nearestCategory(text)}"? A comma separates two categories, and "&" is written %26.`

const categories: Parameter<Category[]> = {
  read: (text) => {
    const elements = text.split(',')
    return elements.every(isCategory) ? [...new Set(elements)] : undefined
  },
  refuse: (text) => {
    const bad = text.split(',').find((element) => !isCategory(element)) ?? text
    return new ApiError(
      'INVALID_CATEGORY',
      `cat has the element ${showValue(bad)}, which is not a category.`,
      `${suggestCategory(bad)} Allowed values: ${CATEGORIES.join(', ')}.`,
    )
  },
}

const limit: Parameter<number> = {
  read: (text) => {
    const value = PLAIN_INTEGER.test(text) ? Number(text) : 0
    return value >= LIMIT.minimum ? Math.min(value, LIMIT.maximum) : undefined
  },
  refuse: (text) =>
    new ApiError(
      'INVALID_LIMIT',
      `limit ${showValue(text)} is not a plain decimal integer of ${LIMIT.minimum} or more.`,
      `Allowed values: ${LIMIT.minimum} to ${LIMIT.maximum}; more is clamped to ${LIMIT.maximum}. Omitting the parameter gives ${LIMIT.fallback}.`,
    ),
}

const offset: Parameter<number> = {
  read: (text) => {
    const value = PLAIN_INTEGER.test(text) ? Number(text) : NaN
    return Number.isSafeInteger(value) ? value : undefined
  },
  refuse: (text) =>
    new ApiError(
      'INVALID_OFFSET',
      `offset ${showValue(text)} is not a plain decimal integer of ${OFFSET.minimum} or more.`,
      `Allowed values: ${OFFSET.minimum} to ${OFFSET.maximum}. Omitting the parameter gives ${OFFSET.fallback}.`,
    ),
}

/** The parameters of the listing, in the order their values are checked (registry-api 4.1). */
export const LISTING_PARAMETERS = { q: query, sort, cat: categories, limit, offset } as const
