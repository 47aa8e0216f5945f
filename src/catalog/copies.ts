import type { Problem } from './problems.ts'
import type { Copies, Retired } from './schema.ts'
import { isListed } from './skill.ts'
import type { Skill } from './skill.ts'

/** Name of the file that says which skills are copies of which. */
export const COPIES_FILE = 'copies.json'

const REMEDY = 'run `npm run catalog -- families` anew'

/** Finds entries that lead nowhere: to themselves, to another copy, or to a skill that never was. */
export const findStrayCopies = (
  copies: Copies,
  skills: readonly Pick<Skill, 'id'>[],
  retired: readonly Retired[],
): Problem[] => {
  // A retired skill's entry is left over, not wrong: it is passed over until the next run.
  const known = new Set([...skills, ...retired].map(({ id }) => id))
  return Object.entries(copies).flatMap(([copy, canonical]) => {
    const reason = [
      [!known.has(Number(copy)), 'names a copy that no skill is'],
      [!known.has(canonical), 'names an original that no skill is'],
      [Number(copy) === canonical, 'is a copy of itself'],
      [Object.hasOwn(copies, canonical), 'is a copy of a copy'],
    ].find(([isWrong]) => isWrong)
    return reason
      ? [
          {
            file: COPIES_FILE,
            field: copy,
            value: canonical,
            remedy: `${String(reason[1])}; ${REMEDY}`,
          },
        ]
      : []
  })
}

/** A skill that may be listed, or not. */
type Listable = Pick<Skill, 'id' | 'visibility'>

/** Gives the original that a skill is a copy of, while both may be listed. */
export const originalOf = <Other extends Listable>(
  skill: Listable,
  copies: Copies,
  find: (id: number) => Other | undefined,
): Other | undefined => {
  const id = Object.hasOwn(copies, skill.id) ? copies[skill.id] : undefined
  const original = id === undefined || !isListed(skill) ? undefined : find(id)
  return original && isListed(original) ? original : undefined
}

/** Gives the skills that a comparison may show: those that may be listed and are no copies. */
export const comparableSkills = <One extends Listable>(
  skills: readonly One[],
  copies: Copies,
): One[] => {
  const byId = new Map(skills.map((skill) => [skill.id, skill]))
  return skills.filter(
    (skill) => isListed(skill) && !originalOf(skill, copies, (id) => byId.get(id)),
  )
}
