import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import {
  FILES_LIMIT,
  FOLDER_LIMIT,
  RECORD_FILE,
  SKILL_MD,
  listSkillFiles,
} from '../../../src/catalog/skill-folder.ts'
import { renderProblem } from '../../../src/catalog/problems.ts'
import type { CopiedFile } from '../store/skill-folder.ts'
import type { Fault } from './bad-file.ts'
import type { FoundSkill } from './find-skills.ts'

/** The files of a skill as they will lie in the catalog, and what is left out. */
export interface CandidateFiles {
  files: CopiedFile[]
  messages: string[]
}

const checkBounds = (files: readonly CopiedFile[]): Fault | undefined => {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (files.length > FILES_LIMIT) {
    return {
      reason: `the folder has ${files.length} files; clients unpack at most ${FILES_LIMIT}`,
      remedy: 'leave out what no agent reads',
    }
  }
  if (total <= FOLDER_LIMIT) return undefined
  return {
    reason: `the folder has ${total} bytes; clients unpack at most ${FOLDER_LIMIT}`,
    remedy: 'leave out what no agent reads',
  }
}

/**
 * Lists the files that come along with a skill: those of its folder, inner skills apart.
 * Throws the system's error where one may not be read.
 */
export const listCandidateFiles = (skill: FoundSkill, bounds: string): CandidateFiles | Fault => {
  const isInner = (path: string): boolean =>
    skill.inner.some((inner) => path === inner || path.startsWith(`${inner}/`))
  const { files, problems } = listSkillFiles(skill.folder, '', bounds)
  const copied = files
    .filter(({ path }) => !isInner(path) && (path === skill.fileName || !isSkillMd(path)))
    .map(({ path, size }) => ({
      path: path === skill.fileName ? SKILL_MD : path,
      from: join(skill.folder, path),
      size,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  // Half a skill would be written if one of them could not be read later.
  for (const { from } of copied) closeSync(openSync(from, 'r'))
  // Paths begin with the slash of an empty label; the bounds of the whole folder have no more, and
  // are counted again without the inner skills.
  const left = problems.filter(
    ({ file, value }) => (file !== '/' || value !== undefined) && !isInner(file.slice(1)),
  )
  return (
    checkBounds(copied) ?? {
      files: copied,
      messages: [
        ...left.map((problem) => `left out: ${renderProblem(problem).slice(1)}`),
        ...(existsSync(join(skill.folder, RECORD_FILE))
          ? [`left out: ${RECORD_FILE} — the registry's own record has that name`]
          : []),
      ],
    }
  )
}

const isSkillMd = (path: string): boolean => path.toUpperCase() === SKILL_MD.toUpperCase()
