import { DatabaseSync } from 'node:sqlite'
import { takeFingerprint } from '../../src/catalog/skill-folder.ts'
import type { Fingerprint } from '../../src/catalog/skill-folder.ts'

// No file name of a skill holds a control character.
const SEPARATOR = '\u001E'

/** In milliseconds: file systems tell times coarsely, so a file that was just changed may change again unseen. */
const SETTLED = 2_000

const printOne = ({ path, size, changed }: Fingerprint): string => `${size} ${changed} ${path}`

/** Writes the fingerprints of a folder as one text; what changed just before `now` never compares equal. */
export const printFingerprints = (fingerprints: readonly Fingerprint[], now: number): string =>
  fingerprints
    .map((one) => printOne(one.changed > now - SETTLED ? { ...one, changed: 0 } : one))
    .join(SEPARATOR)

const isSame = (folder: string, printed: string): boolean => {
  const sizeEnd = printed.indexOf(' ')
  const changedEnd = printed.indexOf(' ', sizeEnd + 1)
  const now = takeFingerprint(folder, printed.slice(changedEnd + 1))
  return now !== undefined && printOne(now) === printed
}

/** Whether every file and folder is as it was when the fingerprints were printed. */
export const isUnchanged = (folder: string, printed: string): boolean =>
  printed !== '' && printed.split(SEPARATOR).every((one) => isSame(folder, one))

/** A part of the skills of a state: those between two ids. */
export interface Range {
  state: string
  from: number
  to: number
}

/** Lists the skills of a state whose folders are not as they were; those that are gone are among them. */
export const listSuspects = (content: string, { state, from, to }: Range): string[] => {
  const database = new DatabaseSync(state, { readOnly: true })
  try {
    const suspects: string[] = []
    const rows = database
      .prepare('SELECT slug, fingerprint FROM skill WHERE id >= ? AND id < ?')
      .iterate(from, to)
    for (const { slug, fingerprint } of rows)
      if (!isUnchanged(`${content}/skills/${slug as string}`, fingerprint as string))
        suspects.push(slug as string)
    return suspects
  } finally {
    database.close()
  }
}
