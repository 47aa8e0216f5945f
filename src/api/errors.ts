import { DESCRIPTION_PATH } from './endpoints.ts'

interface ErrorKind {
  status: number
  /** When it happens, for the OpenAPI description. */
  summary: string
}

/** Every failure of the API (decisions, "The API"; the last five are HTTP's own). */
export const ERRORS = {
  INVALID_SORT: { status: 400, summary: '`sort` is not one of the allowed values.' },
  INVALID_CATEGORY: { status: 400, summary: 'An element of `cat` is not exactly a category.' },
  INVALID_LIMIT: { status: 400, summary: '`limit` is not a plain decimal integer of 1 or more.' },
  INVALID_OFFSET: { status: 400, summary: '`offset` is not a plain decimal integer.' },
  INVALID_QUERY: { status: 400, summary: '`q` is not UTF-8 or holds control characters.' },
  DUPLICATE_PARAMETER: { status: 400, summary: 'A parameter is given twice.' },
  UNKNOWN_PARAMETER: { status: 400, summary: 'The endpoint has no such parameter.' },
  INVALID_ID: { status: 400, summary: 'The id is not a plain positive decimal integer.' },
  SKILL_NOT_FOUND: { status: 404, summary: 'No skill has this id.' },
  NOT_FOUND: { status: 404, summary: 'There is nothing at this address.' },
  METHOD_NOT_ALLOWED: { status: 405, summary: 'The method is not GET, HEAD or OPTIONS.' },
  URI_TOO_LONG: { status: 414, summary: 'The address is longer than the server reads.' },
  INTERNAL_ERROR: { status: 500, summary: 'A fault of the service; its cause is in its log.' },
  UNAVAILABLE: { status: 503, summary: 'The build output or the search cannot be read.' },
  BAD_REQUEST: { status: 400, summary: 'The request is not well-formed HTTP.' },
  REQUEST_TIMEOUT: { status: 408, summary: 'The request did not arrive in time.' },
  RANGE_NOT_SATISFIABLE: { status: 416, summary: 'The range lies outside the file.' },
  HEADERS_TOO_LARGE: {
    status: 431,
    summary: 'The header fields are larger than the server reads.',
  },
} as const satisfies Record<string, ErrorKind>

/** The stable, machine-readable name of a failure. */
export type ErrorCode = keyof typeof ERRORS

/** A failure the reader can act on: `message` names the bad value, `hint` says how to recover. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly hint: string
  constructor(code: ErrorCode, message: string, hint: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.hint = hint
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/** The error envelope (registry-api 2.4). */
export interface Envelope {
  error: { code: ErrorCode; message: string; hint: string; docs: string }
}

/** Gives a failure as the JSON text of the envelope; `origin` makes the address of the docs. */
export const renderEnvelope = (error: ApiError, origin: string): string => {
  const { code, message, hint } = error
  const envelope: Envelope = { error: { code, message, hint, docs: origin + DESCRIPTION_PATH } }
  return JSON.stringify(envelope)
}
