import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { locate } from '../../../src/catalog/address.ts'
import { renderProblem } from '../../../src/catalog/problems.ts'
import type { SkillRecord, SourceRow } from '../../../src/catalog/schema.ts'
import { makeSkillInTime, openSkill } from '../../../src/catalog/skill-folder.ts'
import { pickFacts } from '../../../src/catalog/skill.ts'
import type { SkillFacts, SkillFile } from '../../../src/catalog/skill.ts'
import { bitsOf, readSkillBits } from '../../machine/checkout.ts'
import type { SkillBits } from '../../machine/checkout.ts'
import { makeFolder } from '../../machine/folders.ts'
import type { Loss, Version } from '../import/run.ts'
import { pendingIn } from '../store/records.ts'
import { dropPending, openCopies, writeSkillFolder } from '../store/write.ts'
import type { CodeChange } from './code.ts'
import { compareFolders } from './difference.ts'
import type { FilesDifference } from './difference.ts'
import { addDays, readState, writeState } from './sources.ts'
import type { SourceState } from './sources.ts'
import { compareVersions, digestVersion, isGrave } from './version.ts'
import { findingsOf, keepsGrave, listNewFindings, loadVersion } from './version.ts'
import type { Change, VersionChanges } from './version.ts'

/** Why a version waits for a curator. */
type Hold =
  | 'findings'
  | 'suspect'
  | 'licence'
  | 'deserted'
  | 'internal'
  | 'returned'
  | 'renamed'
  | 'moved'
  | 'flood'
  | 'refused'
  | 'code'
  | 'all'

/** What became of a new or changed version. */
export interface VersionReport extends VersionChanges {
  slug: string
  id: number
  /** With the slug, its name. */
  digest: string
  isNew: boolean
  /** Whether a report said before that it was rejected. */
  isTold: boolean
  /** `days`: it goes in on its day. `later`: another one waits for its days, and this follows it. */
  state: 'written' | 'held' | 'rejected' | 'days' | 'later'
  /** The day on which the version that waits for its days goes in. */
  due?: string
  /** Why it waits, or would if it was not rejected. */
  holds: Hold[]
  /** Whether it did not wait before. */
  isNewlyHeld: boolean
  /** What the build will list of it; undefined if it cannot load it. */
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
  /** Whether many new skills may come at once. */
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

/** What is said of a version beside what differs in it. */
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

/** What a curator has judged who accepted a version, wherever it comes from. */
const OF_CONTENT: ReadonlySet<Hold> = new Set(['findings', 'suspect', 'licence', 'code', 'all'])

/** What differs of the code itself. */
const OF_CODE: ReadonlySet<CodeChange['kind']> = new Set(['file', 'code', 'unread'])

/** What a catalog remembers, and which of its files may be started. */
interface Known {
  state: SourceState
  live: SkillBits
}

/** Reads a version, and compares it with the skill of the catalog. */
export const judgeVersion = (
  stage: string,
  version: Version,
  { content, policy, mayFlood }: ReviewSettings,
  { state: { accepted, rejected, flooded }, live: bits }: Known,
): Omit<VersionReport, 'isNewlyHeld' | 'lostBits'> => {
  const { slug, id, record, loaded, live, loss, source, isInternal, returned, renamed } = version
  const { skill, problems } = loaded
  const before = live && loadVersion(content, slug, bits)
  const intended = bitsOf(version.files)
  const after = { opened: openSkill(stage, slug, intended), skill }
  const compared = compareVersions(before, after)
  // What a curator is told of a text does not depend on whether it may be copied.
  const whole = loss && makeSkillInTime(openCopies(content, slug, version.read, record)).skill
  const known = findingsOf(before?.skill)
  const findings = loss ? listNewFindings(known, findingsOf(whole)) : compared.findings
  // The line of a finding may do what another one says: `curl "$URL"`, with `URL=` in the next file.
  const isSuspect = keepsGrave(known, findingsOf(skill))
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
    refused: !skill,
    code: policy === 'code' && compared.code.length > 0,
    all: policy === 'all',
  }
  const holds = (Object.keys(reasons) as Hold[]).filter((hold) => reasons[hold])
  const digest = digestVersion(after.opened.folder, record, intended)
  const rejection = rejected.find((one) => one.digest === digest)
  const isAccepted = accepted.some((one) => one.slug === slug && one.digest === digest)
  const mayGo = holds.every((hold) => isAccepted && OF_CONTENT.has(hold))
  return {
    ...compared,
    slug,
    id,
    digest,
    ...(skill && { facts: pickFacts(skill) }),
    isNew: live === undefined,
    isTold: rejection?.isTold === true,
    state: rejection ? 'rejected' : mayGo ? 'written' : 'held',
    holds,
    problems: problems.map(renderProblem),
    findings,
    changes: [...noteChanges(version), ...compared.changes],
    ...(renamed !== undefined && { renamed }),
    ...(loss && { loss }),
  }
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

type Judged = ReturnType<typeof judgeVersion>
type Decided = SourceState['seen'][number]

/** Lets a version wait for its days, or behind another one that does, unless that has a finding which it has not. */
const delayVersion = (
  judged: Judged,
  { loaded: { skill }, live }: Version,
  running: Decided | undefined,
  { content, wait, today }: ReviewSettings,
  { state: { accepted, seen }, live: bits, pending }: Known & { pending: SkillBits },
): Judged => {
  const { slug, digest, state } = judged
  const dueOf = (since = today): string => addDays(since, wait)
  if (state === 'rejected') return judged
  if (running && running.digest !== digest) {
    const other = loadVersion(pendingIn(content), slug, pending).skill
    const isWorse = listNewFindings(findingsOf(skill), findingsOf(other)).length > 0
    if (!isWorse) return { ...judged, state: 'later', due: dueOf(running.when) }
  }
  const folder = join(content, 'skills', slug)
  const isSame = live && digestVersion(folder, live, bits.ofSkill(slug)) === digest
  const isAccepted = accepted.some((one) => one.slug === slug && one.digest === digest)
  if (state !== 'written' || wait === 0 || isSame || isAccepted) return judged
  const due = dueOf(seen.find((one) => one.digest === digest)?.when)
  return due <= today ? judged : { ...judged, state: 'days', due }
}

/** Judges versions of a source and puts aside those that wait; a function that gives what becomes of each. */
export const createReview = (stage: string, settings: ReviewSettings) => {
  const { content, isDry } = settings
  let shown = 0
  let known: (Known & { pending: SkillBits }) | undefined
  /** Runs under the lock. */
  return (version: Version): VersionReport => {
    const { slug, live } = version
    rmSync(join(stage, 'skills', slug), { recursive: true, force: true })
    known ??= {
      state: readState(content),
      live: readSkillBits(content),
      pending: readSkillBits(pendingIn(content)),
    }
    // Its bits are known, whatever the disk of the stage keeps.
    writeAll(stage, version, { keep: () => [] })
    const pending = findPending(content, slug, known.pending)
    const running = known.state.seen.find((one) => one.digest === pending?.digest)
    const first = judgeVersion(stage, version, settings, known)
    const judged = delayVersion(first, version, running, settings, known)
    const { state, digest } = judged
    const isAside = state === 'held' || state === 'days'
    if (isAside) shown += 1
    const before = live && join(content, 'skills', slug)
    const difference =
      isAside && shown <= SHOWN_LIMIT.versions
        ? compareFolders(stage, before, join(stage, 'skills', slug), SHOWN_LIMIT.lines)
        : undefined
    const lostBits: SkillFile[] = []
    if (!isDry) {
      if (isAside || (state === 'rejected' && !running)) dropPending(content, slug)
      if (isAside) lostBits.push(...writeAll(pendingIn(content), version, known.pending))
      if (state === 'rejected' && !judged.isTold) markTold(content, digest)
    }
    const isNewlyHeld = state === 'held' && pending?.digest !== digest
    return { ...judged, isNewlyHeld, lostBits, ...(difference && { difference }) }
  }
}
