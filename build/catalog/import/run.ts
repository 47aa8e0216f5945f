import type { Retired } from '../../../src/catalog/schema.ts'
import type { Progress } from '../../site/progress.ts'
import { lacksSite, prepareFolder, withLock } from '../store/lock.ts'
import { takeStep } from '../store/interrupt.ts'
import { readRecords } from '../store/records.ts'
import { clearUnfinished, writeSkillFolder } from '../store/skill-folder.ts'
import { assignPlaces } from './assign.ts'
import type { Assigned } from './assign.ts'
import type { Candidate } from './candidate.ts'
import { dropDuplicates } from './duplicates.ts'
import { notePlan, planSkill } from './plan.ts'
import type { ImportSettings } from './plan.ts'
import { readSource } from './read-source.ts'
import type { OpenSource, ReadSource } from './read-source.ts'
import type { FailedSource, ImportReport } from './report.ts'
import { dropRetired } from './retired.ts'
import { describeStored, listGone } from './stored.ts'
import type { Stored } from './stored.ts'
import { placeKey } from './tree-address.ts'

/** Who is told how far an import is, and who may stop it. */
export interface ImportWatch {
  progress: Progress
  signal: AbortSignal
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
  const wanted = dropRetired(all, retired, isKnown)
  const single = dropDuplicates(wanted.kept, isKnown)
  report.skipped.push(...wanted.skips, ...single.skips)
  return assignPlaces(single.kept, stored, retired)
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
    const planned = await planSkill(one, settings, report)
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
    try {
      await settle(read, settings, report, watch)
    } finally {
      clearUnfinished(into)
    }
  })
  return report
}
