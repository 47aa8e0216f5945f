import type { Sort } from '../../src/catalog/browse.ts'
import type { FindRequest, Found } from '../../src/search/index.ts'
import type { ListedSkill } from '../../src/catalog/skill.ts'
import type { Ask } from './pool.ts'

/** The orders of `SORTS` as SQL. Names are compared by code point, as their column's collation says. */
export const ORDERS: Readonly<Record<Sort, string>> = {
  popular: 'installs DESC, views DESC, name_key, id',
  installs: 'installs DESC, name_key, id',
  views: 'views DESC, name_key, id',
  name: 'name_key, id',
}

/** A row of `skills` as the API gives it, its fields in their order. */
export const LISTED = `json_strip_nulls(json_build_object(
  'id', id, 'slug', slug, 'name', name, 'author', author, 'description', description,
  'category', category, 'views', views, 'installs', installs, 'sourceUrl', source_url))`

/** True for a skill of one of the categories in parameter $1, where an empty list is all. */
export const OF_CATEGORY = `(cardinality($1::text[]) = 0 OR category = ANY($1::text[]))`

const writeStatement = (order: string): string => `
SELECT
  (SELECT coalesce(sum(skills), 0)::float8 FROM categories WHERE ${OF_CATEGORY}) AS total,
  (SELECT coalesce(json_agg(skill), '[]') FROM (
    SELECT ${LISTED} AS skill FROM skills WHERE ${OF_CATEGORY}
    ORDER BY ${order} LIMIT $2 OFFSET $3
  ) AS page) AS skills`

const STATEMENTS: Readonly<Record<Sort, string>> = {
  popular: writeStatement(ORDERS.popular),
  installs: writeStatement(ORDERS.installs),
  views: writeStatement(ORDERS.views),
  name: writeStatement(ORDERS.name),
}

/** Lists skills without a query. */
export const browse = async (
  ask: Ask,
  { sort, categories, limit, offset }: FindRequest,
): Promise<Found> => {
  const [found] = await ask<{ skills: ListedSkill[]; total: number }>(STATEMENTS[sort], [
    categories,
    limit,
    offset,
  ])
  return found ?? { skills: [], total: 0 }
}
