import { planQuery } from '../query-plan.ts'
import { openBest } from './best.ts'
import type { Page } from './browse.ts'
import type { IsIn } from './categories.ts'
import type { PackedParts } from './open.ts'
import type { Scored, ScoreQuery } from './score.ts'

/** Lists a page of what a query finds in some categories. */
export type Search = (q: string, mask: number, offset: number, limit: number) => Page

type Named = ReadonlyMap<number, number>

/** Lists the best of what was scored from one place to before another, and counts all; named skills are left out. */
const pickBest = (
  { count, ordinals, scores, floor }: Scored,
  named: Named,
  from: number,
  to: number,
  isWanted: (ordinal: number) => boolean,
): Page => {
  const best = openBest(to, count)
  // A named skill has its place already, and no score is below 0.
  for (const ordinal of named.keys()) scores[ordinal] = -1
  let total = 0
  for (let at = 0; at < count; at++) {
    const ordinal = ordinals[at]!
    const score = scores[ordinal]!
    if (score < floor || !isWanted(ordinal)) continue
    total++
    best.add(ordinal, score)
  }
  for (const ordinal of named.keys()) scores[ordinal] = 0
  return { ordinals: best.list(from), total }
}

/** Opens the search of a file: skills that the query names come first, then the rest by score. */
export const openSearch = (
  { size, findNamed }: PackedParts,
  scoreQuery: ScoreQuery,
  isIn: IsIn,
): Search => {
  const listNamed = (named: Named, mask: number): number[] =>
    [...named]
      .filter(([ordinal]) => isIn(ordinal, mask))
      // Namesakes are equally what was asked for, so popularity alone puts them in order.
      .sort(([a, surely], [b, sure]) => sure - surely || a - b)
      .map(([ordinal]) => ordinal)

  return (q, mask, offset, limit) => {
    // A name may hold nothing to search, an emoji say; whoever types it still finds it.
    const named = findNamed(q)
    const first = listNamed(named, mask)
    const from = Math.max(0, Math.min(offset, size) - first.length)
    const to = Math.max(0, Math.min(offset + limit, size) - first.length)
    const { ordinals, total } = scoreQuery(planQuery(q), (scored) =>
      pickBest(scored, named, from, to, (ordinal) => isIn(ordinal, mask)),
    )
    return {
      ordinals: [...first.slice(offset, offset + limit), ...ordinals],
      total: first.length + total,
    }
  }
}
