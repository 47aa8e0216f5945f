import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { locate } from '../../../src/catalog/address.ts'
import { renderProblem } from '../../../src/catalog/problems.ts'
import { findPolicyBreaches } from '../../../src/catalog/policy.ts'
import { siteRecord } from '../../../src/catalog/schema.ts'
import type { SiteRecord, SkillRecord, SourceRow } from '../../../src/catalog/schema.ts'
import { makeSkillInTime, openSkill } from '../../../src/catalog/skill-folder.ts'
import { pickFacts } from '../../../src/catalog/skill.ts'
import type { Skill, SkillFacts, SkillFile } from '../../../src/catalog/skill.ts'
import { bitsOf, readSkillBits } from '../../machine/checkout.ts'
import type { SkillBits } from '../../machine/checkout.ts'
import { makeFolder } from '../../machine/folders.ts'
import type { Loss, Version } from '../import/run.ts'
import { pendingIn, readBeside, readRecords } from '../store/records.ts'
import { dropPending, openCopies, writeSkillFolder } from '../store/write.ts'
import type { CodeChange } from './code.ts'
import { compareFolders } from './difference.ts'
import type { FilesDifference } from './difference.ts'
import { listWaitingFiles, takeIn } from './intake.ts'
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

const writeAll = (
  content: string,
  { slug, files, record }: Pick<Version, 'slug' | 'files' | 'record'>,
  bits: Pick<SkillBits, 'keep'>,
): SkillFile[] => {
  makeFolder(join(content, 'skills'))
  const written = files.map(({ path }) => path)
  return writeSkillFolder(content, slug, files, { written, removed: [] }, record, bits)
}

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
interface Known {
  state: SourceState
  rules: SiteRecord['policy']
  live: SkillBits
  pending: SkillBits
  /** The version of this skill that waits for its days. */
  running?: SourceState['seen'][number] | undefined
}

type Judged = Omit<VersionReport, 'isNewlyHeld' | 'lostBits'>

/** Lets a version wait for its days, or behind one that already does, unless the waiting one has findings that this one lacks. */
const delayVersion = (
  judged: Judged,
  skill: Skill | undefined,
  { content, wait, today }: ReviewSettings,
  { state: { seen }, pending, running }: Known,
): Judged => {
  const { slug, digest, state } = judged
  const dueOf = (since = today): string => addDays(since, wait)
  if (state === 'rejected') return judged
  if (running && running.digest !== digest) {
    const other = loadVersion(pendingIn(content), slug, pending).skill
    const isWorse = listNewFindings(findingsOf(skill), findingsOf(other)).length > 0
    if (!isWorse) return { ...judged, state: 'later', due: dueOf(running.when) }
  }
  if (state !== 'written' || wait === 0) return judged
  const due = dueOf(seen.find((one) => one.digest === digest)?.when)
  return due <= today ? judged : { ...judged, state: 'days', due }
}

/** Reads a version, and compares it with the skill of the catalog. */
const judgeVersion = (
  stage: string,
  version: Version,
  settings: ReviewSettings,
  known: Known,
): Judged => {
  const { content, policy, mayFlood } = settings
  const { state, rules, live: bits } = known
  const { accepted, rejected, flooded } = state
  const { slug, id, record, loaded, live, loss, source, isInternal, returned, renamed } = version
  const { skill, problems } = loaded
  const before = live && loadVersion(content, slug, bits)
  const intended = bitsOf(version.files)
  const after = { opened: openSkill(stage, slug, intended), skill }
  const compared = compareVersions(before, after)
  // What a curator is told of a text does not depend on whether it may be copied.
  const whole = loss && makeSkillInTime(openCopies(content, slug, version.read, record)).skill
  const old = findingsOf(before?.skill)
  const findings = loss ? listNewFindings(old, findingsOf(whole)) : compared.findings
  // The line of a finding may do what another one says: `curl "$URL"`, with `URL=` in the next file.
  const isSuspect = keepsGrave(old, findingsOf(skill))
  const refused = skill ? findPolicyBreaches(rules, [skill]) : problems
  const reasons: Record<Hold, boolean> = {
    findings: findings.some(isGrave),
    suspect: isSuspect && compared.code.some(({ kind }) => OF_CODE.has(kind)),
    licence: loss !== undefined,
    deserted: source.isDeserted,
    internal: isInternal,
    returned: returned !== undefined,
    renamed: renamed !== undefined,
    moved: live !== undefined && repositoryOf(live) !== repositoryOf(record),
    flood: !live && !mayFlood && (source.added > FLOOD_LIMIT || flooded.includes(slug)),
    refused: refused.length > 0,
    code: policy === 'code' && compared.code.length > 0,
    all: policy === 'all',
  }
  const holds = (Object.keys(HOLDS) as Hold[]).filter((hold) => reasons[hold])
  const digest = digestVersion(after.opened.folder, record, intended)
  const isSame =
    live && digestVersion(join(content, 'skills', slug), live, bits.ofSkill(slug)) === digest
  const rejection = isSame ? undefined : rejected.find((one) => one.digest === digest)
  const isAccepted = accepted.some((one) => one.slug === slug && one.digest === digest)
  const mayGo = holds.every((hold) => isAccepted && OF_CONTENT.has(hold))
  const judged: Judged = {
    ...compared,
    slug,
    id,
    digest,
    ...(skill && { facts: pickFacts(skill) }),
    isNew: live === undefined,
    isTold: rejection?.isTold === true,
    state: rejection ? 'rejected' : mayGo ? 'written' : 'held',
    holds,
    problems: refused.map(renderProblem),
    findings,
    changes: [...noteChanges(version), ...compared.changes],
    ...(renamed !== undefined && { renamed }),
    ...(loss && { loss }),
  }
  return isSame || isAccepted ? judged : delayVersion(judged, skill, settings, known)
}

/** The version of a skill that waits already. */
const findPending = (content: string, slug: string, bits: SkillBits) => {
  const pending = pendingIn(content)
  if (!existsSync(join(pending, 'skills', slug))) return undefined
  const known = bits.ofSkill(slug)
  const { folder, record } = openSkill(pending, slug)
  return record && { digest: digestVersion(folder, record, known) }
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

/** The version that waits for its days, read from pending/ as if it were offered today. */
const openRunning = (
  version: Version,
  { content }: ReviewSettings,
  { pending }: Known,
): Version | undefined => {
  const { slug, id } = version
  const opened = openSkill(pendingIn(content), slug, pending.ofSkill(slug))
  const { record } = opened
  if (record?.id !== id) return undefined
  const files = listWaitingFiles(content, slug, pending)
  return {
    ...version,
    files,
    read: files,
    record,
    loaded: makeSkillInTime(opened),
    loss: undefined,
  }
}

/** Where a version is written before it takes its place; the loader passes it over. */
const NEXT = '.tmp-catalog-next'

/** Puts a version into `pending/` whole, in place of the one that is there. */
const putAside = (content: string, version: Version, bits: SkillBits): SkillFile[] => {
  const pending = pendingIn(content)
  writeAll(pending, { ...version, slug: NEXT }, { keep: () => [] })
  dropPending(content, version.slug)
  renameSync(join(pending, 'skills', NEXT), join(pending, 'skills', version.slug))
  return bits.keep(version.slug, version.files)
}

const openCatalog = (content: string): Omit<Known, 'running'> => {
  rmSync(join(pendingIn(content), 'skills', NEXT), { recursive: true, force: true })
  return {
    state: readState(content),
    rules: readBeside(content, 'site.json', siteRecord)?.policy,
    live: readSkillBits(content),
    pending: readSkillBits(pendingIn(content)),
  }
}

/** Judges versions of a source and puts aside those that wait; a function that gives what becomes of each. */
export const createReview = (stage: string, settings: ReviewSettings) => {
  const { content, isDry, wait, today } = settings
  let shown = 0
  let catalog: Omit<Known, 'running'> | undefined
  const showDifference = ({ slug, live }: Version): FilesDifference | undefined => {
    shown += 1
    const before = live && join(content, 'skills', slug)
    const after = join(stage, 'skills', slug)
    return shown > SHOWN_LIMIT.versions
      ? undefined
      : compareFolders(stage, before, after, SHOWN_LIMIT.lines)
  }
  /** Takes in the version whose days are over, if it would go in today. */
  const takeDue = (version: Version, known: Known): VersionReport | undefined => {
    const due = openRunning(version, settings, known)
    const judged = due && judgeVersion(pendingIn(content), due, settings, known)
    if (judged?.state !== 'written') return undefined
    const report = { ...judged, isNewlyHeld: false, lostBits: [] }
    if (isDry) return report
    const stored = readRecords(content)
    const { lostBits } = takeIn(content, due!, { ...stored, records: [...stored.records] })
    dropPending(content, due!.slug)
    return { ...report, lostBits }
  }
  /** Runs under the lock. The report of the version itself is the last; that of one whose days are over comes before it. */
  return (version: Version): VersionReport[] => {
    const { slug } = version
    catalog ??= openCatalog(content)
    rmSync(join(stage, 'skills', slug), { recursive: true, force: true })
    // Its bits are known, whatever the disk of the stage keeps.
    writeAll(stage, version, { keep: () => [] })
    const pending = findPending(content, slug, catalog.pending)
    const running = catalog.state.seen.find((one) => one.digest === pending?.digest)
    let judged = judgeVersion(stage, version, settings, { ...catalog, running })
    let now = version
    const due: VersionReport[] = []
    const isOver = running !== undefined && addDays(running.when, wait) <= today
    if (isOver && running.digest !== judged.digest && judged.state !== 'written') {
      const taken = takeDue(version, { ...catalog, running })
      if (taken) due.push(taken)
      if (taken && !isDry) {
        catalog = openCatalog(content)
        now = { ...version, live: openSkill(content, slug).record }
      }
      judged = judgeVersion(stage, now, settings, catalog)
      // One version of a skill goes in per run; the newer one follows with the next.
      if (judged.state === 'written') judged = { ...judged, state: 'days', due: today }
    }
    const { state, digest } = judged
    const isAside = state === 'held' || state === 'days'
    const difference = isAside ? showDifference(now) : undefined
    const lostBits = isAside && !isDry ? putAside(content, version, catalog.pending) : []
    if (!isDry && state === 'rejected') {
      if (!running) dropPending(content, slug)
      if (!judged.isTold) markTold(content, digest)
    }
    const isKnown = pending?.digest === digest && !running
    const isNewlyHeld = state === 'held' && !isKnown
    return [...due, { ...judged, isNewlyHeld, lostBits, ...(difference && { difference }) }]
  }
}
