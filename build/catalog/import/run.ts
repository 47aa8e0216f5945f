import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { listProblems, renderProblem } from '../../../src/catalog/problems.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { RECORD_FILE } from '../../../src/catalog/skill-folder.ts'
import type { Progress } from '../../site/progress.ts'
import { classify } from '../classify/classify.ts'
import { takeStep, withTemporaryFolder } from '../store/cleanup.ts'
import { lacksSite, withLock } from '../store/lock.ts'
import { clearUnfinished, compareFolder, writeSkillFolder } from '../store/skill-folder.ts'
import type { Skip } from './bad-file.ts'
import type { Candidate } from './candidate.ts'
import { matchSources } from './match.ts'
import type { OriginOptions } from './origin.ts'
import { locationKey } from './source-url.ts'
import { openSources, readSource } from './sources.ts'
import type { ReadSource, SourceAddress } from './sources.ts'

/** What a skill's record is made from. */
interface RecordInput {
  candidate: Candidate
  id: number
  /** The record that the catalog has already. */
  stored?: SkillRecord | undefined
  /** Whether any file of the skill differs from the catalog's. */
  filesChanged: boolean
  /** The day given with --date. */
  date?: string | undefined
  /** The day its source says it was last changed; undefined where that was not asked. */
  changed?: string | undefined
  today: string
}

/** A record that leaves name and description to its SKILL.md goes on doing so. */
const shownFields = ({ candidate, stored }: RecordInput) => {
  const { name, description } = candidate
  const shown = candidate.isCopied && stored ? stored : { name, description }
  return {
    ...(shown.name === undefined ? {} : { name }),
    ...(shown.description === undefined ? {} : { description }),
  }
}

/** Whether the source must be asked when the skill last changed, which can cost a fetch of its history. */
const needsChangeDay = ({ candidate, stored, filesChanged, date }: RecordInput): boolean => {
  const { row, isCopied, hasHistory } = candidate
  if (row?.updated || (date !== undefined && !hasHistory)) return false
  // Of what is not copied, only a history tells whether it changed.
  return !stored || filesChanged || (!isCopied && hasHistory)
}

const chooseUpdated = (from: RecordInput): string => {
  const { candidate, stored, filesChanged, date, changed, today } = from
  const kept = filesChanged ? undefined : stored?.updated
  if (changed === undefined && kept !== undefined) return kept
  if (date !== undefined && !candidate.hasHistory) return date
  // The clock of a commit may be ahead of ours. The day given before stays, or it would differ every day.
  return changed !== undefined && changed <= today ? changed : (kept ?? today)
}

/** A record of the registry's own may leave the licence to its SKILL.md. */
const chooseLicence = ({ candidate, stored }: RecordInput): string | undefined => {
  if (stored?.source.kind === 'own' && stored.licence === undefined) return undefined
  return candidate.licence ?? (candidate.isCopied ? stored?.licence : undefined)
}

const firstSource = ({ candidate, date, today }: RecordInput): SkillRecord['source'] => {
  const { url } = candidate
  if (url === undefined) return { kind: 'own' }
  const day = date ?? today
  return { kind: 'upstream', url, status: 'alive', checked: day, seen: day }
}

/** Whether an address names a commit, which never changes, and not a branch or a tag. */
const namesCommit = (address: string): boolean =>
  /\/tree\/[0-9a-f]{40}(?:[0-9a-f]{24})?(?:\/|$)/.test(address)

/** A folder that did not change keeps its address at the older commit, which still shows it. */
const chooseAddress = (url: string, stored: string, isSame: boolean): string =>
  isSame && namesCommit(url) && namesCommit(stored) && locationKey(url) === locationKey(stored)
    ? stored
    : url

/** A known source keeps its status: only `verify` may say that it is gone or back. */
const keepSource = (from: RecordInput, updated: string): SkillRecord['source'] => {
  const { stored, filesChanged } = from
  const { url } = from.candidate
  if (stored?.source.kind !== 'upstream' || url === undefined) return firstSource(from)
  const isSame = !filesChanged && updated === stored.updated
  return { ...stored.source, url: chooseAddress(url, stored.source.url, isSame) }
}

const refreshSource = (source: SkillRecord['source'], day: string): SkillRecord['source'] =>
  source.kind === 'upstream' && source.status === 'alive'
    ? { ...source, checked: day, seen: day }
    : source

/** Fields that an import writes; the others of a known skill are its curator's. */
const WRITTEN: ReadonlySet<string> = new Set<keyof SkillRecord>([
  'id',
  'name',
  'description',
  'author',
  'category',
  'updated',
  'licence',
  'source',
])

/** A known skill keeps its id, its category and all that an import does not write. */
const makeRecord = (from: RecordInput): SkillRecord => {
  const { candidate, stored } = from
  const updated = candidate.row?.updated ?? chooseUpdated(from)
  const licence = chooseLicence(from)
  const record: SkillRecord = {
    id: from.id,
    ...shownFields(from),
    author: candidate.author,
    category: stored?.category ?? candidate.category ?? classify(candidate).category,
    updated,
    ...(licence && { licence }),
    source: keepSource(from, updated),
    ...Object.fromEntries(Object.entries(stored ?? {}).filter(([field]) => !WRITTEN.has(field))),
  }
  if (!stored || (!from.filesChanged && isDeepStrictEqual(record, stored))) return record
  return { ...record, source: refreshSource(record.source, from.date ?? from.today) }
}

/** Where a skill of a source lies in the catalog. */
interface ImportedSkill {
  path: string
  slug: string
  id: number
  category: SkillRecord['category']
}

/** Everything an import did, or with --dry-run would do. */
export interface ImportReport {
  dryRun: boolean
  from: readonly string[]
  into: string
  imported: ImportedSkill[]
  updated: ImportedSkill[]
  unchanged: ImportedSkill[]
  skipped: Skip[]
  gone: ReturnType<typeof matchSources>['missing']
  failed: Awaited<ReturnType<typeof openSources>>['failed']
  warnings: Candidate['warnings']
  /** Files written and removed, paths inside the content folder. */
  written: string[]
  removed: string[]
}

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

type Assigned = ReturnType<typeof matchSources>['assigned'][number]

/** Finds what will change in a skill's folder, and its new record. */
const planSkill = async (
  assigned: Assigned,
  { into, date, today }: ImportSettings,
  report: ImportReport,
) => {
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
const reportPlan = (plan: Awaited<ReturnType<typeof planSkill>>, report: ImportReport): boolean => {
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
  const { assigned, skips, missing } = matchSources(into, sources)
  report.skipped.push(...skips)
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
  report.gone.push(...missing)
}

/** Imports what addresses name into a content folder; a source that cannot be had is only reported. */
export const importSources = (
  addresses: readonly SourceAddress[],
  options: OriginOptions,
  settings: ImportSettings,
  watch: ImportWatch,
): Promise<ImportReport> =>
  withTemporaryFolder(async (folder) => {
    const { into, dryRun } = settings
    const { sources, failed } = await openSources(addresses, { folder, options, ...watch })
    const read: ReadSource[] = []
    for (const source of sources) {
      const label = sources.length > 1 ? `${source.given}: ` : ''
      read.push(await readSource(source, label, watch))
    }
    const candidates = read.flatMap((one) => one.candidates)
    const hasWork = candidates.length > 0
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
      warnings: candidates.flatMap(({ warnings }) => warnings),
      written: hasWork && lacksSite(into) ? ['site.json'] : [],
      removed: [],
    }
    const update = (): Promise<void> => updateCatalog(read, settings, report, watch)
    if (dryRun || !hasWork) await update()
    // What a stop leaves between two skills is cleared up at once.
    else await withLock(into, () => update().finally(() => clearUnfinished(into)), { create: true })
    return report
  })
