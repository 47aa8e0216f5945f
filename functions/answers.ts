import {
  ApiError,
  RETRY_AFTER,
  internalError,
  rangeNotSatisfiable,
  toEnvelope,
  unavailable,
} from '../src/api/errors.ts'
import { POLICIES } from '../src/api/policies.ts'
import type { PolicyName } from '../src/api/policies.ts'
import { InvalidIndexError } from '../src/search/format/layout.ts'
import { isJsonTarget } from './route.ts'
import type { SiteRequest } from './route.ts'
import type { Body, ByteRange, StoredFile } from './store.ts'

type Headers = Readonly<Record<string, string>>

/** An answer as plain data. A `Response` would need a stream on the Node host. */
export interface Answer {
  status: number
  headers: Headers
  body: Body | null
}

/** Logs the cause of an internal error, which the client never sees. */
export type Report = (cause: unknown) => void

/** A file, with the header fields that one address adds. */
interface ServedFile {
  file: Pick<StoredFile, 'size' | 'body'>
  policy: PolicyName
  /** Identifies content and form; it becomes the ETag. */
  version: string
  /** Header fields in addition to those of the policy. */
  headers?: Headers
}

/** Answers with bytes and their length. A string is sent as UTF-8. */
export const answerBytes = (
  content: string | Uint8Array<ArrayBuffer>,
  status: number,
  headers: Headers,
): Answer => {
  const body = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return { status, headers: { ...headers, 'Content-Length': String(body.length) }, body }
}

export const answerRedirect = (location: string): Answer =>
  answerBytes(`This is at ${location}\n`, 308, {
    ...POLICIES.redirect.headers,
    Location: location,
  })

export const RETRY_LATER = { 'Retry-After': String(RETRY_AFTER) }

/** Answers an error: with the envelope where clients expect JSON, with short plain text elsewhere. */
const answerFailure = (error: ApiError, target: string, origin: string): Answer => {
  const isJson = isJsonTarget(target)
  const policy = isJson ? POLICIES.envelope : POLICIES.plain
  const text = isJson
    ? JSON.stringify(toEnvelope(error, origin))
    : `${error.message}\n${error.hint}\n`
  return answerBytes(text, error.status, {
    ...policy.headers,
    ...(error.status === 503 && RETRY_LATER),
    ...error.headers,
  })
}

/** Drops the body of an answer to HEAD; its header fields stay (RFC 9110 9.3.2). */
export const fitMethod = (method: string, answer: Answer): Answer =>
  method === 'HEAD' ? { ...answer, body: null } : answer

/** Converts a thrown value to an ApiError. */
export const toFailure = (thrown: unknown): ApiError => {
  if (thrown instanceof ApiError) return thrown
  // Damage in a row or a posting can be detected only when that part of the index is read.
  return thrown instanceof InvalidIndexError ? unavailable(thrown) : internalError(thrown)
}

/** Answers a thrown value, converted by `toFailure`, and reports its cause if it has one. */
export const answerThrown = (
  thrown: unknown,
  { method, target }: Pick<SiteRequest, 'method' | 'target'>,
  origin: string,
  report: Report,
): Answer => {
  const error = toFailure(thrown)
  if (error.cause !== undefined) report(error.cause)
  return fitMethod(method, answerFailure(error, target, origin))
}

/** Makes an entity tag; `isExact` makes it strong (RFC 9110 8.8.1). */
const makeTag = (text: string, isExact = false): string => `${isExact ? '' : 'W/'}"${text}"`

const dropWeak = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Whether If-None-Match names the tag, compared weakly (RFC 9110 13.1.2). Our tags contain no commas. */
const isFresh = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch?.trim() === '*' ||
  (ifNoneMatch ?? '').split(',').some((sent) => dropWeak(sent) === dropWeak(tag))

/** Whether to apply Range: if If-Range is absent, or names exactly this tag and the tag is strong (RFC 9110 13.1.5). */
const allowsRange = (ifRange: string | undefined, tag: string): boolean =>
  ifRange === undefined || (!tag.startsWith('W/') && ifRange.trim() === tag)

/**
 * Parses a Range header for a file of `size` bytes (RFC 9110 14.1.2). Undefined if the whole file is sent: the header
 * is absent, malformed, in another unit or names several ranges, or the file is empty.
 */
const parseRange = (
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined => {
  const [, set] = /^bytes=(.*)$/is.exec(header ?? '') ?? []
  const specs = (set ?? '').split(',').map((spec) => spec.trim())
  const [only = '', ...others] = specs.filter((spec) => spec !== '')
  const [, first, last] = /^([0-9]*)-([0-9]*)$/.exec(only) ?? []
  if (first === undefined || last === undefined || others.length > 0 || size === 0) return undefined
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length > 0 ? { first: size - length, last: size - 1 } : 'unsatisfiable'
  }
  const [from, to] = [Number(first), last === '' ? Infinity : Number(last)]
  // A range that ends before it starts is malformed, not unsatisfiable.
  if (to < from) return undefined
  return from < size ? { first: from, last: Math.min(to, size - 1) } : 'unsatisfiable'
}

/**
 * Answers with a file, a part of it, or 304. If-None-Match is checked before Range (RFC 9110 13.2.2). Throws
 * RANGE_NOT_SATISFIABLE.
 */
export const answerFile = async (
  request: SiteRequest,
  { file, policy, version, headers: added }: ServedFile,
): Promise<Answer> => {
  const { headers: fixed, isExact, hasRanges } = POLICIES[policy]
  const tag = makeTag(version, isExact)
  const ranges = hasRanges ? { 'Accept-Ranges': 'bytes' } : {}
  const headers: Headers = { ...fixed, ...added, ETag: tag, ...ranges }
  if (isFresh(request.ifNoneMatch, tag)) {
    // A 304 has the header fields of the 200 answer, except those about the body (RFC 9110 15.4.5).
    const { 'Content-Type': _, ...others } = headers
    return { status: 304, headers: others, body: null }
  }
  // Range is defined only for GET (RFC 9110 14.2).
  const isPart = hasRanges && request.method === 'GET' && allowsRange(request.ifRange, tag)
  const range = isPart ? parseRange(request.range, file.size) : undefined
  if (range === 'unsatisfiable') throw rangeNotSatisfiable(request.range ?? '', file.size)
  const length = range ? range.last - range.first + 1 : file.size
  const part = range && { 'Content-Range': `bytes ${range.first}-${range.last}/${file.size}` }
  return {
    status: range ? 206 : 200,
    headers: { ...headers, 'Content-Length': String(length), ...part },
    body: request.method === 'HEAD' ? null : await file.body(range),
  }
}
