import { statSync, lstatSync, readFileSync, readdirSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { readBit, takeFingerprint } from './fingerprint.ts'
import type { Fingerprint, GitBits } from './fingerprint.ts'
import { findTwins, foldPath } from './file-names.ts'
import { findLeftOut } from './left-out.ts'
import type { Omission } from './left-out.ts'
import { refuseFile } from './problems.ts'
import type { Problem } from './problems.ts'
import { CONTROL_CHARACTERS, SOFT_MARKS, escapeLine, hasHidden } from './text.ts'
import { RECORD_FILE, SKILL_MD } from './skill.ts'
import type { Skill, SkillFile } from './skill.ts'

/** Largest file of a skill, in bytes. */
export const FILE_LIMIT = 5 * 1024 * 1024

/** Maximum number of files and bytes that clients unpack for one skill. */
export const UNPACK_LIMITS = { files: 1_000, bytes: 50 * 1024 * 1024 } as const

const FILE_NAME_LIMIT = 200

/** Limits of paths in a source: deeper or longer paths can crash git, the system, or programs that walk the folder. */
const PATH_LIMITS = { folders: 64, bytes: 1_024 } as const

/** Why a path in a source is not read; undefined if it is read. */
export const findPathFault = (path: string): PathFault | undefined => {
  // Node decodes bytes that are not UTF-8 to this character, so the file cannot be opened by this name.
  if (path.includes('\uFFFD')) return { message: 'its name is not UTF-8', remedy: 'rename it' }
  if (path.split('/').length > PATH_LIMITS.folders + 1) {
    const message = `it is more than ${PATH_LIMITS.folders} folders deep`
    return { message, remedy: 'move it up' }
  }
  const bytes = Buffer.byteLength(path)
  if (bytes <= PATH_LIMITS.bytes) return undefined
  const message = `its path has ${bytes} bytes; at most ${PATH_LIMITS.bytes} are allowed`
  return { message, remedy: 'shorten its names' }
}

/** Whether a skill's file may have this name. */
export const isPlainName = (name: string): boolean =>
  name.length <= FILE_NAME_LIMIT &&
  name.isWellFormed() &&
  !name.includes('\\') &&
  !CONTROL_CHARACTERS.test(name) &&
  !hasHidden(name) &&
  !SOFT_MARKS.test(name)

/** Why a path in a source is not read. */
export type PathFault = Pick<Problem, 'message' | 'remedy'>

/**
 * Decides about a symlink's target that is not one of the skill's own files: returns why it must not be read, or
 * undefined if it can be. `target` is a real path.
 */
export type JudgeTarget = (target: string) => PathFault | undefined

const NO_TARGET: PathFault = {
  message: 'a symlink out of the skill folder or to a file that is never copied',
  remedy: 'copy the file instead',
}

const NO_FILE = { message: 'a symlink to something that is not a file', remedy: 'remove it' }
const TO_FOLDER = { message: 'a symlink to a folder', remedy: 'copy its files instead' }
const ODD_NAME = { message: 'a file name with unsupported characters', remedy: 'rename it' }
const ODD_KIND = { message: 'neither a file nor a folder', remedy: 'remove it' }

export const refuseTarget: JudgeTarget = () => NO_TARGET

interface Walk {
  root: string
  judgeTarget: JudgeTarget
  /** Whether a symlink led to this folder: its files are judged as well, and its links to folders are not followed. */
  isLinked: boolean
  bits: GitBits | undefined
  label: string
  files: SkillFile[]
  targets: Map<string, string>
  fingerprints: Fingerprint[]
  /** Files that are not read although their author could have meant them as part of the skill. */
  problems: Problem[]
  /** Files and folders that are never copied. */
  omitted: Omission[]
}

/** Refuses a file by a rule of `check`. */
const refusePath = (
  walk: Walk,
  rule: 'link' | 'file-name' | 'file-size' | 'file-kind',
  path: string,
  { message, remedy }: PathFault,
): void => {
  walk.problems.push(refuseFile(`${walk.label}/${path}`, message, remedy, rule))
}

const addFile = (walk: Walk, path: string, full: string): void => {
  const stats = statSync(full)
  const { size, ctimeMs } = stats
  const isTarget = full !== join(walk.root, path)
  const place = isTarget ? relative(realpathSync.native(walk.root), full) : path
  const bit = readBit(stats, walk.bits?.get(place.split(sep).join('/')))
  if (isTarget) walk.targets.set(path, full)
  walk.fingerprints.push({ path, size, changed: ctimeMs, ...bit })
  if (size > FILE_LIMIT) {
    const message = `a file of ${size} bytes; at most ${FILE_LIMIT}`
    refusePath(walk, 'file-size', path, { message, remedy: 'make it smaller, or link to it' })
  } else walk.files.push({ path, size, ...bit })
}

const followLink = (walk: Walk, path: string, full: string): void => {
  let target: string
  try {
    // On a disk that ignores case, the native function returns names as the disk spells them.
    target = realpathSync.native(full)
  } catch {
    return refusePath(walk, 'link', path, { message: 'a broken symlink', remedy: 'remove it' })
  }
  // Resolved here because it costs a system call, and most folders have no links.
  const root = realpathSync.native(walk.root)
  const parts = relative(root, target).split(sep)
  const refusal = walk.judgeTarget(target)
  // Refused even if the target is in the skill's folder or git tracks it.
  if (parts.some((part) => findLeftOut(part) !== undefined))
    return refusePath(walk, 'link', path, refusal ?? NO_TARGET)
  const isOutside = parts[0] === '..'
  if (refusal && (isOutside || walk.isLinked)) return refusePath(walk, 'link', path, refusal)
  const stats = statSync(target)
  if (stats.isFile()) return addFile(walk, path, target)
  if (!stats.isDirectory()) return refusePath(walk, 'link', path, NO_FILE)
  // A link to a parent folder would recurse without end.
  const isCircle = `${root}${sep}`.startsWith(target + sep)
  if (refusal || walk.isLinked || isCircle) {
    return refusePath(walk, 'link', path, TO_FOLDER)
  }
  walkFolder({ ...walk, isLinked: true }, path, target)
}

/** Whether some system treats a path as that of the record. */
export const isRecordName = (path: string): boolean => foldPath(path) === RECORD_FILE

/** Shows a refused path on one line, cut at `limit` characters. */
export const showOdd = (path: string, limit = FILE_NAME_LIMIT): string => {
  const cut = path.slice(0, limit).toWellFormed()
  return escapeLine(cut.length < path.length ? `${cut}…` : cut)
}

/** `inside` is the folder's path in the skill, `real` its path on disk. */
const walkFolder = (walk: Walk, inside: string, real: string): void => {
  const fingerprint = takeFingerprint(walk.root, inside)
  if (fingerprint) walk.fingerprints.push(fingerprint)
  const entries = readdirSync(real, { withFileTypes: true })
  if (entries.length === 0) walk.omitted.push({ rule: 'empty-folder', path: `${inside}/` })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = inside ? `${inside}/${entry.name}` : entry.name
    const full = join(real, entry.name)
    // The record belongs to the registry, not to the skill.
    if (path === RECORD_FILE) continue
    const rule = isRecordName(path) ? 'record-name' : findLeftOut(entry.name)
    if (rule) {
      const shown = showOdd(path, path.length)
      walk.omitted.push({ rule, path: entry.isDirectory() ? `${shown}/` : shown })
      continue
    }
    const fault = findPathFault(path)
    if (fault) {
      refusePath(walk, 'file-name', showOdd(path), fault)
      continue
    }
    if (!isPlainName(entry.name)) {
      refusePath(walk, 'file-name', showOdd(path), ODD_NAME)
      continue
    }
    const isLink = entry.isSymbolicLink()
    const refusal = walk.isLinked && !isLink ? walk.judgeTarget(full) : undefined
    if (isLink) followLink(walk, path, full)
    else if (refusal) refusePath(walk, 'link', path, refusal)
    else if (entry.isDirectory()) walkFolder(walk, path, full)
    else if (entry.isFile()) addFile(walk, path, full)
    else refusePath(walk, 'file-kind', path, ODD_KIND)
  }
}

/** Sorts a skill's files: SKILL.md first, then by path. */
export const skillMdFirst = (a: Pick<SkillFile, 'path'>, b: Pick<SkillFile, 'path'>): number =>
  Number(b.path === SKILL_MD) - Number(a.path === SKILL_MD) || (a.path < b.path ? -1 : 1)

export interface ListedFiles extends Pick<Walk, 'files' | 'problems' | 'omitted'> {
  /** Fingerprints of all files and folders. */
  fingerprints: Fingerprint[]
  /** Real paths of files that were reached by a symlink, by their path in the skill. */
  targets: ReadonlyMap<string, string>
}

interface WalkOptions {
  judgeTarget?: JudgeTarget
  /** Whether a symlink led to the folder. */
  isLinked?: boolean
  bits?: GitBits | undefined
  /** Path of the file that becomes SKILL.md; others with a name like that are left out. */
  skillMd?: string
}

/**
 * Lists the files of a skill's folder, SKILL.md first. Refused symlinks, unsupported names and oversized files are
 * reported as problems; of files that some system would unpack over each other, only the first is listed.
 */
export const listSkillFiles = (
  folder: string,
  label: string,
  { judgeTarget = refuseTarget, isLinked = false, bits, skillMd }: WalkOptions = {},
): ListedFiles => {
  const walk: Walk = {
    root: folder,
    judgeTarget,
    isLinked,
    bits,
    label,
    files: [],
    targets: new Map(),
    fingerprints: [],
    problems: [],
    omitted: [],
  }
  if (lstatSync(folder).isSymbolicLink()) {
    const words = ['the skill folder is a symlink', 'copy the folder instead'] as const
    walk.problems.push(refuseFile(label, ...words, 'link'))
    return walk
  }
  walkFolder(walk, '', folder)
  walk.files.sort(skillMdFirst)
  const twins = findTwins(
    walk.files.map(({ path }) => path),
    skillMd,
  )
  for (const path of twins) walk.omitted.push({ rule: 'same-name', path })
  const isKept = ({ path }: { path: string }): boolean => !twins.has(path)
  return {
    ...walk,
    files: walk.files.filter(isKept),
    fingerprints: walk.fingerprints.filter(isKept),
  }
}

/** Describes the limits of clients that a skill's files exceed. */
export const findExcess = (files: readonly SkillFile[]): string[] => {
  const bytes = files.reduce((sum, file) => sum + file.size, 0)
  return [
    ...(files.length > UNPACK_LIMITS.files
      ? [`${files.length} files; at most ${UNPACK_LIMITS.files}`]
      : []),
    ...(bytes > UNPACK_LIMITS.bytes
      ? [`${bytes} bytes in all; at most ${UNPACK_LIMITS.bytes}`]
      : []),
  ]
}

export const refuseExcess = (file: string, files: readonly SkillFile[]): Problem[] =>
  findExcess(files).map((excess) =>
    refuseFile(file, `the folder has ${excess}`, 'remove files that no agent reads', 'too-much'),
  )

export const readSkillFile = (skill: Pick<Skill, 'folder'>, path: string): Buffer =>
  readFileSync(join(skill.folder, path))

/** Reads files in the given order, up to the number of bytes that clients unpack for one skill. */
export const readSkillFiles = (
  folder: string,
  files: readonly SkillFile[],
): Map<string, Buffer> => {
  const bytes = new Map<string, Buffer>()
  let remaining: number = UNPACK_LIMITS.bytes
  for (const { path, size } of files) {
    remaining -= size
    if (remaining >= 0) bytes.set(path, readSkillFile({ folder }, path))
  }
  return bytes
}
