import {
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  cpSync,
  mkdirSync,
  closeSync,
  constants,
  openSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { listSkillFiles } from '../../../src/catalog/skill-folder.ts'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'
import { flushFolder, lockFile, makeFolder, makeScratch } from '../../site/folders.ts'
import type { FileLock } from '../../site/folders.ts'
import { CommandError, systemCode } from '../cli/command.ts'
import { isPlainPath } from '../import/find.ts'

export const renderRecord = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const UNFINISHED = /^\.tmp-\d+-/

/**
 * Writes a file atomically, even across a power failure; a kill leaves a temporary file in `folder`, on the same disk.
 */
export const writeWhole = (path: string, text: string, folder = dirname(path)): void => {
  const beside = join(folder, `.tmp-${process.pid}-${basename(path)}`)
  // A symlink of this name would be written through.
  rmSync(beside, { recursive: true, force: true })
  writeFileSync(beside, text, { flag: 'wx', flush: true })
  renameSync(beside, path)
  flushFolder(dirname(path))
}

const JOURNAL_FILE = '.catalog.journal'

const pathInContent = z.string().refine(isPlainPath, 'must lie in the content folder')

const step = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('write'), path: pathInContent, text: z.string() }),
  z.strictObject({ do: z.literal('rename'), path: pathInContent, to: pathInContent }),
  z.strictObject({ do: z.literal('remove'), path: pathInContent }),
])

/** An idempotent change of a content folder; paths are inside it. */
export type Step = z.infer<typeof step>

/** The step that writes a record. */
export const writeStep = (file: string, value: unknown): Step => ({
  do: 'write',
  path: file,
  text: renderRecord(value),
})

const journal = z.strictObject({ steps: z.array(step) })

/** Refuses a path through a symlink, which may lead outside. Throws CommandError. */
const checkWay = (content: string, inside: string): void => {
  const parts = inside.split('/').slice(0, -1)
  for (const at of parts.keys()) {
    const parent = join(content, ...parts.slice(0, at + 1))
    if (lstatSync(parent, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      throw new CommandError(
        `${parent} is a symlink, through which nothing is written: put the folder itself there, and run the command again.`,
      )
    }
  }
}

const applyStep = (content: string, one: Step): void => {
  checkWay(content, one.path)
  if (one.do === 'rename') checkWay(content, one.to)
  const place = join(content, one.path)
  if (one.do === 'write') return writeWhole(place, one.text, content)
  if (one.do === 'remove') rmSync(place, { recursive: true, force: true })
  // A missing source was already renamed before a kill.
  else if (lstatSync(place, { throwIfNoEntry: false })) renameSync(place, join(content, one.to))
  // Steps are flushed in order, before the journal is removed.
  for (const changed of one.do === 'rename' ? [one.path, one.to] : [one.path])
    flushFolder(dirname(join(content, changed)))
}

const readJournal = (place: string): Step[] => {
  try {
    return journal.parse(JSON.parse(readFileSync(place, 'utf8'))).steps
  } catch (error) {
    throw new CommandError(
      `${place} cannot be read, so what a stopped command began cannot be finished: look over the catalog, then remove the file (${(error as Error).name}).`,
    )
  }
}

const finish = (content: string, steps: readonly Step[]): void => {
  for (const one of steps) applyStep(content, one)
  rmSync(join(content, JOURNAL_FILE))
  // A journal that reappears after a power failure would overwrite later changes.
  flushFolder(content)
}

/** Completes the journal of a killed command; call it under the lock. */
export const finishJournal = (content: string): void => {
  for (const name of readdirSync(content).filter((one) => UNFINISHED.test(one))) {
    rmSync(join(content, name), { recursive: true, force: true })
  }
  const place = join(content, JOURNAL_FILE)
  if (existsSync(place)) finish(content, readJournal(place))
}

/**
 * Applies steps in order through a journal, so that the next command completes them after a kill. The catalog must load
 * after each step. Call it under the lock.
 */
export const applySteps = (content: string, steps: readonly Step[]): void => {
  writeWhole(join(content, JOURNAL_FILE), renderRecord({ steps }))
  finish(content, steps)
}

/** Opens a real path, so that a link which has taken its place since then is not followed. */
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

/** A file to copy into a skill's folder: its path there, and the real path of its source. */
export interface CopiedFile {
  path: string
  from: string
  size: number
}

/** Differences of a skill's folder from its intended files; paths inside it. */
interface FolderChange {
  written: string[]
  removed: string[]
}

/** The loader skips names with a leading dot, so unfinished folders are never read. */
const NEW = '.tmp-new-'
const OLD = '.tmp-old-'
const UNPLACED = /^\.tmp-(?:new|old)-/

/** Cleans up after a killed run: moves a folder back if nothing replaced it. */
export const clearUnfinished = (content: string): void => {
  const skills = join(content, 'skills')
  if (!existsSync(skills)) return
  const left = readdirSync(skills).filter((one) => UNPLACED.test(one))
  for (const name of left) {
    const place = join(skills, name.slice(OLD.length))
    if (name.startsWith(OLD) && !existsSync(place)) renameSync(join(skills, name), place)
    else rmSync(join(skills, name), { recursive: true, force: true })
  }
  if (left.length > 0) flushFolder(skills)
}

/** Compares a skill's folder, except its record, with the intended files. */
export const compareFolder = (folder: string, files: readonly CopiedFile[]): FolderChange => {
  const stored = new Map(
    existsSync(folder)
      ? listSkillFiles(folder, '').files.map(({ path, size }) => [path, size])
      : [],
  )
  const isSame = ({ path, from, size }: CopiedFile): boolean =>
    stored.get(path) === size && readFileSync(join(folder, path)).equals(readCopied(from))
  const paths = new Set(files.map(({ path }) => path))
  return {
    written: files.filter((file) => !isSame(file)).map(({ path }) => path),
    removed: [...stored.keys()].filter((path) => !paths.has(path)),
  }
}

/** Creates the folder of a file; removes symlinks in its path, which would lead outside. */
const makeParent = (folder: string, path: string): void => {
  const parts = path.split('/').slice(0, -1)
  for (const at of parts.keys()) {
    const parent = join(folder, ...parts.slice(0, at + 1))
    if (lstatSync(parent, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(parent)
  }
  mkdirSync(dirname(join(folder, path)), { recursive: true })
}

/**
 * Writes a skill's folder under a temporary name, reusing unchanged files. Returns a function that moves it into place,
 * which returns one that removes the old folder. A kill leaves the old folder or the new one; between the two moves,
 * `clearUnfinished` moves the old one back.
 */
export const writeSkillFolder = (
  content: string,
  slug: string,
  files: readonly CopiedFile[],
  change: FolderChange,
  record: SkillRecord,
): (() => () => void) => {
  const place = join(content, 'skills', slug)
  const beside = join(content, 'skills', NEW + slug)
  const aside = join(content, 'skills', OLD + slug)
  const isKnown = existsSync(place)
  if (isKnown) {
    cpSync(place, beside, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  } else mkdirSync(beside)
  // Remove first: a file may be in the place of a folder, or be a link.
  for (const path of change.removed) rmSync(join(beside, path), { recursive: true, force: true })
  for (const path of [...change.written, RECORD_FILE]) {
    makeParent(beside, path)
    rmSync(join(beside, path), { recursive: true, force: true })
  }
  const written = new Set(change.written)
  for (const { path, from } of files.filter((file) => written.has(file.path))) {
    makeParent(beside, path)
    writeFileSync(join(beside, path), readCopied(from))
  }
  writeFileSync(join(beside, RECORD_FILE), renderRecord(record))
  return () => {
    if (isKnown) renameSync(place, aside)
    renameSync(beside, place)
    return () => rmSync(aside, { recursive: true, force: true })
  }
}

const LOCK_FILE = '.catalog.lock'

/** The `site.json` of a new registry, until its author writes one. */
const PLAIN_SITE = {
  name: 'Skill Registry',
  tagline: 'Skills for coding agents, with their sources in sight',
  description:
    'A public, read-only registry of agent skills: SKILL.md files for AI coding assistants, each with its source and its text.',
}

/** Creates a content folder atomically, so that it always has a site.json. */
const createFolder = (content: string): void => {
  makeFolder(dirname(content))
  const scratch = makeScratch(dirname(content), `.tmp-${basename(content)}-`)
  // Scratch folders are private; the catalog gets the usual permissions.
  const beside = join(scratch, 'content')
  makeFolder(join(beside, 'skills'))
  writeWhole(join(beside, 'site.json'), renderRecord(PLAIN_SITE))
  try {
    renameSync(beside, content)
    flushFolder(dirname(content))
  } catch (error) {
    // Another run created the folder first.
    if (systemCode(error) !== 'ENOTEMPTY' && systemCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Results of SQLite (sqlite.org/rescode.html). */
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26

const tryLock = (path: string): FileLock | undefined => {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new CommandError(`${path} is a symlink, which no command writes through; remove it.`)
  }
  try {
    return lockFile(path)
  } catch (error) {
    const { errcode } = error as { errcode?: number }
    if (errcode === NOT_A_DATABASE) {
      throw new CommandError(
        `${path} was left by an earlier version; if no catalog command is running, remove it.`,
      )
    }
    // System errors already name path and reason.
    if (errcode === CANNOT_OPEN) closeSync(openSync(path, 'a'))
    throw error
  }
}

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino

/** Takes the lock of a content folder and returns what frees it. Throws CommandError while another has it. */
const takeLock = (path: string): (() => void) => {
  for (;;) {
    const inode = inodeOf(path)
    const lock = tryLock(path)
    if (!lock) {
      throw new CommandError(
        `Another catalog command is writing to ${dirname(path)}; run this one again when it has ended.`,
      )
    }
    // Releasing removes the file first, so a lock is valid only on the file that still has the name.
    if (inode !== undefined && inode === inodeOf(path)) {
      return () => {
        rmSync(path, { force: true })
        lock.release()
      }
    }
    lock.release()
  }
}

/**
 * Runs an action under the lock of the content folder, after completing what a killed command left unfinished. `create`
 * makes a missing folder, with a minimal `site.json`.
 */
export const withLock = async <Result>(
  content: string,
  action: () => Promise<Result>,
  { create = false } = {},
): Promise<Result> => {
  if (create && !existsSync(content)) createFolder(content)
  const free = takeLock(join(content, LOCK_FILE))
  try {
    finishJournal(content)
    clearUnfinished(content)
    if (create) {
      const site = join(content, 'site.json')
      if (!existsSync(site)) writeWhole(site, renderRecord(PLAIN_SITE))
      makeFolder(join(content, 'skills'))
    }
    return await action()
  } finally {
    free()
  }
}
