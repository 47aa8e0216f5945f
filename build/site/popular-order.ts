import { insertPopular, sortPopular } from '../../src/catalog/browse.ts'
import { isListed } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import type { ChangedFacts } from './search-index.ts'

/** The order that skills had, by their ids, and what changed since. */
export interface OldOrder {
  order: Float64Array
  changed: readonly ChangedFacts[]
}

type Skills = ReadonlyMap<number, { facts: SkillFacts }>

const listKept = (skills: Skills, { order, changed }: OldOrder): SkillFacts[] => {
  const others = new Set(changed.flatMap(({ before, after }) => [before?.id, after?.id]))
  const kept: SkillFacts[] = []
  for (const id of order) {
    const skill = others.has(id) ? undefined : skills.get(id)
    if (skill) kept.push(skill.facts)
  }
  return kept
}

/** Lists skills that may be listed in popular order: out of the old one, where few changed. */
export const listPopular = (skills: Skills, old: OldOrder | undefined): SkillFacts[] =>
  old
    ? insertPopular(
        listKept(skills, old),
        old.changed.flatMap(({ after }) => (after && isListed(after) ? [after] : [])),
      )
    : sortPopular(Array.from(skills.values(), ({ facts }) => facts).filter(isListed))
