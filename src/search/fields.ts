import type { ListedSkill } from '../catalog/skill.ts'

/** A skill as the index takes it in: the row it returns, and the whole description it searches. */
export interface SearchDocument {
  listed: ListedSkill
  description: string
}

interface Field {
  /** How much a match here counts beside a match in the description. */
  boost: number
  read: (document: SearchDocument) => string
}

/**
 * The searched fields (registry-api 4.1) and their weights, as measured with `npm run bench:quality`:
 * a name above 2 drowns the descriptions, an author of 2 puts a publisher's own skills first.
 */
export const FIELDS = {
  name: { boost: 2, read: ({ listed }) => listed.name },
  author: { boost: 2, read: ({ listed }) => listed.author },
  category: { boost: 1, read: ({ listed }) => listed.category },
  description: { boost: 1, read: ({ description }) => description },
} as const satisfies Record<string, Field>

export type FieldName = keyof typeof FIELDS

/** The names of the searched fields, in the order of the table. */
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[]
