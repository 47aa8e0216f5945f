import { createHash } from 'node:crypto'
import { toDatabaseText } from './schema-name.ts'
import { toLetters, toSpelling } from '../../src/search/exact-name.ts'
import type { SearchDocument } from '../../src/search/index.ts'
import { readTerms } from '../../src/search/postings.ts'
import type { Posting } from '../../src/search/postings.ts'

/** A skill as the tables hold it: the columns of its row, and its postings. */
export interface SkillRow {
  id: number
  /** Tells this state of the skill, and of the analysis of its text, from every other. */
  digest: string
  postings: Posting[]
  [column: string]: unknown
}

/** Writes rows for the database: text there is whole characters, and never NUL. */
export const renderRows = (rows: readonly unknown[]): string =>
  JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'string' ? toDatabaseText(value) : value,
  )

/** Turns a skill into its row. */
export const toSkillRow = (document: SearchDocument): SkillRow => {
  const { listed, description } = document
  const { sourceUrl, ...columns } = listed
  const row = {
    ...columns,
    source_url: sourceUrl ?? null,
    full_description: description,
    name_key: listed.name.toLowerCase(),
    letters: toLetters(listed.name),
    spelling: toSpelling(listed.name),
    ...readTerms(document),
  }
  return {
    ...row,
    digest: createHash('sha256')
      .update(renderRows([row]))
      .digest('base64url'),
  }
}
