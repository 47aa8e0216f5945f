import { countOf } from '../../src/catalog/text.ts'
import { ADVISORIES_FILE } from '../../src/catalog/references.ts'
import type { Advisory } from '../../src/catalog/schema.ts'
import type { FileChanges, ListedVersion } from '../../src/documents/on-request/version.ts'
import { VersionsError } from './git.ts'
import { identify } from './history.ts'
import type { SkillVersion } from './history.ts'
import { nameVersion } from './name.ts'

/** How many versions of a skill are served, if `site.json` does not say it. */
export const DEFAULT_KEEP = 3

/** A version in the list of a skill. Its `day` is the day of the last commit that made it current. */
export interface VersionRow extends ListedVersion {
  version: SkillVersion
  /** The version that was current before it. */
  before: SkillVersion | undefined
}

/** The versions of every slug that has or had some, the newest first. */
export type VersionPlan = ReadonlyMap<string, readonly VersionRow[]>

/** The parts of a catalog that decide which versions are served. */
interface CatalogRules {
  /** The slugs of all skills. Each with the reason why none of its versions may be given out, if there is one. */
  skills: ReadonlyMap<string, string | undefined>
  /** New slug by old slug, of moved skills. */
  moves: ReadonlyMap<string, string>
  advisories: readonly Advisory[]
  /** Number of newest versions of each skill that are served, including the current version. */
  keep: number
}

const RETIRED = 'The skill was removed from the catalog.'

const explainOld = (keep: number): string =>
  `It is no longer kept: the registry serves the ${countOf(keep, 'newest version')} of a skill.`

/** First second of the year 10000. */
const YEAR_10000 = 253_402_300_800

const dayOf = (at: number): string | undefined =>
  at > 0 && at < YEAR_10000 ? new Date(at * 1_000).toISOString().slice(0, 10) : undefined

const compareFiles = (before: SkillVersion, after: SkillVersion): FileChanges => {
  const [old, now] = [before, after].map(
    ({ files }) => new Map(files.map((file) => [file.path, JSON.stringify(file)] as const)),
  ) as [Map<string, string>, Map<string, string>]
  const paths = [...now.keys()].sort()
  return {
    added: paths.filter((path) => !old.has(path)),
    changed: paths.filter((path) => old.has(path) && old.get(path) !== now.get(path)),
    removed: [...old.keys()].filter((path) => !now.has(path)).sort(),
  }
}

/** Lists the versions of a skill, the newest first. Versions with the same files share a row. */
const listVersions = (slug: string, versions: readonly SkillVersion[]): VersionRow[] => {
  const current = versions.findLast((version) => version.slug === slug)
  const ordered = [...versions.filter((version) => version !== current), current ?? []].flat()
  const rows = new Map<string, VersionRow>()
  ordered.forEach((version, place) => {
    const { digest, fault, url } = version
    const key = identify(version)
    const before = ordered.slice(0, place).findLast((old) => identify(old) !== key)
    rows.delete(key)
    rows.set(key, {
      name: digest && nameVersion(digest),
      day: dayOf(version.at),
      reason: fault,
      source: url,
      changes: before && compareFiles(before, version),
      version,
      before,
    })
  })
  return [...rows.values()].toReversed()
}

/**
 * Lists the versions of every slug, with the reason why each is not served. The list of a skill includes the versions
 * of its former slugs. Throws VersionsError if an advisory names a version that its skill has not had.
 */
export const planVersions = (
  versions: readonly SkillVersion[],
  { skills, moves, advisories, keep }: CatalogRules,
): VersionPlan => {
  const ownerOf = (slug: string): string => moves.get(slug) ?? slug
  const plan = new Map<string, VersionRow[]>()
  for (const [slug, own] of Map.groupBy(versions, (version) => ownerOf(version.slug))) {
    const rows = listVersions(slug, own)
    const refusal = skills.has(slug) ? skills.get(slug) : RETIRED
    let count = 0
    for (const listed of rows) {
      if (listed.name !== undefined) count += 1
      listed.reason = refusal ?? listed.reason ?? (count > keep ? explainOld(keep) : undefined)
    }
    plan.set(slug, rows)
  }
  for (const { id, summary, affected } of advisories.filter((row) => row.withdrawn === undefined))
    for (const { slug, versions: names } of affected)
      for (const name of names) {
        const row = plan.get(ownerOf(slug))?.find((listed) => listed.name === name)
        if (row)
          Object.assign(row, { advisory: id, reason: `It was withdrawn (${id}): ${summary}` })
        else if (skills.has(ownerOf(slug)))
          throw new VersionsError(
            `${ADVISORIES_FILE} withdraws ${slug}@${name}, but no skill has had that version from "since" on; correct it`,
          )
      }
  return plan
}

/** Renders the list of all versions, a line of JSON for each. */
export const renderPlan = (plan: VersionPlan): string =>
  [...plan]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([slug, rows]) =>
      rows.flatMap(({ name, day, reason, advisory }) =>
        name === undefined ? [] : `${JSON.stringify({ slug, name, day, reason, advisory })}\n`,
      ),
    )
    .join('')
