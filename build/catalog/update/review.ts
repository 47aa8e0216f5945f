import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { locate, locationKey } from '../../../src/catalog/address.ts'
import { renderProblem } from '../../../src/catalog/problems.ts'
import { findPolicyBreaches } from '../../../src/catalog/policy.ts'
import { siteRecord } from '../../../src/catalog/schema.ts'
import type { SiteRecord, SkillRecord, SourceRow } from '../../../src/catalog/schema.ts'
import { makeSkillInTime, openSkill } from '../../../src/catalog/skill-folder.ts'
import { pickFacts } from '../../../src/catalog/skill.ts'
import type { SkillFacts, SkillFile } from '../../../src/catalog/skill.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import type { SkillBits } from '../../machine/checkout.ts'
import { makeFolder } from '../../machine/folders.ts'
import type { Loss, Version } from '../import/run.ts'
import { pendingIn, readBeside } from '../store/records.ts'
import { readSourcesLock } from '../store/sources-lock.ts'
import { dropPending, openCopies, writeSkillFolder } from '../store/write.ts'
import { compareFiles } from './difference.ts'
import type { FilesDifference } from './difference.ts'
import { openWaiting } from './sources.ts'
import { compareVersions, digestVersion, hasSevere, isSevere, loadVersion } from './version.ts'
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
  state: 'written' | 'held' | 'rejected'
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
export const isPutAside = ({ state }: VersionReport): boolean => state === 'held'

/** The review settings for one source. */
export interface ReviewSettings {
  content: string
  policy: NonNullable<SourceRow['review']>
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

/** The state and rules of a catalog, and the executable bits of its live and pending files. */
interface Catalog {
  rejected: ReadonlySet<string>
  rules: SiteRecord['policy']
  liveBits: SkillBits
  pendingBits: SkillBits
}

/** Compares a version with the live skill and decides whether it may go in. */
const judgeVersion = (
  version: Version,
  settings: ReviewSettings,
  catalog: Catalog,
): VersionReport => {
  const { content, policy, mayFlood } = settings
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
    flood: !live && !mayFlood && source.added > FLOOD_LIMIT,
    refused: refused.length > 0,
    code: policy === 'code' && compared.code.length > 0,
    // A rewritten history changes only the commit in the address.
    all: policy === 'all' && !(isSame && folderOf(live) === folderOf(record)),
  }
  const holds = (Object.keys(HOLDS) as Hold[]).filter((hold) => reasons[hold])
  const isRejected = !isSame && catalog.rejected.has(digest)
  return {
    ...compared,
    slug,
    id,
    digest,
    ...(skill && { facts: pickFacts(skill) }),
    isNew: live === undefined,
    state: isRejected ? 'rejected' : holds.length === 0 ? 'written' : 'held',
    holds,
    isNewlyHeld: false,
    lostBits: [],
    problems: refused.map(renderProblem),
    changes: [...noteChanges(version), ...compared.changes],
    ...(renamed !== undefined && { renamed }),
    ...(loss && { loss }),
  }
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
    rejected: new Set(readSourcesLock(content).rejected.map((row) => row.rejected)),
    rules: readBeside(content, 'site.json', siteRecord)?.policy,
    liveBits: readSkillBits(content),
    pendingBits: readSkillBits(pendingIn(content)),
  }
}

/** Returns a function that reviews one version of a source, and writes it to `pending/` if it has to wait. */
export const createReview = (temporary: string, settings: ReviewSettings) => {
  const { content, isDry } = settings
  let shown = 0
  let catalog: Catalog | undefined
  const showDifference = ({ slug, live, opened }: Version, bits: SkillBits) => {
    shown += 1
    if (shown > SHOWN_LIMIT.versions) return {}
    const before = live && openSkill(content, slug, bits.ofSkill(slug))
    return { difference: compareFiles(temporary, before, opened, SHOWN_LIMIT.lines) }
  }
  /** Call it under the lock. */
  return (version: Version): VersionReport => {
    const { slug } = version
    catalog ??= openCatalog(content)
    const waiting = openWaiting(content, slug, catalog.pendingBits)
    const judged = judgeVersion(version, settings, catalog)
    const { state, digest } = judged
    const isAside = isPutAside(judged)
    const difference = isAside ? showDifference(version, catalog.liveBits) : {}
    const lostBits = isAside && !isDry ? putAside(content, version, catalog.pendingBits) : []
    if (!isDry && state === 'rejected') dropPending(content, slug)
    const isNewlyHeld = state === 'held' && waiting?.digest !== digest
    return { ...judged, ...difference, isNewlyHeld, lostBits }
  }
}
