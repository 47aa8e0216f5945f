import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join, posix, resolve } from 'node:path'
import { locationKey } from '../../../src/catalog/address.ts'
import { showOdd } from '../../../src/catalog/folder-files.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { IMPORT_TIME, runEach } from '../../../src/catalog/in-time.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { countOf, showValue } from '../../../src/catalog/text.ts'
import { workInGroups } from '../../machine/groups.ts'
import type { Progress } from '../../machine/progress.ts'
import { makeProblem } from '../rules.ts'
import type { Violation } from '../rules.ts'
import { UsageError } from '../cli/command.ts'
import { readCategoryNames, readRecords } from '../store/records.ts'
import type { StoredRecord } from '../store/records.ts'
import { openCandidate, readCandidate } from './candidate.ts'
import type { Candidate, ReadTask } from './candidate.ts'
import { findOwnSkills } from './copied.ts'
import type { FileViolation } from './file-faults.ts'
import {
  PACKAGE_FOLDER,
  folderInBounds,
  folderOf,
  isOutside,
  isSkillMd,
  listFoldersUp,
} from './find.ts'
import type { TakesOdd } from './find.ts'
import {
  childAddress,
  correctAddress,
  isAddress,
  parseGitAddress,
  publishAt,
} from './git-address.ts'
import type { GitAddress } from './git-address.ts'
import type { LastChange } from './git/last-change.ts'
import { Repository } from './git/repository.ts'
import { listMissing, openGitFiles } from './git/tracked.ts'
import type { GitFiles } from './git/tracked.ts'
import { createLicenceReader } from './licence/folder.ts'
import { sayLeftOut } from './notices.ts'
import { originOfFolder, originOfRepository } from './origin.ts'
import type { Origin, OriginOptions, Provenance } from './origin.ts'
import { RegistryFolders } from './registry-folder.ts'
import { describeSkip, slugify } from './skill-md.ts'
import type { FolderNames, LeaveOut } from './skill-md.ts'
import { dropTwins } from './twins.ts'

export type SourceAddress =
  | { kind: 'folder'; argument: string; path: string }
  | { kind: 'git'; argument: string; address: GitAddress }

interface LocalSource {
  argument: string
  root: string
  /** The root, or the repository that contains it. */
  bounds: string
  /** Name of the root folder, used for a skill in the root. */
  rootName: string
  origin: Origin
  /** Set if it was fetched: a folder has no history, and its links are not known. */
  fetched?: Fetched
}

interface Fetched extends Awaited<ReturnType<Repository['checkOut']>> {
  repository: Repository
  commit: string
  folder: string
}

/** How to read a source, and a curator's choices for it. */
export interface Reading {
  /** Returns the category for a new skill, given the names of its folder. */
  category?: ((folder: FolderNames) => string | undefined) | undefined
  /** The maintainer of its skills. */
  owner?: SkillRecord['owner'] | undefined
  leaveOut?: LeaveOut | undefined
  /** Folder names below which skills are imported, although `ODD_PARENTS` may have the names. */
  included?: ReadonlySet<string> | undefined
  progress: Progress
  options: OriginOptions
  /** Content folder, absolute. */
  into: string
  /** Time limit for reading one skill, in milliseconds. */
  limit?: number | undefined
  /** Returns the time, in milliseconds; set by tests. */
  clock?: (() => number) | undefined
}

export interface ReadSource {
  origin: Origin
  /** Provenance of each skill by path, including skipped skills. */
  traced: Map<string, Provenance>
  candidates: Candidate[]
}

/** What an import finds besides versions. */
export interface ImportReport {
  /** Whether the source was not read before. Of the registry's own skills, any can be from elsewhere then. */
  isNew: boolean
  leftOut: Problem[]
  /** What is wrong with files, and what the import changed. */
  notices: Problem[]
  /** If the source is a registry: the addresses that it follows itself. */
  followed: string[]
  failed: string[]
}

const NO_ADDRESS = `states no address that readers can open; pass one of:
  --source https://github.com/<owner>/<repository>   the repository is a clone of this address
  --own [--author <handle>]                          the skills are the registry's own`

const parseGitSource = (
  argument: string,
  { source, isOwn, isPrivate = false }: OriginOptions,
): GitAddress => {
  const address = parseGitAddress(argument, isPrivate)
  const shown = showValue(argument, 200)
  if (source === undefined) {
    if (isOwn || address.web !== undefined) return address
    throw new UsageError(`${shown} ${NO_ADDRESS}`)
  }
  if (address.web === undefined) return publishAt(address, source)
  throw new UsageError(`--source is refused: ${shown} already states where its skills are.`)
}

/** Parses an argument: a git address, or a folder on this machine. Throws UsageError. */
export const parseSourceAddress = (argument: string, options: OriginOptions): SourceAddress => {
  if (options.isOwn && options.source !== undefined) {
    throw new UsageError('--source and --own exclude each other: a skill has one origin.')
  }
  if (isAddress(argument))
    return { kind: 'git', argument, address: parseGitSource(argument, options) }
  const stats = argument === '' ? undefined : statSync(argument, { throwIfNoEntry: false })
  const shown = showValue(argument, 200)
  if (!stats) {
    const address = correctAddress(argument)
    const advice = address === undefined ? '' : ` For the repository, write ${address}.`
    throw new UsageError(`No such folder: ${shown}.${advice}`)
  }
  if (!stats.isDirectory())
    throw new UsageError(`${shown} is a file; unpack it and pass the folder.`)
  return { kind: 'folder', argument, path: realpathSync(resolve(argument)) }
}

/** Fetches what an address refers to into a folder. */
const openRepository = async (
  address: GitAddress,
  place: string,
  { options, included, leaveOut }: Reading,
): Promise<LocalSource> => {
  const { argument, owner, name } = address
  const repository = new Repository(place, address)
  repository.open()
  const { ref, folder } = await repository.splitTree(address.tree)
  const commit = await repository.fetchCommit(ref)
  const committed = await repository.readDay(commit)
  const hasPackages = [...folder.split('/'), ...(included ?? [])].includes(PACKAGE_FOLDER)
  const checkedOut = await repository.checkOut(commit, folder, { hasPackages, leaveOut })
  const web = address.web && childAddress(`${address.web}/tree/${commit}`, folder)
  const root = join(place, folder)
  // Git does not create it if all of its skills are left out.
  mkdirSync(root, { recursive: true })
  return {
    argument,
    root,
    bounds: place,
    rootName: folder === '' ? name : basename(folder),
    origin: originOfRepository(web, owner, options, committed),
    fetched: { ...checkedOut, repository, commit, folder },
  }
}

/** Opens a folder, or fetches a repository into a temporary folder. Throws CommandError. */
export const openSource = async (
  source: SourceAddress,
  place: string,
  reading: Reading,
): Promise<LocalSource> => {
  if (source.kind === 'folder') {
    const { argument, path: root } = source
    const origin = originOfFolder(reading.options)
    return { argument, root, bounds: root, rootName: basename(root), origin }
  }
  reading.progress.stage('Fetching the source')
  const opened = await openRepository(source.address, place, reading)
  reading.progress.end()
  return opened
}

/** Returns a function that finds the catalog skill imported from a folder of this source. */
const findFollowed = (
  into: string,
  trace: Origin['trace'],
): ((path: string) => StoredRecord | undefined) => {
  let skills: ReadonlyMap<string, StoredRecord> | undefined
  return (path) => {
    skills ??= new Map(
      readRecords(into).records.map((stored) => {
        const { slug, record } = stored
        const { source, author } = record
        return [source.kind === 'own' ? `${author}\n${slug}` : locationKey(source.url), stored]
      }),
    )
    const { url, author } = trace(path)
    return skills.get(
      url === undefined ? `${author}\n${slugify(basename(path))}` : locationKey(url),
    )
  }
}

const readChoice = (stored: StoredRecord | undefined): ReadTask['choice'] =>
  stored && {
    licence: stored.record.licence,
    digest: stored.record.licenceDigest,
  }

/** Warns that a skill in an odd folder is imported only because the catalog already has it, and how to remove it. */
const warnOfParent = (
  { path, file, oddParents }: ReadTask['skill'],
  included: Reading['included'],
  followed: ReturnType<typeof findFollowed>,
): Problem[] => {
  const detail = oddParents.find((name) => !included?.has(name))
  if (detail === undefined) return []
  const remedy = `to remove it, run "npm run catalog -- retire ${followed(path)?.slug}"`
  return [makeProblem(file, { rule: 'odd-parent', detail, remedy })]
}

/** Folders whose address is shown, to follow them instead. */
const FOLDERS_SHOWN = 3

/** Warns that other skills are files of the one at the root of a source, and says which addresses import them. */
const warnOfSwallowed = (
  { path, file, swallowed }: ReadTask['skill'],
  argument: string,
): Problem[] => {
  if (path !== '' || swallowed.length === 0) return []
  const root = isAddress(argument) && !argument.includes('/tree/') ? '/tree/<branch>' : ''
  const folders = [...new Set(swallowed.map((inner) => inner.split('/')[0]!))]
  const placeOf = isAddress(argument) ? childAddress : join
  const shown = folders.slice(0, FOLDERS_SHOWN).map((name) => placeOf(argument + root, name))
  const more = folders.length > FOLDERS_SHOWN ? ', and so on' : ''
  const detail = countOf(swallowed.length, 'folder')
  const remedy = `to have them as skills, add ${shown.join(', ')}${more}`
  return [makeProblem(file, { rule: 'swallowed', detail, remedy })]
}

/** The path of the innermost skill that contains a file. */
const findSkillAround = (path: string, skills: ReadonlySet<string>): string | undefined =>
  listFoldersUp(folderOf(path)).find((folder) => skills.has(folder))

/** Characters to show of an overlong path, to leave room for the reason. */
const ODD_LIMIT = 100

const findMissing = (git: GitFiles, root: string): FileViolation[] =>
  listMissing(git, root).map((path) => {
    const remedy = 'check it out, or import the address of its repository'
    return { path, rule: 'not-checked-out', remedy }
  })

/** Warns about files of a skill that are left out because git did not check them out. */
const warnOfOdd = (odd: readonly FileViolation[] = []): Problem[] =>
  odd.map(({ path, ...violation }) => sayLeftOut(makeProblem(showOdd(path, ODD_LIMIT), violation)))

const SLOW_REMEDY = 'simplify the file and the files beside it, or leave the folder out'

/** Reports that a skill was left out because it took too long to read. */
export const describeSlow = (file: string, fault: string): string =>
  `${file}: ${fault}, so it was left out; ${SLOW_REMEDY}`

/** Returns the result of `read`, or the reason to skip the skill. */
const orSkip = <Result>(read: () => Result): Result | Violation => {
  try {
    return read()
  } catch (error) {
    return describeSkip(error)
  }
}

/** Maximum time to read the skills of a source, in milliseconds: a thousand times that of most sources. */
const SOURCE_TIME = 600_000

/** Reads a group of skills, each within the time limit. */
const readGroup = (tasks: readonly ReadTask[], limit: number) => {
  const opened = tasks.map((task) => ({ task, files: orSkip(() => openCandidate(task)) }))
  return runEach(limit, opened, ({ task, files }) =>
    'rule' in files ? files : orSkip(() => readCandidate(files, task)),
  )
}

/** Reads every skill of a source, sorted by path. */
export const readSource = async (
  { argument, root, rootName, origin, fetched, ...source }: LocalSource,
  {
    progress,
    category,
    owner,
    leaveOut,
    included,
    into,
    limit = IMPORT_TIME,
    clock = () => performance.now(),
  }: Reading,
  report: ImportReport,
): Promise<ReadSource> => {
  const bounds = realpathSync(source.bounds)
  const git = openGitFiles(bounds)
  const listNames = (path: string): FolderNames =>
    fetched
      ? fetched.repository.listNames(posix.join(fetched.folder, path), fetched.folder)
      : { names: [path], through: [] }
  const trace: Origin['trace'] = (path) => {
    const real = listNames(path).names[0]!
    const from = origin.trace(real)
    const link = isOutside(real) ? origin.trace(path).url : undefined
    return link === undefined ? from : { ...from, link }
  }
  const followed = findFollowed(into, trace)
  const takesOdd: TakesOdd = (path, parent) =>
    included?.has(parent) === true || followed(path) !== undefined
  const place = realpathSync(root)
  const { found, skips } = findOwnSkills(place, git, takesOdd)
  const odd = fetched?.odd ?? findMissing(git, place)
  const traced = new Map<string, Provenance>()
  const all: Candidate[] = []
  const skip = (path: string, violation: Violation): void => {
    report.leftOut.push(makeProblem(path, violation))
  }
  const noteProvenance = (path: string): Provenance => {
    const provenance = trace(path)
    traced.set(path, provenance)
    return provenance
  }
  report.leftOut.push(...skips)
  const paths = new Set(found.map(({ path }) => path))
  const oddFiles = Map.groupBy(odd, ({ path }) => findSkillAround(path, paths))
  for (const { path, ...violation } of oddFiles.get(undefined) ?? [])
    if (isSkillMd(basename(path))) {
      skip(path, violation)
      noteProvenance(folderOf(path))
    }
  const readLicence = createLicenceReader(bounds)
  const categories = readCategoryNames(into)
  const facts = { rootName, git, readLicence, categories }
  const tasks: ReadTask[] = []
  const registries = new RegistryFolders()
  const judge = (path: string): Violation | undefined => leaveOut?.(listNames(path))
  // A left-out skill that a symlink points to was checked out and found nevertheless.
  for (const path of fetched?.leftOut.filter((folder) => !paths.has(folder)) ?? []) {
    noteProvenance(path)
    const refusal = judge(path)
    if (refusal) skip(path, refusal)
  }
  for (const skill of found) {
    const { path } = skill
    const provenance = noteProvenance(path)
    const refusal = judge(path) ?? registries.judge(realpathSync(skill.folder))
    if (refusal) skip(path, refusal)
    else tasks.push({ skill, provenance, source: facts, choice: readChoice(followed(path)) })
  }
  // The history is read once, and only if a skill of the source is new or changed.
  let changes: Promise<Map<string, LastChange>> | undefined
  const findChange = (folder: string): Promise<LastChange | undefined> | undefined => {
    const folders = found.map((skill) => folderInBounds(skill, bounds))
    changes ??= fetched?.repository.findLastChanges(fetched.commit, folders)
    return changes?.then((known) => known.get(folder))
  }
  // Read only if the catalog names an older commit for an unchanged skill.
  let commits: ReturnType<Repository['listCommits']> | undefined
  const hasCommit = async (commit: string): Promise<boolean | undefined> =>
    (await (commits ??= fetched?.repository.listCommits(fetched.commit)))?.has(commit)
  progress.stage('Reading skills', tasks.length)
  const take = (outcome: ReturnType<typeof readGroup>[number], { skill }: ReadTask): void => {
    progress.step()
    if ('fault' in outcome) {
      report.failed.push(describeSlow(skill.file, outcome.fault))
      return
    }
    const { result } = outcome
    if ('rule' in result) return skip(skill.file, result)
    const findOwn = () => findChange(folderInBounds(skill, bounds))
    const warnings = [
      ...result.warnings,
      ...(result.isCopied ? warnOfOdd(oddFiles.get(skill.path)) : []),
      ...warnOfParent(skill, included, followed),
      ...warnOfSwallowed(skill, argument),
    ]
    const chosen = category?.(listNames(skill.path)) ?? result.category
    all.push({
      ...result,
      category: chosen,
      ...(owner !== undefined && { owner }),
      warnings,
      findChange: findOwn,
      hasCommit,
    })
  }
  const start = clock()
  let left = 0
  await workInGroups(
    tasks,
    (group) => {
      const isOver = clock() - start > SOURCE_TIME
      if (isOver) left += group.length
      return isOver ? [] : readGroup(group, limit)
    },
    take,
  )
  progress.end()
  if (left > 0)
    report.failed.push(
      `${countOf(left, 'skill')} not read: the source takes longer than ${SOURCE_TIME / 60_000} minutes; choose some with "include"`,
    )
  const { candidates, skips: twins } = await dropTwins(all)
  report.leftOut.push(...twins)
  report.notices.push(...candidates.flatMap(({ warnings }) => warnings))
  report.followed.push(...registries.listFollowed())
  return { origin, traced, candidates }
}
