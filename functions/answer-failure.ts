import { ALLOW, RETRY_AFTER } from '../src/api/endpoints.ts'
import { renderEnvelope } from '../src/api/errors.ts'
import type { ApiError, ErrorCode } from '../src/api/errors.ts'
import type { Answer } from './answer.ts'
import { POLICIES } from '../src/api/policies.ts'
import { isApiTarget } from './target.ts'

/** Header fields that a failure owes beside those of its policy. */
const FAILURE_HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  METHOD_NOT_ALLOWED: { Allow: ALLOW },
  UNAVAILABLE: { 'Retry-After': String(RETRY_AFTER) },
}

/** Builds an answer from bytes, their length said. */
export const answerBytes = (
  body: Uint8Array<ArrayBuffer>,
  status: number,
  headers: Readonly<Record<string, string>>,
): Answer => ({ status, headers: { ...headers, 'Content-Length': String(body.length) }, body })

/** Builds an answer from a text. */
export const answerText = (
  text: string,
  status: number,
  headers: Readonly<Record<string, string>>,
): Answer => answerBytes(Buffer.from(text), status, headers)

/** Answers a failure: the envelope under `/api` (registry-api 7), short plain text elsewhere. */
export const answerFailure = (
  error: ApiError,
  target: string,
  { origin, headers = {} }: { origin: string; headers?: Record<string, string> },
): Answer => {
  const isApi = isApiTarget(target)
  const policy = isApi ? POLICIES.envelope : POLICIES.plain
  const text = isApi ? renderEnvelope(error, origin) : `${error.message}\n${error.hint}\n`
  return answerText(text, error.status, {
    ...policy.headers,
    ...FAILURE_HEADERS[error.code],
    ...headers,
  })
}
