import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
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
import { listSeen, takeDue } from './days.ts'
import { createReview } from './review.ts'
import type { ReviewSettings, VersionReport } from './review.ts'
import { addressOf, createChooser, keyOf, listIncluded } from './sources.ts'
import { readState, readWaiting, writeState } from './sources.ts'

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
  /** What is said of files of its skills. */
  notices: ImportReport['warnings']
  failed: string[]
  seconds: number
}

export interface UpdateSettings {
  content: string
  /** Which versions wait, in place of what the rows say. */
  review?: SourceRow['review']
  /** Whether many new skills of a known source may come at once. */
  mayFlood: boolean
  /** Whether nothing is written. */
  isDry: boolean
  isPrivate: boolean
  today: string
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

/** The commit at which a source was last read; undefined if it would be read otherwise now. */
const findKnownCommit = (content: string, row: SourceRow): string | undefined => {
  const known = readState(content).read[keyOf(row)]
  return known?.reading === READING ? known.commit : undefined
}

/** Remembers what waits of a source, why, and since when. */
const rememberWaiting = (
  row: SourceRow,
  { versions }: Pick<SourceReport, 'versions'>,
  { content, today }: UpdateSettings,
): Promise<void> =>
  withLock(content, async () => {
    const state = readState(content)
    const slugs = new Set(versions.map(({ slug }) => slug))
    const flooded = [
      ...state.flooded.filter((slug) => !slugs.has(slug)),
      ...versions.flatMap(({ slug, holds }) => (holds.includes('flood') ? slug : [])),
    ]
    const seen = listSeen(state, versions, readWaiting(content), row, today)
    if (!isDeepStrictEqual([flooded, seen], [state.flooded, state.seen]))
      writeState(content, { ...state, flooded, seen })
  })

/** Remembers the commit of a source and its slugs that the catalog has already, and forgets rows that are no more. */
const rememberCommit = (
  content: string,
  row: SourceRow,
  commit: string,
  leftOut: SourceReport['leftOut'],
  rows: readonly SourceRow[],
): Promise<void> =>
  withLock(content, async () => {
    const state = readState(content)
    const keys = new Set(rows.map(keyOf))
    const kept = Object.entries(state.read).filter(([key]) => keys.has(key))
    const shadowed = leftOut.flatMap(({ path, kind }) => (kind === 'shadowed' ? path : []))
    const now = {
      address: row.address,
      commit,
      reading: READING,
      ...(shadowed.length > 0 && { shadowed }),
    }
    const read = { ...Object.fromEntries(kept), [keyOf(row)]: now }
    writeState(content, { ...state, read })
  })

type Answer = { source?: Followed; commit: string; failed: string[]; due: VersionReport[] }

const reviewSettings = (
  row: SourceRow,
  { content, review, mayFlood, today, isDry }: UpdateSettings,
): ReviewSettings => ({
  content,
  policy: review ?? row.review ?? 'findings',
  wait: row.wait ?? 0,
  // What a curator has just added or widened is no flood.
  mayFlood: mayFlood || readState(content).read[keyOf(row)] === undefined,
  today,
  isDry,
})

/** Reads a source, and adds each version to `versions` as soon as it is written or put aside. */
const readChanged = (
  row: SourceRow,
  source: Followed,
  settings: UpdateSettings,
  versions: VersionReport[],
): Promise<Omit<SourceReport, 'address' | 'isUnchanged' | 'seconds'>> =>
  withTemporaryFolder(async (stage) => {
    const { content, isDry } = settings
    const review = createReview(stage, reviewSettings(row, settings))
    const report = await importSources([source], {
      into: content,
      options: optionsOf(row, settings.isPrivate),
      today: settings.today,
      dryRun: isDry,
      progress: createProgress({ write: () => true }),
      category: row.category,
      leaveOut: createChooser(row),
      included: listIncluded(row),
      ...(settings.limit && { limit: settings.limit }),
      review: (version, write) => {
        const judged = review(version)
        if (judged.state === 'written') write()
        versions.push(judged)
      },
    })
    const { unchanged, gone, skipped: leftOut } = report
    const lost = versions.flatMap((one) => explainLostBits(one.slug, one.lostBits))
    const notices = [...report.warnings.filter(({ kind }) => kind !== undefined), ...lost]
    const failed = report.failed.map(({ reason }) => reason)
    return { found: unchanged.length + versions.length, versions, gone, leftOut, notices, failed }
  })

/** Reads a source if its commit is another than the one remembered. Whatever goes wrong is in its report. */
const followSource = async (
  row: SourceRow,
  { source, commit, failed, due }: Answer,
  rows: readonly SourceRow[],
  settings: UpdateSettings,
): Promise<Omit<SourceReport, 'seconds'>> => {
  const { address } = row
  const { content } = settings
  const versions: VersionReport[] = []
  const notices = due.flatMap((one) => explainLostBits(one.slug, one.lostBits))
  const lists = { versions: due, gone: [], leftOut: [], notices, failed }
  const nothing = { address, isUnchanged: false, found: 0, ...lists }
  try {
    if (!source || failed.length > 0) return nothing
    if (findKnownCommit(content, row) === commit) return { ...nothing, isUnchanged: true }
    const report = await readChanged(row, source, settings, versions)
    if (!settings.isDry) {
      await rememberWaiting(row, report, settings)
      if (report.failed.length === 0)
        await rememberCommit(content, row, commit, report.leftOut, rows)
    }
    const all = { versions: [...due, ...versions], notices: [...notices, ...report.notices] }
    return { address, isUnchanged: false, ...report, ...all }
  } catch (error) {
    const reason = describeSourceError(error)
    return { ...nothing, versions: [...due, ...versions], failed: [reason] }
  }
}

const secondsSince = (start: number): number => (performance.now() - start) / 1_000

/** Asks every chosen source for its commit, and reads those that changed; `rows` are all of the list. */
export const followSources = async (
  chosen: readonly SourceRow[],
  rows: readonly SourceRow[],
  settings: UpdateSettings,
): Promise<SourceReport[]> => {
  const { progress, isPrivate, content } = settings
  const due = new Map<SourceRow, VersionReport[]>()
  for (const row of chosen) due.set(row, await takeDue(row, reviewSettings(row, settings)))
  const asked = await mapAtOnce(chosen, ASKED_AT_ONCE, async (row) => {
    const start = performance.now()
    const answer: Answer = { commit: '', failed: [], due: due.get(row) ?? [] }
    try {
      answer.source = parseFollowed(row, isPrivate)
      answer.commit = await askCommit(answer.source, findKnownCommit(content, row))
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
