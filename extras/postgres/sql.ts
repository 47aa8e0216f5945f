import type { Sort } from '../../src/catalog/browse.ts'
import { maskFacets } from '../../src/catalog/facets.ts'
import type { ListedSkill } from '../../src/catalog/skill.ts'
import { NAMED, readNameKeys } from '../../src/search/format/names.ts'
import type { FindRequest, Found } from '../../src/search/index.ts'
import {
  BM25,
  FIELDS,
  FIELD_NAMES,
  MISSING_DECAY,
  WEIGHTS,
  findShare,
} from '../../src/search/rank.ts'
import type { Ask } from './pool.ts'
import { toDatabaseText } from './schema.ts'
import type { QueryTerms } from './terms.ts'

/** The orders of `SORTS` as SQL. Names are compared by code point, as their column's collation says. */
const ORDERS: Readonly<Record<Sort, string>> = {
  popular: 'installs DESC, views DESC, updated DESC, name_key, id',
  installs: 'installs DESC, name_key, id',
  views: 'views DESC, name_key, id',
  name: 'name_key, id',
}

/** True for a skill of one of the categories in parameter $1, where an empty list is all. */
const OF_CATEGORY = `(cardinality($1::text[]) = 0 OR category = ANY($1::text[]))`

/** True for a skill with the facets whose mask is parameter $4 and whose bits are $5. */
const OF_FACETS = `facets & $4::int = $5::int`

const writeBrowsing = (order: string): string => `
SELECT
  CASE WHEN $4::int = 0
    THEN (SELECT coalesce(sum(skills), 0)::float8 FROM categories WHERE ${OF_CATEGORY})
    ELSE (SELECT count(*)::float8 FROM skills WHERE ${OF_CATEGORY} AND ${OF_FACETS})
  END AS total,
  (SELECT coalesce(json_agg(listed), '[]') FROM (
    SELECT listed FROM skills WHERE ${OF_CATEGORY} AND ${OF_FACETS}
    ORDER BY ${order} LIMIT $2 OFFSET $3
  ) AS page) AS skills`

/** Lists skills without a query. */
export const browse = async (
  ask: Ask,
  { sort, categories, facets = {}, limit, offset }: FindRequest,
): Promise<Found> => {
  const { mask, bits } = maskFacets(facets)
  const [found] = await ask<{ skills: ListedSkill[]; total: number }>(writeBrowsing(ORDERS[sort]), [
    categories,
    limit,
    offset,
    mask,
    bits,
  ])
  return found ?? { skills: [], total: 0 }
}

/** A page of ranked skills, and what says whether words of the query are misspelt. */
export interface Ranked {
  skills: ListedSkill[]
  total: number
  /** How many skills answer each set of words of the query, one bit a word. */
  answered: { answers: number; skills: number }[]
}

/**
 * Scores are summed as whole multiples of 1 / UNIT: such sums are exact up to 2 ** 53, so they do not depend on
 * the order in which a server adds them, which may differ from page to page.
 */
const UNIT = 2 ** 40

const toUnits = (score: string): string => `round(${score} * ${UNIT}::float8)`

const WEIGHT_OF_FIELD = FIELD_NAMES.map(
  (name, field) => `WHEN ${field} THEN ${FIELDS[name].boost}`,
).join(' ')

// Floats are written with a cast: a bare 1.2 is a numeric in SQL, which rounds otherwise and is slow.
const BM25_OF_POSTING = `(${BM25.lowest}::float8
  + frequency * (${BM25.saturation}::float8 + 1) / (frequency + ${BM25.saturation}::float8
    * (1 - ${BM25.lengthShare}::float8 + ${BM25.lengthShare}::float8 * length / average)))`

const COMPLETION = `factor * ((${WEIGHTS.completed}::float8 * word.length)
  / (word.length + ${MISSING_DECAY}::float8 * (word.length - start.length)))`

/** Reads one list of the terms in parameter $6 as rows. */
const rowsOf = (list: keyof QueryTerms, columns: string): string =>
  `json_to_recordset($6::json -> '${list}') AS one (${columns})`

/**
 * Ranks as `Scoring` does with the index file: the same terms, weights and formula, over tables. $1 to $5 are the page; $6 the terms, $7 and $8 the query as a name, $9 the floor's share.
 */
const writeRanking = (keepWanted: string): string => `
WITH starts AS (
  SELECT * FROM ${rowsOf('starts', 'choice int, start text, length int, factor float8')}
), members AS (
  SELECT choice, stem, max(share) AS share FROM (
    SELECT * FROM ${rowsOf('members', 'choice int, stem text, share float8')}
    UNION ALL
    SELECT choice, stem, ${COMPLETION}
    FROM starts AS start JOIN vocabulary AS word
      ON word.word > start.start COLLATE "C" AND word.word < start.start || chr(1114111) COLLATE "C"
  ) AS ways GROUP BY choice, stem
), singles AS (
  SELECT stem, sum(weight ORDER BY weight) AS weight, bit_or(answers) AS answers FROM (
    SELECT * FROM ${rowsOf('singles', 'stem text, weight float8, answers int')}
    UNION ALL
    SELECT stem, weight * share, answers
    FROM members JOIN ${rowsOf('choices', 'choice int, own text, answers int, weight float8')}
      USING (choice)
    WHERE stem <> own
  ) AS ways GROUP BY stem
), rarities AS NOT MATERIALIZED (
  SELECT frequencies.stem, field, average,
    ln(1 + (size.skills - frequencies.skills + 0.5::float8) / (frequencies.skills + 0.5::float8))
      * CASE field ${WEIGHT_OF_FIELD} END AS rarity
  FROM frequencies JOIN fields USING (field),
    (SELECT sum(skills)::float8 AS skills FROM categories) AS size
), hits AS (
  SELECT skill, ${toUnits(`weight * rarity * ${BM25_OF_POSTING}`)} AS units, answers
  FROM singles JOIN rarities USING (stem) JOIN postings USING (stem, field)
  UNION ALL
  SELECT skill, round(weight * sum(${toUnits(`rarity * ${BM25_OF_POSTING}`)}) / needed), answers
  FROM ROWS FROM (json_to_recordset($6::json -> 'runs')
      AS (run int, needed int, stem text, weight float8, answers int)) WITH ORDINALITY
      AS part (run, needed, stem, weight, answers, place)
    JOIN rarities USING (stem) JOIN postings USING (stem, field)
  GROUP BY run, needed, weight, answers, skill
  HAVING count(DISTINCT place) = needed
), matches AS MATERIALIZED (
  SELECT skill, bit_or(answers) AS answers,
    sum(units) * bit_count(bit_or(answers)::bit(32)) AS score
  FROM hits GROUP BY skill
), named AS (
  SELECT id AS skill, max(certainty) AS certainty FROM (
    SELECT id, ${NAMED.letterForLetter} AS certainty FROM skills WHERE letters = $7
    UNION ALL
    SELECT id, ${NAMED.otherwiseSpelled} FROM skills WHERE spelling = $8 AND spelling <> ''
  ) AS ways GROUP BY id
), chosen AS MATERIALIZED (
  SELECT skill, coalesce(certainty, ${NAMED.not}) AS certainty,
    CASE WHEN certainty IS NULL THEN score ELSE 0 END AS score
  FROM (
    SELECT skill, score FROM matches
    WHERE score >= $9::float8 * (SELECT max(score) FROM matches)
  ) AS strong FULL JOIN named USING (skill) ${keepWanted}
), last AS (
  SELECT certainty, score FROM chosen
  ORDER BY certainty DESC, score DESC LIMIT 1 OFFSET $2::bigint + $3::bigint - 1
), page AS (
  SELECT id, row_number() OVER () AS place FROM (
    SELECT id FROM chosen JOIN skills ON id = skill
    WHERE coalesce((certainty, chosen.score) >= (SELECT last.certainty, last.score FROM last), true)
    ORDER BY certainty DESC, score DESC, ${ORDERS.popular} LIMIT $2 OFFSET $3
  ) AS ordered
)
SELECT
  (SELECT count(*)::int FROM chosen) AS total,
  (SELECT coalesce(json_agg(listed ORDER BY place), '[]') FROM page JOIN skills USING (id))
    AS skills,
  (SELECT coalesce(json_agg(sets), '[]') FROM (
    SELECT answers, count(*) AS skills FROM matches GROUP BY answers
  ) AS sets) AS answered`

// Where nothing is filtered out, only the skills of the page and their equals are looked up.
const RANKING = {
  all: writeRanking('WHERE $1::text[] IS NOT NULL AND $4::int = $5::int'),
  filtered: writeRanking(`JOIN skills ON id = skill WHERE ${OF_CATEGORY} AND ${OF_FACETS}`),
} as const

/** Ranks the skills that answer a query of so many words in one of some ways. */
export const rank = async (
  ask: Ask,
  { q = '', categories, facets = {}, limit, offset }: FindRequest,
  wordCount: number,
  terms: QueryTerms,
): Promise<Ranked> => {
  const { letters, spelling } = readNameKeys(q)
  const { mask, bits } = maskFacets(facets)
  const statement = categories.length === 0 && mask === 0 ? RANKING.all : RANKING.filtered
  const [ranked] = await ask<Ranked>(statement, [
    categories,
    limit,
    offset,
    mask,
    bits,
    JSON.stringify(terms),
    toDatabaseText(letters),
    toDatabaseText(spelling),
    findShare(wordCount),
  ])
  return ranked ?? { skills: [], total: 0, answered: [] }
}
