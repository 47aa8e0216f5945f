import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem } from '../../../src/catalog/problems.ts'
import { listSkillFiles } from '../../../src/catalog/folder-files.ts'
import { RECORD_FILE, SKILL_MD } from '../../../src/catalog/skill.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { EXECUTABLE_MODE, LINK_MODE } from '../../machine/checkout.ts'
import { makeProblem } from '../rules.ts'
import type { Violation } from '../rules.ts'
import type { CopiedFile } from '../store/write.ts'
import type { FileViolation } from './file-faults.ts'
import { PACKAGE_FOLDER, explainOdd, findSkills, isInFolder } from './find.ts'
import type { FoundSkill, TakesOdd } from './find.ts'
import { listForeign } from './git/tracked.ts'
import type { ForeignFolder, GitFiles } from './git/tracked.ts'

const explainSubmodule = (address = 'its address is not known'): Violation => ({
  rule: 'submodule',
  detail: showValue(address, 200),
})

/** Explains why skills of other people in a source are left out. */
const explainForeign = ({ kind, path, address }: ForeignFolder): Problem =>
  makeProblem(path, kind === 'submodule' ? explainSubmodule(address) : explainOdd(PACKAGE_FOLDER))

/** Finds the skills below a folder (a real path), and says what is left out beside them. Submodules belong to others. */
export const findOwnSkills = (
  root: string,
  git: GitFiles,
  takesOdd?: TakesOdd,
): ReturnType<typeof findSkills> => {
  const all = findSkills(root, git.judgeTarget, takesOdd)
  const foreign = listForeign(git, root)
  // In a local folder, submodules may be checked out.
  const isOwn = (path: string): boolean =>
    !foreign.some((other) => other.kind === 'submodule' && isInFolder(path, other.path))
  const found = all.found.filter(({ path }) => isOwn(path))
  // What is inside a skill's folder is reported with the skill.
  const skips = [
    ...all.skips.filter(({ file }) => isOwn(file)),
    ...foreign.map(explainForeign),
  ].filter(({ file }) => !found.some(({ path }) => isInFolder(file, path)))
  return { found, skips }
}

/**
 * Lists the files to copy for a skill, without those of inner skills, and the omitted files. `problems` say
 * why files are refused that the author may want in copies.
 */
export const listCopiedFiles = (
  skill: Pick<FoundSkill, 'folder' | 'fileName' | 'link'> & { inner: readonly string[] },
  git: GitFiles,
): { files: CopiedFile[]; problems: Problem[]; omitted: FileViolation[] } => {
  const isInner = (path: string): boolean => skill.inner.some((inner) => isInFolder(path, inner))
  const { judgeTarget } = git
  const listed = listSkillFiles(skill.folder, '', {
    judgeTarget,
    isLinked: skill.link === 'folder',
    skillMd: skill.fileName,
  })
  const folder = realpathSync(skill.folder)
  const absent = git
    .listAbsent()
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .map((inside) =>
      Object.assign({}, inside, { path: `${inside.path.slice(folder.length + 1)}/` }),
    )
  // In a local folder, a submodule may be checked out.
  const isForeign = (path: string): boolean =>
    isInner(path) ||
    absent.some((inside) => inside.kind === 'submodule' && path.startsWith(inside.path))
  // A skill can be a whole repository; its `.git` folder is not part of it.
  const omitted: FileViolation[] = listed.omitted.filter(
    ({ path }) => !isForeign(path) && !/^\.git\/?$/.test(path),
  )
  const files: CopiedFile[] = []
  for (const { path, size, isExecutable: onDisk } of listed.files) {
    if (isInner(path)) continue
    const from = listed.targets.get(path) ?? join(folder, path)
    const mode = git.findMode(from)
    // Some disks store no modes, or report the same mode for every file.
    const isExecutable = mode === undefined ? onDisk : mode === EXECUTABLE_MODE || undefined
    if (absent.some((inside) => path.startsWith(inside.path))) continue
    if (mode === undefined && git.isTracked()) omitted.push({ rule: 'untracked', path })
    else if (mode === LINK_MODE) omitted.push({ rule: 'stored-link', path })
    else files.push({ path: path === skill.fileName ? SKILL_MD : path, from, size, isExecutable })
  }
  for (const { kind, path, address } of absent) {
    if (isInner(path) || omitted.some((above) => path.startsWith(above.path))) continue
    omitted.push({ path, ...(kind === 'cache' ? { rule: 'cache' } : explainSubmodule(address)) })
  }
  if (existsSync(join(folder, RECORD_FILE)))
    omitted.push({ rule: 'record-name', path: RECORD_FILE })
  // `listSkillFiles` got an empty label, so these paths start with a slash.
  const problems = listed.problems.filter(({ file }) => !isForeign(file.slice(1)))
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), problems, omitted }
}
