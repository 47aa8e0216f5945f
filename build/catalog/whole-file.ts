import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from './processes.ts'

/** Renders a record of the content folder: JSON as a person would indent it. */
export const renderRecord = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const PREFIX = '.tmp-'
const UNFINISHED = /^\.tmp-(\d+)-/

/** Writes a file of a content folder so that it is there whole or not at all. */
export const writeWhole = (content: string, name: string, text: string): void => {
  // Beside the folders of skills, where what a kill leaves is found in one look.
  const beside = join(content, `${PREFIX}${process.pid}-${name.replaceAll('/', '-')}`)
  writeFileSync(beside, text)
  renameSync(beside, join(content, name))
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
