import type { Surroundings } from './check-skill-md.ts'
import { checkSkillMd } from './check-skill-md.ts'
import { applyEdits } from './edits.ts'

/** Says whether a rule was asked for. */
export type IsWanted = (rule: string) => boolean

/** A mended text may show what was hidden before: a value behind a byte order mark, a blank behind a quote. */
const PASSES = 20

/**
 * Mends what can be mended without a person. The text below the front matter stays as it is, but
 * for the end of its last line; done twice it gives what it gives once.
 */
export const fixText = (text: string, around: Surroundings, isWanted: IsWanted): string => {
  let fixed = text
  for (let pass = 0; pass < PASSES; pass += 1) {
    const edits = checkSkillMd(fixed, around).flatMap(({ rule, edit }) =>
      edit && isWanted(rule) ? [edit] : [],
    )
    if (edits.length === 0) return fixed
    fixed = applyEdits(fixed, edits)
  }
  return fixed
}
