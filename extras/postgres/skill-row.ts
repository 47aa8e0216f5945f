import { createHash } from 'node:crypto'
import { toDatabaseText } from './schema-name.ts'
import type { SearchDocument } from '../../src/search/index.ts'
import { analyzeSkill } from '../../src/search/analyze.ts'
import type { SkillAnalysis } from '../../src/search/analyze.ts'

/** How often a field of a skill holds a stem; `field` is the place of its name in `FIELD_NAMES`. */
interface Posting {
  stem: string
  field: number
  frequency: number
  /** Distinct stems of the whole field, which is what the ranking calls its length. */
  length: number
}

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

const listPostings = ({ terms, lengths }: SkillAnalysis): Posting[] =>
  terms.flatMap(({ term, frequencies }) =>
    frequencies.flatMap((frequency, field) =>
      frequency > 0 ? [{ stem: term, field, frequency, length: lengths[field]! }] : [],
    ),
  )

/** Turns a skill into its row. */
export const toSkillRow = (document: SearchDocument): SkillRow => {
  const { listed, description } = document
  const { sourceUrl, ...columns } = listed
  const analysis = analyzeSkill(document)
  const row = {
    ...columns,
    source_url: sourceUrl ?? null,
    full_description: description,
    name_key: listed.name.toLowerCase(),
    letters: analysis.name.letters,
    spelling: analysis.name.spelling,
    lengths: analysis.lengths,
    words: analysis.terms.flatMap(({ words }) => words).sort(),
    postings: listPostings(analysis),
  }
  return {
    ...row,
    digest: createHash('sha256')
      .update(renderRows([row]))
      .digest('base64url'),
  }
}
