import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { renderProblem } from '../../../src/catalog/problems.ts'
import type { SkillRecord, SourceRow } from '../../../src/catalog/schema.ts'
import { makeSkillInTime, openSkill } from '../../../src/catalog/skill-folder.ts'
import type { Finding } from '../../../src/catalog/skill.ts'
import { makeFolder } from '../../machine/folders.ts'
import type { Loss, Version } from '../import/run.ts'
import { pendingIn } from '../store/records.ts'
import { dropPending, openCopies, writeSkillFolder } from '../store/write.ts'
import { compareCode } from './code.ts'
import type { CodeChange } from './code.ts'
import { readState, writeState } from './sources.ts'
import { compareVersions, digestVersion, isGrave, keepsGrave, listNewFindings } from './version.ts'
import type { Change } from './version.ts'

/** Why a version waits for a curator. */
type Hold =
  | 'findings'
  | 'suspect'
  | 'licence'
  | 'deserted'
  | 'internal'
  | 'refused'
  | 'code'
  | 'all'

/** What became of a new or changed version. */
export interface VersionReport {
  slug: string
  id: number
  /** With the slug, its name. */
  digest: string
  isNew: boolean
  /** Whether a report said before that it was rejected. */
  isTold: boolean
  state: 'written' | 'held' | 'rejected'
  /** Why it waits, or would if it was not rejected. */
  holds: Hold[]
  /** Whether it did not wait before. */
  isNewlyHeld: boolean
  /** Why the build could not load it. */
  problems: string[]
  /** New or graver ones. */
  findings: Finding[]
  changes: Change[]
  /** What differs of what runs, where that decides. */
  code: CodeChange[]
  /** Set if its text would go. */
  loss?: Loss
}

/** Where versions of a source go, and which of them wait. */
export interface ReviewSettings {
  content: string
  policy: NonNullable<SourceRow['review']>
}

const writeAll = (content: string, slug: string, files: Version['files'], record: SkillRecord) => {
  makeFolder(join(content, 'skills'))
  const written = files.map(({ path }) => path)
  writeSkillFolder(content, slug, files, { written, removed: [] }, record)
}

/** Writes a version into a folder of its own. */
const stageVersion = (stage: string, { slug, record, files }: Version): string => {
  const folder = join(stage, 'skills', slug)
  rmSync(folder, { recursive: true, force: true })
  writeAll(stage, slug, files, record)
  return folder
}

/** What differs of the code itself. */
const OF_CODE: ReadonlySet<CodeChange['kind']> = new Set(['file', 'code', 'unread'])

/** Reads a version, and compares it with the skill of the catalog. */
const judgeVersion = (
  folder: string,
  version: Version,
  { content, policy }: ReviewSettings,
): Omit<VersionReport, 'isNewlyHeld'> => {
  const { slug, id, change, record, loaded, live, loss, isDeserted, isInternal } = version
  const after = loaded.skill && { ...loaded.skill, folder }
  const opened = live && openSkill(content, slug)
  const before = opened && makeSkillInTime(opened).skill
  // What a curator is told of a text does not depend on whether it may be copied.
  const whole = openCopies(content, slug, version.read, record)
  const read = loss ? makeSkillInTime(whole).skill : after
  const findings = listNewFindings(before?.findings ?? [], read?.findings ?? [])
  // The line of a finding may do what another one says: `curl "$URL"`, with `URL=` in the next file.
  const isSuspect = keepsGrave(before?.findings ?? [], after?.findings ?? [])
  const copied = openCopies(content, slug, version.files, record)
  const differing = policy === 'code' || isSuspect ? compareCode(opened, copied) : []
  const code = policy === 'code' ? differing : differing.filter(({ kind }) => OF_CODE.has(kind))
  const reasons: Record<Hold, boolean> = {
    findings: findings.some(isGrave),
    suspect: isSuspect && code.some(({ kind }) => OF_CODE.has(kind)),
    licence: loss !== undefined,
    deserted: isDeserted,
    internal: isInternal,
    refused: !after,
    code: policy === 'code' && code.length > 0,
    all: policy === 'all',
  }
  const holds = (Object.keys(reasons) as Hold[]).filter((hold) => reasons[hold])
  const digest = digestVersion(folder, record)
  const { accepted, rejected } = readState(content)
  const rejection = rejected.find((one) => one.digest === digest)
  const isAccepted = accepted.some((one) => one.slug === slug && one.digest === digest)
  const mayGo = holds.length === 0 || (isAccepted && after !== undefined)
  return {
    slug,
    id,
    digest,
    isNew: live === undefined,
    isTold: rejection?.isTold === true,
    state: rejection ? 'rejected' : mayGo ? 'written' : 'held',
    holds,
    problems: loaded.problems.map(renderProblem),
    findings,
    changes: [
      ...(isInternal ? [{ what: 'marked as internal by its author', values: [] }] : []),
      ...(before && after ? compareVersions(before, after, change.written) : []),
    ],
    code,
    ...(loss && { loss }),
  }
}

/** Whether this version waits already. */
const isPending = (
  content: string,
  { slug, digest }: Pick<VersionReport, 'slug' | 'digest'>,
): boolean => {
  const pending = pendingIn(content)
  if (!existsSync(join(pending, 'skills', slug))) return false
  const { folder, record } = openSkill(pending, slug)
  return record !== undefined && digestVersion(folder, record) === digest
}

/** Remembers that a report says of a version that it was rejected. */
const markTold = (content: string, digest: string): void => {
  const state = readState(content)
  const rejected = state.rejected.map((one) =>
    one.digest === digest ? { ...one, isTold: true } : one,
  )
  writeState(content, { ...state, rejected })
}

/** Judges a version and puts it aside if it is held back; returns what becomes of it. Runs under the lock. */
export const reviewVersion = (
  stage: string,
  version: Version,
  settings: ReviewSettings,
): VersionReport => {
  const { content } = settings
  const { slug, files, record } = version
  const judged = judgeVersion(stageVersion(stage, version), version, settings)
  const isHeld = judged.state === 'held'
  const isNewlyHeld = isHeld && !isPending(content, judged)
  if (judged.state !== 'written') dropPending(content, slug)
  if (isHeld) writeAll(pendingIn(content), slug, files, record)
  if (judged.state === 'rejected' && !judged.isTold) markTold(content, judged.digest)
  return { ...judged, isNewlyHeld }
}
