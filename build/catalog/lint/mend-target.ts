import { chmodSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SKILL_MD } from '../../../src/catalog/skill-folder.ts'
import { fixText } from './fix.ts'
import type { IsWanted } from './fix.ts'
import { mayFix } from './lint-target.ts'
import { isCalledSkillMd, readTarget, surroundingsOf } from './read-target.ts'
import { shownPath } from './target.ts'
import type { Target } from './target.ts'
import { decodeSkill } from './text-rules.ts'

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

const writeBeside = (folder: string, fileName: string, text: string): void => {
  const path = join(folder, fileName)
  const beside = join(folder, BESIDE + fileName)
  // A stranger may have laid a link of this name, which would be written through.
  rmSync(beside, { recursive: true, force: true })
  writeFileSync(beside, text, { flag: 'wx' })
  chmodSync(beside, statSync(path).mode)
  renameSync(beside, path)
}

const chooseName = (target: Target, isWanted: IsWanted): string => {
  const isOdd = isCalledSkillMd(target) && target.fileName !== SKILL_MD
  return isOdd && isWanted('file-name') && !existsSync(join(target.folder, SKILL_MD))
    ? SKILL_MD
    : target.fileName
}

const readText = (target: Target): string | undefined => {
  const read = readTarget(target)
  if (!('bytes' in read)) return undefined
  const { text, marks } = decodeSkill(read.bytes)
  // A file that is no text is never written anew: bytes would be lost.
  return marks.length > 0 ? undefined : text
}

/** Mends what can be mended of a target's file, written beside it and renamed; nothing where nothing can. */
export const mendTarget = (
  target: Target,
  isWanted: IsWanted,
  isDryRun: boolean,
): { target: Target; change?: Change } => {
  const before = mayFix(target) ? readText(target) : undefined
  if (before === undefined) return { target }
  const { folder, fileName, shown } = target
  const after = fixText(before, surroundingsOf(target), isWanted)
  const name = chooseName(target, isWanted)
  if (after === before && name === fileName) return { target }
  if (!isDryRun && after !== before) writeBeside(folder, fileName, after)
  if (!isDryRun && name !== fileName) renameSync(join(folder, fileName), join(folder, name))
  return {
    target: isDryRun ? target : { ...target, fileName: name },
    change: { file: shownPath(shown, fileName), to: shownPath(shown, name), before, after },
  }
}
