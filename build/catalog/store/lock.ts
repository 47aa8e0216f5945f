import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CommandError, systemCode } from '../cli/errors.ts'
import {
  finishJournal,
  renderRecord,
  sweepUnfinished,
  unfinishedPath,
  writeWhole,
} from './write.ts'
import { makeFolder } from '../../site/folders.ts'
import { takeLockFile } from '../../site/lock-file.ts'
import { isAlive } from '../../site/processes.ts'
import { clearUnfinished } from './skill-folder.ts'

const LOCK_FILE = '.catalog.lock'

/** What a new registry says of itself until its author does. */
const PLAIN_SITE = {
  name: 'Skill Registry',
  tagline: 'Skills for coding agents, with their sources in sight',
  description:
    'A public, read-only registry of agent skills: SKILL.md files for AI coding assistants, each with its source and its text.',
}

/** Makes a content folder beside its place and moves it there, so that none is ever without a site. */
const createFolder = (content: string): void => {
  const parent = dirname(content)
  const prefix = `.tmp-${basename(content)}-`
  makeFolder(parent)
  for (const name of readdirSync(parent).filter((one) => one.startsWith(prefix))) {
    const pid = name.slice(prefix.length)
    if (/^\d+$/.test(pid) && !isAlive(Number(pid)))
      rmSync(join(parent, name), { recursive: true, force: true })
  }
  const beside = join(parent, prefix + process.pid)
  makeFolder(join(beside, 'skills'))
  writeFileSync(join(beside, 'site.json'), renderRecord(PLAIN_SITE))
  try {
    renameSync(beside, content)
  } catch (error) {
    rmSync(beside, { recursive: true, force: true })
    // Another run was faster, and its folder is as good.
    if (systemCode(error) !== 'ENOTEMPTY' && systemCode(error) !== 'EEXIST') throw error
  }
}

/** Says whether a folder lacks the file that names the registry. */
export const lacksSite = (content: string): boolean => !existsSync(join(content, 'site.json'))

/** Sees to it that a content folder is there and has a plain, valid `site.json`. */
export const prepareFolder = (content: string): void => {
  if (!existsSync(content)) createFolder(content)
  if (lacksSite(content)) writeWhole(join(content, 'site.json'), renderRecord(PLAIN_SITE))
  makeFolder(join(content, 'skills'))
}

const takeLock = (path: string): void =>
  takeLockFile(
    path,
    unfinishedPath(path),
    (holder) =>
      new CommandError(
        `Another catalog command (process ${holder}) is writing here; wait for it. If none is, remove ${path}.`,
      ),
  )

/**
 * Runs an action while no other command writes to the content folder, which must be there; what a
 * killed command left half done is finished first.
 */
export const withLock = async <Result>(
  content: string,
  action: () => Promise<Result>,
): Promise<Result> => {
  const path = join(content, LOCK_FILE)
  takeLock(path)
  try {
    sweepUnfinished(content)
    finishJournal(content)
    clearUnfinished(content)
    return await action()
  } finally {
    rmSync(path, { force: true })
  }
}
