import { showValue } from '../catalog/text.ts'
import { ApiError } from './errors.ts'
import { findNearest } from './nearest-name.ts'
import { decodeField } from './percent.ts'

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
export const splitQuery = (rawQuery: string, names: readonly string[]): Map<string, string> => {
  const segments = rawQuery.split('&').filter((segment) => segment !== '')
  const found = segments.map((segment) => splitField(segment, names))
  const fields = new Map<string, string>()
  for (const { name, raw } of found) {
    if (fields.has(name)) throw duplicateParameter(name)
    fields.set(name, raw)
  }
  return fields
}
