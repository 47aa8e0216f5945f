import { CATEGORIES } from '../catalog/categories.ts'
import { LISTING_DESCRIPTION } from '../catalog/skill.ts'
import type { ListedSkill } from '../catalog/skill.ts'
import { ERRORS } from './errors.ts'
import { LIMIT, OFFSET } from './query.ts'

/** The schema of an object that has exactly these properties. */
const having = (properties: object, required = Object.keys(properties)) => ({
  required,
  additionalProperties: false,
  properties,
})

const counter = (what: string) => ({
  type: 'integer',
  minimum: 0,
  description: `${what}; always present, 0 when unknown.`,
})

const filledText = (description: string) => ({ type: 'string', minLength: 1, description })

/** A Skill: exactly the fields of registry-api 2.1. */
const SKILL_FIELDS = {
  id: { type: 'integer', minimum: 1, description: 'Numeric id; the download endpoint takes it.' },
  slug: { type: 'string', description: 'URL-safe name, used in the page path `/skills/{slug}`.' },
  name: { type: 'string' },
  author: { type: 'string' },
  description: {
    type: 'string',
    maxLength: LISTING_DESCRIPTION,
    description: `Cut on a word with an ellipsis where it is longer than ${LISTING_DESCRIPTION} characters.`,
  },
  category: { type: 'string', enum: CATEGORIES },
  views: counter('How often its page was viewed'),
  installs: counter('How often it was installed'),
  sourceUrl: {
    type: 'string',
    format: 'uri',
    description: 'Address of its source; absent where there is none.',
  },
} satisfies Record<keyof ListedSkill, object>

/** A skill in the answer of the search for clients. */
export interface ClientSkill {
  id: string
  name: string
  source: string
  installs: number
}

const FOUND_FIELDS = {
  id: { type: 'string', description: 'Path of its page, without the first slash.' },
  name: { type: 'string', description: 'Its slug, the name that it is installed by.' },
  source: {
    type: 'string',
    format: 'uri',
    description: 'Address of its page, which installs it, with or without `@{name}` after it.',
  },
  installs: counter('How often it was installed'),
} satisfies Record<keyof ClientSkill, object>

/** The answer of the listing (registry-api 2.3). */
const PAGE_FIELDS = {
  skills: {
    type: 'array',
    maxItems: LIMIT.maximum,
    items: { $ref: '#/components/schemas/Skill' },
    description: 'The current page; empty past the end.',
  },
  total: { type: 'integer', minimum: 0, description: 'Total matches before pagination.' },
  limit: { type: 'integer', ...LIMIT, description: 'Effective page size.' },
  offset: { type: 'integer', ...OFFSET, description: 'Effective offset.' },
}

/** What the error envelope holds (registry-api 2.4). */
const ERROR_FIELDS = {
  code: {
    type: 'string',
    enum: Object.keys(ERRORS),
    description: 'Machine-readable, stable code.',
  },
  message: filledText('What is wrong; it names the bad value.'),
  hint: filledText('How to recover, with the allowed values.'),
  docs: { type: 'string', format: 'uri', description: 'Address of this description.' },
}

/** The schemas of the description, by the names of the contract. */
export const SCHEMAS = {
  Skill: {
    type: 'object',
    description: 'A skill as the listing shows it.',
    ...having(SKILL_FIELDS, ['id', 'slug', 'name', 'author', 'description', 'category']),
  },
  SkillSearchResponse: {
    type: 'object',
    description: 'One page of matches.',
    ...having(PAGE_FIELDS),
  },
  ClientSkill: {
    type: 'object',
    description: 'A skill as clients that search read it.',
    ...having(FOUND_FIELDS),
  },
  FindSkillsResponse: {
    type: 'object',
    description: 'The best matches.',
    ...having({
      skills: {
        type: 'array',
        maxItems: LIMIT.maximum,
        items: { $ref: '#/components/schemas/ClientSkill' },
      },
    }),
  },
  Error: {
    type: 'object',
    description: 'Every failure under `/api/`.',
    ...having({ error: { type: 'object', ...having(ERROR_FIELDS) } }),
  },
}
