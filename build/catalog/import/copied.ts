import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Notice, NoticeKind } from '../../../src/catalog/left-out.ts'
import { renderProblem } from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { listSkillFiles } from '../../../src/catalog/folder-files.ts'
import { RECORD_FILE, SKILL_MD } from '../../../src/catalog/skill.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { EXECUTABLE_MODE, LINK_MODE } from '../../machine/checkout.ts'
import type { CopiedFile } from '../store/write.ts'
import { PACKAGE_FOLDER, explainOdd, findSkills, isInFolder } from './find.ts'
import type { FoundSkill, TakesOdd } from './find.ts'
import { listForeign } from './git/tracked.ts'
import type { ForeignFolder, GitFiles } from './git/tracked.ts'
import type { Skip, SkipReason } from './skill-md.ts'

/** A notice about one file, with its message. */
export interface FileNotice extends Notice {
  message: string
}

/** Why a copy omits a file. Kinds that are missing here come with their own message. */
export const REASONS: Readonly<Partial<Record<NoticeKind, string>>> = {
  tool: 'a file that belongs to a tool, not to the skill',
  system: 'a file that the system keeps beside others, not part of the skill',
  editor:
    'a backup or lock file of a program, which can contain unsaved text; rename it if readers need it',
  attributes:
    'git would apply it to the catalog and change the files beside it; rename it to gitattributes.txt if readers need it',
  cache: 'a cache; its program will recreate it',
  environment: 'it may contain secrets; put an example in .env.example',
  untracked: 'git does not track it; add it to git if readers need it',
  submodule: 'a submodule, which is another repository; add that repository itself',
  empty: 'an empty folder, which git does not store; put a file in it',
  record: "the name, in any capitalization, is reserved for the registry's own record",
  text: 'a symlink that was checked out as a text file; check it out with symlinks (core.symlinks)',
  spelling:
    'some systems unpack it over another file: their names differ only in case, in the composition of letters, or in characters that are dropped',
}

const explainSubmodule = (address = 'another repository'): SkipReason => ({
  reason: `is a submodule of ${showValue(address, 200)}`,
  remedy: 'add that repository itself',
})

/** Explains why skills of other people in a source are left out. */
const explainForeign = ({ kind, path, address }: ForeignFolder): Skip => ({
  path,
  kind: 'left out',
  ...(kind === 'submodule' ? explainSubmodule(address) : explainOdd(PACKAGE_FOLDER)),
})

/** Finds the skills below a folder (a real path), and says what is left out beside them. Submodules belong to others. */
export const findOwnSkills = (
  root: string,
  git: GitFiles,
  takesOdd?: TakesOdd,
): ReturnType<typeof findSkills> => {
  const all = findSkills(root, git.judgeTarget, takesOdd)
  const foreign = listForeign(git, root)
  // In a local folder, submodules may be checked out.
  const isOwn = ({ path }: { path: string }): boolean =>
    !foreign.some((other) => other.kind === 'submodule' && isInFolder(path, other.path))
  const found = all.found.filter(isOwn)
  // What is inside a skill's folder is reported with the skill.
  const skips = [...all.skips.filter(isOwn), ...foreign.map(explainForeign)].filter(
    ({ path }) => !found.some((skill) => isInFolder(path, skill.path)),
  )
  return { found, skips }
}

const explainOmission = ({ kind, path }: Notice): FileNotice => ({
  kind,
  path,
  message: `left out: ${path} — ${REASONS[kind]}`,
})

/**
 * Lists the files to copy for a skill, without those of inner skills, and a notice for each omitted file. `problems` say
 * why files are refused that the author may want in copies.
 */
export const listCopiedFiles = (
  skill: Pick<FoundSkill, 'folder' | 'fileName' | 'link'> & { inner: readonly string[] },
  git: GitFiles,
): { files: CopiedFile[]; problems: Problem[]; notices: FileNotice[] } => {
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
  const omitted = listed.omitted.filter(({ path }) => !isForeign(path) && !/^\.git\/?$/.test(path))
  const files: CopiedFile[] = []
  for (const { path, size, isExecutable: onDisk } of listed.files) {
    if (isInner(path)) continue
    const from = listed.targets.get(path) ?? join(folder, path)
    const mode = git.findMode(from)
    // Some disks store no modes, or report the same mode for every file.
    const isExecutable = mode === undefined ? onDisk : mode === EXECUTABLE_MODE || undefined
    if (absent.some((inside) => path.startsWith(inside.path))) continue
    if (mode === undefined && git.isTracked()) omitted.push({ kind: 'untracked', path })
    else if (mode === LINK_MODE) omitted.push({ kind: 'text', path })
    else files.push({ path: path === skill.fileName ? SKILL_MD : path, from, size, isExecutable })
  }
  const submodules: FileNotice[] = []
  for (const { kind, path, address } of absent) {
    if (isInner(path) || omitted.some((notice) => path.startsWith(notice.path))) continue
    if (kind === 'cache') {
      omitted.push({ kind, path })
      continue
    }
    const { reason, remedy } = explainSubmodule(address)
    submodules.push({ kind, path, message: `left out: ${path} ${reason}; ${remedy}` })
  }
  if (existsSync(join(folder, RECORD_FILE))) omitted.push({ kind: 'record', path: RECORD_FILE })
  // `listSkillFiles` got an empty label, so these paths start with a slash.
  const problems = listed.problems.filter(({ file }) => !isForeign(file.slice(1)))
  const unread = problems.map((problem) => ({
    kind: problem.kind,
    path: problem.file.slice(1),
    message: `left out: ${renderProblem(problem).slice(1)}`,
  }))
  return {
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    problems,
    notices: [...unread, ...submodules, ...omitted.map(explainOmission)],
  }
}
