import { DEFAULT_SORT } from '../catalog/browse.ts'
import { CATEGORIES } from '../catalog/categories.ts'
import { LIMIT, OFFSET, SORT_NAMES } from './parameters.ts'
import type { LISTING_PARAMETERS } from './parameters.ts'

interface DescribedParameter {
  description: string
  schema: object
  style?: 'form'
  explode?: false
  example?: unknown
}

/** What the description says of each parameter the parser knows (registry-api 4.1). */
const DESCRIBED: Record<keyof typeof LISTING_PARAMETERS, DescribedParameter> = {
  q: {
    description:
      'Full-text query over name, author, category and description. When present, results are scored; when omitted or blank, the endpoint browses. Control characters are refused.',
    schema: { type: 'string' },
    example: 'clean csv files',
  },
  sort: {
    description:
      'Order of browsing. Beside `q` it is checked, then has no effect: results are scored.',
    schema: { type: 'string', enum: SORT_NAMES, default: DEFAULT_SORT },
  },
  cat: {
    description:
      'One or more categories, separated by commas; a skill of any of them matches. Each is written exactly as listed, with `&` as `%26`.',
    style: 'form',
    explode: false,
    schema: { type: 'array', minItems: 1, items: { type: 'string', enum: CATEGORIES } },
    example: ['Coding', 'Writing'],
  },
  limit: {
    description: `Page size. Values above ${LIMIT.maximum} are not refused: they are clamped to ${LIMIT.maximum}, and the answer says so in its \`limit\`.`,
    schema: {
      type: 'integer',
      minimum: LIMIT.minimum,
      maximum: LIMIT.maximum,
      default: LIMIT.fallback,
    },
  },
  offset: {
    description: 'Number of results to skip. Past the end the page is empty.',
    schema: {
      type: 'integer',
      minimum: OFFSET.minimum,
      maximum: OFFSET.maximum,
      default: OFFSET.fallback,
    },
  },
}

/** The query parameters of the listing. */
export const QUERY_PARAMETERS = Object.entries(DESCRIBED).map(([name, described]) =>
  Object.assign({ name, in: 'query', required: false }, described),
)

/** The path parameter of the download. */
export const ID_PARAMETER = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Numeric skill id, the `id` of a Skill.',
  schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  example: 12,
} as const
