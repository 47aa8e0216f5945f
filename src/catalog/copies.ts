import type { Problem } from './problems.ts'
import type { Copies } from './schema.ts'
import { isListed } from './skill.ts'
import type { Skill } from './skill.ts'

/** The file that names the original of each copy. */
export const COPIES_FILE = 'copies.json'

const REMEDY = 'run `npm run catalog -- families` again'

/**
 * Finds entries that make a skill a copy of itself or of another copy. An entry whose skill does not exist is
 * no problem: the skill was removed, or an import is about to add it.
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

type Listable = Pick<Skill, 'id' | 'visibility'>

/** The original of a copy; undefined unless both are listed. */
export const findOriginal = <Other extends Listable>(
  skill: Listable,
  copies: Copies,
  find: (id: number) => Other | undefined,
): Other | undefined => {
  const id = Object.hasOwn(copies, skill.id) ? copies[skill.id] : undefined
  const original = id === undefined || !isListed(skill) ? undefined : find(id)
  return original && isListed(original) ? original : undefined
}

/** The copies of each original by its id, sorted by id. */
export const groupCopies = (copies: Copies): ReadonlyMap<number, readonly number[]> =>
  Map.groupBy(
    Object.keys(copies)
      .map(Number)
      .sort((a, b) => a - b),
    (copy) => copies[copy]!,
  )

/** Whether comparisons may show a skill: it is listed and not a copy. */
export const isComparable = (
  skill: Listable,
  copies: Copies,
  find: (id: number) => Listable | undefined,
): boolean => isListed(skill) && findOriginal(skill, copies, find) === undefined
