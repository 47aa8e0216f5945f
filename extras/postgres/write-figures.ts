import type { Client } from 'pg'
import { stemWord } from '../../src/search/tokens.ts'
import { listPieces } from './word-pieces.ts'
import { renderRows } from './skill-row.ts'

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

// Both are read whole: one pass over the skills is cheap, and mends what a hand may have changed.
const COUNT_SKILLS = `
DELETE FROM categories;
INSERT INTO categories SELECT category, count(*) FROM skills GROUP BY category;
DELETE FROM fields;
INSERT INTO fields
SELECT place - 1, avg(length)::float8
FROM skills, unnest(lengths) WITH ORDINALITY AS one (length, place) GROUP BY place`

/** Brings the figures that ranking needs of all skills up to date with what was written. */
export const writeFigures = async (client: Client): Promise<void> => {
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
