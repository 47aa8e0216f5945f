import { parseDownload } from './download-id.ts'
import { LISTING_PATH, TARGET_LIMIT } from './endpoints.ts'
import { ApiError, renderEnvelope } from './errors.ts'
import type { Envelope, ErrorCode } from './errors.ts'
import * as failures from './failures.ts'
import { parseListingQuery } from './query.ts'

const provoke = (request: () => unknown): ApiError => {
  try {
    request()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('the example of an error has to fail')
}

/** A failure of each kind, made by the code that makes it live, so an example cannot go stale. */
const EXAMPLES: Record<ErrorCode, () => ApiError> = {
  INVALID_SORT: () => provoke(() => parseListingQuery('sort=best')),
  INVALID_CATEGORY: () => provoke(() => parseListingQuery('cat=coding')),
  INVALID_LIMIT: () => provoke(() => parseListingQuery('limit=0')),
  INVALID_OFFSET: () => provoke(() => parseListingQuery('offset=-1')),
  INVALID_QUERY: () => provoke(() => parseListingQuery('q=%FF')),
  DUPLICATE_PARAMETER: () => provoke(() => parseListingQuery('q=csv&q=json')),
  UNKNOWN_PARAMETER: () => provoke(() => parseListingQuery('limmit=5')),
  INVALID_ID: () => provoke(() => parseDownload('abc', '')),
  SKILL_NOT_FOUND: () => failures.skillNotFound('999999999'),
  NOT_FOUND: () => failures.addressNotFound(`${LISTING_PATH}/12`),
  METHOD_NOT_ALLOWED: () => failures.methodNotAllowed('POST'),
  URI_TOO_LONG: failures.addressTooLong,
  INTERNAL_ERROR: () => failures.internalError(undefined),
  UNAVAILABLE: () => failures.unavailable(),
  BAD_REQUEST: () => failures.badRequest('The request has no Host header'),
  REQUEST_TIMEOUT: failures.requestTimeout,
  RANGE_NOT_SATISFIABLE: () => failures.rangeNotSatisfiable('bytes=900000-', 1843),
  HEADERS_TOO_LARGE: () => failures.headersTooLarge(2 * TARGET_LIMIT),
}

/** Gives an example envelope of a failure, as the service with this origin answers it. */
export const exampleEnvelope = (code: ErrorCode, origin: string): Envelope =>
  JSON.parse(renderEnvelope(EXAMPLES[code](), origin)) as Envelope
