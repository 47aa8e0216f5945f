import { showValue } from '../catalog/text.ts'
import { ALLOW, DOWNLOAD_PATH, LISTING_PATH, RETRY_AFTER, TARGET_LIMIT } from './endpoints.ts'
import { ApiError } from './errors.ts'

/** NOT_FOUND for an address under `/api` that no endpoint has. */
export const addressNotFound = (path: string): ApiError =>
  new ApiError(
    'NOT_FOUND',
    `There is nothing at ${showValue(path)}.`,
    `The endpoints are ${LISTING_PATH} and ${DOWNLOAD_PATH}/{id}, without a trailing slash.`,
  )

/** SKILL_NOT_FOUND for a well-formed id that no skill has. */
export const skillNotFound = (id: string): ApiError =>
  new ApiError(
    'SKILL_NOT_FOUND',
    `No skill has the id ${showValue(id)}.`,
    `Take the id from the field "id" of a skill in ${LISTING_PATH}.`,
  )

/** METHOD_NOT_ALLOWED for anything but the methods of the table. */
export const methodNotAllowed = (method: string): ApiError =>
  new ApiError(
    'METHOD_NOT_ALLOWED',
    `The method ${showValue(method)} is not allowed here.`,
    `The service is read-only: use one of ${ALLOW}.`,
  )

/** URI_TOO_LONG for an address over the bound. */
export const addressTooLong = (): ApiError =>
  new ApiError(
    'URI_TOO_LONG',
    `The address is longer than ${TARGET_LIMIT} characters.`,
    `Shorten the address to at most ${TARGET_LIMIT} characters, most of all the value of q.`,
  )

/** BAD_REQUEST for what is not well-formed HTTP; `problem` names the part, `value` what it was. */
export const badRequest = (problem: string, value?: string): ApiError =>
  new ApiError(
    'BAD_REQUEST',
    value === undefined ? `${problem}.` : `${problem}: ${showValue(value)}.`,
    'Send well-formed HTTP/1.1 with one Host header, and percent-encode every character of the address that is not a visible ASCII character.',
  )

/** HEADERS_TOO_LARGE for header fields over the bound. */
export const headersTooLarge = (limit: number): ApiError =>
  new ApiError(
    'HEADERS_TOO_LARGE',
    `The header fields are larger than ${limit} bytes.`,
    'Send fewer or shorter header fields; no cookie or credential is needed.',
  )

/** REQUEST_TIMEOUT for a request that did not arrive in time. */
export const requestTimeout = (): ApiError =>
  new ApiError(
    'REQUEST_TIMEOUT',
    'The request did not arrive in time.',
    'Send the whole request at once, on a new connection.',
  )

/** RANGE_NOT_SATISFIABLE for a range that begins after the last byte (RFC 9110 15.5.17). */
export const rangeNotSatisfiable = (range: string, size: number): ApiError =>
  new ApiError(
    'RANGE_NOT_SATISFIABLE',
    `The range ${showValue(range)} lies outside the file of ${size} bytes.`,
    `Ask for bytes 0 to ${Math.max(0, size - 1)}, or leave out the Range header.`,
  )

/** UNAVAILABLE where the build output is missing or unreadable. */
export const unavailable = (cause?: unknown): ApiError =>
  new ApiError(
    'UNAVAILABLE',
    'The registry is not available: its build output is missing or unreadable.',
    `Ask again in ${RETRY_AFTER} seconds. Whoever runs the service: run "npm run build".`,
    { cause },
  )

/** UNAVAILABLE where the database of the search does not answer, or not in time. */
export const searchUnavailable = (cause: unknown): ApiError =>
  new ApiError(
    'UNAVAILABLE',
    'The search is not available: its database does not answer.',
    `Ask again in ${RETRY_AFTER} seconds. Whoever runs the service: see that SEARCH_URL can be reached and "npm run search:sync" has run.`,
    { cause },
  )

/** INTERNAL_ERROR for a fault of ours; the cause is for the log and never for the reader. */
export const internalError = (cause: unknown): ApiError =>
  new ApiError(
    'INTERNAL_ERROR',
    'The service failed to answer this request.',
    'Ask again later; the same request may then succeed.',
    { cause },
  )
