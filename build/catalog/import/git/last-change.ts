import { listFoldersAbove, listFoldersUp } from '../find.ts'
import type { TreeLinks } from './tree-links.ts'

export interface LastChange {
  /** YYYY-MM-DD, UTC; empty if unknown. */
  day: string
  /** The time of its commit, in seconds; undefined if unknown. */
  at?: number | undefined
  /** Set if the day is only an upper bound, from the oldest commit read. */
  warning?: string
}

/** Marks the start of a commit in the log; paths do not contain it. */
const MARK = '\u0001'

/** Options of `git log` for `readLastChanges`. */
export const LOG_FORMAT = ['-z', '--name-only', '--no-renames', `--format=${MARK}%H %ct`]

/** Splits a log in which each commit starts with a control character, and NUL ends each part. */
const splitLog = (log: string): { hash: string; seconds: number; names: string[] }[] =>
  log
    .split(MARK)
    .slice(1)
    .map((text) => {
      const [head = '', ...names] = text.split('\0')
      const [hash = '', seconds = ''] = head.split(' ')
      const paths = names.map((name) => name.replace(/^\n/, '')).filter(Boolean)
      return { hash, seconds: Number(seconds), names: paths }
    })

/** The day of a commit, in UTC; empty if its time is out of range. */
export const dayOf = (seconds: number): string => {
  const date = new Date(seconds * 1_000)
  const year = date.getUTCFullYear()
  return year > 1970 && year <= 9999 ? date.toISOString().slice(0, 10) : ''
}

interface LogContext {
  /** The oldest commits of a shallow history, which seem to add every file. */
  oldestCommits: ReadonlySet<string>
  links: TreeLinks
  /** Why older commits were not read. */
  reason: string
}

/**
 * Reads from a log when each folder last changed. A change counts for the innermost of these folders, and for those that
 * have a link to what changed.
 */
export const readLastChanges = (
  log: string,
  folders: readonly string[],
  { oldestCommits, links, reason }: LogContext,
): Map<string, LastChange> => {
  const all = new Set(folders)
  const changes = new Map<string, LastChange>()
  const reached = new Set([''])
  let oldest = Number.MAX_SAFE_INTEGER
  for (const { hash, seconds, names } of splitLog(log)) {
    oldest = Math.min(oldest, seconds)
    const changed = oldestCommits.has(hash) ? [] : names
    for (const path of changed) {
      const folder = listFoldersAbove(path).find((above) => all.has(above))
      if (folder !== undefined && !changes.has(folder))
        changes.set(folder, { day: dayOf(seconds), at: seconds })
      // The commits are sorted, so only the newest change of a target counts.
      for (const target of listFoldersUp(path).filter((above) => !reached.has(above))) {
        reached.add(target)
        changed.push(...links.listTo(target))
      }
    }
  }
  const day = dayOf(oldest)
  const when = day === '' ? 'on a day that is not known' : `on ${day} or before`
  for (const folder of folders) {
    if (!changes.has(folder))
      changes.set(folder, { day, warning: `last changed ${when}: ${reason}` })
  }
  return changes
}
