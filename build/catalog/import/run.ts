import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
import { listProblems, renderProblem } from '../../../src/catalog/problems.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { loadSkill, makeSkillInTime } from '../../../src/catalog/skill-folder.ts'
import { RECORD_FILE, SKILL_MD } from '../../../src/catalog/skill.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { listIgnored, readSkillBits } from '../../machine/checkout.ts'
import type { SkillBits } from '../../machine/checkout.ts'
import type { Progress } from '../../machine/progress.ts'
import { describeSourceError, withTemporaryFolder } from '../cli/command.ts'
import { readCategoryNames, readRecords } from '../store/records.ts'
import type { Stored } from '../store/records.ts'
import {
  withLock,
  compareFolder,
  dropPending,
  openCopies,
  writeSkillFolder,
} from '../store/write.ts'
import type { Candidate } from './candidate.ts'
import { explainLostBits } from './notices.ts'
import type { Warning } from './notices.ts'
import { matchSources } from './match.ts'
import type { Assigned } from './match.ts'
import type { OriginOptions } from './origin.ts'
import { findRenames } from './renames.ts'
import type { Skip } from './skill-md.ts'
import { makeRecord, needsChangeDay } from './record.ts'
import { describeSlow, openSources, readSource } from './sources.ts'
import type { Choice, ReadSource } from './sources.ts'

interface ImportedSkill {
  path: string
  slug: string
  id: number
  category: SkillRecord['category']
}

/** Why a version would lose the text that the catalog has, with the licence before and now. */
export interface Loss {
  /** What states the licence, at the beginning of `cause`, if it is a file or a part of one. */
  place: string | undefined
  cause: string
  was: string
  is: string
}

/** A skill that keeps its text and all else, since its new version would lose it. */
interface KeptSkill extends Loss {
  slug: string
  id: number
  source: string
}

export interface ImportReport {
  dryRun: boolean
  from: readonly string[]
  into: string
  imported: ImportedSkill[]
  updated: ImportedSkill[]
  unchanged: ImportedSkill[]
  kept: KeptSkill[]
  skipped: Skip[]
  gone: ReturnType<typeof matchSources>['missing']
  failed: Awaited<ReturnType<typeof openSources>>['failed']
  warnings: Candidate['warnings']
  /** Files written and removed, paths inside the content folder. */
  written: string[]
  removed: string[]
}

interface SourceFacts {
  /** Whether it no longer has most of the skills that the catalog has from there. */
  isDeserted: boolean
  /** How many skills are new in it, those that wait too. */
  added: number
}

/** A new version of a skill, as an import would write it. */
export interface Version extends ImportedSkill {
  files: Candidate['files']
  /** The files of its source, also if they are not to be copied. */
  read: Candidate['files']
  record: SkillRecord
  /** Its folder as the build will read it, and the skill that the build will make of it. */
  opened: OpenedSkill
  loaded: ReturnType<typeof makeSkillInTime>
  /** Its record in the catalog; undefined for a new skill. */
  live: SkillRecord | undefined
  /** Facts about its source. */
  source: SourceFacts
  /** For a new one, the slug of a retired skill of its repository with its name or text. */
  returned: string | undefined
  /** For a new one, the slug of a skill with nearly its text that its source no longer has. */
  renamed: string | undefined
  /** Whether its author marks it as internal. */
  isInternal: boolean
  /** Set if its text would go. */
  loss: Loss | undefined
}

interface ImportSettings extends Choice {
  progress: Progress
  /** Content folder, absolute. */
  into: string
  options: OriginOptions
  /** The day given with --date, as YYYY-MM-DD. */
  date?: string | undefined
  today: string
  dryRun: boolean
  /** Whether a text goes whose licence went away; else such a version is not taken in. */
  dropTexts?: boolean
  /** Decides about a version, and writes it if it may go into the catalog; any does by default. */
  review?: (version: Version, write: () => void) => void
  /** Milliseconds that the files of a skill may take, if not 5 s. */
  limit?: number | undefined
}

const NO_LICENCE = 'none'

const describeLicencePlace = ({ licencePlace, inRegistry }: Candidate): string => {
  if (inRegistry?.hasText === false) return 'its registry no longer has the text'
  if (inRegistry) return 'its registry states another licence'
  return licencePlace === undefined ? 'no licence is stated' : ' changed'
}

/** Why a skill would lose the text that the catalog has; undefined if it stays. */
const findLoss = (
  { candidate, slug }: Assigned,
  { removed }: ReturnType<typeof compareFolder>,
  now: Version['loaded'],
  into: string,
): Loss | undefined => {
  if (candidate.isCopied || !removed.includes(SKILL_MD)) return undefined
  const before = loadSkill(into, slug).skill
  const [was, is] = [before, now.skill].map((skill) => skill?.licence ?? NO_LICENCE)
  const place = candidate.licencePlace
  return { place, cause: describeLicencePlace(candidate), was: was!, is: is! }
}

interface Writing extends ImportSettings {
  /** The executable bits of the catalog. */
  bits: SkillBits
  /** The names of its categories. */
  categories: readonly string[]
}

/** The files just written that no checkout of the catalog will have. */
const findIgnored = (into: string, { written }: ImportReport): Warning[] => {
  const ignored = new Set(listIgnored(into))
  return written.flatMap((path) => {
    const [, folder, inside] = /^(skills\/[^/]+\/)(.+)$/s.exec(path) ?? []
    const message = `${inside} — git ignores it in the catalog; commit it with "git add --force"`
    return ignored.has(path) ? { kind: 'ignored', path: folder + SKILL_MD, message } : []
  })
}

/** Finds and reports the changes of a skill's folder and record, and writes them unless dry. */
const importSkill = async (
  assigned: Assigned,
  { into, date, today, dryRun, dropTexts, review, limit, bits, categories }: Writing,
  report: ImportReport,
  argument: string,
  { renames, ...source }: SourceFacts & { renames: ReadonlyMap<Assigned, string> },
): Promise<void> => {
  const { candidate, id, slug, skill, returned } = assigned
  const { files, path, file, read, isInternal } = candidate
  const folder = join(into, 'skills', slug)
  const change = compareFolder(folder, files, bits.ofSkill(slug))
  const filesChanged = change.written.length + change.removed.length > 0
  const input = { candidate, id, stored: skill?.record, filesChanged, date, today }
  const last = needsChangeDay(input) ? await candidate.findChange() : undefined
  if (last?.warning !== undefined) report.warnings.push({ path: file, message: last.warning })
  const record = makeRecord({ ...input, changed: last?.day })
  if (!skill && !categories.includes(record.category)) {
    const named =
      record.category === ''
        ? 'no category is chosen'
        : `there is no category ${showValue(record.category)}`
    const reason = `${named}; the registry has ${categories.join(', ')}`
    const remedy = 'say it with --category of import, or in the row of its source in sources.json'
    report.skipped.push({ path: file, kind: 'bad', reason, remedy })
    return
  }
  const checked = skillRecord.safeParse(record)
  if (!checked.success) {
    const reason = listProblems(RECORD_FILE, record, checked.error).map(renderProblem).join('; ')
    report.skipped.push({ path: file, kind: 'bad', reason, remedy: 'correct it in the source' })
    return
  }
  const imported = { path, slug, id, category: record.category }
  const live = skill?.isPending ? undefined : skill?.record
  const isSame = isDeepStrictEqual(record, live)
  if (isSame && !filesChanged) {
    report.unchanged.push(imported)
    if (!dryRun) dropPending(into, slug)
    return
  }
  // Held back where a curator reviews; else what the catalog has of it stays.
  if (isInternal && !(review && live)) {
    const reason =
      'its author marks it as internal (metadata.internal), so no version of it is taken'
    const remedy = 'retire it, or ask its author'
    report.skipped.push({ path: file, kind: 'left out', reason, remedy })
    return
  }
  // A skill that cannot be read in time would end the build.
  const opened = openCopies(into, slug, files, record)
  const loaded = makeSkillInTime(opened, limit)
  if (loaded.fault !== undefined) {
    report.failed.push({ source: file, reason: describeSlow(file, loaded.fault) })
    return
  }
  const write = (): void => {
    if (!dryRun) {
      const withoutBit = writeSkillFolder(into, slug, files, change, record, bits)
      dropPending(into, slug)
      report.warnings.push(...explainLostBits(file, withoutBit))
    }
    const written = [...change.written, ...(isSame ? [] : [RECORD_FILE])]
    report.written.push(...written.map((name) => `skills/${slug}/${name}`))
    report.removed.push(...change.removed.map((name) => `skills/${slug}/${name}`))
    report[live ? 'updated' : 'imported'].push(imported)
  }
  const loss = findLoss(assigned, change, loaded, into)
  const version = { ...imported, files, read, isInternal, record, opened, loaded, live, loss }
  const renamed = renames.get(assigned)
  if (review) review({ ...version, source, returned, renamed }, write)
  else if (loss && !dropTexts) report.kept.push({ slug, id, source: argument, ...loss })
  else write()
}

const updateCatalog = async (
  sources: readonly ReadSource[],
  settings: ImportSettings,
  report: ImportReport,
): Promise<void> => {
  const { into, dryRun, progress, review } = settings
  const writing = { ...settings, bits: readSkillBits(into), categories: readCategoryNames(into) }
  const { assigned, skips, missing, withdrawn } = matchSources(into, sources)
  report.skipped.push(...skips)
  progress.stage(dryRun ? 'Comparing skills' : 'Writing skills', assigned.length)
  const kept = assigned.filter(({ skill }) => skill && !skill.isPending)
  const sourceOf = new Map(
    sources.flatMap(({ argument, candidates }) =>
      candidates.map((candidate) => [candidate, argument]),
    ),
  )
  const added = assigned.filter(({ skill }) => !skill || skill.isPending)
  const facts = {
    isDeserted: missing.length > kept.length,
    added: added.length,
    renames: review ? findRenames(into, added, missing) : new Map<Assigned, string>(),
  }
  for (const one of assigned) {
    await importSkill(one, writing, report, sourceOf.get(one.candidate) ?? '', facts)
    progress.step()
  }
  progress.end()
  if (!dryRun && report.written.length > 0) report.warnings.push(...findIgnored(into, report))
  report.gone.push(...missing)
  // A version that its source took back is no longer offered.
  if (review && !dryRun) for (const slug of withdrawn) dropPending(into, slug)
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
    const read: ReadSource[] = []
    for (const source of sources) {
      const label = sources.length > 1 ? `${source.argument}: ` : ''
      try {
        read.push(await readSource(source, label, settings.progress, settings, settings.limit))
      } catch (error) {
        failed.push({ source: source.argument, reason: label + describeSourceError(error) })
      }
    }
    failed.push(...read.flatMap(({ late }) => late))
    const candidates = read.flatMap((source) => source.candidates)
    const hasWork = candidates.length > 0 || settings.review !== undefined
    const report: ImportReport = {
      dryRun,
      from: sources.map(({ argument }) => argument),
      into,
      imported: [],
      updated: [],
      unchanged: [],
      kept: [],
      skipped: read.flatMap(({ skips }) => skips),
      gone: [],
      failed,
      warnings: candidates.flatMap(({ warnings }) => warnings),
      written: hasWork && !existsSync(join(into, 'site.json')) ? ['site.json'] : [],
      removed: [],
    }
    const update = (): Promise<void> => updateCatalog(read, settings, report)
    const write = (): Promise<void> => {
      for (const { origin } of read) origin.remember?.(into)
      return update()
    }
    if (dryRun || !hasWork) await update()
    else await withLock(into, write, { create: true })
    return report
  })
