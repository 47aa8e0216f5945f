import { lstatSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { CONTROL_CHARACTERS, HIDDEN_CHARACTERS } from './characters.ts'
import type { Problem } from './problems.ts'
import type { Skill, SkillFile } from './skill.ts'

/** Name of the one file every skill has. */
export const SKILL_MD = 'SKILL.md'

/** Name of the catalog record; it is never part of a zip. */
export const RECORD_FILE = 'skill.json'

/** Largest file of a skill, in bytes. */
export const FILE_LIMIT = 5 * 1024 * 1024

/** What clients unpack at most: 1,000 files and 50 MiB a skill. */
export const FILES_LIMIT = 1_000
export const FOLDER_LIMIT = 50 * 1024 * 1024

const FILE_NAME_LIMIT = 200

const isPlainName = (name: string): boolean =>
  name.length <= FILE_NAME_LIMIT &&
  name.isWellFormed() &&
  !name.includes('\\') &&
  !CONTROL_CHARACTERS.test(name) &&
  !HIDDEN_CHARACTERS.test(name)

/** How a file or folder looked when it was read; another look says whether it may have changed. */
export interface FileMark {
  /** Path below the skill's folder, empty for the folder itself. */
  path: string
  /** Of a folder -1. */
  size: number
  /** Milliseconds of its last change by the system's own record, which no tool sets back. */
  changed: number
}

/** Looks at a file or folder; undefined where there is none. */
export const takeMark = (folder: string, path: string): FileMark | undefined => {
  const stats = statSync(path === '' ? folder : `${folder}/${path}`, { throwIfNoEntry: false })
  return stats && { path, size: stats.isDirectory() ? -1 : stats.size, changed: stats.ctimeMs }
}

interface Walk {
  /** The skill's folder; nothing outside its real path is read, or outside of `bounds`. */
  root: string
  /** What an import widens that to: the repository. */
  bounds: string | undefined
  /** Whether a link to a folder is being read; links to folders in it are not. */
  isLinked: boolean
  label: string
  files: SkillFile[]
  marks: FileMark[]
  problems: Problem[]
}

const refuse = (walk: Walk, path: string, remedy: string, value?: unknown): void => {
  walk.problems.push({ file: `${walk.label}/${path}`, field: '', value, remedy })
}

const takeFile = (walk: Walk, path: string, full: string): void => {
  const { size, ctimeMs } = statSync(full)
  walk.marks.push({ path, size, changed: ctimeMs })
  if (size > FILE_LIMIT) {
    refuse(walk, path, `a file of ${size} bytes; at most ${FILE_LIMIT}`)
  } else walk.files.push({ path, size })
}

const takeLink = (walk: Walk, path: string, full: string): void => {
  let target: string
  try {
    target = realpathSync(full)
  } catch {
    return refuse(walk, path, 'a symlink that leads nowhere; remove it')
  }
  // Asked for links alone: it costs a call of the system, and most folders have none.
  const root = realpathSync(walk.root)
  const bounds = walk.bounds === undefined ? root : realpathSync(walk.bounds)
  if (!target.startsWith(bounds + sep)) {
    return refuse(walk, path, 'a symlink out of the skill folder; copy the file instead')
  }
  if (statSync(target).isFile()) return takeFile(walk, path, full)
  // A folder that holds the skill would be read for ever.
  const isCircle = `${root}${sep}`.startsWith(target + sep)
  if (bounds === root || walk.isLinked || isCircle) {
    return refuse(walk, path, 'a symlink to a folder; copy the files instead')
  }
  walkFolder({ ...walk, isLinked: true }, path)
}

const walkFolder = (walk: Walk, inside: string): void => {
  const mark = takeMark(walk.root, inside)
  if (mark) walk.marks.push(mark)
  const entries = readdirSync(join(walk.root, inside), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = inside ? `${inside}/${entry.name}` : entry.name
    const full = join(walk.root, path)
    // Dot files are a tool's leavings (.DS_Store, .git); the record is ours.
    if (entry.name.startsWith('.') || path === RECORD_FILE) continue
    if (!isPlainName(entry.name)) {
      refuse(walk, inside, 'a file name with odd characters; rename it', entry.name)
    } else if (entry.isSymbolicLink()) takeLink(walk, path, full)
    else if (entry.isDirectory()) walkFolder(walk, path)
    else if (entry.isFile()) takeFile(walk, path, full)
    else refuse(walk, path, 'neither a file nor a folder; remove it')
  }
}

const skillMdFirst = (a: SkillFile, b: SkillFile): number =>
  Number(b.path === SKILL_MD) - Number(a.path === SKILL_MD) || (a.path < b.path ? -1 : 1)

/**
 * Lists the files of a skill's folder, SKILL.md first, without following anything out of it, or out
 * of wider bounds that an import gives.
 * What cannot be taken is a problem: links out, odd names, too many or too large files. The marks
 * are of every file and folder that was looked at.
 */
export const listSkillFiles = (
  folder: string,
  label: string,
  bounds?: string,
): { files: SkillFile[]; marks: FileMark[]; problems: Problem[] } => {
  if (lstatSync(folder).isSymbolicLink()) {
    const remedy = 'the skill folder is a symlink; copy the folder instead'
    return { files: [], marks: [], problems: [{ file: label, field: '', remedy }] }
  }
  const isLinked = false
  const walk: Walk = { root: folder, bounds, isLinked, label, files: [], marks: [], problems: [] }
  walkFolder(walk, '')
  const total = walk.files.reduce((sum, file) => sum + file.size, 0)
  if (walk.files.length > FILES_LIMIT) {
    refuse(walk, '', `${walk.files.length} files; at most ${FILES_LIMIT}`)
  }
  if (total > FOLDER_LIMIT) refuse(walk, '', `${total} bytes in all; at most ${FOLDER_LIMIT}`)
  return { files: walk.files.sort(skillMdFirst), marks: walk.marks, problems: walk.problems }
}

/** Reads one file of a skill, by its path as listed. */
export const readSkillFile = (skill: Pick<Skill, 'folder'>, path: string): Buffer =>
  readFileSync(join(skill.folder, path))
