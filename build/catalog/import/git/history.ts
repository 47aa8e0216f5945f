import { posix } from 'node:path'
import { CommandError } from '../../cli/errors.ts'
import type { Repository } from './repository.ts'
import { listBoundary } from './repository.ts'
import { runGit, streamGit } from './run-git.ts'

/** When a folder was last changed. */
export interface LastChange {
  /** YYYY-MM-DD, UTC. */
  day: string
  /** Why the day is only the earliest that is known; undefined where it is the day itself. */
  doubt?: string
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
      folders.set(folder, { day: dayOf(current.seconds) })
      if (open.size === 0) break
    }
  }
  return oldest
}

/** Fetches more of the history. Gives why it cannot be had, or nothing. */
const deepen = async (
  { call }: Repository,
  commit: string,
  depth: number,
): Promise<string | undefined> => {
  const args = ['fetch', '--quiet', `--depth=${depth}`, '--no-tags', '--filter=blob:none']
  try {
    await runGit([...args, '--', 'origin', commit], call)
    return undefined
  } catch (error) {
    call.signal.throwIfAborted()
    // A skill whose history cannot be had is no worse for it; what is known of its day is told.
    if (error instanceof CommandError) return error.message
    throw error
  }
}

/**
 * Finds the day on which each folder was last changed up to a commit. The history is fetched without
 * the files in it, and only as far back as needed; a folder that rests longer than that gets the day
 * of the oldest commit that was read, and a doubt.
 */
export const findLastChanges = async (
  repository: Repository,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, LastChange>> => {
  const folders = new Map<string, LastChange>(paths.map((path) => [path, { day: '' }]))
  const open = new Set(paths)
  let oldest = 0
  let doubt = 'its history was not read further back'
  for (const depth of HISTORY_STEPS) {
    const obstacle = depth > 1 ? await deepen(repository, commit, depth) : undefined
    if (obstacle !== undefined) {
      doubt = obstacle
      break
    }
    oldest = await walkLog(repository, commit, open, folders)
    if (open.size === 0 || listBoundary(repository).size === 0) break
  }
  const day = dayOf(oldest)
  for (const path of open)
    folders.set(path, { day, doubt: `last changed on ${day} or before: ${doubt}` })
  return folders
}
