import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { showValue } from '../../../src/catalog/text.ts'
import type { Progress } from '../../site/progress.ts'
import { CommandError, UsageError } from '../cli/errors.ts'
import { archiveName, unpackArchive } from './archive/unpack.ts'
import { findSkills, folderInBounds } from './find-skills.ts'
import { isAddress, parseGitAddress, publishAt } from './git/address.ts'
import type { GitAddress } from './git/address.ts'
import { cloneAll } from './git/clones.ts'
import type { CheckedOut } from './git/clones.ts'
import { openOrigin, originOfCommit, originOfOwn } from './origin.ts'
import type { OriginOptions } from './origin.ts'
import type { OpenSource } from './read-source.ts'
import type { FailedSource } from './report.ts'

/** What a positional of the command names. */
export type SourceAddress =
  | { kind: 'folder' | 'archive'; given: string; path: string }
  | { kind: 'git'; given: string; address: GitAddress }

const NO_ADDRESS = `says no address that readers can open; say one of:
  --source https://github.com/<owner>/<repository>   the repository is a copy of that one
  --source https://github.com                        its last two folders are owner and repository there
  --own [--author <handle>]                          its skills are the registry's own`

const readGit = (given: string, { source, isOwn }: OriginOptions): SourceAddress => {
  const address = parseGitAddress(given)
  if (isOwn && source === undefined) return { kind: 'git', given, address }
  if (isOwn) throw new UsageError('--source and --own exclude each other: a skill has one origin.')
  if (source === undefined) {
    if (address.web === undefined) throw new UsageError(`${showValue(given, 200)} ${NO_ADDRESS}`)
    return { kind: 'git', given, address }
  }
  if (address.web !== undefined) {
    throw new UsageError(
      `--source is refused: ${showValue(given, 200)} says itself where its skills lie.`,
    )
  }
  return { kind: 'git', given, address: publishAt(address, source) }
}

/** Reads one positional: an address of git, or a folder or an archive on this machine. Throws UsageError. */
export const readSourceAddress = (given: string, options: OriginOptions): SourceAddress => {
  if (isAddress(given)) return readGit(given, options)
  const stats = given === '' ? undefined : statSync(given, { throwIfNoEntry: false })
  if (!stats) throw new UsageError(`No such folder: ${showValue(given, 200)}.`)
  const path = realpathSync(resolve(given))
  return { kind: stats.isDirectory() ? 'folder' : 'archive', given, path }
}

/** Sources that lie on this disk, and those that cannot be had. */
export interface OpenSources {
  sources: OpenSource[]
  failed: FailedSource[]
}

/** What opening sources needs of its surroundings. */
export interface OpenSettings {
  /** Temporary folder for what is fetched and unpacked. */
  folder: string
  options: OriginOptions
  progress: Progress
  signal: AbortSignal
}

const openFolder = (
  given: string,
  root: string,
  rootName: string,
  options: OriginOptions,
): OpenSource => ({
  given,
  root,
  bounds: root,
  rootName,
  origin: openOrigin(root, options),
})

const openArchive = async (
  given: string,
  path: string,
  place: string,
  options: OriginOptions,
): Promise<OpenSource> => {
  mkdirSync(place)
  const root = await unpackArchive(path, place)
  return openFolder(given, root, archiveName(basename(path)), options)
}

const openCheckedOut = (
  { address, commit, folder, place, findChange }: CheckedOut,
  { isOwn, author }: OriginOptions,
): OpenSource => {
  const { web, owner, name, given } = address
  const origin =
    isOwn || web === undefined
      ? originOfOwn(author)
      : originOfCommit({ web, commit, folder, owner }, author)
  const rootName = folder === '' ? name : basename(folder)
  return { given, root: join(place, folder), bounds: place, rootName, origin, findChange }
}

const openOne = async (
  source: SourceAddress,
  place: string,
  options: OriginOptions,
  checkedOut: readonly CheckedOut[],
): Promise<OpenSource | undefined> => {
  if (source.kind === 'git') {
    const found = checkedOut.find(({ address }) => address === source.address)
    return found && openCheckedOut(found, options)
  }
  const { given, path } = source
  return source.kind === 'folder'
    ? openFolder(given, path, basename(path), options)
    : openArchive(given, path, place, options)
}

const listFolders = (root: string, bounds: string): string[] =>
  findSkills(root, bounds).found.map((skill) => folderInBounds(skill, bounds))

/**
 * Fetches and unpacks what the addresses name. A source that cannot be had is told and the others go
 * on; a wrong call is thrown as UsageError.
 */
export const openSources = async (
  addresses: readonly SourceAddress[],
  { folder, options, progress, signal }: OpenSettings,
): Promise<OpenSources> => {
  const opened: OpenSources = { sources: [], failed: [] }
  const fail = (source: string, error: unknown): void => {
    if (!(error instanceof CommandError)) throw error
    opened.failed.push({ source, reason: error.message })
  }
  const git = addresses.flatMap((one) => (one.kind === 'git' ? [one.address] : []))
  const clones = { folder, progress, signal, listFolders }
  const checkedOut =
    git.length === 0 ? [] : await cloneAll(git, clones, ({ given }, error) => fail(given, error))
  for (const [index, one] of addresses.entries()) {
    signal.throwIfAborted()
    try {
      const source = await openOne(one, join(folder, `archive-${index}`), options, checkedOut)
      if (source) opened.sources.push(source)
    } catch (error) {
      fail(one.given, error)
    }
  }
  return opened
}
