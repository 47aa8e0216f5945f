import type { SkillFacts } from '../../src/catalog/skill.ts'
import { listCopies } from './comparing.ts'
import type { Run } from './edition.ts'
import type { ChangedFacts } from './search-index.ts'
import { openSkill } from './skill-keys.ts'
import { isUntracedRow } from './state.ts'
import type { SkillRow } from './state.ts'

const factsOf = (row: SkillRow | undefined): SkillFacts | undefined =>
  row && !isUntracedRow(row) ? openSkill(row).facts : undefined

/** Says what lists and search told of the changed skills and tell now, where nothing else changed it. */
export const listChangedFacts = ({ last, changes }: Run): ChangedFacts[] | undefined => {
  if (!last) return undefined
  const { changed, recounted, removed } = changes
  return [...changed, ...recounted, ...removed].map((slug) => ({
    before: factsOf(last.rows.get(slug)),
    after: factsOf(changes.rows.get(slug)),
  }))
}

const listIds = (changed: readonly ChangedFacts[]): Set<number> =>
  new Set(changed.flatMap(({ before, after }) => [before, after].flatMap((one) => one?.id ?? [])))

/** Gives the rows of the skills whose pages may show other things than they did. */
export const listAffected = (
  { inputs, changes }: Run,
  changed: readonly ChangedFacts[],
  moved: readonly number[],
): SkillRow[] => {
  const ids = listIds(changed)
  const marks = [...ids].map((id) => `,${id},`)
  const touched = new Set([...ids, ...moved, ...listCopies(inputs.frame.copies, ids)])
  return [...changes.rows.values()].filter(
    ({ id, nearest }) => touched.has(id) || marks.some((mark) => nearest.includes(mark)),
  )
}
