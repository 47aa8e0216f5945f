import { VersionsError } from './git.ts'
import { NO_TEXT } from './history.ts'
import type { SkillVersion } from './history.ts'
import type { Advisory } from '../../src/catalog/schema.ts'
import { nameVersion } from './name.ts'
import type { ListedVersion } from '../../src/documents/on-request/version.ts'

/** How many versions to serve, from `versions` in site.json. */
interface Retention {
  /** Number of newest versions of each skill, including the current version. */
  keep: number
  /** Number of past days. The version that was current at the end of such a day is served, too. */
  days: number
}

/**
 * Whether a version is served, or why not: it is too old or has a fault, its skill moved, left the catalog or lost its
 * source, or its text may not be given out. Only a served version has a zip and an index.
 */
export type Standing =
  | 'served'
  | 'dropped'
  | 'moved'
  | 'retired'
  | 'gone'
  | 'licence'
  | 'withheld'
  | 'withdrawn'

/** A version in the list of a slug. Its `day` is the day of the last commit that made it current. */
export interface VersionRow extends ListedVersion {
  standing: Standing
  version: SkillVersion
  /** The version that was current before it. */
  before: SkillVersion | undefined
  /** Day on which another version became current; undefined for the current version, or if the day is unknown. */
  until: string | undefined
}

/** A skill in the catalog. Its standing, if any, applies to all its versions. */
export interface CurrentSkill {
  id: number
  standing?: 'gone' | 'licence' | undefined
}

const DAY = 24 * 60 * 60
/** First second of the year 10000. */
const YEAR_10000 = 253_402_300_800

export const dayOf = (at: number): string | undefined =>
  at > 0 && at < YEAR_10000 ? new Date(at * 1_000).toISOString().slice(0, 10) : undefined

/** The versions of a folder from its first commit until it is removed. */
interface FolderLife {
  slug: string
  /** The id in its last record. The slug stands in for the id of a folder without a record. */
  id: number | string
  /** The ids in all its records. */
  ids: Set<number | string>
  versions: SkillVersion[]
  /** Earlier folders with one of its ids, under any slug, then this folder. */
  listed: FolderLife[]
}

/** Returns the folder of each version, in the order of the versions. */
const splitLives = (versions: readonly SkillVersion[]): Map<SkillVersion, FolderLife> => {
  const lifeOf = new Map<SkillVersion, FolderLife>()
  const open = new Map<string, FolderLife>()
  for (const version of versions) {
    const { slug, tree, id } = version
    if (tree === '') {
      open.delete(slug)
      continue
    }
    const life = open.get(slug) ?? { slug, id: slug, ids: new Set(), versions: [], listed: [] }
    open.set(slug, life)
    lifeOf.set(version, life)
    life.versions.push(version)
    life.id = id ?? slug
    life.ids.add(life.id)
  }
  const earlier = new Map<FolderLife['id'], FolderLife[]>()
  for (const life of new Set(lifeOf.values())) {
    life.listed = [...[...life.ids].flatMap((id) => earlier.get(id) ?? []), life]
    earlier.set(life.id, [...(earlier.get(life.id) ?? []), life])
  }
  return lifeOf
}

/**
 * Returns the days since 1970 on which versions became current. A day in the future, or before the day of an earlier
 * commit, is replaced by the day of the earlier commit.
 */
const orderDays = (versions: readonly SkillVersion[], today: number): number[] => {
  let latest = 0
  return versions.map(({ at }) => {
    const day = Math.floor(at / DAY)
    if (day > latest && day <= today) latest = day
    return latest
  })
}

/** A row for all versions with the same files, and their places in the history. */
interface MergedVersion {
  row: VersionRow
  places: number[]
}

/** Merges versions with the same files; returns the newest first. */
const mergeVersions = (versions: readonly SkillVersion[]): MergedVersion[] => {
  /** The first digest with each name. */
  const firstDigests = new Map<string, string>()
  const merged = new Map<string, MergedVersion>()
  versions.forEach((version, place) => {
    const { digest, key } = version
    const name = digest && nameVersion(digest)
    if (name && !firstDigests.has(name)) firstDigests.set(name, digest)
    // Somebody could craft files whose digest starts with the same twelve digits. They must not get the name.
    const isTaken = name !== undefined && firstDigests.get(name) !== digest
    const known = merged.get(key)
    merged.delete(key)
    const row: VersionRow = {
      name: isTaken ? undefined : name,
      day: dayOf(version.at),
      standing: 'dropped',
      reason: isTaken ? `its name would be ${name}, which an earlier version has` : version.fault,
      source: version.url,
      // After a move, the first version of the new folder has the same files and no changes of its own.
      changes: version.changes ?? known?.row.changes,
      version,
      before: versions.slice(0, place).findLast((old) => old.fault !== NO_TEXT && old.key !== key),
      until: dayOf(versions[place + 1]?.at ?? 0),
    }
    merged.set(key, { row, places: [...(known?.places ?? []), place] })
  })
  return [...merged.values()].toReversed()
}

/** Lists the versions of a skill, newest first. */
const listVersions = (
  versions: readonly SkillVersion[],
  { standing }: CurrentSkill,
  { keep, days }: Retention,
  today: number,
): VersionRow[] => {
  const began = orderDays(versions, today)
  const wasKeptAt = (place: number): boolean => {
    const next = began[place + 1]
    return next === undefined || (next > began[place]! && next > today - days)
  }
  let count = 0
  return mergeVersions(versions).flatMap(({ row, places }) => {
    if (row.version.fault === NO_TEXT) return []
    if (row.name !== undefined) count += 1
    const isServed = row.name !== undefined && (count <= keep || places.some(wasKeptAt))
    row.standing = standing ?? (isServed ? 'served' : 'dropped')
    return row
  })
}

/**
 * Lists the versions of every slug that has or had versions. The list of a skill includes the versions of removed
 * folders with its id. `today` is YYYY-MM-DD. Throws VersionsError if the name of a current version belongs to an
 * earlier version with other files.
 */
export const planVersions = (
  versions: readonly SkillVersion[],
  skills: ReadonlyMap<string, CurrentSkill>,
  retention: Retention,
  today: string,
): Map<string, VersionRow[]> => {
  const now = Math.floor(Date.parse(today) / 1_000 / DAY)
  const slugs = new Map(Array.from(skills, ([slug, { id }]) => [id, slug] as const))
  const ownerOf = ({ id, slug }: FolderLife) =>
    typeof id === 'number' ? slugs.get(id) : skills.has(slug) ? slug : undefined
  const lifeOf = splitLives(versions)
  const owned = Map.groupBy(lifeOf.keys(), (version) => ownerOf(lifeOf.get(version)!))
  const plan = new Map<string, VersionRow[]>()
  for (const [slug, skill] of skills) {
    const skillVersions = owned.get(slug)
    if (!skillVersions) continue
    const rows = listVersions(skillVersions, skill, retention, now)
    const [row] = rows
    if (row?.version.digest !== undefined && row.name === undefined)
      throw new VersionsError(
        `skills/${slug}: ${row.reason}; change one of its files and commit it`,
      )
    plan.set(slug, rows)
  }
  const lives = [...new Set(lifeOf.values())].toReversed()
  // If two skills had a version at the same address, prefer the skill that still exists.
  const isRetired = (life: FolderLife): number => Number(ownerOf(life) === undefined)
  for (const { slug, listed } of lives.sort((a, b) => isRetired(a) - isRetired(b))) {
    const rows = plan.get(slug) ?? []
    for (const life of listed.toReversed()) {
      const to = ownerOf(life)
      if (to === slug) continue
      const known = new Set(rows.map(({ name }) => name))
      const standing: Standing = to === undefined ? 'retired' : 'moved'
      for (const { row } of mergeVersions(life.versions))
        if (row.name !== undefined && !known.has(row.name))
          rows.push(Object.assign(row, { standing, to }))
    }
    plan.set(slug, rows)
  }
  return plan
}

/**
 * Marks the versions that advisories withdraw, even if their skill has moved since. Returns, as `slug@name`, the
 * versions in advisories that no skill has had.
 */
export const withdrawVersions = (
  plan: ReadonlyMap<string, readonly VersionRow[]>,
  advisories: readonly Advisory[],
): string[] => {
  const find = (slug: string, name: string): VersionRow | undefined => {
    const row = plan.get(slug)?.find((listed) => listed.name === name)
    return row?.to === undefined ? row : plan.get(row.to)?.find((listed) => listed.name === name)
  }
  return advisories
    .filter(({ withdrawn }) => withdrawn === undefined)
    .flatMap(({ id, summary, affected }) =>
      affected.flatMap(({ slug, versions }) =>
        versions.flatMap((name) => {
          const row = find(slug, name)
          if (!row) return `${slug}@${name}`
          Object.assign(row, { standing: 'withdrawn', advisory: id, reason: summary })
          return []
        }),
      ),
    )
}
