import type { Problem } from './problems.ts'
import type { Copies } from './schema.ts'
import { isListed } from './skill.ts'
import type { Skill } from './skill.ts'

/** Name of the file that says which skills are copies of which. */
export const COPIES_FILE = 'copies.json'

const REMEDY = 'run `npm run catalog -- families` anew'

/**
 * Finds entries that cannot be: a copy of itself, or of another copy. An entry of a skill that is not there
 * is left over, from one that was removed or that an import is just putting in place; it is passed over.
 */
export const findStrayCopies = (copies: Copies): Problem[] =>
  Object.entries(copies).flatMap(([copy, canonical]) => {
    const reason = [
      { isWrong: Number(copy) === canonical, text: 'is a copy of itself' },
      { isWrong: Object.hasOwn(copies, canonical), text: 'is a copy of a copy' },
    ].find(({ isWrong }) => isWrong)
    if (reason === undefined) return []
    const remedy = `${reason.text}; ${REMEDY}`
    return [{ file: COPIES_FILE, field: copy, value: canonical, remedy }]
  })

/** A skill that may be listed, or not. */
type Listable = Pick<Skill, 'id' | 'visibility'>

/** Gives the original that a skill is a copy of, while both may be listed. */
export const findOriginal = <Other extends Listable>(
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
    (skill) => isListed(skill) && !findOriginal(skill, copies, (id) => byId.get(id)),
  )
}
