import { join } from 'node:path'
import { problemsOf, renderProblem } from '../../../src/catalog/problems.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { Retired, SkillRecord } from '../../../src/catalog/schema.ts'
import { RECORD_FILE } from '../../../src/catalog/skill-files.ts'
import type { Progress } from '../../site/progress.ts'
import { lacksSite, prepareFolder, withLock } from '../content-folder.ts'
import { takeStep } from '../interrupt.ts'
import { readRecords } from '../records.ts'
import { clearUnfinished, compareFolder, writeSkillFolder } from '../skill-folder.ts'
import type { FolderChange } from '../skill-folder.ts'
import { assignPlaces } from './assign.ts'
import type { Assigned } from './assign.ts'
import type { Candidate } from './candidate.ts'
import { dropDuplicates } from './duplicates.ts'
import { readSource } from './read-source.ts'
import type { OpenSource, ReadSource } from './read-source.ts'
import { isSameRecord, makeRecord, needsDay } from './record.ts'
import type { FailedSource, ImportReport } from './report.ts'
import { describeStored, listGone } from './stored.ts'
import type { Stored } from './stored.ts'
import { placeKey } from './tree-address.ts'

/** What an import is asked to do. */
export interface ImportSettings {
  /** Content folder, absolute. */
  into: string
  date?: string | undefined
  today: string
  dryRun: boolean
}

/** Who is told how far an import is, and who may stop it. */
export interface ImportWatch {
  progress: Progress
  signal: AbortSignal
}

/** One skill with how its folder and its record will change. */
interface Planned extends Assigned {
  change: FolderChange
  filesChanged: boolean
  record: SkillRecord
}

const plan = async (
  assigned: Assigned,
  { into, date, today }: ImportSettings,
  report: ImportReport,
): Promise<Planned> => {
  const { candidate, id, slug, stored } = assigned
  const change = compareFolder(join(into, 'skills', slug), candidate.files)
  const filesChanged = change.written.length + change.removed.length > 0
  const from = { candidate, id, stored: stored?.record, filesChanged, date, today }
  const asked = needsDay(from) ? await candidate.findChange() : undefined
  if (asked?.doubt !== undefined)
    report.warnings.push({ path: candidate.file, message: asked.doubt })
  return { ...assigned, change, filesChanged, record: makeRecord({ ...from, changed: asked?.day }) }
}

/** Notes what a skill's change is, or why it cannot be; says whether there is something to write. */
const notePlan = (planned: Planned, report: ImportReport): boolean => {
  const { candidate, id, slug, stored, change, filesChanged, record } = planned
  const checked = skillRecord.safeParse(record)
  if (!checked.success) {
    const reason = problemsOf(RECORD_FILE, record, checked.error).map(renderProblem).join('; ')
    const remedy = 'correct it in the source'
    report.skipped.push({ path: candidate.file, kind: 'bad', reason, remedy })
    return false
  }
  const outcome = { path: candidate.path, slug, id, category: record.category }
  const recordChanged = !isSameRecord(record, stored?.record)
  if (!filesChanged && !recordChanged) {
    report.unchanged.push(outcome)
    return false
  }
  const inSkill = (path: string): string => `skills/${slug}/${path}`
  report.written.push(...change.written.map(inSkill))
  report.removed.push(...change.removed.map(inSkill))
  if (recordChanged) report.written.push(inSkill(RECORD_FILE))
  report[stored ? 'updated' : 'imported'].push(outcome)
  return true
}

/** Gives each skill of the sources its place, once. */
const assignAll = (
  sources: readonly ReadSource[],
  stored: readonly Stored[],
  retired: readonly Retired[],
  report: ImportReport,
): Assigned[] => {
  const all = sources.flatMap(({ candidates }) => candidates)
  const places = new Set(
    stored.flatMap(({ record: { source } }) =>
      source.kind === 'own' ? [] : [placeKey(source.url)],
    ),
  )
  const isKnown = ({ provenance: { url } }: Candidate): boolean =>
    url !== undefined && places.has(placeKey(url))
  const { kept, skips } = dropDuplicates(all, isKnown)
  report.skipped.push(...skips)
  return assignPlaces(kept, stored, retired)
}

const settle = async (
  sources: readonly ReadSource[],
  settings: ImportSettings,
  report: ImportReport,
  { progress, signal }: ImportWatch,
): Promise<void> => {
  const { into, dryRun } = settings
  const { records, retired } = readRecords(into)
  const stored = records.map((one) => describeStored(into, one, sources))
  const assigned = assignAll(sources, stored, retired, report)
  progress.stage(dryRun ? 'Comparing skills' : 'Writing skills', assigned.length)
  for (const one of assigned) {
    await takeStep(signal)
    const planned = await plan(one, settings, report)
    if (notePlan(planned, report) && !dryRun) {
      writeSkillFolder(into, one.slug, one.candidate.files, planned.change, planned.record)
    }
    progress.step()
  }
  progress.end()
  report.gone.push(...listGone(sources, stored, assigned))
}

const readSources = async (
  sources: readonly OpenSource[],
  { progress, signal }: ImportWatch,
): Promise<ReadSource[]> => {
  const read: ReadSource[] = []
  for (const source of sources) {
    const label = sources.length > 1 ? `${source.given}: ` : ''
    read.push(await readSource(source, label, progress, signal))
  }
  return read
}

/** Imports sources that lie on this disk into a content folder, and says what it did. */
export const importSources = async (
  sources: readonly OpenSource[],
  failed: readonly FailedSource[],
  settings: ImportSettings,
  watch: ImportWatch,
): Promise<ImportReport> => {
  const { into, dryRun } = settings
  const read = await readSources(sources, watch)
  const report: ImportReport = {
    dryRun,
    from: sources.map(({ given }) => given),
    into,
    imported: [],
    updated: [],
    unchanged: [],
    skipped: read.flatMap(({ skips }) => skips),
    gone: [],
    failed,
    warnings: read.flatMap(({ warnings }) => warnings),
    written: [],
    removed: [],
  }
  const hasWork = read.some(({ candidates }) => candidates.length > 0)
  if (hasWork && lacksSite(into)) report.written.push('site.json')
  if (dryRun || !hasWork) {
    await settle(read, settings, report, watch)
    return report
  }
  prepareFolder(into)
  await withLock(into, async () => {
    clearUnfinished(into)
    try {
      await settle(read, settings, report, watch)
    } finally {
      clearUnfinished(into)
    }
  })
  return report
}
