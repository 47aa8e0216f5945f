import {
  ALLOW,
  ApiError,
  TARGET_LIMIT,
  addressNotFound,
  addressTooLong,
  badRequest,
  headersTooLarge,
  internalError,
  methodNotAllowed,
  rangeNotSatisfiable,
  requestTimeout,
  skillNotFound,
  toEnvelope,
  tooManyRequests,
  unavailable,
} from './errors.ts'
import { SCHEMAS } from './openapi-schemas.ts'
import type { ClientSkill } from './openapi-schemas.ts'
import { POLICIES, fitPrivacy } from './policies.ts'
import {
  DEFAULT_LIMIT,
  LIMIT,
  OFFSET,
  parseDownload,
  parseListingQuery,
  parseSearchQuery,
} from './query.ts'
import type { LISTING_PARAMETERS, SEARCH_PARAMETERS } from './query.ts'
import { API_SORTS, DEFAULT_SORT } from '../catalog/browse.ts'
import { CATEGORIES } from '../catalog/categories.ts'
import type { ListedSkill } from '../catalog/skill.ts'
import { PATHS, twinPath } from '../documents/paths.ts'

interface DescribedParameter {
  /** A value that is refused, as written in an address; used in examples. */
  wrong: string
  described: object
}

const QUERY: DescribedParameter = {
  wrong: '%FF',
  described: {
    description:
      'Full-text query over name, author, category and description. When present, results are scored; when omitted or blank, the endpoint browses. Control characters are refused.',
    schema: { type: 'string' },
    example: 'clean csv files',
  },
}

const describeLimit = (description: string): DescribedParameter => ({
  wrong: '0',
  described: { description, schema: { type: 'integer', ...LIMIT, default: DEFAULT_LIMIT } },
})

const LISTING_DESCRIBED: Readonly<Record<keyof typeof LISTING_PARAMETERS, DescribedParameter>> = {
  q: QUERY,
  sort: {
    wrong: 'best',
    described: {
      description:
        'Order of browsing. Beside `q` it is checked, then has no effect: results are scored.',
      schema: { type: 'string', enum: API_SORTS, default: DEFAULT_SORT },
    },
  },
  cat: {
    wrong: 'coding',
    described: {
      description:
        'One or more categories, separated by commas; a skill of any of them matches. Each is written exactly as listed, with `&` as `%26`.',
      style: 'form',
      explode: false,
      schema: { type: 'array', minItems: 1, items: { type: 'string', enum: CATEGORIES } },
      example: ['Coding', 'Writing'],
    },
  },
  limit: describeLimit(
    `Page size. Values above ${LIMIT.maximum} are not refused: they are clamped to ${LIMIT.maximum}, and the answer says so in its \`limit\`.`,
  ),
  offset: {
    wrong: '-1',
    described: {
      description: 'Number of results to skip. Past the end the page is empty.',
      schema: { type: 'integer', ...OFFSET, default: OFFSET.minimum },
    },
  },
}

const SEARCH_DESCRIBED: Readonly<Record<keyof typeof SEARCH_PARAMETERS, DescribedParameter>> = {
  q: QUERY,
  limit: describeLimit(
    `Most results of the answer; values above ${LIMIT.maximum} are clamped to ${LIMIT.maximum}.`,
  ),
  owner: {
    wrong: '',
    described: {
      description:
        'Keeps to the skills of one author, in any case; for an author without skills the answer is empty.',
      schema: { type: 'string', minLength: 1 },
      example: 'registry',
    },
  },
}

/** When each failure happens. */
const ERROR_SUMMARIES: Readonly<Record<ApiError['code'], string>> = {
  INVALID_SORT: '`sort` is not one of the allowed values.',
  INVALID_CATEGORY: 'An element of `cat` is not exactly a category.',
  INVALID_LIMIT: '`limit` is not a plain decimal integer of 1 or more.',
  INVALID_OFFSET: '`offset` is not a plain decimal integer.',
  INVALID_QUERY: '`q` is not UTF-8 or holds control characters.',
  INVALID_OWNER: '`owner` is blank, not UTF-8, or holds control characters.',
  DUPLICATE_PARAMETER: 'A parameter is given twice.',
  UNKNOWN_PARAMETER: 'The endpoint has no such parameter.',
  INVALID_ID: 'The id is not a plain positive decimal integer.',
  SKILL_NOT_FOUND: 'No skill has this id.',
  NOT_FOUND: 'There is nothing at this address.',
  METHOD_NOT_ALLOWED: 'The method is not GET, HEAD or OPTIONS.',
  URI_TOO_LONG: 'The address is longer than the server reads.',
  TOO_MANY_REQUESTS: 'More requests than the operator allows a client.',
  INTERNAL_ERROR: 'A fault of the service; its cause is in its log.',
  UNAVAILABLE: 'The build output or the search cannot be read.',
  BAD_REQUEST: 'The request is not well-formed HTTP.',
  REQUEST_TIMEOUT: 'The request did not arrive in time.',
  RANGE_NOT_SATISFIABLE: 'The range lies outside the file.',
  HEADERS_TOO_LARGE: 'The address and the header fields are larger than the server reads.',
}

const provoke = (parse: () => unknown): ApiError => {
  try {
    throw new Error(`the example of an error gave ${JSON.stringify(parse())}`)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

// Example errors come from the code that makes the real ones, so they cannot go stale.

const SHARED_FAILURES = [
  badRequest('The request has no Host header'),
  methodNotAllowed('POST'),
  requestTimeout(),
  addressTooLong(),
  headersTooLarge(2 * TARGET_LIMIT),
  tooManyRequests(5),
  internalError(undefined),
  unavailable(),
]

const provokeAll = (
  parameters: Readonly<Record<string, { wrong: string }>>,
  parse: (query: string) => unknown,
): ApiError[] => [
  ...Object.entries(parameters).map(([name, { wrong }]) =>
    provoke(() => parse(`${name}=${wrong}`)),
  ),
  provoke(() => parse('q=csv&q=json')),
  provoke(() => parse('limmit=5')),
  ...SHARED_FAILURES,
]

const LISTING_FAILURES = provokeAll(LISTING_DESCRIBED, parseListingQuery)
const SEARCH_FAILURES = provokeAll(SEARCH_DESCRIBED, parseSearchQuery)

const DOWNLOAD_FAILURES = [
  provoke(() => parseDownload('abc', '')),
  provoke(() => parseDownload('12', 'limmit=5')),
  skillNotFound('999999999'),
  rangeNotSatisfiable('bytes=900000-', 1843),
  ...SHARED_FAILURES,
]

const text = { type: 'string' }
const header = (description: string, schema: object) => ({ description, required: true, schema })
const constant = (description: string, value: string) =>
  header(description, { ...text, const: value })
const matching = (description: string, pattern: string) => header(description, { ...text, pattern })

const CORS = {
  'Access-Control-Allow-Origin': constant('Any origin may read the answer.', '*'),
}

const describeListingHeaders = (isPrivate: boolean | undefined): object => ({
  ...CORS,
  'Cache-Control': constant(
    'Cache directive of listings.',
    fitPrivacy(POLICIES.listing.headers, isPrivate)['Cache-Control'] ?? '',
  ),
  ETag: header('Validator of the answer, for `If-None-Match`.', text),
})

const ZIP_HEADERS = {
  ...CORS,
  'Cache-Control': header('The zip may be kept, and is checked before each use.', text),
  ETag: matching('Strong validator: the SHA-256 of the zip.', '^"[0-9a-f]{64}"$'),
}

const ZIP_BODY_HEADERS = {
  ...ZIP_HEADERS,
  'Accept-Ranges': constant('Parts may be asked for.', 'bytes'),
  'Content-Disposition': matching(
    'Names the file after the slug of the skill.',
    '^attachment; filename="[^"]+\\.zip"$',
  ),
  'Content-Length': header('Number of bytes of the answer.', { type: 'integer', minimum: 1 }),
  'X-Content-Type-Options': constant('The type is not to be guessed.', 'nosniff'),
}

const ZIP_PART_HEADERS = {
  ...ZIP_BODY_HEADERS,
  'Content-Range': matching(
    'Which bytes these are, and of how many.',
    '^bytes [0-9]+-[0-9]+/[0-9]+$',
  ),
}

const RETRY = header('Seconds to wait before asking again.', { type: 'integer', minimum: 0 })

/** Header fields of failures with these statuses, in addition to the common ones. */
const EXTRA_HEADERS: Record<string, object> = {
  405: { Allow: constant('The allowed methods.', ALLOW) },
  416: { 'Content-Range': matching('The size of the whole file.', '^bytes \\*/[0-9]+$') },
  429: { 'Retry-After': RETRY },
  503: { 'Retry-After': RETRY },
}

const describeFailure = (
  failures: readonly ApiError[],
  status: string,
  origin: string,
): object => ({
  description: failures.map(({ code }) => `${code}: ${ERROR_SUMMARIES[code]}`).join(' '),
  headers: {
    ...CORS,
    'Cache-Control': constant('Failures are never cached.', 'no-store'),
    ...EXTRA_HEADERS[status],
  },
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(
        failures.map((failure) => [
          failure.code,
          { summary: ERROR_SUMMARIES[failure.code], value: toEnvelope(failure, origin) },
        ]),
      ),
    },
  },
})

/** Describes failures by status: those of an operation, or of addresses without one. */
const describeFailures = (failures: readonly ApiError[], origin: string): object => {
  const byStatus = Object.groupBy(failures, ({ status }) => status)
  const elsewhere = [addressNotFound(`${PATHS.listingApi}/12`)]
  const grouped = Object.entries({ ...byStatus, default: elsewhere })
  return Object.fromEntries(
    grouped.map(([status, same]) => [status, describeFailure(same, status, origin)]),
  )
}

interface ApiOwner {
  name: string
  description: string
  origin: string
  /** Address of the page with the owner's contact. */
  contact?: string
  isPrivate?: boolean | undefined
}

/** Version of the API, not of the format (registry-api 9). */
const API_VERSION = '1.0.0'

const exampleSkill = (origin: string): ListedSkill => ({
  id: 12,
  slug: 'csv-clean',
  name: 'csv-clean',
  author: 'example',
  description: 'Cleans CSV files: encodings, delimiters, quoting and stray header rows.',
  category: 'Data & Analytics',
  views: 340,
  installs: 57,
  sourceUrl: `${origin}/skills/csv-clean/SKILL.md`,
})

const describeParameters = (
  parameters: Readonly<Record<string, { described: object }>>,
): object[] =>
  Object.entries(parameters).map(([name, { described }]) =>
    Object.assign({ name, in: 'query', required: false }, described),
  )

const describeListing = (origin: string, headers: object): object => ({
  operationId: 'searchSkills',
  summary: 'Search and list skills',
  description:
    'With `q` it searches and scores; without, it browses in the order of `sort`. Only indexable skills appear. An invalid parameter is refused, never ignored.',
  tags: ['Skills'],
  parameters: describeParameters(LISTING_DESCRIBED),
  responses: {
    200: {
      description: 'The matches from `offset` on, at most `limit` of them.',
      headers,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/SkillSearchResponse' },
          example: {
            skills: [exampleSkill(origin)],
            total: 1,
            limit: DEFAULT_LIMIT,
            offset: OFFSET.minimum,
          },
        },
      },
    },
    304: {
      description: 'The page is as the validator in `If-None-Match` says.',
      headers,
    },
    ...describeFailures(LISTING_FAILURES, origin),
  },
})

const describeSearch = (origin: string, headers: object): object => ({
  operationId: 'findSkills',
  summary: 'Search as `skills find` does',
  description:
    'What `npx skills find` asks where `SKILLS_API_URL` is the address of this site: the same skills in the same order as above, in the shape that it reads.',
  tags: ['Skills'],
  parameters: describeParameters(SEARCH_DESCRIBED),
  responses: {
    200: {
      description: 'The best matches, at most `limit` of them.',
      headers,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/FindSkillsResponse' },
          example: {
            skills: [
              {
                id: 'skills/csv-clean',
                name: 'csv-clean',
                source: `${origin}/skills/csv-clean`,
                installs: 57,
              } satisfies ClientSkill,
            ],
          },
        },
      },
    },
    304: {
      description: 'The answer is as the validator in `If-None-Match` says.',
      headers,
    },
    ...describeFailures(SEARCH_FAILURES, origin),
  },
})

const zip = {
  'application/zip': { schema: { type: 'string', contentMediaType: 'application/zip' } },
}

const describeDownload = (origin: string): object => ({
  operationId: 'downloadSkill',
  summary: 'Download a skill',
  description:
    'A zip with SKILL.md at its root. When the upstream source is gone, the SKILL.md is synthesized from catalog metadata. The endpoint takes no query parameters.',
  tags: ['Skills'],
  parameters: [
    {
      name: 'id',
      in: 'path',
      required: true,
      description: 'Numeric skill id, the `id` of a Skill.',
      schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      example: 12,
    },
  ],
  responses: {
    200: { description: 'The whole zip.', headers: ZIP_BODY_HEADERS, content: zip },
    206: {
      description: 'The part of the zip that a single `Range` asks for.',
      headers: ZIP_PART_HEADERS,
      content: zip,
    },
    304: {
      description: 'The zip is as the validator in `If-None-Match` says.',
      headers: ZIP_HEADERS,
    },
    308: {
      description: 'The skill moved; its zip is that of another id from now on.',
      headers: { ...CORS, Location: header('Address of the zip.', text) },
      content: { 'text/plain; charset=utf-8': { schema: text } },
    },
    ...describeFailures(DOWNLOAD_FAILURES, origin),
  },
})

/** Describes the API as OpenAPI 3.1 (registry-api 4.4, 9), from the tables the parsers read. */
export const describeApi = ({
  name,
  description,
  origin,
  contact,
  isPrivate,
}: ApiOwner): object => ({
  openapi: '3.1.0',
  info: {
    title: `${name} API`,
    version: API_VERSION,
    description: `${description}\n\n${isPrivate ? 'Private and read-only: its operator decides who reads it.' : 'Public and read-only: no key, token or credential is needed.'}`,
    ...(contact === undefined ? {} : { contact: { name, url: contact } }),
  },
  servers: [{ url: origin }],
  security: [],
  tags: [{ name: 'Skills', description: 'Find skills and download them.' }],
  paths: {
    [PATHS.listingApi]: { get: describeListing(origin, describeListingHeaders(isPrivate)) },
    [PATHS.searchApi]: { get: describeSearch(origin, describeListingHeaders(isPrivate)) },
    [`${PATHS.download}/{id}`]: { get: describeDownload(origin) },
  },
  components: { schemas: SCHEMAS },
})

/** Renders /.well-known/api-catalog: which APIs there are, and what describes them (RFC 9727). */
export const renderApiCatalog = (origin: string): string => {
  const link = (path: string, type: string): { href: string; type: string } => ({
    href: origin + path,
    type,
  })
  const api = origin + PATHS.listingApi
  const linkset = [
    { anchor: origin + PATHS.apiCatalog, item: [{ href: api }] },
    {
      anchor: api,
      'service-desc': [link(PATHS.openapi, 'application/json')],
      'service-doc': [
        link(PATHS.apiDocs, 'text/html'),
        link(twinPath(PATHS.apiDocs), 'text/markdown'),
      ],
      'service-meta': [link(PATHS.llms, 'text/plain')],
    },
  ]
  return `${JSON.stringify({ linkset }, null, 2)}\n`
}
