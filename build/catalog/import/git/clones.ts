import { join } from 'node:path'
import type { Progress } from '../../../site/progress.ts'
import { repositoryKey } from './address.ts'
import type { GitAddress } from './address.ts'
import { checkOut } from './checkout.ts'
import { findLastChanges } from './history.ts'
import type { LastChange } from './history.ts'
import { createRepository, fetchCommit } from './repository.ts'
import type { Repository } from './repository.ts'

/** A place in a repository that lies on this disk. */
export interface CheckedOut {
  address: GitAddress
  commit: string
  /** Folder of the repository that the address names. */
  folder: string
  /** Where the whole of the repository that is needed lies. */
  place: string
  /** Tells when one of its folders was last changed. */
  findChange: (folder: string) => Promise<LastChange>
}

interface Asked {
  address: GitAddress
  commit: string
  folder: string
}

const isWithin = (folder: string, outer: string): boolean =>
  outer === '' || folder === outer || folder.startsWith(`${outer}/`)

/** Leaves out what another address of the same commit names already. */
const dropCovered = (asked: readonly Asked[]): Asked[] =>
  asked.filter(
    (one, index) =>
      !asked.some(
        (other, at) =>
          at !== index &&
          isWithin(one.folder, other.folder) &&
          (one.folder !== other.folder || at < index),
      ),
  )

/** Looks a commit's history up once, for every folder that holds a skill, when the first is asked for. */
const createChanges = (
  repository: Repository,
  commit: string,
  listFolders: () => string[],
): ((folder: string) => Promise<LastChange>) => {
  let known: Promise<Map<string, LastChange>> | undefined
  return async (folder) => {
    known ??= findLastChanges(repository, commit, [...listFolders(), folder])
    return (await known).get(folder) ?? { day: '' }
  }
}

/** Fetches the places that several addresses name in one repository. */
const cloneOne = async (
  addresses: readonly GitAddress[],
  folder: string,
  signal: AbortSignal,
  listFolders: (root: string, bounds: string) => string[],
): Promise<CheckedOut[]> => {
  const [first] = addresses
  if (first === undefined) return []
  const repository = await createRepository(join(folder, 'git'), first, signal)
  const asked: Asked[] = []
  for (const address of addresses)
    asked.push({ address, ...(await fetchCommit(repository, address)) })
  const result: CheckedOut[] = []
  for (const [commit, group] of Map.groupBy(asked, (one) => one.commit)) {
    const places = dropCovered(group)
    const place = join(folder, commit)
    await checkOut(
      repository,
      commit,
      places.map((one) => one.folder),
      place,
    )
    const listAll = (): string[] =>
      places.flatMap((one) => listFolders(join(place, one.folder), place))
    const findChange = createChanges(repository, commit, listAll)
    for (const one of places) result.push({ ...one, place, findChange })
  }
  return result
}

/** What cloning needs of its surroundings. */
export interface CloneSettings {
  /** Temporary folder that holds what is fetched. */
  folder: string
  progress: Progress
  signal: AbortSignal
  /** Gives the folders, from the bounds, of the skills below a root. */
  listFolders: (root: string, bounds: string) => string[]
}

/**
 * Fetches every repository that the addresses name, each once; `fail` hears of one that cannot be had,
 * and the others go on.
 */
export const cloneAll = async (
  addresses: readonly GitAddress[],
  { folder, progress, signal, listFolders }: CloneSettings,
  fail: (address: GitAddress, error: unknown) => void,
): Promise<CheckedOut[]> => {
  const groups = [...Map.groupBy(addresses, repositoryKey).values()]
  const result: CheckedOut[] = []
  progress.stage('Fetching repositories', groups.length)
  for (const [index, group] of groups.entries()) {
    try {
      result.push(...(await cloneOne(group, join(folder, String(index)), signal, listFolders)))
    } catch (error) {
      signal.throwIfAborted()
      for (const address of group) fail(address, error)
    }
    progress.step()
  }
  progress.end()
  return result
}
