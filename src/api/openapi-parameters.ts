import { DEFAULT_SORT, SORT_NAMES } from '../catalog/browse.ts'
import { CATEGORIES } from '../catalog/categories.ts'
import { DEFAULT_LIMIT, LIMIT, OFFSET } from './query.ts'
import type { LISTING_PARAMETERS, SEARCH_PARAMETERS } from './query.ts'

/** A parameter as OpenAPI describes it. */
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

/** The parameters of the listing. */
export const LISTING_DESCRIBED: Readonly<
  Record<keyof typeof LISTING_PARAMETERS, DescribedParameter>
> = {
  q: QUERY,
  sort: {
    wrong: 'best',
    described: {
      description:
        'Order of browsing. Beside `q` it is checked, then has no effect: results are scored.',
      schema: { type: 'string', enum: SORT_NAMES, default: DEFAULT_SORT },
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

/** The parameters of the search for clients. */
export const SEARCH_DESCRIBED: Readonly<
  Record<keyof typeof SEARCH_PARAMETERS, DescribedParameter>
> = {
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
