import type { Sort } from '../../src/catalog/browse.ts'
import type { Category } from '../../src/catalog/categories.ts'
import { COUNTED, RANKS_FIRST, bitsLeftOut } from '../../src/catalog/facets.ts'
import type { ListedSkill, SkillCard } from '../../src/catalog/skill.ts'
import { NAMED, readIdentifier, readNameKeys } from '../../src/search/format/names.ts'
import type { FindRequest, Found, FoundPage } from '../../src/search/read/open.ts'
import { isAnswered } from '../../src/search/intent.ts'
import type { Intent } from '../../src/search/intent.ts'
import type { QueryPlan } from '../../src/search/query.ts'
import { NEAREST_SHOWN, NO_COUNTS } from '../../src/search/read/open.ts'
import {
  BM25,
  SINGLE_AUTHOR,
  FIELDS,
  FIELD_NAMES,
  MISSING_DECAY,
  LOW_RANK_FACTOR,
  PLAIN_WORDS,
  AHEAD,
  WEIGHTS,
  findShare,
} from '../../src/search/rank.ts'
import type { Ask } from './pool.ts'
import { toDatabaseText, toParameter } from './schema.ts'
import type { QueryTerms } from './terms.ts'
import type { NearSkills } from './vectors.ts'

/** The orders of `SORTS` in SQL. Names are compared by code point, because their column has the collation "C". */
const ORDERS: Readonly<Record<Sort, string>> = {
  popular: 'installs DESC, views DESC, updated DESC, name_key, id',
  installs: 'installs DESC, name_key, id',
  views: 'views DESC, name_key, id',
  name: 'name_key, id',
  newest: 'updated DESC, name_key, id',
}

/** Runs a statement with named parameters, such as `$limit`. Values that the statement does not name are not sent. */
const askNamed = <Row extends object>(
  ask: Ask,
  statement: string,
  values: Readonly<Record<string, unknown>>,
): Promise<Row[]> => {
  const names = [...new Set(statement.match(/(?<=\$)[a-z]+/gi))]
  const toNumber = (_: string, name: string): string => `$${names.indexOf(name) + 1}`
  return ask<Row>(
    statement.replace(/\$([a-z]+)/gi, toNumber),
    names.map((name) => values[name]),
  )
}

/** Writes the condition for skills of the wanted categories; an empty list means all. */
const ofCategory = (category: string): string =>
  `(cardinality($categories::text[]) = 0 OR ${category} = ANY($categories::text[]))`
const OF_CATEGORY = ofCategory('category')

/** Writes the condition for skills of the wanted author and team; null means any. */
const ofOwner = (skill: string): string =>
  `(($author::text IS NULL OR ${skill}.author = $author)
    AND ($team::text IS NULL OR ${skill}.card->>'team' = $team))`
const OF_OWNER = ofOwner('skills')
const OF_FACETS = 'facets & $facets::int = 0'
const OF_FILTERS = `(${OF_FACETS} AND ${OF_OWNER})`

/** The JSON of a page's row. */
const WRITE_CARD = `json_build_object('listed', listed, 'card', card, 'copies',
  (SELECT count(*) FROM copies JOIN skills AS copied ON copied.id = copy WHERE original = skills.id))`

/**
 * Writes the columns of `folds`, the copies that pages leave out. `same_category`: copy and original share a category.
 * `in_categories`: both are in wanted categories. `facets`: what either has; `shared`: what both have.
 */
const writeFold = (copy: string, original: string): string => `${copy}.category,
  ${copy}.category = ${original}.category AS same_category,
  ${ofCategory(`${copy}.category`)} AND ${ofCategory(`${original}.category`)} AS in_categories,
  ${copy}.facets | ${original}.facets AS facets, ${copy}.facets & ${original}.facets AS shared`

const FOLDED = `(SELECT skill FROM folds WHERE in_categories AND ${OF_FACETS})`

/** Counts results by category, without copies whose original is a result in the same category. */
const countCategories = (results: string): string => `
(SELECT coalesce(json_object_agg(category, found), '{}') FROM (
  SELECT category, count(*) - (
    SELECT count(*) FROM folds WHERE same_category AND ${OF_FACETS} AND folds.category = results.category
  ) AS found FROM ${results} AS results WHERE ${OF_FACETS} GROUP BY category
) AS counts)`

/** Counts results by value of a facet, without copies whose original is a result with the same value. */
const countFacets = (results: string): string => {
  const counts = COUNTED.map(({ bit, others }) => {
    const areLeft = `facets & $facets::int & ${others} = 0`
    return `count(*) FILTER (WHERE facets & ${bit} <> 0 AND ${areLeft})
      - (SELECT count(*) FROM folds WHERE in_categories AND shared & ${bit} <> 0 AND ${areLeft})`
  })
  return `(SELECT json_build_array(${counts.join()}) FROM ${results} AS results WHERE ${OF_CATEGORY})`
}

const writeBrowsing = (order: string): string => `
SELECT
  CASE WHEN $facets::int = 0 AND $author::text IS NULL AND $team::text IS NULL
    THEN (SELECT coalesce(sum(skills), 0)::float8 FROM categories WHERE ${OF_CATEGORY})
    ELSE (SELECT count(*)::float8 FROM skills WHERE ${OF_CATEGORY} AND ${OF_FILTERS})
  END AS total,
  (SELECT coalesce(json_agg(listed), '[]') FROM (
    SELECT listed FROM skills WHERE ${OF_CATEGORY} AND ${OF_FILTERS}
    ORDER BY ${order} LIMIT $limit OFFSET $offset
  ) AS page) AS skills`

const OWNED = `(SELECT category, facets FROM skills WHERE ${OF_OWNER})`

const writeBrowsingPage = (order: string): string => `
WITH folds AS MATERIALIZED (
  SELECT copy AS skill, ${writeFold('copied', 'kept')}
  FROM copies JOIN skills AS copied ON copied.id = copy JOIN skills AS kept ON kept.id = original
  WHERE ${ofOwner('copied')} AND ${ofOwner('kept')}
)
SELECT
  (SELECT count(*)::float8 FROM skills WHERE ${OF_CATEGORY} AND ${OF_FILTERS})
    - (SELECT count(*) FROM ${FOLDED} AS folded) AS total,
  (SELECT coalesce(json_agg(row ORDER BY place), '[]') FROM (
    SELECT ${WRITE_CARD} AS row, row_number() OVER (ORDER BY ${order}) AS place
    FROM skills WHERE ${OF_CATEGORY} AND ${OF_FILTERS}
      AND id NOT IN ${FOLDED}
    ORDER BY ${order} LIMIT $limit OFFSET $offset
  ) AS page) AS rows,
  ${countCategories(OWNED)} AS counts, ${countFacets(OWNED)} AS "facetCounts"`

interface PageRows {
  rows: { listed: ListedSkill; card: SkillCard; copies: number }[]
  total: number
  counts: Readonly<Record<Category, number>>
  facetCounts: number[]
}

const toPage = ({
  rows,
  total,
  counts,
  facetCounts,
}: PageRows): Omit<FoundPage, 'corrected' | 'plan'> => ({
  rows: rows.map(({ listed, card, copies }) => ({ ...listed, ...card, copies })),
  total,
  nearest: [],
  categoryCounts: counts,
  facetCounts,
})

/** Returns the parameters that all statements share. */
const pageValues = ({ categories, limit, offset, facets = {}, author, team }: FindRequest) => ({
  categories,
  limit,
  offset,
  facets: bitsLeftOut(facets),
  author: toParameter(author?.toLowerCase()),
  team: toParameter(team),
})

/** Lists a page for people, without a query. */
export const browsePage = async (ask: Ask, request: FindRequest): Promise<FoundPage> => {
  const statement = writeBrowsingPage(ORDERS[request.sort])
  const [found] = await askNamed<PageRows>(ask, statement, pageValues(request))
  return { ...toPage(found!), corrected: [], plan: { wordCount: 0, clauses: [] } }
}

/** Lists skills for the API, without a query. */
export const browse = async (ask: Ask, request: FindRequest): Promise<Found> => {
  const statement = writeBrowsing(ORDERS[request.sort])
  const [found] = await askNamed<Found>(ask, statement, pageValues(request))
  return found!
}

/** A request with all that ranking needs. */
interface RankedQuery {
  request: FindRequest
  plan: QueryPlan
  terms: QueryTerms
  intent: Intent
  near: NearSkills
}

/**
 * Scores are summed as integer multiples of 1 / UNIT. Such sums are exact up to 2 ** 53, so they do not depend on the
 * order in which the server adds them, which can differ from page to page.
 */
const UNIT = 2 ** 40

const toUnits = (score: string): string => `round(${score} * ${UNIT}::float8)`

const WEIGHT_OF_FIELD = FIELD_NAMES.map(
  (name, field) => `WHEN ${field} THEN ${FIELDS[name].boost}`,
).join(' ')

// Constants are cast to floats: in SQL, 1.2 without a cast is a numeric, which is slow and rounds differently.
const BM25_OF_POSTING = `(${BM25.lowest}::float8
  + frequency * (${BM25.saturation}::float8 + 1) / (frequency + ${BM25.saturation}::float8
    * (1 - ${BM25.lengthShare}::float8 + ${BM25.lengthShare}::float8 * length / average)))`

const COMPLETION = `((${WEIGHTS.completed}::float8 * word.length)
  / (word.length + ${MISSING_DECAY}::float8 * (word.length - prefixes.length)))`

/** Writes a table expression whose rows are one list of `QueryTerms`. */
const rowsOf = (list: keyof QueryTerms, columns: string): string =>
  `json_to_recordset($terms::json -> '${list}') AS term (${columns})`

// Subqueries hide the number of rows from the planner, which would otherwise scan all skills to find a few.
const NEAR = 'unnest((SELECT $nearIds::bigint[]), (SELECT $gains::float8[]))'

/** Writes a statement that ranks like `Scoring` does with the index file, with the same terms, weights and formula. */
const writeRanking = (choice: string, answer: string): string => `
WITH prefixes AS (
  SELECT * FROM ${rowsOf(
    'prefixes',
    'choice int, prefix text, length int, skipped text, answers int, weight float8',
  )}
), completions AS (
  SELECT choice, stem, max(${COMPLETION}) AS share
  FROM prefixes JOIN vocabulary AS word
    ON word.word > prefix COLLATE "C" AND word.word < prefix || chr(1114111) COLLATE "C"
  GROUP BY choice, stem
), singles AS (
  SELECT stem, sum(weight ORDER BY weight) AS weight, bit_or(answers) AS answers FROM (
    SELECT * FROM ${rowsOf('singles', 'stem text, weight float8, answers int')}
    UNION ALL
    SELECT stem, weight * share, answers FROM completions JOIN prefixes USING (choice)
    WHERE stem <> skipped
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
  FROM ROWS FROM (json_to_recordset($terms::json -> 'runs')
      AS (run int, needed int, stem text, weight float8, answers int)) WITH ORDINALITY
      AS part (run, needed, stem, weight, answers, place)
    JOIN rarities USING (stem) JOIN postings USING (stem, field)
  GROUP BY run, needed, weight, answers, skill
  HAVING count(DISTINCT place) = needed
), matches AS MATERIALIZED (
  SELECT skill, bit_or(answers) AS answers,
    sum(units) * least(${PLAIN_WORDS}, bit_count(bit_or(answers)::bit(32))) AS score
  FROM hits GROUP BY skill
), best AS (
  SELECT answers, score FROM matches ORDER BY score DESC, answers DESC LIMIT 1
), joined AS (
  SELECT skill, coalesce(share, 0) + coalesce(gain, 0) AS score FROM (
    SELECT skill, matches.score / best.score AS share FROM matches, best
    WHERE matches.score >= $share::float8 * best.score
  ) AS strong FULL JOIN ${NEAR} AS near (skill, gain) USING (skill)
  WHERE share IS NOT NULL OR gain >= $alone::float8
), named AS (
  SELECT id AS skill, max(certainty) AS certainty FROM (
    SELECT id, ${NAMED.bySlug} AS certainty FROM skills
    WHERE slug = $slug AND ($owner::text IS NULL OR author = $owner)
    UNION ALL
    SELECT id, ${NAMED.letterForLetter} FROM skills WHERE letters = $letters
    UNION ALL
    SELECT id, ${NAMED.otherwiseSpelled} FROM skills WHERE spelling = $spelling AND spelling <> ''
  ) AS ways GROUP BY id
), ${choice}, leader AS (
  SELECT min(author) AS author, array_agg(id) AS ids FROM (
    SELECT id, author FROM chosen JOIN skills ON id = skill
    WHERE certainty = ${NAMED.not} AND chosen.score >= (
      SELECT score FROM chosen WHERE certainty = ${NAMED.not}
      ORDER BY score DESC LIMIT 1 OFFSET ${SINGLE_AUTHOR.results - 1}
    )
    ORDER BY chosen.score DESC, ${ORDERS.popular} LIMIT ${SINGLE_AUTHOR.results}
  ) AS ordered HAVING min(author) = max(author)
), adjusted AS MATERIALIZED (
  SELECT skill, certainty, score * CASE WHEN certainty = ${NAMED.not} AND skill IN (
    SELECT id FROM skills JOIN leader USING (author) WHERE id <> ALL (ids[:${SINGLE_AUTHOR.unchanged}])
  ) THEN ${SINGLE_AUTHOR.factor}::float8 ELSE 1 END AS score FROM chosen
), last AS (
  SELECT certainty, score FROM adjusted
  ORDER BY certainty DESC, score DESC LIMIT 1 OFFSET $limit::bigint + $offset::bigint - 1
), page AS (
  SELECT id, row_number() OVER () AS place FROM (
    SELECT id FROM adjusted JOIN skills ON id = skill
    WHERE coalesce((certainty, adjusted.score) >= (SELECT last.certainty, last.score FROM last), true)
    ORDER BY certainty DESC, score DESC, ${ORDERS.popular} LIMIT $limit OFFSET $offset
  ) AS ordered
)
SELECT
  (SELECT count(*)::int FROM chosen) AS total,
  ${answer},
  (SELECT answers FROM best) AS "bestAnswers",
  EXISTS (SELECT FROM named) AS "isNamed"`

const RANK_FACTOR = `CASE WHEN skill IN (SELECT id FROM skills WHERE facets & ${RANKS_FIRST} = 0)
      THEN ${LOW_RANK_FACTOR}::float8 ELSE 1 END`

/** Writes the table `to`: the rows of `from`, with skills raised above those that must come after them. */
const writeRaise = (from: string, to: string, pairs: keyof typeof PAIRS): string => {
  const { factor, unless } = PAIRS[pairs]
  const isRaised = `(raised.certainty, raised.score) > (${from}.certainty, ${from}.score)`
  return `${to}_raised AS (
  SELECT DISTINCT ON (ahead) ahead AS skill, certainty, score * ${factor}::float8 AS score
  FROM ${from} JOIN ${pairs} ON behind = skill WHERE certainty <> ${unless}
  ORDER BY ahead, certainty DESC, score DESC
), ${to} AS MATERIALIZED (
  SELECT skill,
    CASE WHEN ${isRaised} THEN raised.certainty ELSE ${from}.certainty END AS certainty,
    CASE WHEN ${isRaised} THEN raised.score ELSE ${from}.score END AS score
  FROM ${from} LEFT JOIN ${to}_raised AS raised USING (skill)
)`
}

/** The tables of pairs of skills, of which one must come first; not if a query names the other with `unless`. */
const PAIRS = {
  successors: { factor: AHEAD.successor, unless: -1 },
  eldest: { factor: AHEAD.eldest, unless: NAMED.bySlug },
} as const

const FOUND = `found AS MATERIALIZED (
  SELECT skill, coalesce(certainty, ${NAMED.not}) AS certainty,
    (CASE WHEN certainty IS NULL THEN score ELSE 1 END * ${RANK_FACTOR})::real AS score
  FROM joined FULL JOIN named USING (skill)
), ${writeRaise('found', 'succeeded', 'successors')}, ${writeRaise('succeeded', 'ordered', 'eldest')}`

const choose = (keepWanted: string): string =>
  `${FOUND}, chosen AS MATERIALIZED (SELECT ordered.* FROM ordered ${keepWanted})`

const LIST_SKILLS = `
  (SELECT coalesce(json_agg(listed ORDER BY place), '[]') FROM page JOIN skills USING (id))
    AS skills`

/** Leaves out copies whose original is a result, unless the query names the copy more exactly. */
const CHOOSE_FOLDED = `${FOUND}, results AS MATERIALIZED (
  SELECT ordered.*, category, facets FROM ordered JOIN skills ON id = skill WHERE ${OF_OWNER}
), folds AS MATERIALIZED (
  SELECT copied.skill, ${writeFold('copied', 'kept')}
  FROM copies JOIN results AS copied ON copied.skill = copy
    JOIN results AS kept ON kept.skill = original
  WHERE copied.certainty <= kept.certainty
), chosen AS MATERIALIZED (
  SELECT skill, certainty, score FROM results
  WHERE ${OF_CATEGORY} AND ${OF_FACETS} AND skill NOT IN ${FOLDED}
)`

const LIST_CARDS = `
  (SELECT coalesce(json_agg(${WRITE_CARD} ORDER BY place), '[]') FROM page JOIN skills USING (id))
    AS rows,
  ${countCategories('results')} AS counts, ${countFacets('results')} AS "facetCounts"`

// `all` has no filters: it only looks up the skills of the page and skills with equal scores.
const RANKING = {
  all: writeRanking(choose(''), LIST_SKILLS),
  filtered: writeRanking(
    choose(`JOIN skills ON id = skill WHERE ${OF_CATEGORY} AND ${OF_FILTERS}`),
    LIST_SKILLS,
  ),
  page: writeRanking(CHOOSE_FOLDED, LIST_CARDS),
} as const

const askRanked = async <Row extends object>(
  ask: Ask,
  statement: string,
  { request, plan, terms, intent, near }: RankedQuery,
): Promise<{ found: Row; isFitting: boolean }> => {
  const { letters, spelling } = readNameKeys(request.q ?? '')
  const { slug, author: owner } = readIdentifier(request.q ?? '')
  type Ranked = Row & { bestAnswers: number | null; isNamed: boolean }
  const [row] = await askNamed<Ranked>(ask, statement, {
    ...pageValues(request),
    terms: JSON.stringify(terms),
    slug: toDatabaseText(slug),
    owner: toParameter(owner),
    letters: toDatabaseText(letters),
    spelling: toDatabaseText(spelling),
    share: findShare(plan.wordCount),
    nearIds: `{${near.ids.join()}}`,
    gains: `{${near.gains.join()}}`,
    alone: near.alone,
  })
  const { bestAnswers, isNamed } = row!
  return { found: row!, isFitting: isNamed || isAnswered(intent, bestAnswers ?? 0, near.nearest) }
}

/** Finds skills for the API. */
export const rank = async (ask: Ask, query: RankedQuery): Promise<Found> => {
  const { categories, facets = {}, author, team } = query.request
  const isOfAnyone = author === undefined && team === undefined
  const isAll = categories.length === 0 && bitsLeftOut(facets) === 0 && isOfAnyone
  const statement = isAll ? RANKING.all : RANKING.filtered
  const { found, isFitting } = await askRanked<Found>(ask, statement, query)
  return isFitting ? { skills: found.skills, total: found.total } : { skills: [], total: 0 }
}

/** Finds a page for people. */
export const rankPage = async (ask: Ask, query: RankedQuery) => {
  const { found, isFitting } = await askRanked<PageRows>(ask, RANKING.page, query)
  if (isFitting) return { page: toPage(found), isFitting }
  const first = { ...query, request: { ...query.request, offset: 0, limit: NEAREST_SHOWN } }
  const nearest = toPage((await askRanked<PageRows>(ask, RANKING.page, first)).found).rows
  return { page: { rows: [], total: 0, ...NO_COUNTS, nearest }, isFitting }
}
