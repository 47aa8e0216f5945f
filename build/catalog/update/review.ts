import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { locate } from '../../../src/catalog/address.ts'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
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
import type { CodeChange } from './code.ts'
import { compareFiles } from './difference.ts'
import type { FilesDifference } from './difference.ts'
import { takeIn } from './intake.ts'
import { addDays, readState, writeState } from './sources.ts'
import type { SourceState } from './sources.ts'
import { compareVersions, digestVersion, isGrave } from './version.ts'
import { findingsOf, keepsGrave, listNewFindings, loadVersion } from './version.ts'
import type { Change, VersionChanges } from './version.ts'

/** The reasons why a version waits for a curator, and the words for skills that do. */
export const HOLDS = {
  findings: 'with new findings',
  suspect: 'with a finding, whose code changed',
  licence: 'whose licence went away',
  deserted: 'of a source that most skills left',
  internal: 'marked as internal',
  returned: 'with the name or text of a retired one',
  renamed: 'that may be renamed ones',
  moved: 'from another repository',
  flood: 'of more than 50 new ones at once',
  refused: 'that the build refuses',
  code: 'in which more changed than plain words',
  all: 'to review',
} as const
type Hold = keyof typeof HOLDS

/** The outcome of a new or changed version. */
export interface VersionReport extends VersionChanges {
  slug: string
  id: number
  /** With the slug, its name. */
  digest: string
  isNew: boolean
  /** Whether a report said before that it was rejected. */
  isTold: boolean
  /** `days`: it goes in on its day. `later`: it follows another version, which waits for its days. */
  state: 'written' | 'held' | 'rejected' | 'days' | 'later'
  /** The day on which the version that waits for its days goes in. */
  due?: string
  /** Why it waits, or would if it was not rejected. */
  holds: Hold[]
  /** Whether it did not wait before. */
  isNewlyHeld: boolean
  /** The facts that the build will list; undefined if it cannot load the version. */
  facts?: SkillFacts
  /** Why the build could not load it. */
  problems: string[]
  /** The first lines of its difference, if it waits. */
  difference?: FilesDifference
  /** Set if its text would go. */
  loss?: Loss
  /** The slug of the skill that it seems to be, renamed. */
  renamed?: string
  /** Its files whose bits cannot be kept where it was put. */
  lostBits: SkillFile[]
}

/** Where versions of a source go, and which of them wait. */
export interface ReviewSettings {
  content: string
  policy: NonNullable<SourceRow['review']>
  /** Days that a version waits which no curator has to see. */
  wait: number
  today: string
  /** Whether many new skills of a known source may come at once. */
  mayFlood: boolean
  /** Whether nothing is written. */
  isDry: boolean
}

/** Most new skills of a source at once that do not wait. */
const FLOOD_LIMIT = 50

const repositoryOf = ({ source }: SkillRecord): string =>
  source.kind === 'own' ? '' : locate(source.url).repository

/** Notes on a version besides its differences. */
const noteChanges = ({ record, live, isInternal, returned }: Version): Change[] => {
  const [was = '', is = ''] = [live?.updated, record.updated]
  const isOlder = record.source.kind === 'upstream' && record.source.via !== undefined && is < was
  return [
    ...(isInternal ? [{ what: 'marked as internal by its author', values: [] }] : []),
    ...(returned === undefined
      ? []
      : [{ what: 'has the name or text of a retired skill:', values: [returned] }]),
    ...(isOlder ? [{ what: 'its row is older than the one here:', values: [was, '→', is] }] : []),
  ]
}

/** The holds that depend on content alone; a curator who accepted a version has judged them. */
const OF_CONTENT: ReadonlySet<Hold> = new Set(['findings', 'suspect', 'licence', 'code', 'all'])

/** The kinds of differences of the code itself. */
const OF_CODE: ReadonlySet<CodeChange['kind']> = new Set(['file', 'code', 'unread'])

/** The state of a catalog, its rules, and the executable bits of its files and of those of waiting versions. */
interface Catalog {
  state: SourceState
  rules: SiteRecord['policy']
  live: SkillBits
  pending: SkillBits
}

/** A version that waits in `pending/`. */
interface Waiting {
  opened: OpenedSkill
  record: SkillRecord
  digest: string
  /** Since when it waits for its days; undefined if it waits for a curator. */
  since: string | undefined
}

/** The version of a skill that waits already. */
const openWaiting = (
  content: string,
  slug: string,
  { state, pending }: Catalog,
): Waiting | undefined => {
  const folder = pendingIn(content)
  if (!existsSync(join(folder, 'skills', slug))) return undefined
  const opened = openSkill(folder, slug, pending.ofSkill(slug))
  const { record } = opened
  if (!record) return undefined
  const digest = digestVersion(opened, record)
  const since = state.seen.find((one) => one.digest === digest)?.when
  return { opened, record, digest, since }
}

/** Lets a version wait for its days, or behind one that already does, unless the waiting one has findings that this one lacks. */
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
  const due = addDays(seen.find((one) => one.digest === digest)?.when ?? today, wait)
  return due <= today ? judged : { ...judged, state: 'days', due }
}

/** Reads a version, and compares it with the skill of the catalog. */
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
  const before = live && loadVersion(content, slug, catalog.live)
  const compared = compareVersions(before, { opened, skill })
  // What a curator is told of a text does not depend on whether it may be copied.
  const whole = loss && makeSkillInTime(openCopies(content, slug, version.read, record)).skill
  const old = findingsOf(before?.skill)
  const findings = loss ? listNewFindings(old, findingsOf(whole)) : compared.findings
  // The line of a finding may do what another one says: `curl "$URL"`, with `URL=` in the next file.
  const isSuspect = keepsGrave(old, findingsOf(skill))
  const refused = skill ? findPolicyBreaches(catalog.rules, [skill]) : problems
  const reasons: Record<Hold, boolean> = {
    findings: findings.some(isGrave),
    suspect: isSuspect && compared.code.some(({ kind }) => OF_CODE.has(kind)),
    licence: loss !== undefined,
    deserted: source.isDeserted,
    internal: version.isInternal,
    returned: returned !== undefined,
    renamed: renamed !== undefined,
    moved: live !== undefined && repositoryOf(live) !== repositoryOf(record),
    flood: !live && !mayFlood && (source.added > FLOOD_LIMIT || flooded.includes(slug)),
    refused: refused.length > 0,
    code: policy === 'code' && compared.code.length > 0,
    all: policy === 'all',
  }
  const holds = (Object.keys(HOLDS) as Hold[]).filter((hold) => reasons[hold])
  const digest = digestVersion(opened, record)
  const isSame = before && digestVersion(before.opened, live) === digest
  const rejection = isSame ? undefined : rejected.find((one) => one.digest === digest)
  const isAccepted = accepted.some((one) => one.slug === slug && one.digest === digest)
  const mayGo = holds.every((hold) => isAccepted && OF_CONTENT.has(hold))
  const judged: VersionReport = {
    ...compared,
    slug,
    id,
    digest,
    ...(skill && { facts: pickFacts(skill) }),
    isNew: live === undefined,
    isTold: rejection?.isTold === true,
    state: rejection ? 'rejected' : mayGo ? 'written' : 'held',
    holds,
    isNewlyHeld: false,
    lostBits: [],
    problems: refused.map(renderProblem),
    findings,
    changes: [...noteChanges(version), ...compared.changes],
    ...(renamed !== undefined && { renamed }),
    ...(loss && { loss }),
  }
  return isSame || isAccepted ? judged : delayVersion(judged, skill, settings, catalog, waiting)
}

/** Remembers that a report says of a version that it was rejected. */
const markTold = (content: string, digest: string): void => {
  const state = readState(content)
  const rejected = state.rejected.map((one) =>
    one.digest === digest ? { ...one, isTold: true } : one,
  )
  writeState(content, { ...state, rejected })
}

/** Versions of a source whose lines are shown, and how many of each. */
const SHOWN_LIMIT = { versions: 100, lines: 40 }

/** Where a version is written before it takes its place; the loader passes it over. */
const NEXT = '.tmp-catalog-next'

/** Puts a version into `pending/` whole, in place of the one that is there. Gives the files whose bits cannot be kept. */
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
    live: readSkillBits(content),
    pending: readSkillBits(pendingIn(content)),
  }
}

/**
 * Takes in the version whose days are over, if it would go in if it were offered today, in place of the version that
 * is offered. Gives its report if it went in.
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
  const stored = readRecords(settings.content)
  const { lostBits } = takeIn(settings.content, due, { ...stored, records: [...stored.records] })
  dropPending(settings.content, due.slug)
  return [{ ...judged, lostBits }]
}

/** Judges versions of a source and puts aside those that wait; a function that gives what becomes of each. */
export const createReview = (place: string, settings: ReviewSettings) => {
  const { content, isDry, wait, today } = settings
  let shown = 0
  let catalog: Catalog | undefined
  const showDifference = ({ slug, live, opened }: Version, bits: SkillBits) => {
    shown += 1
    if (shown > SHOWN_LIMIT.versions) return {}
    const before = live && openSkill(content, slug, bits.ofSkill(slug))
    return { difference: compareFiles(place, before, opened, SHOWN_LIMIT.lines) }
  }
  /** Runs under the lock. The report of the version itself is the last; that of one whose days are over comes before it. */
  return (version: Version): VersionReport[] => {
    const { slug } = version
    catalog ??= openCatalog(content)
    const waiting = openWaiting(content, slug, catalog)
    const since = waiting?.since
    let judged = judgeVersion(version, settings, catalog, waiting)
    let now = version
    let due: VersionReport[] = []
    const isOver = since !== undefined && addDays(since, wait) <= today
    if (isOver && waiting!.digest !== judged.digest && judged.state !== 'written') {
      due = takeDue(version, waiting!, settings, catalog)
      if (due.length > 0 && !isDry) {
        catalog = openCatalog(content)
        now = { ...version, live: openSkill(content, slug).record }
      }
      judged = judgeVersion(now, settings, catalog)
      // One version of a skill goes in per run; the newer one follows with the next.
      if (judged.state === 'written') judged = { ...judged, state: 'days', due: today }
    }
    const { state, digest, isTold } = judged
    const isAside = state === 'held' || state === 'days'
    const difference = isAside ? showDifference(now, catalog.live) : {}
    const lostBits = isAside && !isDry ? putAside(content, version, catalog.pending) : []
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
