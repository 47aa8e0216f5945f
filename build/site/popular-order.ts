import { SORTS, insertPopular } from '../../src/catalog/browse.ts'
import { isListed } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import type { ChangedFacts } from './search-index.ts'
import type { Shelf } from './skill-keys.ts'

/** The order that skills had, by their ids, and what changed since. */
export interface OldOrder {
  order: Float64Array
  changed: readonly ChangedFacts[]
}

const listKept = (shelf: Shelf, { order, changed }: OldOrder): SkillFacts[] => {
  const others = new Set(changed.flatMap(({ before, after }) => [before?.id, after?.id]))
  const kept: SkillFacts[] = []
  for (const id of order) {
    const facts = others.has(id) ? undefined : shelf.findFacts(id)
    if (facts) kept.push(facts)
  }
  return kept
}

/** Lists skills that may be listed in popular order: out of the old one, where few changed. */
export const listPopular = (shelf: Shelf, old: OldOrder | undefined): SkillFacts[] =>
  old
    ? insertPopular(
        listKept(shelf, old),
        old.changed.flatMap(({ after }) => (after && isListed(after) ? [after] : [])),
      )
    : [...shelf.ids()]
        .flatMap((id) => shelf.findFacts(id) ?? [])
        .filter(isListed)
        .sort(SORTS.popular)
