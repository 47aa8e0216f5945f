import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Files of a content folder that version 1.0.0 wrote and this version does not read. */
const GONE_FILES = ['counters.state.json']

/** Removes what only older versions read from a content folder. Returns a sentence for each change. */
export const upgradeContent = (content: string): string[] =>
  GONE_FILES.map((file) => join(content, file))
    .filter((path) => existsSync(path))
    .map((path) => {
      rmSync(path)
      return `Removed ${path}, which nothing reads any more.`
    })
