import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { FILE_LIMIT, SKILL_MD } from '../../../src/catalog/skill-folder.ts'
import { isUnreadable } from '../cli/errors.ts'
import type { Surroundings } from './check-skill-md.ts'
import type { Target } from './target.ts'

/** The bytes of a target's file, or why they are not looked at. */
export type ReadResult = { bytes: Uint8Array } | { reason: string; remedy: string }

const isInside = (path: string, folder: string): boolean =>
  path.startsWith(`${realpathSync(folder)}/`)

const readBytes = ({ folder, fileName, isAlone }: Target): ReadResult => {
  const path = join(folder, fileName)
  const remedy = 'put the file itself there'
  if (!isAlone && lstatSync(path).isSymbolicLink() && !isInside(realpathSync(path), folder)) {
    return { reason: 'a symlink out of the skill folder, which is not followed', remedy }
  }
  const { size } = statSync(path)
  // A pipe or a device would never end.
  if (!statSync(path).isFile()) return { reason: 'neither a file nor a folder', remedy }
  return size > FILE_LIMIT
    ? { reason: `a file of ${size} bytes; at most ${FILE_LIMIT} are read`, remedy: 'shorten it' }
    : { bytes: readFileSync(path) }
}

/** Reads a target's file, as far as it is one. */
export const readTarget = (target: Target): ReadResult => {
  try {
    return readBytes(target)
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (!isGone && !isUnreadable(error)) throw error
    return isGone
      ? { reason: 'a symlink that leads nowhere', remedy: 'remove it, or put the file there' }
      : { reason: 'the file may not be read', remedy: 'change its rights' }
  }
}

/** Says whether the file is called as every reader expects. */
export const isCalledSkillMd = ({ fileName }: Target): boolean =>
  fileName.toUpperCase() === SKILL_MD.toUpperCase()

/** Gives what the text of a target is checked against. */
export const surroundingsOf = (target: Target): Surroundings => ({
  folder: target.isNamedByFolder && isCalledSkillMd(target) ? basename(target.folder) : undefined,
  hasFile: (path) => existsSync(join(target.folder, path)),
})
