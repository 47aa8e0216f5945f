import { rangeNotSatisfiable } from '../src/api/errors.ts'
import type { Answer } from './answer.ts'
import { answerFailure } from './answer-failure.ts'
import { POLICIES } from '../src/api/policies.ts'
import type { PolicyName } from '../src/api/policies.ts'
import { parseRange } from './ranges.ts'
import type { ByteRange } from './ranges.ts'
import type { SiteRequest } from './request.ts'
import type { StoredFile } from './store.ts'
import { allowsRange, isUnchanged, makeTag } from './validators.ts'

/** A file as one address serves it. */
export interface ServedFile {
  file: StoredFile
  policy: PolicyName
  /** What tells this version of this form from every other; it becomes the ETag. */
  version: string
  /** Header fields beside those of the policy. */
  headers?: Record<string, string>
}

const chooseRange = (
  request: SiteRequest,
  { file, policy }: ServedFile,
  tag: string,
): ByteRange | 'unsatisfiable' | undefined => {
  // Range means something for GET alone (RFC 9110 14.2).
  const isAsked = request.method === 'GET' && POLICIES[policy].hasRanges
  return isAsked && allowsRange(request.ifRange, tag)
    ? parseRange(request.range, file.size)
    : undefined
}

/** Answers 304 with the header fields of 200 but for those of the body (RFC 9110 15.4.5). */
export const answerUnchanged = (headers: Readonly<Record<string, string>>): Answer => {
  const { 'Content-Type': _, ...kept } = headers
  return { status: 304, headers: kept, body: null }
}

/** Answers with a file, or 304, or a part of it: conditions before ranges (RFC 9110 13.2.2). */
export const answerFile = async (
  request: SiteRequest,
  served: ServedFile,
  origin: string,
): Promise<Answer> => {
  const { file } = served
  const { headers: fixed, isExact, hasRanges } = POLICIES[served.policy]
  const tag = makeTag(served.version, isExact)
  const ranges = hasRanges ? { 'Accept-Ranges': 'bytes' } : {}
  const headers = { ...fixed, ...served.headers, ETag: tag, ...ranges }
  if (isUnchanged(request.ifNoneMatch, tag)) return answerUnchanged(headers)
  const range = chooseRange(request, served, tag)
  if (range === 'unsatisfiable') {
    return answerFailure(rangeNotSatisfiable(request.range ?? '', file.size), request.target, {
      origin,
      headers: { 'Content-Range': `bytes */${file.size}` },
    })
  }
  const length = range ? range.last - range.first + 1 : file.size
  const part = range && { 'Content-Range': `bytes ${range.first}-${range.last}/${file.size}` }
  return {
    status: range ? 206 : 200,
    headers: { ...headers, 'Content-Length': String(length), ...part },
    body: request.method === 'HEAD' ? null : await file.body(range),
  }
}
