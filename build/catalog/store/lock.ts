import { closeSync, existsSync, lstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { flushFolder, lockFile, makeFolder, makeScratch } from '../../site/folders.ts'
import type { FileLock } from '../../site/folders.ts'
import { CommandError, systemCode } from '../cli/errors.ts'
import { clearUnfinished } from './skill-folder.ts'
import { finishJournal, renderRecord, writeWhole } from './write.ts'

export const LOCK_FILE = '.catalog.lock'

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

/** Whether a folder lacks the file that names the registry. */
export const lacksSite = (content: string): boolean => !existsSync(join(content, 'site.json'))

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
      if (lacksSite(content)) writeWhole(join(content, 'site.json'), renderRecord(PLAIN_SITE))
      makeFolder(join(content, 'skills'))
    }
    return await action()
  } finally {
    free()
  }
}
