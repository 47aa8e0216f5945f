import { SORTS } from '../../src/catalog/browse.ts'
import type { Sort } from '../../src/catalog/browse.ts'
import type { ListedSkill } from '../../src/catalog/skill.ts'
import { NAMED } from '../../src/search/exact-name.ts'
import type { FindNamed } from '../../src/search/exact-name.ts'
import { planQuery } from '../../src/search/query-plan.ts'
import type { FindRequest, Found, SkillIndex } from '../../src/search/skill-index.ts'
import { parsePlainIndex } from './plain-file.ts'
import type { IndexParts } from './plain-file.ts'
import { openNames } from './plain-names.ts'
import { scoreQuery } from './plain-score.ts'

/** An index over MiniSearch itself. */
export interface PlainIndex extends SkillIndex {
  /** Gives the score of every skill that answers a query, by id. */
  scoreAll: (q: string) => Map<number, number>
}

/** Ordinals of all skills in one order. */
type Order = readonly number[]

interface Result {
  ordinal: number
  named: number
  score: number
}

const openOrders = (skills: readonly ListedSkill[]): Record<Sort, Order> => {
  const sortBy = (sort: Sort): Order =>
    skills
      .map((skill, ordinal) => ({ skill, ordinal }))
      .sort((a, b) => SORTS[sort](a.skill, b.skill))
      .map(({ ordinal }) => ordinal)
  return {
    popular: sortBy('popular'),
    installs: sortBy('installs'),
    views: sortBy('views'),
    name: sortBy('name'),
  }
}

const rankQuery = (
  { terms, vocabulary }: IndexParts,
  findNamed: FindNamed,
  ranks: readonly number[],
  q: string,
): Order => {
  const named = findNamed(q)
  const scores = scoreQuery(planQuery(q), terms, vocabulary)
  // A name may hold nothing to search, an emoji say; whoever types it still finds it.
  const ordinals = new Set([...named.keys(), ...scores.keys()])
  const results = [...ordinals].map((ordinal): Result => {
    const certainty = named.get(ordinal) ?? NAMED.not
    // Namesakes are equally what was asked for, so popularity alone puts them in order.
    return { ordinal, named: certainty, score: certainty ? 0 : (scores.get(ordinal) ?? 0) }
  })
  const rank = (ordinal: number): number => ranks[ordinal] ?? 0
  return results
    .sort((a, b) => b.named - a.named || b.score - a.score || rank(a.ordinal) - rank(b.ordinal))
    .map(({ ordinal }) => ordinal)
}

/** Opens what `serializePlainIndex` wrote; throws an `InvalidIndexError` where it cannot be read. */
export const openPlainIndex = (text: string): PlainIndex => {
  const parts = parsePlainIndex(text)
  const { skills } = parts
  const orders = openOrders(skills)
  const findNamed = openNames(skills.map(({ name }) => name))
  const ranks: number[] = []
  orders.popular.forEach((ordinal, rank) => (ranks[ordinal] = rank))

  const find = ({ q = '', sort, categories, limit, offset }: FindRequest): Found => {
    const order = q.trim() === '' ? orders[sort] : rankQuery(parts, findNamed, ranks, q)
    const rows = order.flatMap((ordinal) => skills[ordinal] ?? [])
    const chosen =
      categories.length === 0 ? rows : rows.filter(({ category }) => categories.includes(category))
    return { skills: chosen.slice(offset, offset + limit), total: chosen.length }
  }

  return {
    size: skills.length,
    find,
    scoreAll: (q) => {
      const scores = scoreQuery(planQuery(q), parts.terms, parts.vocabulary)
      return new Map([...scores].map(([ordinal, score]) => [skills[ordinal]?.id ?? 0, score]))
    },
  }
}
