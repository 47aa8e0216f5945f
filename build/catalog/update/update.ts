import { join } from 'node:path'
import type { SourceRow } from '../../../src/catalog/schema.ts'
import { createProgress } from '../../machine/progress.ts'
import type { Progress } from '../../machine/progress.ts'
import { mapAtOnce } from '../cli/at-once.ts'
import { UsageError, describeSourceError, withTemporaryFolder } from '../cli/command.ts'
import { Repository } from '../import/git/repository.ts'
import type { OriginOptions } from '../import/origin.ts'
import { explainLostBits } from '../import/notices.ts'
import { importSources } from '../import/run.ts'
import type { ImportReport } from '../import/run.ts'
import { parseSourceAddress } from '../import/sources.ts'
import { withLock } from '../store/write.ts'
import { createReview } from './review.ts'
import type { ReviewSettings, VersionReport } from './review.ts'
import {
  addDays,
  addressOf,
  createCategoryChooser,
  createChooser,
  keyOf,
  listIncluded,
  nameWaiting,
  readState,
  readWaiting,
  writeState,
} from './sources.ts'
import type { SourceState } from './sources.ts'

/** Sources asked at a time. */
const ASKED_AT_ONCE = 8

export interface SourceReport {
  address: string
  isUnchanged: boolean
  /** Skills found in it that were not left out. */
  found: number
  versions: VersionReport[]
  gone: ImportReport['gone']
  leftOut: ImportReport['skipped']
  /** Notices about files of its skills. */
  notices: ImportReport['warnings']
  failed: string[]
  seconds: number
}

type Read = Omit<SourceReport, 'address' | 'isUnchanged' | 'seconds'>

interface UpdateSettings extends Omit<ReviewSettings, 'policy' | 'wait'> {
  /** Which versions wait, in place of what the rows say. */
  review?: SourceRow['review']
  isPrivate: boolean
  progress: Progress
  /** Milliseconds that the files of a skill may take, if not 5 s. */
  limit?: number
}

const optionsOf = (row: SourceRow, isPrivate: boolean): OriginOptions => ({
  source: row.source,
  isOwn: row.own === true,
  author: row.author,
  tokenFrom: row.tokenFrom,
  isPrivate,
})

type Followed = Exclude<ReturnType<typeof parseSourceAddress>, { kind: 'folder' }>

/** Parses the address of a row. Throws UsageError for a folder too, which has no commits to compare. */
export const parseFollowed = (row: SourceRow, isPrivate: boolean): Followed => {
  const parsed = parseSourceAddress(addressOf(row), optionsOf(row, isPrivate))
  if (parsed.kind !== 'folder') return parsed
  throw new UsageError(`${row.address} is a folder; follow a git address, or import the folder.`)
}

/** Asks which commit a source is at, a registry for the tag of its list. Throws UsageError or CommandError. */
export const askCommit = (source: Followed, known?: string): Promise<string> =>
  source.kind === 'registry'
    ? source.registry.ask(known)
    : withTemporaryFolder(async (folder) => {
        const repository = new Repository(join(folder, 'asked'), source.address)
        await repository.open()
        return repository.findCommit()
      })

/** Raise it when more of a source is copied than before: then `update` reads each source once more. */
const READING = 2

/** Whether the days of a version of a source are over. */
const createOver =
  ({ address, wait = 0 }: SourceRow, today: string) =>
  ({ source, when }: SourceState['seen'][number]): boolean =>
    source === address && addDays(when, wait) <= today

/** The commit at which a source was last read; undefined if it is to be read again, as where days of a version are over. */
const findKnownCommit = (
  row: SourceRow,
  { content, today }: UpdateSettings,
): string | undefined => {
  const { read, seen } = readState(content)
  const known = read[keyOf(row)]
  const isRead = known?.reading === READING && !seen.some(createOver(row, today))
  return isRead ? known.commit : undefined
}

/** The versions that wait for their days after a source was read, and since when. */
const listSeen = (
  { seen }: SourceState,
  { versions, failed }: Read,
  row: SourceRow,
  { content, today }: UpdateSettings,
): SourceState['seen'] => {
  const waiting = new Set(readWaiting(content).map(nameWaiting))
  const held = new Set(versions.filter(({ state }) => state === 'held').map(nameWaiting))
  const isOver = createOver(row, today)
  // One whose days are over, and that did not go in, waits for a curator.
  const kept = seen.filter(
    (one) =>
      waiting.has(nameWaiting(one)) &&
      !held.has(nameWaiting(one)) &&
      (failed.length > 0 || !isOver(one)),
  )
  const known = new Set(kept.map(({ digest }) => digest))
  const begun = versions
    .filter(({ state, digest }) => state === 'days' && !known.has(digest))
    .map(({ slug, digest }) => ({ slug, digest, when: today, source: row.address }))
  return [...kept, ...begun]
}

/**
 * Remembers the waiting versions of a source that was read, and if all of it could be, its commit and its slugs that
 * the catalog has already. Forgets rows that are no more.
 */
const rememberSource = (
  row: SourceRow,
  commit: string,
  report: Read,
  rows: readonly SourceRow[],
  settings: UpdateSettings,
): Promise<void> =>
  withLock(settings.content, async () => {
    const { content } = settings
    const state = readState(content)
    const slugs = new Set(report.versions.map(({ slug }) => slug))
    const flooded = [
      ...state.flooded.filter((slug) => !slugs.has(slug)),
      ...report.versions.flatMap(({ slug, holds }) => (holds.includes('flood') ? slug : [])),
    ]
    const keys = new Set(rows.map(keyOf))
    const kept = Object.entries(state.read).filter(([key]) => keys.has(key))
    const shadowed = report.leftOut.flatMap(({ path, kind }) => (kind === 'shadowed' ? path : []))
    const now = {
      address: row.address,
      commit,
      reading: READING,
      ...(shadowed.length > 0 && { shadowed }),
    }
    const isWhole = report.failed.length === 0
    const read = isWhole ? { ...Object.fromEntries(kept), [keyOf(row)]: now } : state.read
    writeState(content, { ...state, read, flooded, seen: listSeen(state, report, row, settings) })
  })

type Answer = { source?: Followed; commit: string; failed: string[] }

const reviewSettings = (row: SourceRow, settings: UpdateSettings): ReviewSettings => ({
  ...settings,
  policy: settings.review ?? row.review ?? 'findings',
  wait: row.wait ?? 0,
  // A source that a curator has just added or widened may bring many skills at once.
  mayFlood: settings.mayFlood || readState(settings.content).read[keyOf(row)] === undefined,
})

/** Reads a source, and adds each version to `versions` as soon as it is written or put aside. */
const readChanged = (
  row: SourceRow,
  source: Followed,
  settings: UpdateSettings,
  versions: VersionReport[],
): Promise<Read> =>
  withTemporaryFolder(async (stage) => {
    const { content, isDry } = settings
    const review = createReview(stage, reviewSettings(row, settings))
    const report = await importSources([source], {
      into: content,
      options: optionsOf(row, settings.isPrivate),
      today: settings.today,
      dryRun: isDry,
      progress: createProgress({ write: () => true }),
      category: createCategoryChooser(row),
      owner: row.owner,
      leaveOut: createChooser(row),
      included: listIncluded(row),
      ...(settings.limit && { limit: settings.limit }),
      review: (version, write) => {
        const judged = review(version)
        if (judged.at(-1)?.state === 'written') write()
        versions.push(...judged)
      },
    })
    const { unchanged, gone, skipped: leftOut } = report
    const lost = versions.flatMap((one) => explainLostBits(one.slug, one.lostBits))
    const notices = [...report.warnings.filter(({ kind }) => kind !== undefined), ...lost]
    const failed = report.failed.map(({ reason }) => reason)
    const slugs = new Set(versions.map(({ slug }) => slug))
    return { found: unchanged.length + slugs.size, versions, gone, leftOut, notices, failed }
  })

/** Reads a source if its commit is another than the one remembered. Whatever goes wrong is in its report. */
const followSource = async (
  row: SourceRow,
  { source, commit, failed }: Answer,
  rows: readonly SourceRow[],
  settings: UpdateSettings,
): Promise<Omit<SourceReport, 'seconds'>> => {
  const { address } = row
  const versions: VersionReport[] = []
  const lists = { versions, gone: [], leftOut: [], notices: [], failed }
  const nothing = { address, isUnchanged: false, found: 0, ...lists }
  try {
    if (!source || failed.length > 0) return nothing
    if (findKnownCommit(row, settings) === commit) return { ...nothing, isUnchanged: true }
    const report = await readChanged(row, source, settings, versions)
    if (!settings.isDry) await rememberSource(row, commit, report, rows, settings)
    return { address, isUnchanged: false, ...report }
  } catch (error) {
    return { ...nothing, failed: [describeSourceError(error)] }
  }
}

const secondsSince = (start: number): number => (performance.now() - start) / 1_000

/** Asks every chosen source for its commit, and reads those that changed; `rows` are all of the list. */
export const followSources = async (
  chosen: readonly SourceRow[],
  rows: readonly SourceRow[],
  settings: UpdateSettings,
): Promise<SourceReport[]> => {
  const { progress, isPrivate } = settings
  const asked = await mapAtOnce(chosen, ASKED_AT_ONCE, async (row) => {
    const start = performance.now()
    const answer: Answer = { commit: '', failed: [] }
    try {
      answer.source = parseFollowed(row, isPrivate)
      answer.commit = await askCommit(answer.source, findKnownCommit(row, settings))
    } catch (error) {
      answer.failed.push(describeSourceError(error))
    }
    return { row, answer, seconds: secondsSince(start) }
  })
  progress.stage('Following sources', chosen.length)
  const reports = await Array.fromAsync(asked, async (one): Promise<SourceReport> => {
    const start = performance.now()
    const report = await followSource(one.row, one.answer, rows, settings)
    progress.step()
    return { ...report, seconds: one.seconds + secondsSince(start) }
  })
  progress.end()
  return reports
}
