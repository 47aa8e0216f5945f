import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { analyzeSkill } from '../../src/search/analyze.ts'
import type { SkillAnalysis } from '../../src/search/analyze.ts'
import type { SearchDocument } from '../../src/search/index.ts'
import { stemWord } from '../../src/search/tokens.ts'
import { toDatabaseText } from './schema.ts'
import { listPieces } from './terms.ts'

/** How often a field of a skill holds a stem; `field` is the place of its name in `FIELD_NAMES`. */
interface PostingRow {
  stem: string
  field: number
  frequency: number
  /** Distinct stems of the whole field, which is what the ranking calls its length. */
  length: number
}

/** A skill as the tables hold it: the columns of its row, and its postings. */
export interface DatabaseRow {
  id: number
  /** Digest of the row and its postings. */
  digest: string
  postings: PostingRow[]
  [column: string]: unknown
}

/** Rows as JSON that PostgreSQL reads. */
const renderRows = (rows: readonly unknown[]): string =>
  JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'string' ? toDatabaseText(value) : value,
  )

const listPostings = ({ terms, lengths }: SkillAnalysis): PostingRow[] =>
  terms.flatMap(({ term, frequencies }) =>
    frequencies.flatMap((frequency, field) =>
      frequency > 0 ? [{ stem: term, field, frequency, length: lengths[field]! }] : [],
    ),
  )

/** Turns a skill into its row. */
export const toDatabaseRow = (document: SearchDocument): DatabaseRow => {
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

/** Changes of the counts that all skills share, gathered until every skill is written. */
export const DELTAS = `
CREATE TEMP TABLE stem_deltas (stem text COLLATE "C", field smallint, change bigint) ON COMMIT DROP;
CREATE TEMP TABLE word_deltas (word text COLLATE "C", change bigint) ON COMMIT DROP;
`

const REMOVE_POSTINGS = `
WITH gone AS (DELETE FROM postings WHERE skill = ANY($1::bigint[]) RETURNING stem, field)
INSERT INTO stem_deltas SELECT stem, field, -count(*) FROM gone GROUP BY stem, field`

const REMOVE_WORDS = `
INSERT INTO word_deltas
SELECT word, -count(*) FROM skills, unnest(words) AS word WHERE id = ANY($1::bigint[]) GROUP BY word`

const REMOVE_SKILLS = `DELETE FROM skills WHERE id = ANY($1::bigint[])`

const ADD_SKILLS = `
INSERT INTO skills SELECT * FROM json_populate_recordset(NULL::skills, $1::json)`

const ADD_WORDS = `
INSERT INTO word_deltas
SELECT word, count(*)
FROM json_to_recordset($1::json) AS skill (words text[]), unnest(words) AS word
GROUP BY word`

const ADD_POSTINGS = `
WITH added AS (
  INSERT INTO postings
  SELECT stem, field, skill.id, frequency, length
  FROM json_to_recordset($1::json) AS skill (id bigint, postings json),
    json_to_recordset(postings)
      AS posting (stem text, field smallint, frequency int, length int)
  RETURNING stem, field
)
INSERT INTO stem_deltas SELECT stem, field, count(*) FROM added GROUP BY stem, field`

/** Removes skills with all that they are found by. */
export const removeSkills = async (client: Client, ids: readonly number[]): Promise<void> => {
  for (const statement of [REMOVE_POSTINGS, REMOVE_WORDS, REMOVE_SKILLS])
    await client.query(statement, [ids])
}

/** Adds skills that the tables do not have. */
export const addSkills = async (client: Client, rows: readonly DatabaseRow[]): Promise<void> => {
  const text = renderRows(rows)
  for (const statement of [ADD_SKILLS, ADD_WORDS, ADD_POSTINGS])
    await client.query(statement, [text])
}

/** Words written at a time. */
const BATCH = 5_000

const COUNT_STEMS = `
INSERT INTO frequencies
SELECT stem, field, sum(change) FROM stem_deltas GROUP BY stem, field HAVING sum(change) <> 0
ON CONFLICT (stem, field) DO UPDATE SET skills = frequencies.skills + excluded.skills;
DELETE FROM frequencies WHERE skills = 0`

const READ_WORDS = `
SELECT word, sum(change)::int AS uses FROM word_deltas GROUP BY word HAVING sum(change) <> 0`

const COUNT_WORDS = `
INSERT INTO vocabulary
SELECT * FROM json_populate_recordset(NULL::vocabulary, $1::json)
ON CONFLICT (word) DO UPDATE SET uses = vocabulary.uses + excluded.uses`

const FORGET_WORDS = `DELETE FROM vocabulary WHERE uses = 0`

// Both are counted from all skills: one pass is cheap, and repairs what somebody may have changed by hand.
const COUNT_SKILLS = `
DELETE FROM categories;
INSERT INTO categories SELECT category, count(*) FROM skills GROUP BY category;
DELETE FROM fields;
INSERT INTO fields
SELECT place - 1, avg(length)::float8
FROM skills, unnest(lengths) WITH ORDINALITY AS one (length, place) GROUP BY place`

/** Brings the counts and averages that ranking needs of all skills up to date. */
export const writeStatistics = async (client: Client): Promise<void> => {
  await client.query(COUNT_STEMS)
  const { rows } = await client.query<{ word: string; uses: number }>(READ_WORDS)
  for (let start = 0; start < rows.length; start += BATCH) {
    const words = rows.slice(start, start + BATCH).map(({ word, uses }) => ({
      word,
      stem: stemWord(word),
      length: word.length,
      uses,
      pieces: listPieces(word),
    }))
    await client.query(COUNT_WORDS, [renderRows(words)])
  }
  await client.query(FORGET_WORDS)
  await client.query(COUNT_SKILLS)
}
