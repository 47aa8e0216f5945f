import type { LookupAddress } from 'node:dns'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import { FILE_LIMIT } from '../../../../src/catalog/skill-folder.ts'
import { showValue } from '../../../../src/catalog/text.ts'
import type { Progress } from '../../../site/progress.ts'
import { CommandError } from '../../cli/command.ts'
import { DISCOVERY } from '../../verify/ask-source.ts'
import { CLOCK, Client, NoAnswerError, createGuard } from '../../verify/client.ts'
import { repositoryKey } from '../address.ts'
import type { GitAddress } from '../address.ts'
import { ARCHIVE_LIMITS } from '../archive/unpack.ts'
import {
  TOOL_FOLDERS,
  folderOf,
  followInside,
  isInFolder,
  isSkillMd,
  listFoldersUp,
  resolveLink,
  findSkills,
  folderInBounds,
} from '../find.ts'
import { isLicenceName } from '../licence/licence.ts'
import type { TreeEntry } from './repository.ts'
import { Repository } from './repository.ts'

const isToolPath = (path: string): boolean => path.split('/').some((part) => TOOL_FOLDERS.has(part))

const isInFolders = (path: string, folders: readonly string[]): boolean =>
  !isToolPath(path) && folders.some((folder) => isInFolder(path, folder))

/** Adds the targets of links, also of chained ones, up to a limit. */
const addTargets = (
  chosen: Set<string>,
  entries: readonly TreeEntry[],
  targets: ReadonlyMap<string, string>,
): void => {
  for (let round = 0; round < 5; round += 1) {
    const reached = [...chosen].flatMap((path) => targets.get(path) ?? []).filter(Boolean)
    const before = chosen.size
    for (const { path } of entries) {
      if (reached.some((target) => isInFolder(path, target))) chosen.add(path)
    }
    if (chosen.size === before) return
  }
}

/**
 * Chooses the files that an import needs: the folders of skills, the licences above them, and the targets of their
 * links. `targets` has the links with a target in the tree.
 */
export const chooseEntries = (
  entries: readonly TreeEntry[],
  folders: readonly string[],
  targets: ReadonlyMap<string, string>,
): TreeEntry[] => {
  const skills = new Set(
    entries
      .filter(({ path }) => isSkillMd(posix.basename(path)) && isInFolders(path, folders))
      .map(({ path }) => folderOf(path)),
  )
  const linked = [...targets.keys()].filter((path) => isInFolders(path, folders))
  const upwards = new Set([...skills, ...linked, ...folders].flatMap(listFoldersUp))
  const isNeeded = (path: string): boolean =>
    !isToolPath(path) &&
    (listFoldersUp(folderOf(path)).some((folder) => skills.has(folder)) ||
      (isLicenceName(posix.basename(path)) && upwards.has(folderOf(path))))
  const chosen = new Set([...linked, ...entries.map(({ path }) => path).filter(isNeeded)])
  addTargets(chosen, entries, targets)
  return entries.filter(({ path }) => chosen.has(path))
}

/** Stands in for a link target outside the repository; no such file exists. */
const NOWHERE = '.outside-of-the-repository'

/** Limits: length of a link target in bytes, number of links. */
const TARGET_LIMIT = 4_096
const LINKS_LIMIT = 10_000

/** The targets of links inside the repository. */
const readTargets = async (
  repository: Repository,
  links: readonly TreeEntry[],
): Promise<Map<string, string>> => {
  const targets = new Map<string, string>()
  const short = links.filter(({ size }) => size <= TARGET_LIMIT).slice(0, LINKS_LIMIT)
  for await (const { path, bytes } of repository.readContents(short)) {
    const target = resolveLink(path, bytes.toString('utf8'))
    if (target !== undefined) targets.set(path, target)
  }
  return targets
}

const checkSize = (repository: Repository, files: readonly TreeEntry[]): void => {
  const bytes = files.reduce((sum, { size }) => sum + Math.min(size, FILE_LIMIT), 0)
  if (bytes > ARCHIVE_LIMITS.unpacked || files.length > ARCHIVE_LIMITS.entries) {
    throw repository.error(
      `its skills have ${files.length} files and ${bytes} bytes; the limits are ${ARCHIVE_LIMITS.entries} and ${ARCHIVE_LIMITS.unpacked}. Import its folders one by one`,
    )
  }
}

const writeFiles = async (
  repository: Repository,
  files: readonly TreeEntry[],
  root: string,
): Promise<void> => {
  for (const { path, size } of files.filter((file) => file.size > FILE_LIMIT)) {
    // Too large, so it is only reported: a sparse file of its size suffices.
    writeFileSync(join(root, path), '', { flag: 'wx' })
    truncateSync(join(root, path), size)
  }
  const small = files.filter(({ size }) => size <= FILE_LIMIT)
  for await (const { path, bytes } of repository.readContents(small)) {
    writeFileSync(join(root, path), bytes, { flag: 'wx' })
  }
}

/**
 * Writes the files that an import needs, byte for byte, without the repository's filters, hooks or settings. Throws
 * CommandError if a folder does not exist.
 */
const checkOut = async (
  repository: Repository,
  commit: string,
  folders: readonly string[],
  root: string,
): Promise<void> => {
  const entries = await repository.listEntries(commit)
  for (const folder of folders) {
    if (folder !== '' && !entries.some(({ path }) => path.startsWith(`${folder}/`))) {
      throw repository.error(`there is no folder ${JSON.stringify(folder)} at ${commit}`)
    }
  }
  const links = entries.filter(({ path, isLink }) => isLink && isInFolders(path, folders))
  const targets = await readTargets(repository, links)
  const chosen = chooseEntries(entries, folders, targets)
  const files = chosen.filter(({ isLink }) => !isLink)
  checkSize(repository, files)
  const parents = chosen.map(({ path }) => folderOf(path))
  for (const folder of new Set(['', ...folders, ...parents])) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  await writeFiles(repository, files, root)
  // Last, so that no file is written through a link.
  for (const { path } of chosen.filter(({ isLink }) => isLink)) {
    const target = targets.get(path)
    const to = target === undefined ? NOWHERE : posix.relative(posix.dirname(path), target) || '.'
    symlinkSync(to, join(root, path))
  }
}

/** Behind a proxy, the proxy resolves host names. */
const hasProxy = (): boolean =>
  ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'].some((name) => process.env[name])

/**
 * Refuses hosts in this machine's network before git connects. Returns the checked addresses as curl takes them
 * (`host:port:address,…`), so that git connects to no others; undefined where git resolves the name. Throws CommandError.
 */
export const checkPublicHost = async (
  { argument, remote }: Pick<GitAddress, 'argument' | 'remote'>,
  resolver?: Parameters<typeof createGuard>[1],
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
        `${showValue(argument, 200)}: its host was not found; correct the address, or try again later`,
      )
    }
    throw new CommandError(
      `${showValue(argument, 200)} was not contacted: ${error.message}. Name a public host, or the repository as file:///<path> with --source.`,
    )
  }
}

/** Asks once: git asks again, and says what is wrong. */
const RETRIES = { interval: 0, timeout: 20_000, attempts: 1, backoff: 0, longestWait: 0 }

/**
 * Finds the address that the host of a repository redirects git to, as after a rename; every redirect is checked like
 * the first address. Without a clear answer it is the address itself, of which git says more. Throws CommandError.
 */
export const findRemote = async (
  { argument, remote }: Pick<GitAddress, 'argument' | 'remote'>,
  signal: AbortSignal,
  client = new Client(createGuard(false), RETRIES, CLOCK),
): Promise<string> => {
  if (remote.startsWith('file:') || hasProxy()) return remote
  const first = new URL(remote + DISCOVERY)
  let last = first
  const onRedirect = (to: URL): void => {
    last = to
    if (to.protocol !== first.protocol) throw new NoAnswerError(`${to.protocol}// is not asked`)
  }
  try {
    const { url } = await client.get(first, { headers: {}, bodyLimit: 0, onRedirect, signal })
    const found = url.href.slice(0, -DISCOVERY.length)
    // A page to sign in may name the first address in its query.
    return url.href === found + DISCOVERY && !/[?#]/.test(found) ? found : remote
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error
    if (last === first) return remote
    throw new CommandError(
      `${showValue(argument, 200)} leads to ${showValue(last.href, 200)}: ${error.message}. Name the address that the repository has now.`,
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

/** The day of a commit; empty for a time that no clock shows. Git says 0, or nothing, where it cannot read the time. */
const dayOf = (seconds: number): string => {
  const date = new Date(seconds * 1_000)
  const year = date.getUTCFullYear()
  return year > 1970 && year <= 9999 ? date.toISOString().slice(0, 10) : ''
}

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
  const when = day === '' ? 'on a day that is not known' : `on ${day} or before`
  const warning = `last changed ${when}: ${reason}`
  for (const path of open) folders.set(path, { day, warning })
  return folders
}

interface Fetched {
  address: GitAddress
  commit: string
  /** Folder named by the address, inside the repository. */
  folder: string
}

interface CheckedOut extends Fetched {
  /** Folder with the checked-out files. */
  bounds: string
  /** The repository that it was redirected to, in lower case and without `.git`; undefined if it is the same. */
  movedTo: string | undefined
  findChange: (folder: string) => Promise<LastChange>
}

const bareAddress = (remote: string): string => remote.toLowerCase().replace(/\.git$/, '')

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
  const final = { ...first, remote: await findRemote(first, signal) }
  const [address, to] = [bareAddress(first.remote), bareAddress(final.remote)]
  const movedTo = to === address ? undefined : to
  const host = await checkPublicHost(final)
  const repository = await Repository.create(join(folder, 'git'), final, signal, { host })
  const fetched = await Array.fromAsync(addresses, async (one) => {
    return { address: one, ...(await repository.fetchCommit(one)) }
  })
  const result: CheckedOut[] = []
  for (const [commit, group] of Map.groupBy(fetched, (one) => one.commit)) {
    const single = dropCovered(group)
    const bounds = join(folder, commit)
    const folders = single.map((one) => one.folder)
    await checkOut(repository, commit, folders, bounds)
    const listSkills = (): string[] =>
      folders
        .flatMap((one) => findSkills(join(bounds, one), followInside(bounds)).found)
        .map((skill) => folderInBounds(skill, bounds))
    // Lazy: the history is read once, for all skills.
    let known: Promise<Map<string, LastChange>> | undefined
    const findChange = async (skill: string): Promise<LastChange> => {
      known ??= findLastChanges(repository, commit, [...listSkills(), skill])
      return (await known).get(skill) ?? { day: '' }
    }
    for (const one of single) result.push({ ...one, bounds, movedTo, findChange })
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
