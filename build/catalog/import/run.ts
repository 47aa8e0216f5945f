import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { listProblems, renderProblem } from '../../../src/catalog/problems.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { RECORD_FILE } from '../../../src/catalog/skill-folder.ts'
import type { Progress } from '../../site/progress.ts'
import { lacksSite, withLock } from '../store/lock.ts'
import { takeStep } from '../store/cleanup.ts'
import { readRecords } from '../store/records.ts'
import { clearUnfinished, compareFolder, writeSkillFolder } from '../store/skill-folder.ts'
import type { FolderChange } from '../store/skill-folder.ts'
import type { Candidate } from './candidate.ts'
import { assignSlugs, describeSkill, listMissing } from './match.ts'
import type { Assigned } from './match.ts'
import { makeRecord, needsChangeDay } from './record.ts'
import type { FailedSource, ImportReport } from './report.ts'
import { dropDuplicates, dropRetired } from './select.ts'
import { locationKey } from './source-url.ts'
import { readSource } from './sources.ts'
import type { LocalSource, ReadSource } from './sources.ts'

export interface ImportSettings {
  /** Content folder, absolute. */
  into: string
  /** The day given with --date, as YYYY-MM-DD. */
  date?: string | undefined
  today: string
  dryRun: boolean
}

interface ImportWatch {
  progress: Progress
  signal: AbortSignal
}

/** A skill with what will change in its folder, and its new record. */
interface Plan extends Assigned {
  change: FolderChange
  record: SkillRecord
}

const planSkill = async (
  assigned: Assigned,
  { into, date, today }: ImportSettings,
  report: ImportReport,
): Promise<Plan> => {
  const { candidate, id, slug, skill } = assigned
  const change = compareFolder(join(into, 'skills', slug), candidate.files)
  const filesChanged = change.written.length + change.removed.length > 0
  const input = { candidate, id, stored: skill?.record, filesChanged, date, today }
  const last = needsChangeDay(input) ? await candidate.findChange() : undefined
  if (last?.warning !== undefined) {
    report.warnings.push({ path: candidate.file, message: last.warning })
  }
  return { ...assigned, change, record: makeRecord({ ...input, changed: last?.day }) }
}

/** Reports what a plan does to the catalog; true where there is something to write. */
const reportPlan = (plan: Plan, report: ImportReport): boolean => {
  const { candidate, id, slug, skill, change, record } = plan
  const checked = skillRecord.safeParse(record)
  if (!checked.success) {
    const reason = listProblems(RECORD_FILE, record, checked.error).map(renderProblem).join('; ')
    const remedy = 'correct it in the source'
    report.skipped.push({ path: candidate.file, kind: 'bad', reason, remedy })
    return false
  }
  const imported = { path: candidate.path, slug, id, category: record.category }
  const written = [
    ...change.written,
    ...(isDeepStrictEqual(record, skill?.record) ? [] : [RECORD_FILE]),
  ]
  if (written.length + change.removed.length === 0) {
    report.unchanged.push(imported)
    return false
  }
  const inSkill = (path: string): string => `skills/${slug}/${path}`
  report.written.push(...written.map(inSkill))
  report.removed.push(...change.removed.map(inSkill))
  report[skill ? 'updated' : 'imported'].push(imported)
  return true
}

const updateCatalog = async (
  sources: readonly ReadSource[],
  settings: ImportSettings,
  report: ImportReport,
  { progress, signal }: ImportWatch,
): Promise<void> => {
  const { into, dryRun } = settings
  const { records, retired } = readRecords(into)
  const skills = records.map((one) => describeSkill(into, one, sources))
  const known = new Set(skills.map(({ url }) => url && locationKey(url)))
  const isKnown = ({ url }: Candidate): boolean => url !== undefined && known.has(locationKey(url))
  const candidates = sources.flatMap((source) => source.candidates)
  const wanted = dropRetired(candidates, retired, isKnown)
  const single = dropDuplicates(wanted.kept, isKnown)
  report.skipped.push(...wanted.skips, ...single.skips)
  const assigned = assignSlugs(single.kept, skills, retired)
  progress.stage(dryRun ? 'Comparing skills' : 'Writing skills', assigned.length)
  for (const one of assigned) {
    await takeStep(signal)
    const plan = await planSkill(one, settings, report)
    if (reportPlan(plan, report) && !dryRun) {
      writeSkillFolder(into, one.slug, one.candidate.files, plan.change, plan.record)
    }
    progress.step()
  }
  progress.end()
  report.gone.push(...listMissing(sources, skills, assigned))
}

const createReport = (
  sources: readonly LocalSource[],
  read: readonly ReadSource[],
  failed: readonly FailedSource[],
  { into, dryRun }: ImportSettings,
): ImportReport => ({
  dryRun,
  from: sources.map(({ given }) => given),
  into,
  imported: [],
  updated: [],
  unchanged: [],
  skipped: read.flatMap(({ skips }) => skips),
  gone: [],
  failed,
  warnings: read.flatMap(({ candidates }) => candidates.flatMap(({ warnings }) => warnings)),
  written: [],
  removed: [],
})

/** Imports sources that lie on this disk into a content folder; `failed` ones are only reported. */
export const importSources = async (
  sources: readonly LocalSource[],
  failed: readonly FailedSource[],
  settings: ImportSettings,
  watch: ImportWatch,
): Promise<ImportReport> => {
  const { into, dryRun } = settings
  const read: ReadSource[] = []
  for (const source of sources) {
    const label = sources.length > 1 ? `${source.given}: ` : ''
    read.push(await readSource(source, label, watch))
  }
  const report = createReport(sources, read, failed, settings)
  const hasWork = read.some(({ candidates }) => candidates.length > 0)
  if (hasWork && lacksSite(into)) report.written.push('site.json')
  const update = (): Promise<void> => updateCatalog(read, settings, report, watch)
  if (dryRun || !hasWork) await update()
  // What a stop leaves between two skills is cleared up at once.
  else await withLock(into, () => update().finally(() => clearUnfinished(into)), { create: true })
  return report
}
