import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
import { IMPORT_TIME } from '../../../src/catalog/in-time.ts'
import { listProblems } from '../../../src/catalog/problems.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { loadSkill, makeSkillInTime } from '../../../src/catalog/skill-folder.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import type { SkillFile } from '../../../src/catalog/skill.ts'
import { decodeLoosely, showValue } from '../../../src/catalog/text.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import type { SkillBits } from '../../machine/checkout.ts'
import { makeProblem } from '../rules.ts'
import type { Violation } from '../rules.ts'
import { CommandError, withTemporaryFolder } from '../cli/command.ts'
import { readCategoryNames, readRecords, readSkillText } from '../store/records.ts'
import type { Stored } from '../store/records.ts'
import {
  withLock,
  compareFolder,
  openCopies,
  readCopied,
  writeSkillFolder,
} from '../store/write.ts'
import { matchSource } from './match.ts'
import type { Assigned } from './match.ts'
import { isCommitLost, makeRecord, needsChangeDay } from './record.ts'
import type { RecordInput } from './record.ts'
import { describeSlow, openSource, readSource } from './sources.ts'
import type { ImportReport, ReadSource, Reading, SourceAddress } from './sources.ts'

/** Why an update deletes the text that the catalog has, with the licence before and after. */
export interface Loss {
  /** The file or field that states the licence, if any; it precedes `cause` in messages. */
  place: string | undefined
  cause: string
  was: string
  is: string
}

interface Imported {
  unchanged: Assigned[]
  /** Skills that the source no longer has. */
  missing: ReturnType<typeof matchSource>['missing']
}

interface SourceFacts {
  /** Whether the source no longer has most of the skills that the catalog imported from it. */
  isDeserted: boolean
  /** The number of new skills in the source. */
  added: number
}

/** A version of a skill that an import is about to write. */
export interface Version extends Omit<Assigned, 'skill'> {
  record: SkillRecord
  /** The skill folder as it will be written. */
  opened: OpenedSkill
  /** The skill as the build will load it. */
  loaded: ReturnType<typeof makeSkillInTime>
  /** The skill's record in the catalog; undefined for a new skill. */
  live: SkillRecord | undefined
  source: SourceFacts
  /** For a new skill, the slug of a skill with the same name or nearly the same text that has disappeared from the source. */
  renamed?: string | undefined
  /** Set if the update deletes the text. */
  loss?: Loss | undefined
  /** The files of its folder that would be written and removed. */
  change: ReturnType<typeof compareFolder>
  /** The executable bits of the catalog's files. */
  bits: SkillBits
  /** If what states its licence is new and leaves it open: why the text is not copied, and the remedy. */
  open?: string | undefined
}

export interface ImportSettings extends Reading, Pick<RecordInput, 'seen' | 'today'> {
  /** When the command started: YYYY-MM-DDThh:mm:ssZ. */
  now: string
  /**
   * Decides about a version, and calls `write` to take it in, which returns the files whose executable bit could not be
   * stored.
   */
  review: (version: Version, write: () => SkillFile[]) => void
}

const NO_LICENCE = 'none'

/** Explains why a text is not copied, and what a curator can do about an open licence; undefined if it is copied. */
const explainRefusal = ({
  candidate: { refusal, licenceDigest },
  slug,
}: Pick<Assigned, 'candidate' | 'slug'>): string | undefined => {
  if (refusal === undefined || licenceDigest === undefined) return refusal
  return `${refusal}; choose with "npm run catalog -- set ${slug} licence=…"`
}

/** Explains why an update deletes the catalog's text; undefined if it does not. */
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
  const cause = place === undefined ? explainRefusal({ candidate, slug: '<slug>' })! : ' changed'
  return { place, cause, was: was!, is: is! }
}

interface WriteSettings extends ImportSettings {
  /** The executable bits of the catalog's files. */
  bits: SkillBits
  categories: readonly string[]
}

/** Compares a skill with the catalog, and lets `review` decide about a new version. Returns whether it is unchanged. */
const importSkill = async (
  assigned: Assigned,
  { into, seen, now, today, review, limit = IMPORT_TIME, bits, categories }: WriteSettings,
  report: ImportReport,
  { renames, ...source }: SourceFacts & { renames: ReadonlyMap<Assigned, string> },
): Promise<boolean> => {
  const { candidate, id, slug, skill } = assigned
  const { files, file } = candidate
  const folder = join(into, 'skills', slug)
  const change = compareFolder(folder, files, bits.ofSkill(slug))
  const filesChanged = change.written.length + change.removed.length > 0
  const isLost = !filesChanged && (await isCommitLost(candidate, skill?.record))
  const input = { candidate, id, stored: skill?.record, filesChanged, isLost, seen, today }
  const refusal = explainRefusal(assigned)
  const warn = (violation: Violation): void => {
    report.notices.push(makeProblem(file, violation))
  }
  const last = needsChangeDay(input) ? await candidate.findChange() : undefined
  if (last?.warning !== undefined) warn({ rule: 'adapted', message: last.warning })
  const record = makeRecord({ ...input, changed: last?.day })
  if (!skill && !categories.includes(record.category)) {
    const problem =
      record.category === ''
        ? 'no category is chosen'
        : `there is no category ${showValue(record.category)}`
    const message = `${problem}; the registry has ${categories.join(', ')}`
    report.leftOut.push(makeProblem(file, { rule: 'no-category', message }))
    return false
  }
  const checked = skillRecord.safeParse(record)
  if (!checked.success) {
    report.leftOut.push(...listProblems(file, record, checked.error))
    return false
  }
  const live = skill?.record
  if (!filesChanged && isDeepStrictEqual(record, live)) {
    return true
  }
  // The catalog keeps the version that it has.
  if (candidate.isInternal) {
    report.leftOut.push(makeProblem(file, { rule: 'internal-kept' }))
    return false
  }
  // A skill that takes too long to read would make the build fail.
  const opened = openCopies(into, slug, files, record)
  const loaded = makeSkillInTime(opened, limit)
  if (loaded.fault !== undefined) {
    report.failed.push(describeSlow(file, loaded.fault))
    return false
  }
  const isNews = !live || filesChanged || record.updated !== live.updated
  const write = (): SkillFile[] =>
    writeSkillFolder(into, slug, files, change, isNews ? { ...record, added: now } : record, bits)
  review(
    {
      ...assigned,
      change,
      bits,
      record,
      opened,
      loaded,
      live,
      loss: findLoss(assigned, change, loaded, into),
      // Of a new skill, its reader learns in any case why there is no text.
      open: live && live.licenceDigest === record.licenceDigest ? undefined : refusal,
      renamed: renames.get(assigned) ?? assigned.namesake,
      source,
    },
    write,
  )
  return false
}

/** Two texts count as nearly equal if they share this part of the longer text's lines. */
const NEARLY = 0.75

/** Returns a text's lines that contain letters, except the line with the name, which a rename changes. */
const listLines = (text: string): Set<string> => {
  const lines = text.split(/\r?\n/)
  return new Set(lines.map((line) => line.trim()).filter((line) => /^(?!name:).*\p{L}/u.test(line)))
}

/**
 * Finds new skills whose text nearly equals that of a skill missing from the source. Maps each new skill to the missing
 * skill's slug. Looks each line up once, whatever the number of skills.
 */
const findRenames = (
  content: string,
  found: readonly Assigned[],
  missing: readonly { slug: string }[],
): Map<Assigned, string> => {
  const sizes = new Map<string, number>()
  const holders = new Map<string, string[]>()
  for (const { slug } of missing) {
    const lines = listLines(readSkillText(content, slug) ?? '')
    sizes.set(slug, lines.size)
    for (const line of lines) holders.set(line, [...(holders.get(line) ?? []), slug])
  }
  const renames = new Map<Assigned, string>()
  const takenSlugs = new Set<string>()
  for (const skill of holders.size > 0 ? found : []) {
    const file = skill.candidate.allFiles.find(({ path }) => path === SKILL_MD)
    const lines = listLines(file ? decodeLoosely(readCopied(file.from)) : '')
    const shared = new Map<string, number>()
    for (const line of lines)
      for (const slug of holders.get(line) ?? []) shared.set(slug, (shared.get(slug) ?? 0) + 1)
    const [best] = [...shared]
      .map(([slug, count]) => ({ slug, part: count / Math.max(lines.size, sizes.get(slug) ?? 0) }))
      .filter(({ slug, part }) => part >= NEARLY && !takenSlugs.has(slug))
      .sort((a, b) => b.part - a.part)
    if (!best) continue
    renames.set(skill, best.slug)
    takenSlugs.add(best.slug)
  }
  return renames
}

/** Compares the skills of a source with the catalog. Returns those that the source no longer has, and the unchanged. */
const updateCatalog = async (
  source: ReadSource,
  settings: ImportSettings,
  report: ImportReport,
): Promise<Imported> => {
  const { into, progress } = settings
  const writing = { ...settings, bits: readSkillBits(into), categories: readCategoryNames(into) }
  const { assigned, skips, missing } = matchSource(into, source, writing.bits)
  report.leftOut.push(...skips)
  progress.stage('Writing skills', assigned.length)
  const added = assigned.filter(({ skill }) => !skill)
  const left = report.isNew ? missing.filter(({ url }) => url) : missing
  const facts = {
    isDeserted: left.length > assigned.length - added.length,
    added: added.length,
    renames: findRenames(into, added, left),
  }
  const unchanged: Assigned[] = []
  for (const each of assigned) {
    if (await importSkill(each, writing, report, facts)) unchanged.push(each)
    progress.step()
  }
  progress.end()
  return { unchanged, missing: left }
}

/**
 * Refuses a repository that has moved to an address from which the catalog already has skills: under the old address,
 * all of its skills would look new. Throws CommandError.
 */
const refuseMoved = (argument: string, movedTo: string, { records, retired }: Stored): void => {
  const addresses = [
    ...records.map(({ record: { source } }) => (source.kind === 'own' ? '' : source.url)),
    ...retired.map(({ source = '' }) => source),
  ]
  if (addresses.some((url) => `${url.toLowerCase()}/`.startsWith(`${movedTo}/`)))
    throw new CommandError(
      `${showValue(argument, 200)}: it has moved to ${showValue(movedTo, 200)}, from which the catalog already has skills; use that address`,
    )
}

/** Imports a source into a content folder. Throws CommandError if it cannot be read. */
export const importSource = (
  address: SourceAddress,
  settings: ImportSettings,
  report: ImportReport,
): Promise<Imported> =>
  withTemporaryFolder(async (folder) => {
    const { into } = settings
    const source = await openSource(address, join(folder, 'source'), settings)
    const movedTo = source.fetched?.repository.movedTo
    if (movedTo !== undefined) refuseMoved(source.argument, movedTo, readRecords(into))
    const read = await readSource(source, settings, report)
    const update = (): Promise<Imported> => updateCatalog(read, settings, report)
    return read.candidates.length === 0 ? update() : withLock(into, update, { create: true })
  })
