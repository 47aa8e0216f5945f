import { hash } from 'node:crypto'
import { join } from 'node:path'
import { isWithin, listPlaces } from '../../../src/catalog/address.ts'
import { parseLicenceName } from '../../../src/catalog/licence.ts'
import type { SourceRow } from '../../../src/catalog/schema.ts'
import type { SkillFile } from '../../../src/catalog/skill.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import { createProgress } from '../../machine/progress.ts'
import type { Progress } from '../../machine/progress.ts'
import { RULES } from '../rules.ts'
import { mapAtOnce } from '../cli/at-once.ts'
import { UsageError, describeSourceError, withTemporaryFolder } from '../cli/command.ts'
import { AbsentError, Repository } from '../import/git/repository.ts'
import { remoteKey } from '../import/git-address.ts'
import type { OriginOptions } from '../import/origin.ts'
import { explainLostBits } from '../import/notices.ts'
import { importSources } from '../import/run.ts'
import type { ImportReport, Version } from '../import/run.ts'
import { parseSourceAddress } from '../import/sources.ts'
import { isRedistributable } from '../import/licence/licence.ts'
import { hasSkillText, readRecords, readSite } from '../store/records.ts'
import { SOURCES_LOCK, readSourcesLock } from '../store/sources-lock.ts'
import { withLock, writeSourcesLock } from '../store/write.ts'
import { countTaken, groupSources, listFollowed, listStillMissing, markGone } from './gone.ts'
import { judgeVersion } from './judge.ts'
import { createRejectedTest } from './version.ts'
import type { VersionReport } from './judge.ts'
import {
  addressOf,
  createCategoryChooser,
  createLeaveOut,
  listIncluded,
  nameOf,
  readAgain,
  readSources,
} from './sources.ts'
import type { Stage } from './stage.ts'

/** How many sources are queried at the same time. */
const SOURCES_AT_ONCE = 8

/** The outcome of following one source; the steps fill it. */
export class SourceReport {
  address: string
  isUnchanged = false
  /** Whether it was not read before. */
  isNew = false
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

interface UpdateSettings {
  content: string
  /** Whether versions that need a look are left out. */
  isSafe: boolean
  isPrivate: boolean
  /** When the command started: YYYY-MM-DDThh:mm:ssZ. */
  now: string
  today: string
  stage: Stage
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

/** Saves what was read of a source, and which versions were left out. Removes the state of deleted rows. */
const rememberSource = (
  row: SourceRow,
  commit: string,
  report: SourceReport,
  { content, isPrivate, stage }: UpdateSettings,
): Promise<void> =>
  withLock(content, async () => {
    const { versions, leftOut, failed } = report
    const lock = readSourcesLock(content)
    const address = nameOf(row)
    const names = new Set(readSources(content).map(nameOf))
    for (const name of lock.read.keys()) if (!names.has(name)) lock.read.delete(name)
    const isComplete = failed.length === 0
    const left = versions.filter(({ outcome }) => outcome === 'left')
    lock.left = [
      ...lock.left.filter(
        (fact) => names.has(fact.address) && !(isComplete && fact.address === address),
      ),
      ...left.map(({ digest }) => ({ address, left: digest })),
    ]
    // A skill that the catalog has no place for, that a curator works on, or that git did not stage is offered again.
    const isOpen =
      stage.faults.length > 0 ||
      leftOut.some(({ rule }) => rule === 'no-category') ||
      versions.some(({ outcome }) => outcome === 'changed here')
    const reading = digestReading(row, groupSources(content), isPrivate)
    if (isComplete) lock.read.set(address, isOpen ? {} : { commit, reading })
    lock.lastId = readRecords(content).lastId
    writeSourcesLock(content, lock)
    stage.add(SOURCES_LOCK)
  })

/** Makes the next run read a source, even if it is at the same commit. */
const forgetCommit = (content: string, row: SourceRow): Promise<void> =>
  withLock(content, async () => {
    const lock = readSourcesLock(content)
    readAgain(lock, (name) => name === nameOf(row))
    writeSourcesLock(content, lock)
  })

/** The policy of a row, or else that of its registry. */
const chooseReview = (content: string, row: SourceRow): NonNullable<SourceRow['review']> => {
  const site = readSite(content)
  return row.review ?? site?.review ?? (site?.private ? 'all' : 'findings')
}

/** Reads a source and fills its report. Each version is in the report as soon as it is written or left out. */
const readChanged = async (
  row: SourceRow,
  source: Followed,
  settings: UpdateSettings,
  report: SourceReport,
): Promise<void> => {
  const { content, isSafe, isPrivate, stage, limit, now, today } = settings
  const { versions } = report
  const lock = readSourcesLock(content)
  const judging = {
    content,
    isSafe,
    review: chooseReview(content, row),
    policy: readSite(content)?.policy,
    bits: readSkillBits(content),
    isRejected: createRejectedTest(lock),
    told: new Set(lock.left.map(({ left }) => left)),
  }
  const review = (version: Version, write: () => SkillFile[]): void => {
    const { slug, live, touched } = version
    const judged = judgeVersion(version, judging)
    if (judged.outcome === 'taken') {
      if (live && stage.hasChanges(slug, touched)) judged.outcome = 'changed here'
      else {
        judged.lostBits = write()
        stage.add(`skills/${slug}`)
      }
    }
    versions.push(judged)
  }
  const imported = await importSources([source], {
    into: content,
    options: optionsOf(row, isPrivate),
    now,
    today,
    progress: createProgress({ write: () => true }),
    category: createCategoryChooser(row),
    owner: row.owner,
    leaveOut: createLeaveOut(row),
    included: listIncluded(row),
    limit,
    review,
  })
  const { unchanged, gone, skipped, warnings, followed, failed } = imported
  // A run that was killed may have written versions without staging them, and did not print the way back.
  const uncommitted = stage.listUncommitted()
  for (const { slug } of unchanged) if (uncommitted.has(slug)) stage.add(`skills/${slug}`)
  const lost = versions.flatMap((version) =>
    explainLostBits(`skills/${version.slug}`, version.lostBits),
  )
  report.found = unchanged.length + versions.length
  report.gone = gone
  report.leftOut = skipped
  report.isNew = !lock.read.has(nameOf(row))
  if (report.isNew) report.followed = followed
  report.notices = [...warnings.filter(({ rule }) => !RULES.get(rule)?.isOfImport), ...lost]
  report.failed = failed.map(({ reason }) => reason)
  report.absent = failed.find(({ absent }) => absent)?.absent
}

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
 * Finds skills that are missing in a source, and marks those as gone that were missing on an earlier day. If a
 * repository cannot be read, that counts only if `hasWitness`: another repository of the same host was read in this run.
 */
const noteMissing = async (
  row: SourceRow,
  report: SourceReport,
  hasWitness: boolean,
  { content, isPrivate, stage, today }: UpdateSettings,
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
    await forgetCommit(content, row)
  }
  const missing = isUnchanged
    ? listStillMissing(content, followed)
    : followed.filter(({ slug }) => report.gone.some((skill) => skill.slug === slug))
  report.markedGone = await markGone(content, followed, missing, { stage, today })
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
  const { progress, isPrivate, isSafe, content } = settings
  const groups = groupSources(content)
  const waiting = listChosen(content)
  const { read: known, left } = readSourcesLock(content)
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
      const isOpen = isChosen || (!isSafe && left.some(({ address }) => address === nameOf(row)))
      report.isUnchanged = isRead && !isOpen
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
        await rememberSource(row, answer.commit, report, settings)
      })
    const isWitnessed = report.absent === 'repository' && hasWitness(row)
    await runStep(report, () => noteMissing(row, report, isWitnessed, settings))
    progress.step()
  }
  progress.end()
  return answers.map(({ report }) => report)
}
