import type { Client } from 'pg'
import { renderRows } from './skill-row.ts'
import type { SkillRow } from './skill-row.ts'

/** What changes in the figures that all skills share, gathered until every skill is written. */
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
export const addSkills = async (client: Client, rows: readonly SkillRow[]): Promise<void> => {
  const text = renderRows(rows)
  for (const statement of [ADD_SKILLS, ADD_WORDS, ADD_POSTINGS])
    await client.query(statement, [text])
}
