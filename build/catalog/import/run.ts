import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { listProblems, renderProblem } from '../../../src/catalog/problems.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { Pool } from '../../site/pool.ts'
import type { PoolOptions } from '../../site/pool.ts'
import type { Progress } from '../../site/progress.ts'
import { withTemporaryFolder } from '../cli/command.ts'
import { readRecords } from '../store/records.ts'
import type { Stored } from '../store/records.ts'
import { withLock, compareFolder, writeSkillFolder } from '../store/write.ts'
import { locationKey } from './address.ts'
import type { Candidate } from './candidate.ts'
import { matchSources } from './match.ts'
import type { OriginOptions } from './origin.ts'
import type { Skip } from './skill-md.ts'
import { openSources, readSource } from './sources.ts'
import type { ReadSource } from './sources.ts'
import type { ImportJobs } from './worker.ts'

interface RecordInput {
  candidate: Candidate
  id: number
  stored?: SkillRecord | undefined
  /** Whether any file differs from the catalog. */
  filesChanged: boolean
  /** The day given with --date. */
  date?: string | undefined
  /** The day of the last change in its source; undefined if not looked up. */
  changed?: string | undefined
  today: string
}

/** Whether to look up the last change, which may mean fetching the history. */
const needsChangeDay = ({ candidate, stored, filesChanged }: RecordInput): boolean =>
  // For a skill that is not copied, only the history shows changes.
  !candidate.row?.updated && (!stored || filesChanged || !candidate.isCopied)

/** The day of the last change; undefined if unknown, never the day of the import. */
const chooseUpdated = (from: RecordInput): string | undefined => {
  const { candidate, stored, filesChanged, date, changed, today } = from
  if (candidate.row?.updated) return candidate.row.updated
  // A commit's clock may be ahead.
  if (changed && changed <= today) return changed
  if (stored && !filesChanged) return stored.updated
  // The registry's own skills change when they are imported.
  return candidate.url === undefined ? (date ?? today) : undefined
}

/** The registry's own records may omit a licence that the SKILL.md states. */
const chooseLicence = ({ candidate, stored }: RecordInput): string | undefined => {
  if (stored?.source.kind === 'own' && stored.licence === undefined) return undefined
  return candidate.licence ?? (candidate.isCopied ? stored?.licence : undefined)
}

/** Whether an address names a commit, which never changes, and not a branch or a tag. */
const namesCommit = (address: string): boolean =>
  /\/tree\/[0-9a-f]{40}(?:[0-9a-f]{24})?(?:\/|$)/.test(address)

/** Keeps the status of a known source, except that a fetched copy is alive; only `verify` changes more. */
export const chooseSource = (
  from: Omit<RecordInput, 'id' | 'candidate'> & {
    candidate: Pick<Candidate, 'url' | 'isFetched'>
  },
  updated: string | undefined,
): SkillRecord['source'] => {
  const { stored, filesChanged, date, today } = from
  const { url, isFetched } = from.candidate
  if (url === undefined) return { kind: 'own' }
  const day = date ?? today
  const fetched = { kind: 'upstream', url, status: 'alive', checked: day, seen: day } as const
  if (stored?.source.kind !== 'upstream') {
    return isFetched ? fetched : { kind: 'upstream', url, status: 'copied', checked: day }
  }
  const before = stored.source
  if (isFetched && before.status === 'copied') return fetched
  // An unchanged folder keeps its address at the older commit.
  const isShown =
    !filesChanged &&
    updated === stored.updated &&
    [url, before.url].every(namesCommit) &&
    locationKey(url) === locationKey(before.url)
  return isShown ? before : { ...before, url }
}

/** The source of a skill that changed: seen on this day, or copied on it. */
const refreshSource = (from: RecordInput, source: SkillRecord['source']): SkillRecord['source'] => {
  if (source.kind === 'own') return source
  const day = from.date ?? from.today
  if (source.status === 'copied') return { ...source, checked: day }
  const isSeen = source.status === 'alive' && from.candidate.isFetched
  return isSeen ? { ...source, checked: day, seen: day } : source
}

/** Fields that an import overwrites; a curator owns the others. */
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

/** A known skill keeps its id, category and all fields that an import does not write. */
const makeRecord = (from: RecordInput): SkillRecord => {
  const { candidate, stored } = from
  const { name, description } = candidate
  // A record without name and description stays without them.
  const shown = candidate.isCopied && stored ? stored : candidate
  const updated = chooseUpdated(from)
  const licence = chooseLicence(from)
  const source = chooseSource(from, updated)
  const record: SkillRecord = {
    id: from.id,
    ...(shown.name !== undefined && { name }),
    ...(shown.description !== undefined && { description }),
    author: candidate.author,
    category: stored?.category ?? candidate.category,
    ...(updated !== undefined && { updated }),
    ...(licence && { licence }),
    source,
    ...Object.fromEntries(Object.entries(stored ?? {}).filter(([field]) => !WRITTEN.has(field))),
  }
  const isChanged = stored && (from.filesChanged || !isDeepStrictEqual(record, stored))
  return isChanged ? { ...record, source: refreshSource(from, source) } : record
}

interface ImportedSkill {
  path: string
  slug: string
  id: number
  category: SkillRecord['category']
}

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

interface ImportSettings {
  progress: Progress
  /** Content folder, absolute. */
  into: string
  options: OriginOptions
  /** The day given with --date, as YYYY-MM-DD. */
  date?: string | undefined
  today: string
  dryRun: boolean
  /** Other workers, or another deadline for them. */
  pool?: Partial<PoolOptions>
}

type Assigned = ReturnType<typeof matchSources>['assigned'][number]

/** Finds and reports the changes of a skill's folder and record, and writes them unless dry. */
const importSkill = async (
  { candidate, id, slug, skill }: Assigned,
  { into, date, today, dryRun }: ImportSettings,
  report: ImportReport,
): Promise<void> => {
  const { files, path, file } = candidate
  const change = compareFolder(join(into, 'skills', slug), files)
  const filesChanged = change.written.length + change.removed.length > 0
  const input = { candidate, id, stored: skill?.record, filesChanged, date, today }
  const last = needsChangeDay(input) ? await candidate.findChange() : undefined
  if (last?.warning !== undefined) report.warnings.push({ path: file, message: last.warning })
  const record = makeRecord({ ...input, changed: last?.day })
  const checked = skillRecord.safeParse(record)
  if (!checked.success) {
    const reason = listProblems(RECORD_FILE, record, checked.error).map(renderProblem).join('; ')
    report.skipped.push({ path: file, kind: 'bad', reason, remedy: 'correct it in the source' })
    return
  }
  const imported = { path, slug, id, category: record.category }
  const isSame = isDeepStrictEqual(record, skill?.record)
  if (isSame && !filesChanged) {
    report.unchanged.push(imported)
    return
  }
  const written = [...change.written, ...(isSame ? [] : [RECORD_FILE])]
  report.written.push(...written.map((one) => `skills/${slug}/${one}`))
  report.removed.push(...change.removed.map((one) => `skills/${slug}/${one}`))
  report[skill ? 'updated' : 'imported'].push(imported)
  if (!dryRun) writeSkillFolder(into, slug, files, change, record)
}

const updateCatalog = async (
  sources: readonly ReadSource[],
  settings: ImportSettings,
  report: ImportReport,
): Promise<void> => {
  const { into, dryRun, progress } = settings
  const { assigned, skips, missing } = matchSources(into, sources)
  report.skipped.push(...skips)
  progress.stage(dryRun ? 'Comparing skills' : 'Writing skills', assigned.length)
  for (const one of assigned) {
    await importSkill(one, settings, report)
    progress.step()
  }
  progress.end()
  report.gone.push(...missing)
}

/**
 * Refuses a repository that moved to where the catalog has skills already: by its old address they would be taken for
 * new ones. Returns the reason.
 */
const refuseMoved = (
  argument: string,
  movedTo: string,
  { records, retired }: Stored,
): string | undefined => {
  const addresses = [
    ...records.map(({ record: { source } }) => (source.kind === 'own' ? '' : source.url)),
    ...retired.map(({ source = '' }) => source),
  ]
  return addresses.some((url) => `${url.toLowerCase()}/`.startsWith(`${movedTo}/`))
    ? `${showValue(argument, 200)}: it has moved to ${showValue(movedTo, 200)}, where the catalog has its skills already; name that address`
    : undefined
}

/** Imports sources into a content folder; a source that cannot be fetched is only reported. */
export const importSources = (
  addresses: Parameters<typeof openSources>[0],
  settings: ImportSettings,
): Promise<ImportReport> =>
  withTemporaryFolder(async (folder) => {
    const { into, dryRun } = settings
    const { sources: opened, failed } = await openSources(addresses, folder, settings)
    const sources = opened.filter(({ argument, movedTo }) => {
      const reason = movedTo && refuseMoved(argument, movedTo, readRecords(into))
      if (reason) failed.push({ source: argument, reason })
      return !reason
    })
    const file = new URL('./worker.ts', import.meta.url)
    const pool = new Pool<ImportJobs>({ file, ...settings.pool })
    const read = await Array.fromAsync(sources, (source) => {
      const label = sources.length > 1 ? `${source.argument}: ` : ''
      return readSource(source, label, settings.progress, pool)
    }).finally(() => pool.close())
    failed.push(...read.flatMap(({ lost }) => lost))
    const candidates = read.flatMap((one) => one.candidates)
    const hasWork = candidates.length > 0
    const report: ImportReport = {
      dryRun,
      from: sources.map(({ argument }) => argument),
      into,
      imported: [],
      updated: [],
      unchanged: [],
      skipped: read.flatMap(({ skips }) => skips),
      gone: [],
      failed,
      warnings: candidates.flatMap(({ warnings }) => warnings),
      written: hasWork && !existsSync(join(into, 'site.json')) ? ['site.json'] : [],
      removed: [],
    }
    const update = (): Promise<void> => updateCatalog(read, settings, report)
    if (dryRun || !hasWork) await update()
    else await withLock(into, update, { create: true })
    return report
  })
