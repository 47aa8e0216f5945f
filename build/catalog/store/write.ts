import {
  closeSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import type { GitBits } from '../../../src/catalog/fingerprint.ts'
import { listSkillFiles, skillMdFirst } from '../../../src/catalog/folder-files.ts'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'
import type { SkillFile } from '../../../src/catalog/skill.ts'
import { makeFolder } from '../../machine/folders.ts'
import type { SkillBits } from '../../machine/checkout.ts'
import { isDamagedLock, lockFile } from '../../machine/lock.ts'
import type { FileLock } from '../../machine/lock.ts'
import { CommandError } from '../cli/command.ts'
import { SOURCES_LOCK, renderSourcesLock } from './sources-lock.ts'
import { SITE_FILE, recordName } from './records.ts'
import type { StoredRecord } from './records.ts'
import type { SourcesLock } from './sources-lock.ts'

export const renderRecord = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Renders the record of a skill with its fields in the order of the schema, so that git shows no field as moved. */
export const renderSkillRecord = (record: SkillRecord): string =>
  renderRecord(skillRecord.parse(record))

/** Names used while a command writes or removes a folder or file; the loader skips names with a leading dot. */
const TEMPORARY = '.tmp-catalog'
const TEMPORARY_FILE = '.tmp-catalog-file'

/** Holds the earlier folder of a skill until its new one is in place. */
const REPLACED = '.tmp-catalog-replaced'

/** Writes a file in the content folder atomically; `path` is relative to it. Call it while holding the lock. */
export const writeWhole = (
  content: string,
  path: string,
  text: string | Uint8Array,
  { isExecutable = false }: { isExecutable?: boolean | undefined } = {},
): void => {
  // `skills` may be on another disk, and a rename works only within one.
  const temporary = join(content, path.startsWith('skills/') ? 'skills' : '', TEMPORARY_FILE)
  // Writing would follow a symlink with this name.
  rmSync(temporary, { recursive: true, force: true })
  // The system applies the user's umask to the mode.
  writeFileSync(temporary, text, { flag: 'wx', mode: isExecutable ? 0o777 : 0o666 })
  const place = join(content, path)
  if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory()) rmSync(place, { recursive: true })
  renameSync(temporary, place)
}

/** Writes all of these records, or none if the disk is full. Call it while holding the lock of the folder. */
export const writeRecords = (content: string, rows: readonly StoredRecord[]): void => {
  const folder = join(content, 'skills', TEMPORARY)
  mkdirSync(folder)
  try {
    for (const { slug, record } of rows)
      writeFileSync(join(folder, slug), renderSkillRecord(record))
    for (const { slug } of rows) renameSync(join(folder, slug), join(content, recordName(slug)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Call it while holding the lock of the folder. */
export const writeSourcesLock = (content: string, lock: SourcesLock): void =>
  writeWhole(content, SOURCES_LOCK, renderSourcesLock(lock))

/** Removes a skill's folder atomically. A killed run leaves at most a folder that is not loaded. */
export const removeSkillFolder = (content: string, slug: string): void => {
  const temporary = join(content, 'skills', TEMPORARY)
  renameSync(join(content, 'skills', slug), temporary)
  rmSync(temporary, { recursive: true })
}

/** Opens a real path without following a symlink that has replaced it since. */
export const openCopied = (from: string): number =>
  openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW)

export const readCopied = (from: string): Buffer => {
  const file = openCopied(from)
  try {
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** A file to copy into a skill's folder; `from` is the real path of its source. */
export interface CopiedFile extends SkillFile {
  from: string
}

/** Lists the files of a skill's folder, to copy them elsewhere. */
export const listForCopy = (content: string, slug: string, bits?: GitBits): CopiedFile[] => {
  const folder = join(content, 'skills', slug)
  const { files } = listSkillFiles(folder, '', { bits })
  return files.map((file) => Object.assign({ from: join(folder, file.path) }, file))
}

/** Opens a skill with its future files, as if they were already in its folder. */
export const openCopies = (
  content: string,
  slug: string,
  files: readonly CopiedFile[],
  record: SkillRecord,
): OpenedSkill => ({
  slug,
  folder: join(content, 'skills', slug),
  files: files
    .toSorted(skillMdFirst)
    .map(({ path, size, isExecutable }) => ({ path, size, isExecutable })),
  bytes: new Map(files.map(({ path, from }) => [path, readCopied(from)])),
  record,
  fingerprints: [],
  problems: [],
})

/** Differences between a skill's folder and its intended files, as paths in the folder. */
interface FolderChange {
  written: string[]
  removed: string[]
}

/** Compares a skill's folder, except its record, with the intended files. */
export const compareFolder = (
  folder: string,
  files: readonly CopiedFile[],
  bits?: GitBits,
): FolderChange => {
  const known = existsSync(folder) ? listSkillFiles(folder, '', { bits }).files : []
  const stored = new Map(known.map((file) => [file.path, file]))
  const isSame = ({ path, from, size, isExecutable }: CopiedFile): boolean => {
    const now = stored.get(path)
    return (
      now?.size === size &&
      now.isExecutable === isExecutable &&
      readFileSync(join(folder, path)).equals(readCopied(from))
    )
  }
  const paths = new Set(files.map(({ path }) => path))
  return {
    written: files.filter((file) => !isSame(file)).map(({ path }) => path),
    removed: [...stored.keys()].filter((path) => !paths.has(path)),
  }
}

/** Creates a file's parent folders, replacing symlinks in the path, which could lead outside. */
const makeParent = (folder: string, path: string): void => {
  const parts = path.split('/').slice(0, -1)
  for (const at of parts.keys()) {
    const parent = join(folder, ...parts.slice(0, at + 1))
    if (lstatSync(parent, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(parent)
  }
  mkdirSync(dirname(join(folder, path)), { recursive: true })
}

/** Puts back the folder of a skill that a killed run had taken away without a new one in its place. */
const putBack = (content: string): void => {
  const [skills, replaced] = [join(content, 'skills'), join(content, 'skills', REPLACED)]
  for (const slug of existsSync(replaced) ? readdirSync(replaced) : [])
    if (!existsSync(join(skills, slug))) renameSync(join(replaced, slug), join(skills, slug))
  rmSync(replaced, { recursive: true, force: true })
}

/**
 * Writes the changes to a skill's folder in a folder beside it, which then takes its place: a kill never leaves half a
 * version. A build that reads the skill just then can see files of both; the next one reads it again. Returns the files
 * whose executable bits cannot be stored.
 */
export const writeSkillFolder = (
  content: string,
  slug: string,
  files: readonly CopiedFile[],
  change: FolderChange,
  record: SkillRecord,
  bits: Pick<SkillBits, 'keep'>,
): SkillFile[] => {
  const skills = join(content, 'skills')
  const [place, folder] = [join(skills, slug), join(skills, TEMPORARY)]
  const written = new Set(change.written)
  if (existsSync(place) && written.size + change.removed.length === 0) {
    writeWhole(content, recordName(slug), renderSkillRecord(record))
    return bits.keep(slug, files)
  }
  // Files of the curator that are no files of the skill stay.
  if (existsSync(place)) cpSync(place, folder, { recursive: true, verbatimSymlinks: true })
  else mkdirSync(folder)
  const write = (path: string, bytes: string | Uint8Array, file?: CopiedFile): void => {
    makeParent(folder, path)
    writeWhole(content, join('skills', TEMPORARY, path), bytes, file)
  }
  write(RECORD_FILE, renderSkillRecord(record))
  for (const path of change.removed) rmSync(join(folder, path), { recursive: true, force: true })
  for (const file of files)
    if (written.has(file.path)) write(file.path, readCopied(file.from), file)
  if (existsSync(place)) {
    mkdirSync(join(skills, REPLACED))
    renameSync(place, join(skills, REPLACED, slug))
  }
  renameSync(folder, place)
  putBack(content)
  return bits.keep(slug, files)
}

/** The `site.json` of a new registry, until its curator writes one. */
const PLAIN_SITE = {
  name: 'Skill Registry',
  tagline: 'Skills for coding agents, with their sources in sight',
  description:
    'A public, read-only registry of agent skills: SKILL.md files for AI coding assistants, each with its source and its text.',
}

/** Creates a content folder atomically, so that it always has a site.json. */
const createFolder = (content: string): void => {
  makeFolder(dirname(content))
  const temporary = join(dirname(content), TEMPORARY)
  rmSync(temporary, { recursive: true, force: true })
  mkdirSync(join(temporary, 'skills'), { recursive: true })
  writeFileSync(join(temporary, SITE_FILE), renderRecord(PLAIN_SITE))
  renameSync(temporary, content)
}

/** SQLITE_CANTOPEN (sqlite.org/rescode.html). */
const CANNOT_OPEN = 14

const tryLock = (path: string): FileLock | undefined => {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats && !stats.isFile() && !stats.isDirectory()) {
    const kind = stats.isSymbolicLink() ? 'a symlink' : 'a pipe or device'
    throw new CommandError(`${path} is ${kind}, not a regular file; remove it.`)
  }
  try {
    return lockFile(path)
  } catch (error) {
    if (isDamagedLock(error))
      throw new CommandError(`${path} is damaged; remove it, and run this command again.`)
    // Opening the file here throws a system error, which names path and reason.
    if ((error as { errcode?: number }).errcode === CANNOT_OPEN) closeSync(openSync(path, 'a'))
    throw error
  }
}

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino

/** Held by a command while it writes to a content folder. */
const LOCK_FILE = '.catalog.lock'

/** Acquires the lock of a content folder and returns a function to release it. Throws CommandError if it is held. */
const takeLock = (content: string): (() => void) => {
  const path = join(content, LOCK_FILE)
  for (;;) {
    const inode = inodeOf(path)
    const lock = tryLock(path)
    if (!lock) {
      throw new CommandError(
        `Another catalog command is writing to ${content}; run this one again when it has ended.`,
      )
    }
    // A holder removes the file before it releases the lock, so a lock counts only if its file is still at this path.
    if (inode !== undefined && inode === inodeOf(path)) {
      return () => {
        rmSync(path, { force: true })
        lock.release()
      }
    }
    lock.release()
  }
}

/** Removes temporary files of killed commands. Call it while holding the lock. */
const clearUnfinished = (content: string): void => {
  putBack(content)
  for (const folder of [content, join(content, 'skills')])
    for (const name of [TEMPORARY, TEMPORARY_FILE])
      rmSync(join(folder, name), { recursive: true, force: true })
}

/** Runs an action while holding the content folder's lock. `create` adds the folder and `site.json` if missing. */
export const withLock = async <Result>(
  content: string,
  action: () => Promise<Result>,
  { create = false } = {},
): Promise<Result> => {
  if (create && !existsSync(content)) createFolder(content)
  const release = takeLock(content)
  try {
    clearUnfinished(content)
    if (create) {
      if (!existsSync(join(content, SITE_FILE)))
        writeWhole(content, SITE_FILE, renderRecord(PLAIN_SITE))
      makeFolder(join(content, 'skills'))
    }
    return await action()
  } finally {
    release()
  }
}
