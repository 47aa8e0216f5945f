import { hash } from 'node:crypto'
import { join } from 'node:path'
import { isWithin, listPlaces } from '../../../src/catalog/address.ts'
import { parseLicenceName } from '../../../src/catalog/licence.ts'
import type { SourceRow } from '../../../src/catalog/schema.ts'
import { createProgress } from '../../machine/progress.ts'
import type { Progress } from '../../machine/progress.ts'
import { mapAtOnce } from '../cli/at-once.ts'
import { UsageError, describeSourceError, withTemporaryFolder } from '../cli/command.ts'
import { AbsentError, Repository } from '../import/git/repository.ts'
import { remoteKey } from '../import/git-address.ts'
import type { OriginOptions } from '../import/origin.ts'
import { explainLostBits } from '../import/notices.ts'
import { importSources } from '../import/run.ts'
import type { ImportReport } from '../import/run.ts'
import { parseSourceAddress } from '../import/sources.ts'
import { isRedistributable } from '../import/licence/licence.ts'
import { hasSkillText, readRecords } from '../store/records.ts'
import { readSourcesLock } from '../store/sources-lock.ts'
import { withLock, writeSourcesLock } from '../store/write.ts'
import { countTaken, groupSources, listFollowed, listStillMissing, markGone } from './gone.ts'
import { createReview } from './review.ts'
import type { ReviewSettings, VersionReport } from './review.ts'
import {
  addressOf,
  createCategoryChooser,
  createLeaveOut,
  listIncluded,
  nameOf,
  readAgain,
  readSources,
} from './sources.ts'

/** How many sources are queried at the same time. */
const SOURCES_AT_ONCE = 8

/** The outcome of following one source; the steps fill it. */
export class SourceReport {
  address: string
  isUnchanged = false
  /** Number of skills in the source, without those left out. */
  found = 0
  versions: VersionReport[] = []
  /** Skills that the source no longer has. */
  gone: ImportReport['gone'] = []
  /** Slugs of skills that were missing on an earlier day, too, and are marked as gone now. */
  markedGone: string[] = []
  leftOut: ImportReport['skipped'] = []
  /** If a new source is a registry: the addresses that it follows itself. */
  followed: string[] = []
  /** Notices about the skills' files. */
  notices: ImportReport['warnings'] = []
  failed: string[] = []
  /** Set if the failure is that the followed folder or repository does not exist for readers. */
  absent?: AbsentError['what'] | undefined
  seconds = 0

  constructor({ address }: SourceRow) {
    this.address = address
  }
}

interface UpdateSettings extends Omit<ReviewSettings, 'policy'> {
  /** Which versions wait for a curator; overrides the rows. */
  review?: SourceRow['review']
  isPrivate: boolean
  progress: Progress
  /** Time limit for reading the files of one skill, in milliseconds; 5 s by default. */
  limit?: number | undefined
}

const optionsOf = (row: SourceRow, isPrivate: boolean): OriginOptions => ({
  source: row.source,
  isOwn: row.own === true,
  author: row.author,
  isPrivate,
})

type Followed = Exclude<ReturnType<typeof parseSourceAddress>, { kind: 'folder' }>

/** Parses the address of a row. Throws UsageError, also for a folder: a folder has no commits to compare. */
export const parseFollowed = (row: SourceRow, isPrivate: boolean): Followed => {
  const parsed = parseSourceAddress(addressOf(row), optionsOf(row, isPrivate))
  if (parsed.kind !== 'folder') return parsed
  throw new UsageError(`${row.address} is a folder; follow a git address, or import the folder.`)
}

/** Requests the current commit of a repository. Throws CommandError. */
export const requestCommit = ({ address }: Followed): Promise<string> =>
  withTemporaryFolder((folder) => {
    const repository = new Repository(join(folder, 'repository'), address)
    repository.open()
    return repository.findCommit()
  })

/** Raise this number when a release copies more of a source: `update` then reads every source again. */
const READING = 3

/** The digest of all but the commit that decides what is read of a source. A note in its row decides nothing. */
const digestReading = (
  { note: _note, ...row }: SourceRow,
  groups: ReturnType<typeof groupSources>,
  isPrivate: boolean,
): string => {
  // A curator who removes a skill from the catalog and from retired.json wants it again.
  const taken = countTaken(row, groups, isPrivate)
  const decisive = JSON.stringify([READING, taken, Object.entries(row).sort()])
  return hash('sha256', decisive, 'hex').slice(0, 16)
}

/** Saves the state of a source after reading it. Removes the state of deleted rows. */
const rememberSource = (
  row: SourceRow,
  commit: string,
  report: SourceReport,
  { content, isPrivate }: UpdateSettings,
): Promise<void> =>
  withLock(content, async () => {
    if (report.failed.length > 0) return
    const lock = readSourcesLock(content)
    const names = new Set(readSources(content).map(nameOf))
    for (const name of lock.read.keys()) if (!names.has(name)) lock.read.delete(name)
    const reading = digestReading(row, groupSources(content), isPrivate)
    // A skill that the catalog has no place for is told again, until it has one.
    const isOpen = report.leftOut.some(({ kind }) => kind === 'catalog')
    lock.read.set(nameOf(row), isOpen ? {} : { commit, reading })
    lock.lastId = readRecords(content).lastId
    writeSourcesLock(content, lock)
  })

/** Makes the next run read a source, even if it is at the same commit. */
const forgetCommit = (content: string, row: SourceRow): Promise<void> =>
  withLock(content, async () => {
    const lock = readSourcesLock(content)
    readAgain(lock, (name) => name === nameOf(row))
    writeSourcesLock(content, lock)
  })

/** Reads a source and fills its report. Each version is in the report as soon as it is written or held back. */
const readChanged = (
  row: SourceRow,
  source: Followed,
  settings: UpdateSettings,
  report: SourceReport,
): Promise<void> =>
  withTemporaryFolder(async (temporary) => {
    const { content, isDry, isPrivate, limit, now, today } = settings
    const { versions } = report
    const isNew = !readSourcesLock(content).read.has(nameOf(row))
    const review = createReview(temporary, {
      ...settings,
      policy: settings.review ?? row.review ?? 'findings',
      // A new row may add many skills at once.
      mayFlood: settings.mayFlood || isNew,
    })
    const { unchanged, gone, skipped, warnings, followed, failed } = await importSources([source], {
      into: content,
      options: optionsOf(row, isPrivate),
      now,
      today,
      dryRun: isDry,
      progress: createProgress({ write: () => true }),
      category: createCategoryChooser(row),
      owner: row.owner,
      leaveOut: createLeaveOut(row),
      included: listIncluded(row),
      limit,
      review: (version, write) => {
        const judged = review(version)
        if (judged.state === 'written') write()
        versions.push(judged)
      },
    })
    const lost = versions.flatMap((version) => explainLostBits(version.slug, version.lostBits))
    report.found = unchanged.length + new Set(versions.map(({ slug }) => slug)).size
    report.gone = gone
    report.leftOut = skipped
    if (isNew) report.followed = followed
    report.notices = [...warnings.filter(({ kind }) => kind !== undefined), ...lost]
    report.failed = failed.map(({ reason }) => reason)
    report.absent = failed.find(({ absent }) => absent)?.absent
  })

/** Runs a step and adds its time to the report. Returns undefined after an error, which also goes into the report. */
const runStep = async <Result>(
  report: SourceReport,
  step: () => Promise<Result>,
): Promise<Result | undefined> => {
  const start = performance.now()
  try {
    return await step()
  } catch (error) {
    report.failed.push(describeSourceError(error))
    if (error instanceof AbsentError) report.absent = error.what
    return undefined
  } finally {
    report.seconds += (performance.now() - start) / 1_000
  }
}

/** The host that a request for the current commit reached; none for a repository on this machine or a given commit. */
const hostAsked = ({ address: { remote, tree = '' } }: Followed): string | undefined =>
  remote.startsWith('file:') || /^[0-9a-f]{40}/.test(tree) ? undefined : new URL(remote).host

/**
 * Finds skills that are missing in a source, and marks those as gone that were missing on an earlier day. If a repository cannot
 * be read, that counts only if `hasWitness`: another repository of the same host was read in this run.
 */
const noteMissing = async (
  row: SourceRow,
  report: SourceReport,
  hasWitness: boolean,
  { content, isPrivate, isDry, today }: UpdateSettings,
): Promise<void> => {
  const { absent, isUnchanged, failed, gone } = report
  if (absent === undefined ? failed.length > 0 : absent === 'repository' && !hasWitness) return
  // Reading 2,000 records takes 0.1 s, which a hundred sources without a missing skill need not spend.
  const isComplete = gone.length === 0 && readSourcesLock(content).missed.size === 0
  if (absent === undefined && isComplete) return
  const followed = listFollowed(content, row, isPrivate)
  if (absent !== undefined) {
    report.gone = followed
    // If it returns, it is read again, even at the same commit.
    if (!isDry) await forgetCommit(content, row)
  }
  const missing = isUnchanged
    ? listStillMissing(content, followed)
    : followed.filter(({ slug }) => report.gone.some((skill) => skill.slug === slug))
  report.markedGone = await markGone(content, followed, missing, { isDry, today })
}

/** Addresses of skills for which a curator has chosen a licence since their source was read: their text may now come in. */
const listChosen = (content: string): string[] =>
  readRecords(content).records.flatMap(({ slug, record: { source, licence, licenceDigest } }) => {
    const name = licenceDigest === undefined ? undefined : parseLicenceName(licence ?? '')
    const isWaiting = name !== undefined && isRedistributable(name) && !hasSkillText(content, slug)
    return source.kind === 'upstream' && isWaiting ? listPlaces(source) : []
  })

/** Requests the commit of every chosen source, and reads the sources that changed. */
export const followSources = async (
  chosen: readonly SourceRow[],
  settings: UpdateSettings,
): Promise<SourceReport[]> => {
  const { progress, isPrivate, isDry, content } = settings
  const groups = groupSources(content)
  const waiting = listChosen(content)
  const { read: known } = readSourcesLock(content)
  const answers = await mapAtOnce(chosen, SOURCES_AT_ONCE, async (row) => {
    const report = new SourceReport(row)
    const answer = await runStep(report, async () => {
      const source = parseFollowed(row, isPrivate)
      const commit = await requestCommit(source)
      const { web } = source.address
      const isChosen = web !== undefined && waiting.some((url) => isWithin(url, web))
      const last = known.get(nameOf(row))
      const isRead =
        commit === last?.commit && last.reading === digestReading(row, groups, isPrivate)
      report.isUnchanged = isRead && !isChosen
      return { source, commit }
    })
    return { row, report, answer }
  })
  const asked = answers.flatMap(({ answer }) => (answer ? [answer.source] : []))
  const hasWitness = (row: SourceRow): boolean => {
    const { address } = parseFollowed(row, isPrivate)
    const others = asked.filter((other) => remoteKey(other.address) !== remoteKey(address))
    return others.some((other) => hostAsked(other) === new URL(address.remote).host)
  }
  progress.stage('Following sources', chosen.length)
  for (const { row, report, answer } of answers) {
    if (answer && !report.isUnchanged)
      await runStep(report, async () => {
        await readChanged(row, answer.source, settings, report)
        if (!isDry) await rememberSource(row, answer.commit, report, settings)
      })
    const isWitnessed = report.absent === 'repository' && hasWitness(row)
    await runStep(report, () => noteMissing(row, report, isWitnessed, settings))
    progress.step()
  }
  progress.end()
  return answers.map(({ report }) => report)
}
