import { chmodSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SKILL_MD } from '../../../src/catalog/skill-folder.ts'
import type { Edit } from './diagnostic.ts'
import { checkSkillMd, contextOf, isCalledSkillMd, mayFix } from './lint-skill.ts'
import type { Context } from './lint-skill.ts'
import { decodeSkill } from './rules/text.ts'
import { readTarget, shownPath } from './targets.ts'
import type { Target } from './targets.ts'

/** Whether a rule was asked for. */
export type IsWanted = (rule: string) => boolean

/** Makes changes in a text; of two that overlap, the first wins. */
export const applyEdits = (text: string, edits: readonly Edit[]): string => {
  let done = 0
  let result = ''
  for (const { start, end, text: wanted } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < done) continue
    result += text.slice(done, start) + wanted
    done = end
  }
  return result + text.slice(done)
}

/** A fixed text may show what was hidden before: a value behind a byte order mark, a blank behind a quote. */
const PASSES = 20

/**
 * Fixes what can be fixed without a person. The text below the front matter stays as it is, but
 * for the end of its last line; done twice it gives what it gives once.
 */
export const fixText = (text: string, context: Context, isWanted: IsWanted): string => {
  let fixed = text
  for (let pass = 0; pass < PASSES; pass += 1) {
    const edits = checkSkillMd(fixed, context).flatMap(({ rule, edit }) =>
      edit && isWanted(rule) ? [edit] : [],
    )
    if (edits.length === 0) return fixed
    fixed = applyEdits(fixed, edits)
  }
  return fixed
}

/** What `--fix` did to a file, or would do. */
export interface Change {
  /** How the file is shown, before and after. */
  file: string
  to: string
  before: string
  after: string
}

/** Loaders pass over a name with a dot; what a kill leaves is written over by the next run. */
const BESIDE = '.tmp-lint-'

/** Replaces a file whole, with the rights it had. */
const replaceFile = (folder: string, fileName: string, text: string): void => {
  const path = join(folder, fileName)
  const beside = join(folder, BESIDE + fileName)
  // A stranger may have laid a link of this name, which would be written through.
  rmSync(beside, { recursive: true, force: true })
  writeFileSync(beside, text, { flag: 'wx' })
  chmodSync(beside, statSync(path).mode)
  renameSync(beside, path)
}

const chooseName = (target: Target, isWanted: IsWanted): string => {
  const mayRename = isCalledSkillMd(target) && isWanted('file-name')
  return mayRename && !existsSync(join(target.folder, SKILL_MD)) ? SKILL_MD : target.fileName
}

/** Reads a text to fix; a file that is no text is left alone, since bytes would be lost. */
const readText = (target: Target): string | undefined => {
  const read = mayFix(target) ? readTarget(target) : undefined
  if (read === undefined || !('bytes' in read)) return undefined
  const { text, violation } = decodeSkill(read.bytes)
  return violation ? undefined : text
}

/** Fixes a target's file; a dry run only says how. */
export const fixTarget = (
  target: Target,
  isWanted: IsWanted,
  isDryRun: boolean,
): { target: Target; change?: Change } => {
  const before = readText(target)
  if (before === undefined) return { target }
  const { folder, fileName, shown } = target
  const after = fixText(before, contextOf(target), isWanted)
  const name = chooseName(target, isWanted)
  if (after === before && name === fileName) return { target }
  if (!isDryRun && after !== before) replaceFile(folder, fileName, after)
  if (!isDryRun && name !== fileName) renameSync(join(folder, fileName), join(folder, name))
  return {
    target: isDryRun ? target : { ...target, fileName: name },
    change: { file: shownPath(shown, fileName), to: shownPath(shown, name), before, after },
  }
}
