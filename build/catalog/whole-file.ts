import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isAlive } from '../site/processes.ts'

/** Renders a record of the content folder: JSON as a person would indent it. */
export const renderRecord = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const PREFIX = '.tmp-'
const UNFINISHED = /^\.tmp-(\d+)-/

/** Names the place beside a file, or in a folder on its disk, where it is written first. */
export const unfinishedPath = (path: string, folder = dirname(path)): string =>
  join(folder, `${PREFIX}${process.pid}-${basename(path)}`)

/**
 * Writes a file so that it is there whole or not at all; what a kill leaves half done lies in `folder`,
 * on the same disk.
 */
export const writeWhole = (path: string, text: string, folder = dirname(path)): void => {
  const beside = unfinishedPath(path, folder)
  // A link of this name would be written through.
  rmSync(beside, { recursive: true, force: true })
  writeFileSync(beside, text, { flag: 'wx' })
  renameSync(beside, path)
}

/** Removes what killed commands began to write and never put in place. */
export const sweepUnfinished = (content: string): void => {
  for (const name of readdirSync(content)) {
    const [, pid] = UNFINISHED.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) {
      rmSync(join(content, name), { recursive: true, force: true })
    }
  }
}
