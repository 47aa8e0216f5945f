import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { showValue } from '../../../../src/catalog/text.ts'
import type { Progress } from '../../../site/progress.ts'
import { CommandError } from '../../cli/errors.ts'
import { folderOf, isInFolder, listFoldersUp } from '../../store/paths.ts'
import { NoAnswerError, createGuard } from '../../verify/guard.ts'
import type { Resolver } from '../../verify/guard.ts'
import { findSkills, folderInBounds } from '../find.ts'
import { repositoryKey } from './address.ts'
import type { GitAddress } from './address.ts'
import { checkOut } from './checkout.ts'
import { Repository } from './repository.ts'

/** Behind a proxy, the proxy resolves host names. */
const hasProxy = (): boolean =>
  ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'].some((name) => process.env[name])

/**
 * Refuses hosts in this machine's network before git connects. Returns the checked addresses as curl takes them
 * (`host:port:address,…`), so that git connects to no others; undefined where git resolves the name. Throws CommandError.
 */
export const checkPublicHost = async (
  { given, remote }: Pick<GitAddress, 'given' | 'remote'>,
  resolver?: Resolver,
): Promise<string | undefined> => {
  const url = new URL(remote)
  if (url.protocol !== 'https:') return undefined
  const { check, lookup } = createGuard(false, resolver)
  try {
    check(url)
    const { hostname, port } = url
    if (hasProxy() || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined
    const found = (await promisify(lookup)(hostname, { all: true })) as unknown as LookupAddress[]
    const list = found.map(({ address, family }) => (family === 6 ? `[${address}]` : address))
    return `${hostname}:${port || '443'}:${list.join(',')}`
  } catch (error) {
    // Not left to git, for which the name might lead into this machine's network.
    if (!(error instanceof NoAnswerError)) {
      throw new CommandError(
        `${showValue(given, 200)}: its host was not found; correct the address, or try again later`,
      )
    }
    throw new CommandError(
      `${showValue(given, 200)} was not contacted: ${error.message}. Name a public host, or the repository as file:///<path> with --source.`,
    )
  }
}

export interface Watch {
  progress: Progress
  signal: AbortSignal
}

export interface LastChange {
  /** YYYY-MM-DD, UTC; empty if unknown. */
  day: string
  /** Set if the day is only that of the oldest commit read. */
  warning?: string
}

/** Depths of history to fetch, until every folder's last change is found. */
const HISTORY_STEPS = [1, 200, 2_000]

const dayOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10)

/** Prefix of commit lines in the log; no path begins with it. */
const COMMIT_MARK = '\u0001'

/**
 * Walks the log and removes each folder from `open` when its last change is found. Returns the time of the oldest commit
 * read, in seconds.
 */
const walkLog = async (
  repository: Repository,
  commit: string,
  open: Set<string>,
  folders: Map<string, LastChange>,
): Promise<number> => {
  const boundary = repository.listBoundary()
  const names = ['-z', '--name-only', '--no-renames', '--no-show-signature']
  const format = `--format=${COMMIT_MARK}%H %ct`
  let id = ''
  let seconds = 0
  let oldest = Number.MAX_SAFE_INTEGER
  for await (const fields of repository.streamFields('log', ...names, format, commit, '--')) {
    for (const field of fields) {
      const text = field.replace(/^\n/, '')
      if (text.startsWith(COMMIT_MARK)) {
        const [hash = '', time = ''] = text.slice(COMMIT_MARK.length).split(' ')
        id = hash
        seconds = Number(time)
        oldest = Math.min(oldest, seconds)
      } else if (text !== '' && !boundary.has(id)) {
        // The boundary commit of a shallow history seems to add every file.
        const folder = listFoldersUp(folderOf(text)).find((one) => folders.has(one))
        if (folder === undefined || !open.delete(folder)) continue
        folders.set(folder, { day: dayOf(seconds) })
        if (open.size === 0) return oldest
      }
    }
  }
  return oldest
}

/**
 * Finds the day on which each folder was last changed. Fetches the history without files, and only as far back as
 * needed; a folder without changes that far back gets the day of the oldest commit read, and a warning.
 */
const findLastChanges = async (
  repository: Repository,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, LastChange>> => {
  const folders = new Map<string, LastChange>(paths.map((path) => [path, { day: '' }]))
  const open = new Set(paths)
  let oldest = 0
  let reason = 'its history was not read further back'
  for (const depth of HISTORY_STEPS) {
    const options = ['--quiet', `--depth=${depth}`, '--no-tags', '--filter=blob:none']
    try {
      if (depth > 1) await repository.run('fetch', ...options, '--', 'origin', commit)
    } catch (error) {
      repository.signal.throwIfAborted()
      if (!(error instanceof CommandError)) throw error
      // The skill is still imported, with a warning about its day.
      reason = error.message
      break
    }
    oldest = await walkLog(repository, commit, open, folders)
    if (open.size === 0 || repository.listBoundary().size === 0) break
  }
  const day = dayOf(oldest)
  const warning = `last changed on ${day} or before: ${reason}`
  for (const path of open) folders.set(path, { day, warning })
  return folders
}

interface Fetched {
  address: GitAddress
  commit: string
  /** Folder named by the address, inside the repository. */
  folder: string
}

export interface CheckedOut extends Fetched {
  /** Folder with the checked-out files. */
  bounds: string
  findChange: (folder: string) => Promise<LastChange>
}

/** Omits folders inside a folder of another address at the same commit. */
const dropCovered = (fetched: readonly Fetched[]): Fetched[] =>
  fetched.filter(
    ({ folder }, index) =>
      !fetched.some(
        (other, at) =>
          at !== index &&
          isInFolder(folder, other.folder) &&
          (folder !== other.folder || at < index),
      ),
  )

const cloneOne = async (
  first: GitAddress,
  addresses: readonly GitAddress[],
  folder: string,
  signal: AbortSignal,
): Promise<CheckedOut[]> => {
  const host = await checkPublicHost(first)
  const repository = await Repository.create(join(folder, 'git'), first, signal, { host })
  const fetched = await Array.fromAsync(addresses, async (address) => {
    return { address, ...(await repository.fetchCommit(address)) }
  })
  const result: CheckedOut[] = []
  for (const [commit, group] of Map.groupBy(fetched, (one) => one.commit)) {
    const single = dropCovered(group)
    const bounds = join(folder, commit)
    const folders = single.map((one) => one.folder)
    await checkOut(repository, commit, folders, bounds)
    const listSkills = (): string[] =>
      folders
        .flatMap((one) => findSkills(join(bounds, one), bounds).found)
        .map((skill) => folderInBounds(skill, bounds))
    // Lazy: the history is read once, for all skills.
    let known: Promise<Map<string, LastChange>> | undefined
    const findChange = async (skill: string): Promise<LastChange> => {
      known ??= findLastChanges(repository, commit, [...listSkills(), skill])
      return (await known).get(skill) ?? { day: '' }
    }
    for (const one of single) result.push({ ...one, bounds, findChange })
  }
  return result
}

/**
 * Fetches each repository once into a temporary folder. Calls `fail` for one that cannot be fetched and continues with
 * the others.
 */
export const cloneAll = async (
  addresses: readonly GitAddress[],
  folder: string,
  { progress, signal }: Watch,
  fail: (address: GitAddress, error: unknown) => void,
): Promise<CheckedOut[]> => {
  const groups = Map.groupBy(addresses, repositoryKey)
  const result: CheckedOut[] = []
  if (groups.size > 0) progress.stage('Fetching repositories', groups.size)
  for (const [index, group] of [...groups.values()].entries()) {
    try {
      const [first] = group
      if (first) result.push(...(await cloneOne(first, group, join(folder, String(index)), signal)))
    } catch (error) {
      signal.throwIfAborted()
      for (const address of group) fail(address, error)
    }
    progress.step()
  }
  progress.end()
  return result
}
