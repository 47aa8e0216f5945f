import { API_SORTS, DEFAULT_SORT, PAGE_SORTS } from '../catalog/browse.ts'
import type { Sort } from '../catalog/browse.ts'
import { CATEGORIES, categorySlug } from '../catalog/categories.ts'
import type { Category } from '../catalog/categories.ts'
import { FACETS, FACET_NAMES } from '../catalog/facets.ts'
import { CONTROL_CHARACTERS, SLUG_RULE, isSlug, isVersionName, showValue } from '../catalog/text.ts'
import { PATHS } from '../documents/paths.ts'
import { ApiError, skillNotFound } from './errors.ts'
import { findNearest } from '../catalog/nearest-name.ts'

/** Bounds of `limit`; larger values are clamped to the maximum. */
export const LIMIT = { minimum: 1, maximum: 100 } as const

export const DEFAULT_LIMIT = 24

/** Bounds of `offset`. The maximum is the largest exact integer, the minimum is the default. */
export const OFFSET = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const

/** Reads the values of one parameter, or refuses them. */
interface ParameterReader<Value> {
  /** Undefined if the decoded text is not a valid value. */
  read(text: string): Value | undefined
  /** Makes the error, which names the bad text and the allowed values. */
  refuse(text: string): ApiError
}

/** Reads plain decimal digits: no sign, no leading zero, no fraction. Undefined if the number is out of bounds. */
const readInteger = (
  text: string,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): number | undefined => {
  const value = /^(?:0|[1-9][0-9]*)$/.test(text) ? Number(text) : NaN
  return value >= least && value <= most ? value : undefined
}

const query: ParameterReader<string> = {
  read: (text) => (CONTROL_CHARACTERS.test(text) ? undefined : text),
  refuse: (text) =>
    new ApiError(
      'INVALID_QUERY',
      `q ${showValue(text)} is not valid UTF-8 or holds control characters.`,
      'Percent-encode q as UTF-8, without tabs, line breaks, NUL or other control characters. Any other text is a valid query; omit q to list skills.',
    ),
}

/** Reads the name of a sort order, which must be one of `names`. */
const sortReader = (names: readonly Sort[]): ParameterReader<Sort> => ({
  read: (text) => names.find((name) => name === text),
  refuse: (text) =>
    new ApiError(
      'INVALID_SORT',
      `sort ${showValue(text)} is not a sort order.`,
      `Allowed values: ${names.join(', ')}. Omitting the parameter sorts by ${DEFAULT_SORT}.`,
    ),
})

/** Finds the category nearest to a text. People type names of categories, or their slugs. */
const nearestCategory = (text: string, names: readonly Category[]): Category | undefined => {
  const nearest = findNearest(text, [...names, ...names.map(categorySlug)])
  return names.find((category) => categorySlug(category) === nearest) ?? nearest
}

const askIfMeant = (nearest: string | undefined): string =>
  nearest === undefined ? '' : `Did you mean "${nearest}"? `

/** Reads categories, separated by commas; all must be in `names`. */
const readCategories = (names: readonly Category[]): ParameterReader<Category[]> => ({
  read: (text) => {
    const elements = text.split(',')
    return elements.every((element) => names.includes(element)) ? [...new Set(elements)] : undefined
  },
  refuse: (text) => {
    const bad = text.split(',').find((element) => !names.includes(element)) ?? text
    return new ApiError(
      'INVALID_CATEGORY',
      `cat has the element ${showValue(bad)}, which is not a category.`,
      `${askIfMeant(nearestCategory(bad, names))}Separate categories with commas; in an address, write "&" as %26. Allowed values: ${names.join(', ')}.`,
    )
  },
})

const limit: ParameterReader<number> = {
  read: (text) => {
    const value = readInteger(text, LIMIT.minimum, Infinity)
    return value && Math.min(value, LIMIT.maximum)
  },
  refuse: (text) =>
    new ApiError(
      'INVALID_LIMIT',
      `limit ${showValue(text)} is not a plain decimal integer of ${LIMIT.minimum} or more.`,
      `Allowed values: ${LIMIT.minimum} to ${LIMIT.maximum}; more is clamped to ${LIMIT.maximum}. Omitting the parameter gives ${DEFAULT_LIMIT}.`,
    ),
}

const offset: ParameterReader<number> = {
  read: (text) => readInteger(text, OFFSET.minimum),
  refuse: (text) =>
    new ApiError(
      'INVALID_OFFSET',
      `offset ${showValue(text)} is not a plain decimal integer of ${OFFSET.minimum} or more.`,
      `Allowed values: ${OFFSET.minimum} to ${OFFSET.maximum}. Omitting the parameter gives ${OFFSET.minimum}.`,
    ),
}

const owner: ParameterReader<string> = {
  read: (text) => (text.trim() === '' || CONTROL_CHARACTERS.test(text) ? undefined : text.trim()),
  refuse: (text) =>
    new ApiError(
      'INVALID_OWNER',
      `owner ${showValue(text)} is blank, not valid UTF-8, or holds control characters.`,
      `Use the value of the field "author" of a skill in ${PATHS.listingApi}, in any case. Omit the parameter to search the skills of all authors.`,
    ),
}

/** The parameters of the listing, in the order their values are checked. */
export const LISTING_PARAMETERS = {
  q: query,
  sort: sortReader(API_SORTS),
  cat: readCategories(CATEGORIES),
  limit,
  offset,
} as const

/** The parameters of the search for clients, in the order their values are checked. */
export const SEARCH_PARAMETERS = { q: query, limit, owner } as const

/**
 * Decodes percent-encoded UTF-8 strictly (RFC 3986 2.1). Undefined if it is malformed, overlong or
 * a lone surrogate.
 */
export const decodePercent = (raw: string): string | undefined => {
  if (!raw.isWellFormed()) return undefined
  try {
    return decodeURIComponent(raw)
  } catch {
    return undefined
  }
}

/** Decodes a name or value of a query string, in which `+` is a blank. */
const decodeField = (raw: string): string | undefined => decodePercent(raw.replaceAll('+', ' '))

const unknownParameter = (name: string, names: readonly string[]): ApiError =>
  new ApiError(
    'UNKNOWN_PARAMETER',
    `There is no parameter ${showValue(name)}.`,
    names.length === 0
      ? 'This endpoint takes no parameters: leave out the query string.'
      : `${askIfMeant(findNearest(name, names))}The parameters are ${names.join(', ')}; in an address, write "&" inside a value as %26.`,
  )

const duplicateParameter = (name: string): ApiError =>
  new ApiError(
    'DUPLICATE_PARAMETER',
    `The parameter "${name}" is given twice.`,
    `Give "${name}" once; several categories go into one cat, separated by commas.`,
  )

/** Splits a raw query string into fields, whose values are still encoded. Empty segments (`?&&q=x`) are ignored. */
const splitFields = (rawQuery: string): { name: string; raw: string }[] =>
  rawQuery
    .split('&')
    .filter((segment) => segment !== '')
    .map((segment) => {
      const [rawName = '', ...values] = segment.split('=')
      return { name: decodeField(rawName) ?? rawName, raw: values.join('=') }
    })

/** Splits a query by name; decoded names keep their case. Throws UNKNOWN_PARAMETER first, then DUPLICATE_PARAMETER. */
const splitQuery = (rawQuery: string, names: readonly string[]): Map<string, string> => {
  const found = splitFields(rawQuery)
  const unknown = found.find(({ name }) => !names.includes(name))
  if (unknown) throw unknownParameter(unknown.name, names)
  const fields = new Map<string, string>()
  for (const { name, raw } of found) {
    if (fields.has(name)) throw duplicateParameter(name)
    fields.set(name, raw)
  }
  return fields
}

/** A parsed listing request with defaults filled in; without `q` it lists everything. */
export type ListingQuery = ReturnType<typeof parseListingQuery>

const readValue = <Value>(parameter: ParameterReader<Value>, raw: string): Value => {
  const text = decodeField(raw)
  const value = text === undefined ? undefined : parameter.read(text)
  if (value === undefined) throw parameter.refuse(text ?? raw)
  return value
}

/** The result of `parseQuery`: the values of the parameters that are present. */
type ReadQuery<Readers> = {
  -readonly [Name in keyof Readers]?: Readers[Name] extends ParameterReader<infer Value>
    ? Value
    : never
}

/**
 * Parses a raw query string, without its `?`, with a table of parameters. Throws the ApiError of the first problem:
 * unknown parameters, then duplicates, then invalid values, in table order.
 */
const parseQuery = <Readers extends Readonly<Record<string, ParameterReader<unknown>>>>(
  rawQuery: string,
  readers: Readers,
): ReadQuery<Readers> => {
  const fields = splitQuery(rawQuery, Object.keys(readers))
  return Object.fromEntries(
    Object.entries(readers).flatMap(([name, reader]) => {
      const raw = fields.get(name)
      return raw === undefined ? [] : [[name, readValue(reader, raw)]]
    }),
  ) as ReadQuery<Readers>
}

/** A blank `q` counts as absent. */
const dropBlank = (q: string | undefined): { q?: string } =>
  q === undefined || q.trim() === '' ? {} : { q }

/** Parses the raw query string of the listing, without its `?`. Throws like `parseQuery`. */
export const parseListingQuery = (rawQuery: string, names: readonly Category[] = CATEGORIES) => {
  const readers = { ...LISTING_PARAMETERS, cat: readCategories(names) }
  const { q, cat, ...others } = parseQuery(rawQuery, readers)
  const defaults = { sort: DEFAULT_SORT, limit: DEFAULT_LIMIT, offset: OFFSET.minimum }
  return { ...dropBlank(q), categories: cat ?? [], ...defaults, ...others }
}

/** Parses the raw query string of the search for clients, without its `?`. Throws like `parseQuery`. */
export const parseSearchQuery = (rawQuery: string) => {
  const { q, ...others } = parseQuery(rawQuery, SEARCH_PARAMETERS)
  return { ...dropBlank(q), limit: DEFAULT_LIMIT, ...others }
}

const skillSlug: ParameterReader<string> = {
  read: (text) => (isSlug(text) ? text : undefined),
  refuse: (text) =>
    new ApiError('BAD_REQUEST', `slug ${showValue(text)} is not a slug.`, `${SLUG_RULE}.`),
}

const versionName: ParameterReader<string> = {
  read: (text) => (isVersionName(text) ? text : undefined),
  refuse: (text) =>
    new ApiError(
      'BAD_REQUEST',
      `version ${showValue(text)} is not the name of a version.`,
      'A version is named by 32 digits of 0-9 and a-f.',
    ),
}

/** Parses the raw query string of a request for one skill, or one of its versions. Throws like `parseQuery`. */
export const parseSkillQuery = (
  rawQuery: string,
): { slug: string; version?: string | undefined } => {
  const { slug, version } = parseQuery(rawQuery, { slug: skillSlug, version: versionName })
  if (slug === undefined) throw skillSlug.refuse('')
  return { slug, version }
}

/** The number of a page of results, 1-based. */
const page: ParameterReader<number> = {
  read: (text) => readInteger(text, 1),
  refuse: (text) =>
    new ApiError(
      'BAD_REQUEST',
      `page ${showValue(text)} is not a plain decimal integer of 1 or more.`,
      'Leave page out to see the first results.',
    ),
}

/** Reads values of a facet, separated by commas. */
const facetReader = (name: string, values: readonly string[]): ParameterReader<string[]> => ({
  read: (text) => {
    const elements = text.split(',')
    return elements.every((element) => values.includes(element)) ? elements : undefined
  },
  refuse: (text) =>
    new ApiError(
      'BAD_REQUEST',
      `${name} ${showValue(text)} is not one of the allowed values.`,
      `Allowed values: ${values.join(', ')}. Leave ${name} out to see all.`,
    ),
})

/** Parameters with several values, of which the form sends one for each checked box. */
const CHECKED = new Set<string>(['cat', ...FACET_NAMES])

const PAGE_PARAMETERS = new Set<string>(['q', 'sort', ...CHECKED, 'page'])

/**
 * Parses the raw query string of the search page. Returns undefined if it has none of the page's parameters; other
 * parameters are ignored. `query` has the valid values, `problem` the error of the first invalid value.
 */
export const parseSearchPageQuery = (rawQuery: string, names: readonly Category[] = CATEGORIES) => {
  const known = splitFields(rawQuery).filter(({ name }) => PAGE_PARAMETERS.has(name))
  if (known.length === 0) return undefined
  const fields = Map.groupBy(known, ({ name }) => name)
  const rawsOf = (name: string): string[] => (fields.get(name) ?? []).map(({ raw }) => raw)
  const doubled = [...fields].find(([name, all]) => !CHECKED.has(name) && all.length > 1)
  let problem = doubled && duplicateParameter(doubled[0])
  const keep = <Value>(
    reader: ParameterReader<Value>,
    raw: string | undefined,
    fallback: Value,
  ): Value => {
    try {
      return raw === undefined ? fallback : readValue(reader, raw)
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      problem ??= thrown
      return fallback
    }
  }
  const keepChecked = (reader: ParameterReader<string[]>, name: string, all: readonly string[]) => {
    const chosen = rawsOf(name).filter(Boolean)
    const elements = chosen.flatMap((raw) => decodeField(raw)?.split(',') ?? [])
    const valid = [...new Set(elements.filter((element) => all.includes(element)))]
    return keep(reader, chosen.length > 0 ? chosen.join(',') : undefined, valid)
  }
  const parsed = {
    q: keep(query, rawsOf('q')[0], '').trim(),
    sort: keep(sortReader(PAGE_SORTS), rawsOf('sort')[0], DEFAULT_SORT),
    categories: keepChecked(readCategories(names), 'cat', names),
    facets: Object.fromEntries(
      FACET_NAMES.map((name) => {
        const values = Object.keys(FACETS[name])
        return [name, keepChecked(facetReader(name, values), name, values)]
      }),
    ),
    page: keep(page, rawsOf('page')[0], 1),
  }
  return { query: parsed, ...(problem && { problem }) }
}

const invalidId = (text: string): ApiError =>
  new ApiError(
    'INVALID_ID',
    `The id ${showValue(text)} is not a plain positive decimal integer.`,
    `Use the value of the field "id" of a skill in ${PATHS.listingApi}: digits 0 to 9, without sign, leading zero or fraction.`,
  )

/**
 * Parses a download request: the id in its raw path segment, and no parameters.
 * Throws UNKNOWN_PARAMETER or INVALID_ID, or SKILL_NOT_FOUND if no skill can have so large an id.
 */
export const parseDownload = (segment: string, rawQuery: string): number => {
  splitQuery(rawQuery, [])
  const text = decodePercent(segment) ?? segment
  if (!/^[1-9][0-9]*$/.test(text)) throw invalidId(text)
  const id = Number(text)
  if (!Number.isSafeInteger(id)) throw skillNotFound(text)
  return id
}
