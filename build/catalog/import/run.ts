import { join } from 'node:path'
import { problemsOf, renderProblem } from '../../../src/catalog/problems.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import { RECORD_FILE } from '../../../src/catalog/skill-files.ts'
import type { Progress } from '../../site/progress.ts'
import { lacksSite, prepareFolder, withLock } from '../content-folder.ts'
import { readRecords } from '../records.ts'
import { clearUnfinished, compareFolder, writeSkillFolder } from '../skill-folder.ts'
import { assignPlaces } from './assign.ts'
import type { Assigned } from './assign.ts'
import type { OriginOptions } from './origin.ts'
import { readSource } from './read-source.ts'
import type { ReadSource } from './read-source.ts'
import { isSameRecord, makeRecord } from './record.ts'
import type { ImportReport } from './report.ts'
import { describeStored, listGone } from './stored.ts'

/** What an import is asked to do. */
export interface ImportSettings extends OriginOptions {
  /** Folder of the source, absolute. */
  from: string
  /** Content folder, absolute. */
  into: string
  date?: string | undefined
  today: string
  dryRun: boolean
}

/** Brings one skill's folder up to date and notes what changed. */
const settleSkill = (
  { candidate, id, slug, stored }: Assigned,
  { into, date, today, dryRun }: ImportSettings,
  report: ImportReport,
): void => {
  const change = compareFolder(join(into, 'skills', slug), candidate.files)
  const filesChanged = change.written.length + change.removed.length > 0
  const record = makeRecord({ candidate, id, stored: stored?.record, filesChanged, date, today })
  const checked = skillRecord.safeParse(record)
  if (!checked.success) {
    const reason = problemsOf(RECORD_FILE, record, checked.error).map(renderProblem).join('; ')
    const remedy = 'correct it in the source'
    report.skipped.push({ path: candidate.file, kind: 'bad', reason, remedy })
    return
  }
  const outcome = { path: candidate.path, slug, id, category: record.category }
  const recordChanged = !isSameRecord(record, stored?.record)
  if (!filesChanged && !recordChanged) {
    report.unchanged.push(outcome)
    return
  }
  const inSkill = (path: string): string => `skills/${slug}/${path}`
  report.written.push(...change.written.map(inSkill))
  report.removed.push(...change.removed.map(inSkill))
  if (recordChanged) report.written.push(inSkill(RECORD_FILE))
  report[stored ? 'updated' : 'imported'].push(outcome)
  if (!dryRun) writeSkillFolder(into, slug, candidate.files, change, record)
}

const settle = (
  source: ReadSource,
  settings: ImportSettings,
  report: ImportReport,
  progress: Progress,
): void => {
  const { records, retired } = readRecords(settings.into)
  const stored = records.map((one) => describeStored(settings.into, one))
  const assigned = assignPlaces(source.candidates, stored, retired)
  progress.stage(settings.dryRun ? 'Comparing skills' : 'Writing skills', assigned.length)
  for (const one of assigned) {
    settleSkill(one, settings, report)
    progress.step()
  }
  progress.end()
  report.gone.push(...listGone(source, stored, assigned))
}

/** Imports a folder of skills into a content folder, and says what it did. */
export const importFolder = async (
  settings: ImportSettings,
  progress: Progress,
): Promise<ImportReport> => {
  const { from, into, dryRun } = settings
  const source = readSource(from, settings, progress)
  const report: ImportReport = {
    dryRun,
    from,
    into,
    imported: [],
    updated: [],
    unchanged: [],
    skipped: [...source.skips],
    gone: [],
    warnings: source.warnings,
    written: [],
    removed: [],
  }
  const hasWork = source.candidates.length > 0
  if (hasWork && lacksSite(into)) report.written.push('site.json')
  if (dryRun || !hasWork) {
    settle(source, settings, report, progress)
    return report
  }
  prepareFolder(into)
  await withLock(into, async () => {
    clearUnfinished(into)
    try {
      settle(source, settings, report, progress)
    } finally {
      clearUnfinished(into)
    }
  })
  return report
}
