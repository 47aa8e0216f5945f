import type { ListedSkill } from '../catalog/skill.ts'
import { DOWNLOAD_PATH, LISTING_PATH } from './endpoints.ts'
import type { ErrorCode } from './errors.ts'
import { ID_PARAMETER, QUERY_PARAMETERS } from './openapi-parameters.ts'
import {
  LISTING_HEADERS,
  MOVED_ZIP,
  ZIP_BODY_HEADERS,
  ZIP_HEADERS,
  ZIP_PART_HEADERS,
  describeFailures,
  describeOtherFailures,
} from './openapi-responses.ts'
import { SCHEMAS } from './openapi-schemas.ts'
import { LIMIT, OFFSET } from './parameters.ts'

/** What a site tells its description about itself. */
export interface ApiOwner {
  name: string
  description: string
  origin: string
  /** Address of a page where the owner can be reached. */
  contact?: string
}

/** Version of the API, not of the format (registry-api 9). */
const API_VERSION = '1.0.0'

const SHARED_FAILURES = [
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'URI_TOO_LONG',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
] as const satisfies ErrorCode[]

const LISTING_FAILURES: readonly ErrorCode[] = [
  'INVALID_SORT',
  'INVALID_CATEGORY',
  'INVALID_LIMIT',
  'INVALID_OFFSET',
  'INVALID_QUERY',
  'DUPLICATE_PARAMETER',
  'UNKNOWN_PARAMETER',
  'BAD_REQUEST',
  ...SHARED_FAILURES,
]

const DOWNLOAD_FAILURES: readonly ErrorCode[] = [
  'INVALID_ID',
  'UNKNOWN_PARAMETER',
  'BAD_REQUEST',
  'SKILL_NOT_FOUND',
  'RANGE_NOT_SATISFIABLE',
  ...SHARED_FAILURES,
]

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

const describeListing = (origin: string): object => ({
  operationId: 'searchSkills',
  summary: 'Search and list skills',
  description:
    'With `q` it searches and scores; without, it browses in the order of `sort`. Only indexable skills appear. An invalid parameter is refused, never ignored.',
  tags: ['Skills'],
  parameters: QUERY_PARAMETERS,
  responses: {
    200: {
      description: 'The matches from `offset` on, at most `limit` of them.',
      headers: LISTING_HEADERS,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/SkillSearchResponse' },
          example: {
            skills: [exampleSkill(origin)],
            total: 1,
            limit: LIMIT.fallback,
            offset: OFFSET.fallback,
          },
        },
      },
    },
    304: {
      description: 'The page is as the validator in `If-None-Match` says.',
      headers: LISTING_HEADERS,
    },
    ...describeFailures(LISTING_FAILURES, origin),
    ...describeOtherFailures(origin),
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
  parameters: [ID_PARAMETER],
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
    308: MOVED_ZIP,
    ...describeFailures(DOWNLOAD_FAILURES, origin),
    ...describeOtherFailures(origin),
  },
})

/** Describes the API as OpenAPI 3.1 (registry-api 4.4, 9), from the tables the parsers read. */
export const describeApi = ({ name, description, origin, contact }: ApiOwner): object => ({
  openapi: '3.1.0',
  info: {
    title: `${name} API`,
    version: API_VERSION,
    description: `${description}\n\nPublic and read-only: no key, token or credential is needed.`,
    ...(contact === undefined ? {} : { contact: { name, url: contact } }),
  },
  servers: [{ url: origin }],
  security: [],
  tags: [{ name: 'Skills', description: 'Find skills and download them.' }],
  paths: {
    [LISTING_PATH]: { get: describeListing(origin) },
    [`${DOWNLOAD_PATH}/{id}`]: { get: describeDownload(origin) },
  },
  components: { schemas: SCHEMAS },
})
