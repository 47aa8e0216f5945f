import { DEFAULT_SORT } from '../catalog/browse.ts'
import type { Sort } from '../catalog/browse.ts'
import type { Category } from '../catalog/categories.ts'
import { LIMIT, LISTING_PARAMETERS, OFFSET } from './parameters.ts'
import type { Parameter } from './parameters.ts'
import { decodeField } from './percent.ts'
import { splitQuery } from './query-fields.ts'

/** What a listing request asks for, defaults filled in; without `q` it browses. */
export interface ListingQuery {
  q?: string
  sort: Sort
  categories: Category[]
  limit: number
  offset: number
}

const NAMES = Object.keys(LISTING_PARAMETERS)

const readValue = <Value>(
  parameter: Parameter<Value>,
  raw: string | undefined,
): Value | undefined => {
  if (raw === undefined) return undefined
  const text = decodeField(raw, () => parameter.refuse(raw))
  const value = parameter.read(text)
  if (value === undefined) throw parameter.refuse(text)
  return value
}

/**
 * Parses the raw query string of the listing, without its `?` (registry-api 4.1). Throws the
 * ApiError of the first fault: unknown parameters, then duplicates, then values in table order.
 */
export const parseListingQuery = (rawQuery: string): ListingQuery => {
  const fields = splitQuery(rawQuery, NAMES)
  const q = readValue(LISTING_PARAMETERS.q, fields.get('q'))
  const sort = readValue(LISTING_PARAMETERS.sort, fields.get('sort'))
  const categories = readValue(LISTING_PARAMETERS.cat, fields.get('cat'))
  const limit = readValue(LISTING_PARAMETERS.limit, fields.get('limit'))
  const offset = readValue(LISTING_PARAMETERS.offset, fields.get('offset'))
  return {
    // A blank q browses (decisions, INVALID_QUERY).
    ...(q === undefined || q.trim() === '' ? {} : { q }),
    sort: sort ?? DEFAULT_SORT,
    categories: categories ?? [],
    limit: limit ?? LIMIT.fallback,
    offset: offset ?? OFFSET.fallback,
  }
}
