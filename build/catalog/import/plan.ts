import { join } from 'node:path'
import { listProblems, renderProblem } from '../../../src/catalog/problems.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { RECORD_FILE } from '../../../src/catalog/skill-folder.ts'
import { compareFolder } from '../store/skill-folder.ts'
import type { FolderChange } from '../store/skill-folder.ts'
import type { Assigned } from './assign.ts'
import { isSameRecord, makeRecord, needsDay } from './record.ts'
import type { ImportReport } from './report.ts'

/** What an import is asked to do. */
export interface ImportSettings {
  /** Content folder, absolute. */
  into: string
  date?: string | undefined
  today: string
  dryRun: boolean
}

/** One skill with how its folder and its record will change. */
export interface Planned extends Assigned {
  change: FolderChange
  filesChanged: boolean
  record: SkillRecord
}

/** Compares a skill with the catalog, and asks its source for what that does not tell. */
export const planSkill = async (
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
export const notePlan = (planned: Planned, report: ImportReport): boolean => {
  const { candidate, id, slug, stored, change, filesChanged, record } = planned
  const checked = skillRecord.safeParse(record)
  if (!checked.success) {
    const reason = listProblems(RECORD_FILE, record, checked.error).map(renderProblem).join('; ')
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
