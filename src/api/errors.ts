import { isSlug, showValue } from '../catalog/text.ts'
import { PATHS, skillJsonPath } from '../documents/paths.ts'

/** Methods that every address accepts; any other method is METHOD_NOT_ALLOWED. */
export const METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** The `Allow` header of every address (RFC 9110 10.2.1). */
export const ALLOW = METHODS.join(', ')

/** `Retry-After` of an unavailable service, in seconds. */
export const RETRY_AFTER = 10

/** Longest address the server reads, in characters. */
export const TARGET_LIMIT = 32 * 1024

/** Every error of the API with its status. */
export const ERRORS = {
  INVALID_SORT: 400,
  INVALID_CATEGORY: 400,
  INVALID_LIMIT: 400,
  INVALID_OFFSET: 400,
  INVALID_QUERY: 400,
  INVALID_OWNER: 400,
  DUPLICATE_PARAMETER: 400,
  UNKNOWN_PARAMETER: 400,
  INVALID_ID: 400,
  SKILL_NOT_FOUND: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  URI_TOO_LONG: 414,
  /** For proxies that limit their clients; this code never sends it. */
  TOO_MANY_REQUESTS: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
  BAD_REQUEST: 400,
  REQUEST_TIMEOUT: 408,
  RANGE_NOT_SATISFIABLE: 416,
  HEADERS_TOO_LARGE: 431,
  WITHDRAWN: 410,
} as const

type ErrorCode = keyof typeof ERRORS

/** A failure the reader can act on: `message` names the bad value, `hint` says how to recover. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly hint: string
  /** Header fields to send in addition to those of all failures. */
  readonly headers: Readonly<Record<string, string>>
  constructor(
    code: ErrorCode,
    message: string,
    hint: string,
    { headers = {}, ...options }: ErrorOptions & { headers?: Record<string, string> } = {},
  ) {
    super(message, options)
    this.code = code
    this.hint = hint
    this.headers = headers
  }

  get status(): number {
    return ERRORS[this.code]
  }
}

/** Makes the error envelope, whose link to the docs starts with `origin`. */
export const toEnvelope = ({ code, message, hint }: ApiError, origin: string) => ({
  error: { code, message, hint, docs: origin + PATHS.openapi },
})

/** The address at which clients of other registries request a single skill. */
const ONE_SKILL = new RegExp(`^${PATHS.listingApi}/([^/]+)$`)

/** For an unknown address; `path` is the path as the client sent it, `near` has the slugs of skills that it could mean. */
export const addressNotFound = (path: string, near: readonly string[] = []): ApiError => {
  const [, name] = ONE_SKILL.exec(path) ?? []
  const slug = name !== undefined && isSlug(name) && /\D/.test(name) ? name : '{slug}'
  const meant = near.length === 0 ? '' : `Near this name: ${near.map(skillJsonPath).join(', ')}. `
  const remedy =
    name === undefined && !path.endsWith('.json')
      ? ''
      : `A single skill is at ${skillJsonPath(slug)}. `
  return new ApiError(
    'NOT_FOUND',
    `There is nothing at ${showValue(path)}.`,
    `${meant}${remedy}The endpoints are ${PATHS.listingApi}, ${PATHS.searchApi} and ${PATHS.download}/{id}, without a trailing slash.`,
  )
}

export const skillNotFound = (id: string): ApiError =>
  new ApiError(
    'SKILL_NOT_FOUND',
    `No skill has the id ${showValue(id)}.`,
    `Take the id from the field "id" of a skill in ${PATHS.listingApi}.`,
  )

/** For a skill whose current version is withdrawn; `summary` says why. */
export const withdrawn = (slug: string, summary: string): ApiError =>
  new ApiError(
    'WITHDRAWN',
    `The current version of ${showValue(slug)} is withdrawn: ${summary}`,
    `Do not install it, and remove it if it is installed. All advisories are in ${PATHS.advisories}.`,
  )

export const methodNotAllowed = (method: string, allow = ALLOW): ApiError =>
  new ApiError(
    'METHOD_NOT_ALLOWED',
    `The method ${showValue(method)} is not allowed here.`,
    `The service is read-only: use one of ${allow}.`,
    { headers: { Allow: allow } },
  )

export const addressTooLong = (): ApiError =>
  new ApiError(
    'URI_TOO_LONG',
    `The address is longer than ${TARGET_LIMIT} characters.`,
    `Shorten the address to at most ${TARGET_LIMIT} characters, especially the value of q.`,
  )

/** For a request that is not well-formed HTTP; `value` is the text that causes the problem. */
export const badRequest = (problem: string, value?: string): ApiError =>
  new ApiError(
    'BAD_REQUEST',
    value === undefined ? `${problem}.` : `${problem}: ${showValue(value)}.`,
    'Send well-formed HTTP/1.1 with one Host header, and percent-encode every character of the address that is not a visible ASCII character.',
  )

export const headersTooLarge = (limit: number): ApiError =>
  new ApiError(
    'HEADERS_TOO_LARGE',
    `The address and the header fields are larger than ${limit} bytes.`,
    'Send a shorter address, and fewer or shorter header fields; no cookie or credential is needed.',
  )

export const requestTimeout = (): ApiError =>
  new ApiError(
    'REQUEST_TIMEOUT',
    'The request did not arrive in time.',
    'Send the whole request at once, on a new connection.',
  )

/** For a range that starts after the last byte (RFC 9110 15.5.17). */
export const rangeNotSatisfiable = (range: string, size: number): ApiError =>
  new ApiError(
    'RANGE_NOT_SATISFIABLE',
    `The range ${showValue(range)} is outside the file of ${size} bytes.`,
    `Request bytes 0 to ${Math.max(0, size - 1)}, or leave out the Range header.`,
    { headers: { 'Content-Range': `bytes */${size}` } },
  )

export const unavailable = (cause?: unknown): ApiError =>
  new ApiError(
    'UNAVAILABLE',
    'The registry is not available: its build output is missing or unreadable.',
    `Try again in ${RETRY_AFTER} seconds. Operators: run "npm run build -- --clean".`,
    { cause },
  )

/** The cause is logged and never sent to the client. */
export const internalError = (cause: unknown): ApiError =>
  new ApiError(
    'INTERNAL_ERROR',
    'The service failed to answer this request.',
    'Try again later; the same request may succeed then.',
    { cause },
  )
