import { posix } from 'node:path'
import type { Repository } from './repository.ts'
import { listBoundary } from './repository.ts'
import { runGit, streamGit } from './run-git.ts'

/** When a folder was last changed, and whether the history that was read goes that far back. */
export interface LastChange {
  /** YYYY-MM-DD, UTC. */
  day: string
  isExact: boolean
}

/** How many commits are fetched, step by step, until every folder's last change is among them. */
export const HISTORY_STEPS = [1, 200, 2_000]

interface Commit {
  id: string
  seconds: number
}

const dayOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10)

/** The innermost of some folders that a path lies in. */
const findHolder = (folders: ReadonlyMap<string, unknown>, path: string): string | undefined => {
  for (let at = posix.dirname(path); ; at = posix.dirname(at)) {
    const folder = at === '.' ? '' : at
    if (folders.has(folder)) return folder
    if (folder === '') return undefined
  }
}

/** The commit's own head in the output; a path never begins with this. */
const HEAD = '\u0001'

/** What `git log` prints: a commit's head, or a path that it changed. */
type LogToken = { commit: Commit } | { path: string }

const parseToken = (token: string): LogToken | undefined => {
  const text = token.replace(/^\n/, '')
  if (!text.startsWith(HEAD)) return text === '' ? undefined : { path: text }
  const [id = '', seconds = ''] = text.slice(HEAD.length).split(' ')
  return { commit: { id, seconds: Number(seconds) } }
}

async function* readLog({ call }: Repository, commit: string): AsyncGenerator<LogToken> {
  const format = `--format=${HEAD}%H %ct`
  const args = [
    'log',
    '-z',
    '--name-only',
    '--no-renames',
    '--no-show-signature',
    format,
    commit,
    '--',
  ]
  let rest = Buffer.alloc(0)
  for await (const chunk of streamGit(args, call)) {
    const bytes = Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf(0)
    for (const token of bytes.toString('utf8', 0, Math.max(end, 0)).split('\0')) {
      const parsed = parseToken(token)
      if (parsed) yield parsed
    }
    rest = bytes.subarray(end + 1)
  }
}

/** Walks the log until every folder has its last change. Gives the oldest commit that was read too. */
const walkLog = async (
  repository: Repository,
  commit: string,
  open: Set<string>,
  folders: Map<string, LastChange>,
): Promise<number> => {
  const boundary = listBoundary(repository)
  let current: Commit = { id: '', seconds: 0 }
  let oldest = Number.MAX_SAFE_INTEGER
  for await (const token of readLog(repository, commit)) {
    if ('commit' in token) {
      current = token.commit
      oldest = Math.min(oldest, current.seconds)
      continue
    }
    // Where the history was cut off, a commit looks as if it had made every file.
    if (boundary.has(current.id)) continue
    const folder = findHolder(folders, token.path)
    if (folder !== undefined && open.delete(folder)) {
      folders.set(folder, { day: dayOf(current.seconds), isExact: true })
      if (open.size === 0) break
    }
  }
  return oldest
}

/**
 * Finds the day on which each folder was last changed up to a commit. The history is fetched without
 * the files in it, and only as far back as needed; a folder that rests longer than that gets the day
 * of the oldest commit that was read.
 */
export const findLastChanges = async (
  repository: Repository,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, LastChange>> => {
  const folders = new Map<string, LastChange>(
    paths.map((path) => [path, { day: '', isExact: false }]),
  )
  const open = new Set(paths)
  let oldest = 0
  for (const depth of HISTORY_STEPS) {
    if (depth > 1) {
      const args = ['fetch', '--quiet', `--depth=${depth}`, '--no-tags', '--filter=blob:none']
      await runGit([...args, '--', 'origin', commit], repository.call)
    }
    oldest = await walkLog(repository, commit, open, folders)
    if (open.size === 0 || listBoundary(repository).size === 0) break
  }
  for (const path of open) folders.set(path, { day: dayOf(oldest), isExact: false })
  return folders
}
