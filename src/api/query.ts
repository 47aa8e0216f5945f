import { DEFAULT_SORT } from '../catalog/browse.ts'
import type { Sort } from '../catalog/browse.ts'
import type { Category } from '../catalog/categories.ts'
import { showValue } from '../catalog/text.ts'
import { LISTING_API_PATH } from '../documents/paths.ts'
import { ApiError, skillNotFound } from './errors.ts'
import { findNearest } from './nearest-name.ts'
import { LIMIT, LISTING_PARAMETERS, OFFSET } from './parameters.ts'
import type { Parameter } from './parameters.ts'

/**
 * Decodes percent-encoded UTF-8 strictly (RFC 3986 2.1). What is malformed, overlong or a lone
 * surrogate is thrown as the error that `refuse` makes.
 */
export const decodePercent = (raw: string, refuse: () => Error): string => {
  if (!raw.isWellFormed()) throw refuse()
  try {
    return decodeURIComponent(raw)
  } catch {
    throw refuse()
  }
}

/** Decodes a name or value of a query string, where `+` is a blank. */
const decodeField = (raw: string, refuse: () => Error): string =>
  decodePercent(raw.replaceAll('+', ' '), refuse)

const describeNames = (name: string, names: readonly string[]): string =>
  names.length === 0
    ? 'This endpoint takes no parameters: leave out the query string.'
    : `Did you mean "${findNearest(name, names)}"? The parameters are ${names.join(', ')}; a "&" inside a value is written %26.`

const unknownParameter = (name: string, names: readonly string[]): ApiError =>
  new ApiError(
    'UNKNOWN_PARAMETER',
    `There is no parameter ${showValue(name)}.`,
    describeNames(name, names),
  )

const duplicateParameter = (name: string): ApiError =>
  new ApiError(
    'DUPLICATE_PARAMETER',
    `The parameter "${name}" is given twice.`,
    `Give "${name}" once; several categories go into one cat, separated by commas.`,
  )

const splitField = (segment: string, names: readonly string[]): { name: string; raw: string } => {
  const equals = segment.indexOf('=')
  const rawName = equals < 0 ? segment : segment.slice(0, equals)
  const name = decodeField(rawName, () => unknownParameter(rawName, names))
  if (!names.includes(name)) throw unknownParameter(name, names)
  return { name, raw: equals < 0 ? '' : segment.slice(equals + 1) }
}

/**
 * Splits a raw query string into its parameters, values still encoded. Segments with nothing in
 * them (`?&&q=x`) are no parameters. Throws UNKNOWN_PARAMETER first, then DUPLICATE_PARAMETER;
 * names are compared decoded and case-sensitively.
 */
const splitQuery = (rawQuery: string, names: readonly string[]): Map<string, string> => {
  const segments = rawQuery.split('&').filter((segment) => segment !== '')
  const found = segments.map((segment) => splitField(segment, names))
  const fields = new Map<string, string>()
  for (const { name, raw } of found) {
    if (fields.has(name)) throw duplicateParameter(name)
    fields.set(name, raw)
  }
  return fields
}

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
 * ApiError of the first problem: unknown parameters, then duplicates, then values in table order.
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

const invalidId = (text: string): ApiError =>
  new ApiError(
    'INVALID_ID',
    `The id ${showValue(text)} is not a plain positive decimal integer.`,
    `Write the id in digits 0 to 9, without sign, leading zero or fraction, as the field "id" of a skill in ${LISTING_API_PATH} has it.`,
  )

/**
 * A download id in its raw path segment (registry-api 4.2). Throws INVALID_ID, or
 * SKILL_NOT_FOUND for an id that is well-formed but larger than any a skill can have.
 */
const parseDownloadId = (segment: string): number => {
  const text = decodePercent(segment, () => invalidId(segment))
  if (!/^[1-9][0-9]*$/.test(text)) throw invalidId(text)
  const id = Number(text)
  if (!Number.isSafeInteger(id)) throw skillNotFound(text)
  return id
}

/** Parses a download request; the endpoint takes no parameters, so any is UNKNOWN_PARAMETER. */
export const parseDownload = (segment: string, rawQuery: string): number => {
  splitQuery(rawQuery, [])
  return parseDownloadId(segment)
}
