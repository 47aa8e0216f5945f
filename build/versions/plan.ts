import { VersionsError } from './git.ts'
import { NO_TEXT } from './history.ts'
import type { SkillVersion } from './history.ts'
import type { Advisory } from '../../src/catalog/schema.ts'
import { nameVersion } from './name.ts'
import type { ListedVersion } from '../../src/documents/on-request/version.ts'

/** The promise of `versions` in site.json. */
interface Keeping {
  /** How many of the last versions are served, the current one included. */
  keep: number
  /** Number of past days of which the version current at the end of the day is served. */
  days: number
}

/**
 * Why a version is served or not: it moved to another address, it was dropped or its skill is gone, or it may not be given
 * out. Only a version that is served has a zip and an index.
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

/** A version in the list of a slug, the newest first; its `day` is that of the commit that made it current last. */
export interface VersionRow extends ListedVersion {
  standing: Standing
  version: SkillVersion
  /** The version that was current before it. */
  before: SkillVersion | undefined
  /** Day on which another one became current; undefined for the current one, and where a commit has no day. */
  until: string | undefined
}

/** A skill that the catalog has; all its versions have its standing, if it has one. */
export interface CurrentSkill {
  id: number
  standing?: 'gone' | 'licence' | undefined
}

const DAY = 24 * 60 * 60
/** First second of the year 10000. */
const NO_YEAR = 253_402_300_800

export const dayOf = (at: number): string | undefined =>
  at > 0 && at < NO_YEAR ? new Date(at * 1_000).toISOString().slice(0, 10) : undefined

/** The versions of a folder from its first commit to its end. */
interface Life {
  slug: string
  /** The id in its last record; a folder without a record has one of its own. */
  id: number | string
  /** Those of all its records. */
  ids: Set<number | string>
  versions: SkillVersion[]
  /** The earlier lives of its id, below other slugs, then this one. */
  listed: Life[]
}

const splitLives = (versions: readonly SkillVersion[]): Life[] => {
  const lives: Life[] = []
  const open = new Map<string, Life>()
  for (const version of versions) {
    const { slug, tree, id } = version
    if (tree === '') {
      open.delete(slug)
      continue
    }
    const life = open.get(slug) ?? { slug, id: slug, ids: new Set(), versions: [], listed: [] }
    if (!open.has(slug)) lives.push(life)
    open.set(slug, life)
    life.versions.push(version)
    life.id = id ?? slug
    life.ids.add(life.id)
  }
  const past = new Map<Life['id'], Life[]>()
  for (const life of lives) {
    life.listed = [...[...life.ids].flatMap((id) => past.get(id) ?? []), life]
    past.set(life.id, [...(past.get(life.id) ?? []), life])
  }
  return lives
}

/** Days since 1970 on which versions became current. A day before that of an earlier commit, or in the future, does not count. */
const orderDays = (versions: readonly SkillVersion[], today: number): number[] => {
  let latest = 0
  return versions.map(({ at }) => {
    const day = Math.floor(at / DAY)
    if (day > latest && day <= today) latest = day
    return latest
  })
}

/** Versions with equal files, which count as one, with the places at which it became current. */
interface Merged {
  row: VersionRow
  places: number[]
}

/** Merges versions of the same files, the newest first. */
const mergeVersions = (versions: readonly SkillVersion[]): Merged[] => {
  const owners = new Map<string, string>()
  for (const { digest } of versions) {
    const name = digest && nameVersion(digest)
    if (name && !owners.has(name)) owners.set(name, digest)
  }
  const merged = new Map<string, Merged>()
  versions.forEach((version, place) => {
    const { digest, key } = version
    const name = digest && nameVersion(digest)
    // Whoever finds other files with the same twelve digits cannot take a name over.
    const isTaken = name !== undefined && owners.get(name) !== digest
    const known = merged.get(key)
    merged.delete(key)
    const row: VersionRow = {
      name: isTaken ? undefined : name,
      day: dayOf(version.at),
      standing: 'dropped',
      reason: isTaken ? `its name would be ${name}, which an earlier version has` : version.fault,
      source: version.url,
      // A move is the first version of its folder, and changes nothing.
      changes: version.changes ?? known?.row.changes,
      version,
      before: versions.slice(0, place).findLast((one) => one.fault !== NO_TEXT && one.key !== key),
      until: dayOf(versions[place + 1]?.at ?? 0),
    }
    merged.set(key, { row, places: [...(known?.places ?? []), place] })
  })
  return [...merged.values()].toReversed()
}

/** Lists the versions of a skill, the newest first. */
const listVersions = (
  versions: readonly SkillVersion[],
  { standing }: CurrentSkill,
  { keep, days }: Keeping,
  today: number,
): VersionRow[] => {
  const began = orderDays(versions, today)
  const wasKeptAt = (place: number): boolean => {
    const next = began[place + 1]
    return next === undefined || (next > began[place]! && next > today - days)
  }
  let count = 0
  const texts = mergeVersions(versions).filter(({ row }) => row.version.fault !== NO_TEXT)
  return texts.map(({ row, places }) => {
    if (row.name !== undefined) count += 1
    const isServed = row.name !== undefined && (count <= keep || places.some(wasKeptAt))
    row.standing = standing ?? (isServed ? 'served' : 'dropped')
    return row
  })
}

/**
 * Lists the versions of every slug that has or had some. If a folder ended and another skill has its id now, its versions
 * are listed there too. `today` is YYYY-MM-DD. Throws VersionsError where a current one has the name of another.
 */
export const planVersions = (
  versions: readonly SkillVersion[],
  skills: ReadonlyMap<string, CurrentSkill>,
  keeping: Keeping,
  today: string,
): Map<string, VersionRow[]> => {
  const now = Math.floor(Date.parse(today) / 1_000 / DAY)
  const slugs = new Map(Array.from(skills, ([slug, { id }]) => [id, slug] as const))
  const ownerOf = ({ id, slug }: Life) =>
    typeof id === 'number' ? slugs.get(id) : skills.has(slug) ? slug : undefined
  const order = new Map(versions.map((version, place) => [version, place]))
  const all = splitLives(versions)
  const lives = Map.groupBy(all, ownerOf)
  const plan = new Map<string, VersionRow[]>()
  for (const [slug, skill] of skills) {
    const own = (lives.get(slug) ?? []).flatMap((life) => life.versions)
    own.sort((a, b) => order.get(a)! - order.get(b)!)
    if (own.length === 0) continue
    const rows = listVersions(own, skill, keeping, now)
    const [row] = rows
    if (row?.version.digest !== undefined && row.name === undefined)
      throw new VersionsError(`skills/${slug}: ${row.reason}; change a file of it and commit that`)
    plan.set(slug, rows)
  }
  const owners = new Map(all.map((life) => [life, ownerOf(life)] as const))
  // Where two skills had a version at the same address, prefer the one that still exists.
  const isLost = (life: Life): number => Number(owners.get(life) === undefined)
  for (const { slug, listed } of all.toReversed().sort((a, b) => isLost(a) - isLost(b))) {
    const rows = plan.get(slug) ?? []
    for (const past of listed.toReversed()) {
      const to = owners.get(past)
      if (to === slug) continue
      const known = new Set(rows.map(({ name }) => name))
      const standing: Standing = to === undefined ? 'retired' : 'moved'
      for (const { row } of mergeVersions(past.versions))
        if (row.name !== undefined && !known.has(row.name))
          rows.push(Object.assign(row, { standing, to }))
    }
    plan.set(slug, rows)
  }
  return plan
}

/**
 * Marks the versions that advisories withdraw, also if a skill has moved since. Returns the versions that they name and
 * nobody has, as `slug@name`.
 */
export const withdrawVersions = (
  plan: ReadonlyMap<string, readonly VersionRow[]>,
  advisories: readonly Advisory[],
): string[] => {
  const lost: string[] = []
  const find = (slug: string, name: string): VersionRow | undefined => {
    const row = plan.get(slug)?.find((one) => one.name === name)
    return row?.to === undefined ? row : plan.get(row.to)?.find((one) => one.name === name)
  }
  for (const advisory of advisories) {
    if (advisory.withdrawn !== undefined) continue
    for (const { slug, versions } of advisory.affected)
      for (const name of versions) {
        const row = find(slug, name)
        const { id, summary } = advisory
        if (row) Object.assign(row, { standing: 'withdrawn', advisory: id, reason: summary })
        else lost.push(`${slug}@${name}`)
      }
  }
  return lost
}
