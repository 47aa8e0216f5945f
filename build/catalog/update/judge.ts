import { sep } from 'node:path'
import { locate, locationKey } from '../../../src/catalog/address.ts'
import { findPolicyBreaches } from '../../../src/catalog/policy.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import type { SiteRecord, SkillRecord, SourceRow } from '../../../src/catalog/schema.ts'
import { makeSkillInTime } from '../../../src/catalog/skill-folder.ts'
import { pickFacts } from '../../../src/catalog/skill.ts'
import type { Finding, SkillFacts } from '../../../src/catalog/skill.ts'
import type { Candidate } from '../import/candidate.ts'
import type { Version } from '../import/run.ts'
import { openCopies } from '../store/write.ts'
import {
  compareVersions,
  digestVersion,
  isBeyondProse,
  isSevere,
  listSevere,
  loadVersion,
} from './version.ts'
import type { VersionChanges, createRejectedTest } from './version.ts'

/** Why a version needs a look, with the words of the report; the gravest first. */
export const LOOKS = {
  refused: 'the build refuses it',
  findings: 'findings',
  licence: 'licence',
  source: 'source',
  files: 'files',
  new: 'new',
} as const
type Reason = keyof typeof LOOKS

const EVERY_REASON = Object.keys(LOOKS) as Reason[]

/** A source that adds more skills than this at once needs a look. */
const MANY_NEW = 50

/** What became of a version. */
export type Outcome =
  /** Written into the catalog. */
  | 'taken'
  /** Left out because it needs a look, and nobody looks. */
  | 'left'
  /** Left out because its folder has changes that are not committed. */
  | 'changed here'
  /** Left out because a curator rejected these files. */
  | 'rejected'
  /** Left out because it has the name or the text of a retired skill. */
  | 'retired'

export interface VersionReport
  extends VersionChanges, Pick<Version, 'slug' | 'id' | 'loss' | 'open' | 'renamed' | 'lookalike'> {
  digest: string
  /** `same`: only its address or a day changed. */
  kind: 'new' | 'changed' | 'reappeared' | 'same'
  /** Severe findings, open or accepted, that it had before: files beside them changed. */
  known: Finding[]
  reasons: Reason[]
  needsLook: boolean
  outcome: Outcome
  /** Whether an earlier run left it out and said so. */
  isTold: boolean
  /** The facts that the build will list; undefined if it cannot load the version. */
  facts?: SkillFacts | undefined
  /** Why the build would refuse it. */
  problems: readonly Problem[]
  /** Why its source needs a look; the report says the same of several skills once. */
  sourceNotes: string[]
  /** Whether its record has asks that were written for another description. */
  hasOldAsks: boolean
  /** The slug of the retired skill whose name or text it has, and its own address. */
  returned?: { slug: string; url: string } | undefined
}

interface JudgeSettings {
  content: string
  review: NonNullable<SourceRow['review']>
  policy: SiteRecord['policy']
  /** Whether a curator rejected the files of a version. */
  isRejected: ReturnType<typeof createRejectedTest>
  /** Digests of versions that an earlier run left out. */
  told: ReadonlySet<string>
  /** Whether versions that need a look are left out. */
  isSafe: boolean
  /** Whether somebody asked for these skills, also for those that were rejected or retired. */
  isAsked: boolean
}

const folderOf = ({ source }: SkillRecord): string =>
  source.kind === 'own' ? '' : locationKey(source.url)

const repositoryOf = ({ source }: SkillRecord): string =>
  source.kind === 'own' ? '' : locate(source.url).repository

const isGone = ({ source }: SkillRecord): boolean =>
  source.kind === 'upstream' && source.status === 'gone'

const noteSource = ({ live, record, source }: Version): string[] => [
  ...(live && repositoryOf(live) !== repositoryOf(record)
    ? [`from ${repositoryOf(live) || 'this registry'} before`]
    : []),
  ...(source.isDeserted ? ['most skills of the source disappeared'] : []),
  ...(!live && source.added > MANY_NEW ? [`among ${source.added} new skills at once`] : []),
]

/** Whether a file was copied from another place than its own, or from another name. */
const isLink = ({ path, from }: Candidate['files'][number]): boolean =>
  !from.replaceAll(sep, '/').toLowerCase().endsWith(`/${path.toLowerCase()}`)

/** Compares a version with the skill that the catalog has, and decides what becomes of it. */
export const judgeVersion = (version: Version, settings: JudgeSettings): VersionReport => {
  const { content, review, policy, told, isSafe, isAsked } = settings
  const { candidate, slug, id, record, opened, loaded, live, loss, open, returned } = version
  const { skill } = loaded
  const before = live && loadVersion(content, slug, version.bits)
  // The findings cover the whole text even if its licence does not allow a copy.
  const whole = loss && makeSkillInTime(openCopies(content, slug, candidate.allFiles, record))
  const links = new Set(candidate.files.filter(isLink).map(({ path }) => path))
  const scanned = whole ? whole.skill : skill
  const compared = compareVersions(before, { opened, skill }, { scanned, links })
  const digest = digestVersion(opened, record)
  const isSame =
    before !== undefined &&
    digestVersion(before.opened, live!) === digest &&
    folderOf(live!) === folderOf(record)
  // A change elsewhere can alter what a known line does: `curl "$URL"`, with `URL=` in another file, or in prose.
  const isNearKnown = compared.files.length > 0 && listSevere(before?.skill).length > 0
  const known = listSevere(isNearKnown ? skill : undefined).filter(
    (finding) => !compared.findings.includes(finding),
  )
  const problems = skill ? findPolicyBreaches(policy, [skill]) : loaded.problems
  const sourceNotes = noteSource(version)
  const applies: Record<Reason, boolean> = {
    refused: problems.length > 0,
    findings: compared.findings.some(isSevere) || known.length > 0,
    licence: loss !== undefined || open !== undefined,
    source: sourceNotes.length > 0,
    files: live !== undefined && compared.files.some(isBeyondProse),
    new: live === undefined,
  }
  const reasons = EVERY_REASON.filter((reason) => applies[reason])
  // With `findings`, files do not count; with `all`, a change without a reason counts, too.
  const needsLook =
    (review === 'all' && !isSame) ||
    reasons.some((reason) => reason !== 'files' || review !== 'findings')
  const kind = !live ? 'new' : isGone(live) ? 'reappeared' : isSame ? 'same' : 'changed'
  const isRejected = !isSame && settings.isRejected(opened, record)
  const isLeft = isSafe && needsLook
  const outcome =
    isRejected && !isAsked
      ? 'rejected'
      : returned !== undefined && !isAsked
        ? 'retired'
        : isLeft
          ? 'left'
          : 'taken'
  const url = record.source.kind === 'own' ? '' : record.source.url
  return {
    ...compared,
    slug,
    id,
    digest,
    kind,
    known,
    reasons,
    needsLook,
    outcome,
    isTold: told.has(digest),
    facts: skill && pickFacts(skill),
    problems,
    open,
    loss,
    sourceNotes,
    renamed: version.renamed,
    lookalike: version.lookalike,
    returned: returned === undefined ? undefined : { slug: returned, url },
    hasOldAsks:
      live?.parts?.examples !== undefined &&
      compared.fields.some(({ what }) => what === 'description'),
  }
}
