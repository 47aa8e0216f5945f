import { hash } from 'node:crypto'
import { join } from 'node:path'
import { isWithin, listPlaces } from '../../../src/catalog/address.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { parseLicenceName } from '../../../src/catalog/licence.ts'
import type { SiteRecord, SourceRow } from '../../../src/catalog/schema.ts'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'
import type { SkillFile } from '../../../src/catalog/skill.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { createProgress } from '../../machine/progress.ts'
import { RULES } from '../rules.ts'
import {
  CommandError,
  UsageError,
  describeSourceError,
  withTemporaryFolder,
} from '../cli/command.ts'
import type { CommandContext } from '../cli/command.ts'
import { AbsentError, Repository } from '../import/git/repository.ts'
import { remoteKey } from '../import/git-address.ts'
import type { OriginOptions } from '../import/origin.ts'
import { explainLostBits } from '../import/notices.ts'
import { importSource } from '../import/run.ts'
import type { ImportSettings, Version } from '../import/run.ts'
import { parseSourceAddress } from '../import/sources.ts'
import type { ImportReport, SourceAddress } from '../import/sources.ts'
import { isRedistributable } from '../import/licence/licence.ts'
import { hasSkillText, isPrivateIn, readRecords, readSite } from '../store/records.ts'
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
  readSources,
} from './sources.ts'
import type { Stage } from './stage.ts'

/** How many sources are queried at the same time. */
const SOURCES_AT_ONCE = 8

/** The outcome of following one source; the steps fill it. */
export class SourceReport implements ImportReport {
  address: string
  isUnchanged = false
  isNew = false
  /** Number of skills in the source, without those left out. */
  found = 0
  versions: VersionReport[] = []
  /** Skills that the source no longer has. */
  gone: Awaited<ReturnType<typeof importSource>>['missing'] = []
  /** Slugs of skills that were missing on an earlier day, too, and are marked as gone now. */
  markedGone: string[] = []
  leftOut: Problem[] = []
  followed: string[] = []
  notices: Problem[] = []
  failed: string[] = []
  /** Set if the failure is that the followed folder or repository does not exist for readers. */
  absent?: AbsentError['what'] | undefined

  constructor(address: string) {
    this.address = address
  }

  /** Whether it was read but has no skill for the catalog. */
  get isEmpty(): boolean {
    const isLeftOut = this.leftOut.every(({ rule }) => RULES.get(rule)?.isLeftOut)
    return !this.isUnchanged && this.found === 0 && isLeftOut
  }
}

interface FollowSettings extends Pick<CommandContext, 'now' | 'today' | 'stderr'> {
  content: string
  /** Whether versions that need a look are left out. */
  isSafe?: boolean
  stage: Stage
  /** Time limit for reading the files of one skill, in milliseconds; 5 s by default. */
  limit?: number | undefined
}

const optionsOf = ({ source, own, author }: SourceRow): OriginOptions => ({
  source,
  isOwn: own === true,
  author,
})

type Followed = Exclude<SourceAddress, { kind: 'folder' }>

/** Parses the address of a row. Throws UsageError, also for a folder: a folder has no commits to compare. */
const parseFollowed = (row: SourceRow, isPrivate: boolean): Followed => {
  const parsed = parseSourceAddress(addressOf(row), { ...optionsOf(row), isPrivate })
  if (parsed.kind !== 'folder') return parsed
  throw new UsageError(`${row.address} is a folder; follow a git address, or import the folder.`)
}

/** Requests the current commit of a repository. Throws CommandError. */
const requestCommit = ({ address }: Followed): Promise<string> =>
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
): string => {
  // A curator who removes a skill from the catalog and from retired.json wants it again.
  const taken = countTaken(row, groups)
  const decisive = JSON.stringify([READING, taken, Object.entries(row).sort()])
  return hash('sha256', decisive, 'hex').slice(0, 16)
}

/** Saves what was read of a source, and which versions were left out. Removes the state of deleted rows. */
const rememberSource = (
  row: SourceRow,
  commit: string,
  report: SourceReport,
  { content, stage }: FollowSettings,
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
    const reading = digestReading(row, groupSources(content))
    if (isComplete) lock.read.set(address, isOpen ? {} : { commit, reading })
    lock.lastId = readRecords(content).lastId
    writeSourcesLock(content, lock)
    stage.add(SOURCES_LOCK)
  })

/** Makes the next run read a source, even if it is at the same commit. */
const forgetCommit = (row: SourceRow, { content, stage }: FollowSettings): Promise<void> =>
  withLock(content, async () => {
    const lock = readSourcesLock(content)
    if (lock.read.get(nameOf(row))?.commit === undefined) return
    lock.read.set(nameOf(row), {})
    writeSourcesLock(content, lock)
    stage.add(SOURCES_LOCK)
  })

/** The policy of a row, or else that of its registry. */
const chooseReview = (
  site: SiteRecord | undefined,
  review: SourceRow['review'],
): NonNullable<SourceRow['review']> =>
  review ?? site?.review ?? (site?.private ? 'all' : 'findings')

interface Taking {
  stage: Stage
  /** Whether versions that need a look are left out. */
  isSafe?: boolean | undefined
  /** The policy of the source; by default that of the registry. */
  review?: SourceRow['review']
  /** Whether somebody asked for these skills: also what was rejected, retired or changed here is written. */
  isAsked?: boolean
}

/** Reads a source and fills its report. Each version is in the report as soon as it is written or left out. */
export const takeVersions = async (
  address: SourceAddress,
  reading: Omit<ImportSettings, 'review'>,
  { stage, isSafe = false, review, isAsked = false }: Taking,
  report: SourceReport,
): Promise<void> => {
  const { into: content } = reading
  const { versions } = report
  const lock = readSourcesLock(content)
  const site = readSite(content)
  const judging = {
    content,
    isSafe,
    isAsked,
    review: chooseReview(site, review),
    policy: site?.policy,
    isRejected: createRejectedTest(lock),
    told: new Set(lock.left.map(({ left }) => left)),
  }
  const take = (version: Version, write: () => SkillFile[]): void => {
    const { slug, live, change } = version
    const judged = judgeVersion(version, judging)
    const touched = [...change.written, ...change.removed, RECORD_FILE]
    if (judged.outcome === 'taken') {
      if (live && !isAsked && stage.hasChanges(slug, touched)) judged.outcome = 'changed here'
      else {
        report.notices.push(...explainLostBits(`skills/${slug}`, write()))
        stage.add(`skills/${slug}`)
      }
    }
    versions.push(judged)
  }
  const { unchanged, missing } = await importSource(address, { ...reading, review: take }, report)
  // A run that was killed may have written versions without staging them, and did not print the way back.
  const uncommitted = stage.listUncommitted()
  for (const { slug } of unchanged) if (uncommitted.has(slug)) stage.add(`skills/${slug}`)
  report.found = unchanged.length + versions.length
  report.gone = missing
}

/** Reads the source of a row and fills its report. */
const readChanged = async (
  row: SourceRow,
  source: Followed,
  { content, isSafe, stage, limit, now, today }: FollowSettings,
  report: SourceReport,
): Promise<void> => {
  report.isNew = !readSourcesLock(content).read.has(nameOf(row))
  const reading = {
    into: content,
    options: optionsOf(row),
    now,
    today,
    progress: createProgress({ write: () => true }),
    category: createCategoryChooser(row),
    owner: row.owner,
    leaveOut: createLeaveOut(row),
    included: listIncluded(row),
    limit,
  }
  await takeVersions(source, reading, { stage, isSafe, review: row.review }, report)
}

/** Runs a step. Returns undefined after an error, which goes into the report. */
const runStep = async <Result>(
  report: SourceReport,
  step: () => Promise<Result>,
): Promise<Result | undefined> => {
  try {
    return await step()
  } catch (error) {
    report.failed.push(describeSourceError(error))
    if (error instanceof AbsentError) report.absent = error.what
    return undefined
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
  settings: FollowSettings,
): Promise<void> => {
  const { content } = settings
  const { absent, isUnchanged, failed, gone } = report
  if (absent === undefined ? failed.length > 0 : absent === 'repository' && !hasWitness) return
  // Reading 2,000 records takes 0.1 s, which a hundred sources without a missing skill need not spend.
  const isComplete = gone.length === 0 && readSourcesLock(content).missed.size === 0
  if (absent === undefined && isComplete) return
  const followed = listFollowed(content, row)
  if (absent !== undefined) {
    report.gone = followed
    // If it returns, it is read again, even at the same commit.
    await forgetCommit(row, settings)
  }
  const missing = isUnchanged
    ? listStillMissing(content, followed)
    : followed.filter(({ slug }) => report.gone.some((skill) => skill.slug === slug))
  report.markedGone = await markGone(content, followed, missing, settings)
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
  settings: FollowSettings,
): Promise<SourceReport[]> => {
  const { isSafe = false, content } = settings
  // An unreadable record stops the command before any source is read.
  readRecords(content)
  const isPrivate = isPrivateIn(content)
  const progress = createProgress(settings.stderr)
  const groups = groupSources(content)
  const waiting = listChosen(content)
  const { read: known, left } = readSourcesLock(content)
  const ask = async (row: SourceRow) => {
    const report = new SourceReport(row.address)
    const answer = await runStep(report, async () => {
      const source = parseFollowed(row, isPrivate)
      const commit = await requestCommit(source)
      const { web } = source.address
      const isChosen = web !== undefined && waiting.some((url) => isWithin(url, web))
      const last = known.get(nameOf(row))
      const isRead = commit === last?.commit && last.reading === digestReading(row, groups)
      const isOpen = isChosen || (!isSafe && left.some(({ address }) => address === nameOf(row)))
      report.isUnchanged = isRead && !isOpen
      return { source, commit }
    })
    return { row, report, answer }
  }
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  for (let at = 0; at < chosen.length; at += SOURCES_AT_ONCE)
    answers.push(...(await Promise.all(chosen.slice(at, at + SOURCES_AT_ONCE).map(ask))))
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

/** Reads a new source. If it has a skill, even a faulty one, `save` writes its row, and what was read is remembered. */
export const followNew = async (
  row: SourceRow,
  settings: FollowSettings,
  save: () => Promise<void>,
): Promise<SourceReport> => {
  const { content } = settings
  readRecords(content)
  const source = parseFollowed(row, isPrivateIn(content))
  const commit = await requestCommit(source)
  const report = new SourceReport(row.address)
  await runStep(report, () => readChanged(row, source, settings, report))
  const { versions, found, failed, isEmpty } = report
  await runStep(report, async () => {
    if (versions.length + found === 0 && (isEmpty || failed.length > 0))
      throw new CommandError(
        `No skill was taken from ${showValue(row.address, 200)}, so it is not followed.`,
      )
    await save()
    await rememberSource(row, commit, report, settings)
  })
  return report
}
