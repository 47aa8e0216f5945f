import { showValue } from '../catalog/text.ts'
import { LISTING_PATH } from './endpoints.ts'
import { ApiError } from './errors.ts'
import { skillNotFound } from './failures.ts'
import { decodePercent } from './percent.ts'
import { splitQuery } from './query-fields.ts'

const invalidId = (text: string): ApiError =>
  new ApiError(
    'INVALID_ID',
    `The id ${showValue(text)} is not a plain positive decimal integer.`,
    `Write the id in digits 0 to 9, without sign, leading zero or fraction, as the field "id" of a skill in ${LISTING_PATH} has it.`,
  )

/**
 * Parses the id of a download from its raw path segment (registry-api 4.2). Throws INVALID_ID, or
 * SKILL_NOT_FOUND for an id that is well-formed but larger than any a skill can have.
 */
export const parseDownloadId = (segment: string): number => {
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
