import { ALLOW, LISTING_CACHE } from './endpoints.ts'
import { exampleEnvelope } from './error-examples.ts'
import { ERRORS } from './errors.ts'
import type { ErrorCode } from './errors.ts'

const header = (description: string, schema: object) => ({ description, required: true, schema })
const text = { type: 'string' } as const

const CORS = header('Any origin may read the answer.', { type: 'string', const: '*' })
const ETAG = header('Validator of the answer, for `If-None-Match`.', text)
const NO_STORE = header('Failures are never cached.', { type: 'string', const: 'no-store' })

/** Header fields that an answer of the listing has. */
export const LISTING_HEADERS = {
  'Access-Control-Allow-Origin': CORS,
  'Cache-Control': header('Cache directive of listings.', { type: 'string', const: LISTING_CACHE }),
  ETag: ETAG,
} as const

/** Header fields that every answer with a zip, or with its validator, has. */
export const ZIP_HEADERS = {
  'Access-Control-Allow-Origin': CORS,
  'Cache-Control': header('The zip may be kept, and is checked before each use.', text),
  ETag: header('Strong validator: the SHA-256 of the zip.', {
    type: 'string',
    pattern: '^"[0-9a-f]{64}"$',
  }),
} as const

/** Header fields that come with the bytes of a zip. */
export const ZIP_BODY_HEADERS = {
  ...ZIP_HEADERS,
  'Accept-Ranges': header('Parts may be asked for.', { type: 'string', const: 'bytes' }),
  'Content-Disposition': header('Names the file after the slug of the skill.', {
    type: 'string',
    pattern: '^attachment; filename="[^"]+\\.zip"$',
  }),
  'Content-Length': header('Number of bytes of the answer.', { type: 'integer', minimum: 1 }),
  'X-Content-Type-Options': header('The type is not to be guessed.', {
    type: 'string',
    const: 'nosniff',
  }),
} as const

/** Header fields of a part of a zip. */
export const ZIP_PART_HEADERS = {
  ...ZIP_BODY_HEADERS,
  'Content-Range': header('Which bytes these are, and of how many.', {
    type: 'string',
    pattern: '^bytes [0-9]+-[0-9]+/[0-9]+$',
  }),
} as const

/** The answer where another skill took the place of the one with this id. */
export const MOVED_ZIP = {
  description: 'The skill moved; its zip is that of another id from now on.',
  headers: {
    'Access-Control-Allow-Origin': CORS,
    Location: header('Address of the zip.', text),
  },
  content: { 'text/plain; charset=utf-8': { schema: text } },
} as const

/** Header fields that failures with these statuses have beside the common ones. */
const EXTRA_HEADERS: Record<number, object> = {
  405: { Allow: header('The allowed methods.', { type: 'string', const: ALLOW }) },
  416: {
    'Content-Range': header('The size of the whole file.', {
      type: 'string',
      pattern: '^bytes \\*/[0-9]+$',
    }),
  },
  503: {
    'Retry-After': header('Seconds to wait before asking again.', { type: 'integer', minimum: 0 }),
  },
}

const describeFailure = (status: number, codes: readonly ErrorCode[], origin: string): object => ({
  description: codes.map((code) => `${code}: ${ERRORS[code].summary}`).join(' '),
  headers: {
    'Access-Control-Allow-Origin': CORS,
    'Cache-Control': NO_STORE,
    ...EXTRA_HEADERS[status],
  },
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(
        codes.map((code) => [
          code,
          { summary: ERRORS[code].summary, value: exampleEnvelope(code, origin) },
        ]),
      ),
    },
  },
})

/** Describes what any other address under `/api` answers; no operation of its own has it. */
export const describeOtherFailures = (origin: string): Record<string, object> => ({
  default: describeFailure(ERRORS.NOT_FOUND.status, ['NOT_FOUND'], origin),
})

/** Describes the failures of an operation, one response a status. */
export const describeFailures = (
  codes: readonly ErrorCode[],
  origin: string,
): Record<string, object> =>
  Object.fromEntries(
    [...new Set(codes.map((code) => ERRORS[code].status))].map((status) => [
      String(status),
      describeFailure(
        status,
        codes.filter((code) => ERRORS[code].status === status),
        origin,
      ),
    ]),
  )
