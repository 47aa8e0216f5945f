import {
  closeSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder, makeScratch } from '../../site/folders.ts'
import { CommandError, systemCode } from '../cli/errors.ts'
import { clearUnfinished } from './skill-folder.ts'
import { finishJournal, renderRecord, sweepUnfinished, writeWhole } from './write.ts'

const LOCK_FILE = '.catalog.lock'

/** What a new registry says of itself until its author does. */
const PLAIN_SITE = {
  name: 'Skill Registry',
  tagline: 'Skills for coding agents, with their sources in sight',
  description:
    'A public, read-only registry of agent skills: SKILL.md files for AI coding assistants, each with its source and its text.',
}

/** Makes a content folder beside its place and renames it, so that none is ever without a site. */
const createFolder = (content: string): void => {
  makeFolder(dirname(content))
  const scratch = makeScratch(dirname(content), `.tmp-${basename(content)}-`)
  // A scratch folder is for its owner alone; the catalog gets the usual rights.
  const beside = join(scratch, 'content')
  makeFolder(join(beside, 'skills'))
  writeFileSync(join(beside, 'site.json'), renderRecord(PLAIN_SITE))
  try {
    renameSync(beside, content)
  } catch (error) {
    // Another run was faster, and its folder is as good.
    if (systemCode(error) !== 'ENOTEMPTY' && systemCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Whether a folder lacks the file that names the registry. */
export const lacksSite = (content: string): boolean => !existsSync(join(content, 'site.json'))

/** Results of SQLite (sqlite.org/rescode.html). */
const BUSY = 5
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26

const explainRefusal = (path: string, error: unknown): unknown => {
  const { errcode } = error as { errcode?: number }
  if (errcode === BUSY) {
    return new CommandError(
      `Another catalog command is writing to ${dirname(path)}; run this one again when it has ended.`,
    )
  }
  if (errcode === NOT_A_DATABASE) {
    return new CommandError(
      `${path} was left by an earlier version; if no catalog command is running, remove it.`,
    )
  }
  if (errcode !== CANNOT_OPEN) return error
  try {
    closeSync(openSync(path, 'a'))
  } catch (reason) {
    return reason
  }
  return error
}

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino

/**
 * Takes the lock of a content folder and returns what frees it. It is the lock of an empty database, which the
 * system frees when its process ends, however it ends. Throws CommandError while another process has it.
 */
const takeLock = (path: string): (() => void) => {
  for (;;) {
    const inode = inodeOf(path)
    let database
    try {
      database = new DatabaseSync(path, { timeout: 0 })
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    } catch (error) {
      database?.close()
      throw explainRefusal(path, error)
    }
    // Who frees the lock removes the file first, so a lock counts only on the file that has the name.
    if (inode !== undefined && inode === inodeOf(path)) {
      return () => {
        rmSync(path, { force: true })
        database.close()
      }
    }
    database.close()
  }
}

/**
 * Runs an action while no other command writes to the content folder. What a killed command left half done is
 * finished first. With `create`, a folder that is not there is made, with a plain `site.json`.
 */
export const withLock = async <Result>(
  content: string,
  action: () => Promise<Result>,
  { create = false } = {},
): Promise<Result> => {
  if (create && !existsSync(content)) createFolder(content)
  const free = takeLock(join(content, LOCK_FILE))
  try {
    sweepUnfinished(content)
    finishJournal(content)
    clearUnfinished(content)
    if (create) {
      if (lacksSite(content)) writeWhole(join(content, 'site.json'), renderRecord(PLAIN_SITE))
      makeFolder(join(content, 'skills'))
    }
    return await action()
  } finally {
    free()
  }
}
