import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { locate, locationKey } from '../../../src/catalog/address.ts'
import { renderProblem } from '../../../src/catalog/problems.ts'
import { findPolicyBreaches } from '../../../src/catalog/policy.ts'
import { siteRecord } from '../../../src/catalog/schema.ts'
import type { SiteRecord, SkillRecord, SourceRow } from '../../../src/catalog/schema.ts'
import { makeSkillInTime, openSkill } from '../../../src/catalog/skill-folder.ts'
import { pickFacts } from '../../../src/catalog/skill.ts'
import type { Skill, SkillFacts, SkillFile } from '../../../src/catalog/skill.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import type { SkillBits } from '../../machine/checkout.ts'
import { makeFolder } from '../../machine/folders.ts'
import type { Loss, Version } from '../import/run.ts'
import { pendingIn, readBeside, readRecords } from '../store/records.ts'
import { dropPending, openCopies, writeSkillFolder } from '../store/write.ts'
import { compareFiles } from './difference.ts'
import type { FilesDifference } from './difference.ts'
import { takeIn } from './intake.ts'
import { addDays, openWaiting, readState, writeState } from './sources.ts'
import type { SourceState } from './sources.ts'
import {
  compareVersions,
  digestVersion,
  findingsOf,
  hasSevere,
  isSevere,
  listNewFindings,
  loadVersion,
} from './version.ts'
import type { Change, VersionChanges } from './version.ts'

/** The reasons for holding a version back, with the words that follow "3 skills" in the summary. */
export const HOLDS = {
  findings: 'with new findings',
  suspect: 'with a known finding and changed files',
  licence: 'with a licence that no longer allows copies',
  deserted: 'from a source that lost most of its skills',
  internal: 'marked as internal',
  returned: 'with the name or text of a retired skill',
  renamed: 'that may be renamed',
  moved: 'from another repository',
  flood: 'from a source with more than 50 new skills',
  refused: 'that the build refuses',
  code: 'with changes beyond plain words',
  all: 'to review',
} as const
type Hold = keyof typeof HOLDS

/** The outcome of a new or changed version. */
export interface VersionReport extends VersionChanges {
  slug: string
  id: number
  /** Slug and digest together name a version. */
  digest: string
  isNew: boolean
  /** Whether an earlier report already listed it as rejected. */
  isTold: boolean
  /** `days`: in its waiting period. `later`: after another version, which is in its waiting period. */
  state: 'written' | 'held' | 'rejected' | 'days' | 'later'
  /** The day on which the waiting period ends. */
  due?: string
  /** Why it waits, or would wait if it were not rejected. */
  holds: Hold[]
  /** Whether it is held back for the first time. */
  isNewlyHeld: boolean
  /** The facts that the build will list; undefined if it cannot load the version. */
  facts?: SkillFacts
  /** Why the build would refuse it. */
  problems: string[]
  /** The first lines of its diff, if it waits. */
  difference?: FilesDifference
  /** Set if accepting it would remove the text. */
  loss?: Loss
  /** The slug of the existing skill of which this seems to be a rename. */
  renamed?: string
  /** Files whose executable bit could not be stored. */
  lostBits: SkillFile[]
}

/** Whether a version is written to `pending/`. */
export const isPutAside = ({ state }: VersionReport): boolean =>
  state === 'held' || state === 'days'

/** The review settings for one source. */
export interface ReviewSettings {
  content: string
  policy: NonNullable<SourceRow['review']>
  /** Waiting period, in days, of versions that need no curator. */
  wait: number
  /** When the command started: YYYY-MM-DDThh:mm:ssZ. */
  now: string
  today: string
  /** Whether a source may add more than `FLOOD_LIMIT` skills at once. */
  mayFlood: boolean
  /** Whether nothing is written. */
  isDry: boolean
}

/** If a source adds more skills than this at once, all of them wait. */
const FLOOD_LIMIT = 50

const folderOf = ({ source }: SkillRecord): string =>
  source.kind === 'own' ? '' : locationKey(source.url)

const repositoryOf = ({ source }: SkillRecord): string =>
  source.kind === 'own' ? '' : locate(source.url).repository

/** Remarks about a version that its diff does not show. */
const noteChanges = ({ isInternal, returned, lookalike, renamed, open }: Version): Change[] => {
  return [
    ...(open === undefined ? [] : [{ what: 'text not copied:', values: [open] }]),
    ...(isInternal ? [{ what: 'marked as internal by its author', values: [] }] : []),
    ...(returned === undefined
      ? []
      : [{ what: 'has the name or text of a retired skill:', values: [returned] }]),
    ...(lookalike === undefined || lookalike === renamed
      ? []
      : [{ what: 'its name looks like that of', values: [lookalike] }]),
  ]
}

/** Holds that depend only on the content, which a curator has judged by accepting the version. */
const OF_CONTENT: ReadonlySet<Hold> = new Set(['findings', 'suspect', 'licence', 'code', 'all'])

/** The state and rules of a catalog, and the executable bits of its live and pending files. */
interface Catalog {
  state: SourceState
  rules: SiteRecord['policy']
  liveBits: SkillBits
  pendingBits: SkillBits
}

/** A pending version, and the day its waiting period began; undefined if it waits for a curator. */
type Waiting = NonNullable<ReturnType<typeof openWaiting>> & { since: string | undefined }

/**
 * Applies the waiting period. If another version is already in its waiting period, the new version comes later, unless
 * it removes a finding: then it replaces the other version.
 */
const delayVersion = (
  judged: VersionReport,
  skill: Skill | undefined,
  { wait, today }: ReviewSettings,
  { state: { seen } }: Catalog,
  waiting: Waiting | undefined,
): VersionReport => {
  const { digest, state } = judged
  if (state === 'rejected') return judged
  if (waiting?.since !== undefined && waiting.digest !== digest) {
    const other = makeSkillInTime(waiting.opened).skill
    const isWorse = listNewFindings(findingsOf(skill), findingsOf(other)).length > 0
    if (!isWorse) return { ...judged, state: 'later', due: addDays(waiting.since, wait) }
  }
  if (state !== 'written' || wait === 0) return judged
  const due = addDays(seen.find((row) => row.digest === digest)?.when ?? today, wait)
  return due <= today ? judged : { ...judged, state: 'days', due }
}

/** Compares a version with the live skill and decides whether it may go in. */
const judgeVersion = (
  version: Version,
  settings: ReviewSettings,
  catalog: Catalog,
  waiting?: Waiting,
): VersionReport => {
  const { content, policy, mayFlood } = settings
  const { accepted, rejected, flooded } = catalog.state
  const { slug, id, record, opened, loaded, live, loss, source, returned, renamed } = version
  const { skill, problems } = loaded
  const before = live && loadVersion(content, slug, catalog.liveBits)
  // The findings cover the whole text even if its licence does not allow a copy.
  const whole = loss && makeSkillInTime(openCopies(content, slug, version.allFiles, record))
  const compared = compareVersions(before, { opened, skill }, whole ? whole.skill : skill)
  const digest = digestVersion(opened, record)
  const isSame = before && digestVersion(before.opened, live) === digest
  // A change elsewhere can alter what a known line does: `curl "$URL"`, with `URL=` in another file, or in prose.
  const isSuspect = !isSame && hasSevere(before?.skill) && hasSevere(skill)
  const refused = skill ? findPolicyBreaches(catalog.rules, [skill]) : problems
  const reasons: Record<Hold, boolean> = {
    findings: compared.findings.some(isSevere),
    suspect: isSuspect,
    licence: loss !== undefined,
    deserted: source.isDeserted,
    internal: version.isInternal,
    returned: returned !== undefined,
    renamed: renamed !== undefined,
    moved: live !== undefined && repositoryOf(live) !== repositoryOf(record),
    flood: !live && !mayFlood && (source.added > FLOOD_LIMIT || flooded.includes(slug)),
    refused: refused.length > 0,
    code: policy === 'code' && compared.code.length > 0,
    // A rewritten history changes only the commit in the address.
    all: policy === 'all' && !(isSame && folderOf(live) === folderOf(record)),
  }
  const holds = (Object.keys(HOLDS) as Hold[]).filter((hold) => reasons[hold])
  const rejection = isSame ? undefined : rejected.find((row) => row.digest === digest)
  const isAccepted = accepted.some((row) => row.slug === slug && row.digest === digest)
  const mayGoIn = holds.every((hold) => isAccepted && OF_CONTENT.has(hold))
  const judged: VersionReport = {
    ...compared,
    slug,
    id,
    digest,
    ...(skill && { facts: pickFacts(skill) }),
    isNew: live === undefined,
    isTold: rejection?.isTold === true,
    state: rejection ? 'rejected' : mayGoIn ? 'written' : 'held',
    holds,
    isNewlyHeld: false,
    lostBits: [],
    problems: refused.map(renderProblem),
    changes: [...noteChanges(version), ...compared.changes],
    ...(renamed !== undefined && { renamed }),
    ...(loss && { loss }),
  }
  return isSame || isAccepted ? judged : delayVersion(judged, skill, settings, catalog, waiting)
}

/** Records that a report has listed a version as rejected. */
const markTold = (content: string, digest: string): void => {
  const state = readState(content)
  const rejected = state.rejected.map((row) =>
    row.digest === digest ? { ...row, isTold: true } : row,
  )
  writeState(content, { ...state, rejected })
}

/** Limits per source: the versions whose diffs are shown, and the lines of each diff. */
const SHOWN_LIMIT = { versions: 100, lines: 40 }

/** Temporary name of the folder of a new pending version; the loader ignores this folder. */
const NEXT = '.tmp-catalog-next'

/** Replaces the pending version of a skill with a complete new folder. Returns the files whose executable bit could not be stored. */
const putAside = (
  content: string,
  { slug, files, record }: Version,
  bits: SkillBits,
): SkillFile[] => {
  const pending = pendingIn(content)
  const change = { written: files.map(({ path }) => path), removed: [] }
  makeFolder(join(pending, 'skills'))
  writeSkillFolder(pending, NEXT, files, change, record, { keep: () => [] })
  dropPending(content, slug)
  renameSync(join(pending, 'skills', NEXT), join(pending, 'skills', slug))
  return bits.keep(slug, files)
}

const openCatalog = (content: string): Catalog => {
  rmSync(join(pendingIn(content), 'skills', NEXT), { recursive: true, force: true })
  return {
    state: readState(content),
    rules: readBeside(content, 'site.json', siteRecord)?.policy,
    liveBits: readSkillBits(content),
    pendingBits: readSkillBits(pendingIn(content)),
  }
}

/**
 * Takes in a due version although its source now offers another one, if the due version would pass review today.
 * Returns its report, or an empty list if it stays out.
 */
const takeDue = (
  offered: Version,
  { opened, record }: Waiting,
  settings: ReviewSettings,
  catalog: Catalog,
): VersionReport[] => {
  if (record.id !== offered.id) return []
  const loaded = makeSkillInTime(opened)
  const due = { ...offered, opened, record, loaded, loss: undefined }
  const judged = judgeVersion(due, settings, catalog)
  if (judged.state !== 'written') return []
  if (settings.isDry) return [judged]
  const { lostBits } = takeIn(settings.content, due, readRecords(settings.content), settings.now)
  dropPending(settings.content, due.slug)
  return [{ ...judged, lostBits }]
}

/** Returns a function that reviews one version of a source, and writes it to `pending/` if it has to wait. */
export const createReview = (temporary: string, settings: ReviewSettings) => {
  const { content, isDry, wait, today } = settings
  let shown = 0
  let catalog: Catalog | undefined
  const showDifference = ({ slug, live, opened }: Version, bits: SkillBits) => {
    shown += 1
    if (shown > SHOWN_LIMIT.versions) return {}
    const before = live && openSkill(content, slug, bits.ofSkill(slug))
    return { difference: compareFiles(temporary, before, opened, SHOWN_LIMIT.lines) }
  }
  /** Call it under the lock. The last report is of the version itself; a report of a due version can precede it. */
  return (version: Version): VersionReport[] => {
    const { slug } = version
    catalog ??= openCatalog(content)
    const pending = openWaiting(content, slug, catalog.pendingBits)
    const since = catalog.state.seen.find((row) => row.digest === pending?.digest)?.when
    const waiting = pending && { ...pending, since }
    let judged = judgeVersion(version, settings, catalog, waiting)
    let now = version
    let due: VersionReport[] = []
    const isDue = since !== undefined && addDays(since, wait) <= today
    if (isDue && waiting!.digest !== judged.digest && judged.state !== 'written') {
      due = takeDue(version, waiting!, settings, catalog)
      if (due.length > 0 && !isDry) {
        catalog = openCatalog(content)
        now = { ...version, live: openSkill(content, slug).record }
      }
      judged = judgeVersion(now, settings, catalog)
      // Only one version of a skill goes in per run; the newer version goes in with the next run.
      if (judged.state === 'written') judged = { ...judged, state: 'days', due: today }
    }
    const { state, digest, isTold } = judged
    const isAside = isPutAside(judged)
    const difference = isAside ? showDifference(now, catalog.liveBits) : {}
    const lostBits = isAside && !isDry ? putAside(content, version, catalog.pendingBits) : []
    if (!isDry && state === 'rejected') {
      if (since === undefined) dropPending(content, slug)
      if (!isTold) markTold(content, digest)
    }
    const isKnown = waiting?.digest === digest && since === undefined
    return [
      ...due,
      { ...judged, ...difference, isNewlyHeld: state === 'held' && !isKnown, lostBits },
    ]
  }
}
