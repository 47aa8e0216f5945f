import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { showValue } from '../../../src/catalog/text.ts'
import type { Pool } from '../../site/pool.ts'
import { CommandError, UsageError } from '../cli/command.ts'
import { archiveName, unpackArchive } from './archive/unpack.ts'
import type { Candidate, ReadTask } from './candidate.ts'
import { findSkills, folderInBounds } from './find.ts'
import { isAddress, parseGitAddress, publishAt, childAddress } from './address.ts'
import type { GitAddress } from './address.ts'
import type { LastChange, Watch, cloneAll } from './git/clones.ts'
import { judgeLinks } from './git/tracked.ts'
import type { LinkRule } from './git/tracked.ts'
import { MANIFEST, originOfFolder, originOfRepository } from './origin.ts'
import type { Origin, OriginOptions, Provenance } from './origin.ts'
import type { Skip } from './skill-md.ts'
import type { ImportJobs } from './worker.ts'

type SourceAddress =
  | { kind: 'folder' | 'archive'; argument: string; path: string }
  | { kind: 'git'; argument: string; address: GitAddress }

/** A source on the local disk. */
interface LocalSource {
  argument: string
  root: string
  /** The root, or its repository. */
  bounds: string
  links: LinkRule
  /** Name of the root, for a skill in the root. */
  rootName: string
  origin: Origin
  /** Whether it was fetched over https. */
  isFetched: boolean
  movedTo?: string | undefined
  /** Finds when a folder below the bounds was last changed; undefined without history. */
  findChange?: (folder: string) => Promise<LastChange>
}

/** A source after reading: importable skills and messages. */
export interface ReadSource {
  origin: Origin
  /** Origin of each skill by path, including skipped ones. */
  traced: Map<string, Provenance>
  candidates: Candidate[]
  skips: Skip[]
  /** The skills that could not be read in time. */
  lost: { source: string; reason: string }[]
}

const NO_ADDRESS = `says no address that readers can open; say one of:
  --source https://github.com/<owner>/<repository>   the repository is a copy of that one
  --source https://github.com                        its last two folders are owner and repository there
  --own [--author <handle>]                          its skills are the registry's own`

const parseGitSource = (argument: string, { source, isOwn }: OriginOptions): GitAddress => {
  const address = parseGitAddress(argument)
  const shown = showValue(argument, 200)
  if (source === undefined) {
    if (isOwn || address.web !== undefined) return address
    throw new UsageError(`${shown} ${NO_ADDRESS}`)
  }
  if (address.web === undefined) return publishAt(address, source)
  throw new UsageError(`--source is refused: ${shown} says itself where its skills lie.`)
}

/** Parses one positional: an address of git, or a folder or archive on this machine. Throws UsageError. */
export const parseSourceAddress = (argument: string, options: OriginOptions): SourceAddress => {
  if (options.isOwn && options.source !== undefined) {
    throw new UsageError('--source and --own exclude each other: a skill has one origin.')
  }
  if (isAddress(argument))
    return { kind: 'git', argument, address: parseGitSource(argument, options) }
  const stats = argument === '' ? undefined : statSync(argument, { throwIfNoEntry: false })
  if (!stats) throw new UsageError(`No such folder: ${showValue(argument, 200)}.`)
  const path = realpathSync(resolve(argument))
  return { kind: stats.isDirectory() ? 'folder' : 'archive', argument, path }
}

const openCheckedOut = (
  {
    address,
    commit,
    folder,
    bounds,
    movedTo,
    findChange,
  }: Awaited<ReturnType<typeof cloneAll>>[number],
  options: OriginOptions,
): LocalSource => {
  const { owner, name, argument } = address
  const web = address.web && childAddress(`${address.web}/tree/${commit}`, folder)
  const origin = originOfRepository(web, owner, options)
  const rootName = folder === '' ? name : basename(folder)
  const isFetched = address.remote.startsWith('https:')
  const root = join(bounds, folder)
  const links = 'inside'
  return { argument, root, bounds, links, rootName, origin, isFetched, movedTo, findChange }
}

/**
 * Fetches and unpacks sources into a temporary folder. Adds those that cannot be fetched to `failed` and continues.
 * Throws UsageError.
 */
export const openSources = async (
  addresses: readonly SourceAddress[],
  folder: string,
  { options, ...watch }: Watch & { options: OriginOptions },
): Promise<{ sources: LocalSource[]; failed: { source: string; reason: string }[] }> => {
  const sources: LocalSource[] = []
  const failed: { source: string; reason: string }[] = []
  const fail = (source: string, error: unknown): void => {
    if (!(error instanceof CommandError)) throw error
    failed.push({ source, reason: error.message })
  }
  const git = addresses.flatMap((one) => (one.kind === 'git' ? [one.address] : []))
  // Loaded lazily: folders and archives need no network, which takes .1 CPU s to load.
  const clones = git.length > 0 ? await import('./git/clones.ts') : undefined
  const checkedOut = await clones?.cloneAll(git, folder, watch, ({ argument }, error) =>
    fail(argument, error),
  )
  for (const [index, one] of addresses.entries()) {
    watch.signal.throwIfAborted()
    try {
      if (one.kind === 'git') {
        const found = checkedOut?.find(({ address }) => address === one.address)
        if (found) sources.push(openCheckedOut(found, options))
        continue
      }
      let root = one.path
      if (one.kind === 'archive') {
        const unpacked = join(folder, `archive-${index}`)
        mkdirSync(unpacked)
        root = await unpackArchive(one.path, unpacked)
      }
      const rootName = one.kind === 'archive' ? archiveName(basename(one.path)) : basename(root)
      const origin = originOfFolder(root, options)
      sources.push({
        argument: one.argument,
        root,
        bounds: root,
        links: one.kind === 'archive' ? 'inside' : 'tracked',
        rootName,
        origin,
        isFetched: false,
      })
    } catch (error) {
      fail(one.argument, error)
    }
  }
  return { sources, failed }
}

const SLOW_REMEDY = 'simplify the file and those beside it, or leave the folder out'

/** Reads every skill of a source, sorted by path; `label` goes before paths in messages. */
export const readSource = async (
  { argument, root, bounds: outer, links, rootName, origin, isFetched, findChange }: LocalSource,
  label: string,
  { progress }: Watch,
  pool: Pool<ImportJobs>,
): Promise<ReadSource> => {
  const bounds = realpathSync(outer)
  const { found, skips } = findSkills(root, judgeLinks(links, bounds))
  const read: ReadSource = { origin, traced: new Map(), candidates: [], skips: [], lost: [] }
  const skip = (one: Skip): number => read.skips.push({ ...one, path: label + one.path })
  for (const one of [...origin.skips, ...skips]) skip(one)
  const paths = new Set(found.map(({ path }) => path))
  for (const path of origin.expected.filter((one) => !paths.has(one))) {
    const reason = `${MANIFEST} names this folder, and no skill of its own lies there`
    skip({ path, kind: 'bad', reason, remedy: 'fetch it again, or take the row out' })
  }
  const source = { label, rootName, bounds, links, isFetched }
  const tasks: ReadTask[] = []
  for (const skill of found) {
    const { path } = skill
    const provenance = origin.trace(path)
    if (!provenance) {
      const reason = `${MANIFEST} has no row for this folder`
      const remedy = 'add one with owner, dir and sourceUrl, or leave the folder out'
      skip({ path, kind: 'bad', reason, remedy })
      continue
    }
    read.traced.set(path, provenance)
    tasks.push({ skill, provenance, source })
  }
  progress.stage('Reading skills', tasks.length)
  // A single worker answers in order.
  await pool.run('read', tasks, {
    onDone: (done, { skill }) => {
      progress.step()
      if ('reason' in done) return void skip({ path: skill.file, kind: 'bad', ...done })
      const findOwn = findChange && (() => findChange(folderInBounds(skill, bounds)))
      read.candidates.push({ ...done, findChange: findOwn })
    },
    onLost: ({ skill }, why) => {
      const reason = `${label}${skill.file}: ${why}, so it was left out; ${SLOW_REMEDY}`
      read.lost.push({ source: argument, reason })
    },
  })
  progress.end()
  return read
}
