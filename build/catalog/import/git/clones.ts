import { join } from 'node:path'
import type { Progress } from '../../../site/progress.ts'
import { isInFolder } from '../paths.ts'
import { repositoryKey } from './address.ts'
import type { GitAddress } from './address.ts'
import { checkOut } from './checkout.ts'
import { findLastChanges } from './history.ts'
import type { LastChange } from './history.ts'
import { Repository } from './repository.ts'

interface Fetched {
  address: GitAddress
  commit: string
  /** Folder of the repository that the address names. */
  folder: string
}

/** A folder of a repository that lies on this disk. */
export interface CheckedOut extends Fetched {
  /** Where all that is needed of the repository lies. */
  bounds: string
  /** Finds when one of its folders was last changed. */
  findChange: (folder: string) => Promise<LastChange>
}

/** Leaves out what another address of the same commit names already. */
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

/** Reads a commit's history once, when the first folder is asked for, for every folder of a skill. */
const createFindChange = (
  repository: Repository,
  commit: string,
  listFolders: () => string[],
): CheckedOut['findChange'] => {
  let known: Promise<Map<string, LastChange>> | undefined
  return async (folder) => {
    known ??= findLastChanges(repository, commit, [...listFolders(), folder])
    return (await known).get(folder) ?? { day: '' }
  }
}

interface CloneSettings {
  /** Temporary folder that holds what is fetched. */
  folder: string
  progress: Progress
  signal: AbortSignal
  /** Lists the folders of the skills below a root, as paths from the bounds. */
  listFolders: (root: string, bounds: string) => string[]
}

/** Fetches what several addresses name in one repository. */
const cloneOne = async (
  addresses: readonly GitAddress[],
  folder: string,
  { signal, listFolders }: CloneSettings,
): Promise<CheckedOut[]> => {
  const [first] = addresses
  if (first === undefined) return []
  const repository = await Repository.create(join(folder, 'git'), first, signal)
  const fetched: Fetched[] = []
  for (const address of addresses) {
    fetched.push({ address, ...(await repository.fetchCommit(address)) })
  }
  const result: CheckedOut[] = []
  for (const [commit, group] of Map.groupBy(fetched, (one) => one.commit)) {
    const single = dropCovered(group)
    const bounds = join(folder, commit)
    const folders = single.map((one) => one.folder)
    await checkOut(repository, commit, folders, bounds)
    const findChange = createFindChange(repository, commit, () =>
      folders.flatMap((one) => listFolders(join(bounds, one), bounds)),
    )
    for (const one of single) result.push({ ...one, bounds, findChange })
  }
  return result
}

/**
 * Fetches every repository that the addresses name, each once. Calls `fail` for one that cannot be
 * had, and goes on with the others.
 */
export const cloneAll = async (
  addresses: readonly GitAddress[],
  settings: CloneSettings,
  fail: (address: GitAddress, error: unknown) => void,
): Promise<CheckedOut[]> => {
  const { folder, progress, signal } = settings
  const groups = [...Map.groupBy(addresses, repositoryKey).values()]
  const result: CheckedOut[] = []
  progress.stage('Fetching repositories', groups.length)
  for (const [index, group] of groups.entries()) {
    try {
      result.push(...(await cloneOne(group, join(folder, String(index)), settings)))
    } catch (error) {
      signal.throwIfAborted()
      for (const address of group) fail(address, error)
    }
    progress.step()
  }
  progress.end()
  return result
}
