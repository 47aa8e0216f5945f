import { VersionsError } from './git.ts'
import type { VersionRow } from './plan.ts'

/** What `/versions.ndjson` says: since which commit, and every version that was published, as `slug@name`. */
export interface Published {
  since: string
  versions: ReadonlySet<string>
}

/** Every version of every slug that has or had some. */
export type VersionPlan = ReadonlyMap<string, readonly VersionRow[]>

const listRows = (plan: VersionPlan) =>
  [...plan]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([slug, rows]) =>
      rows.flatMap(({ name, day, standing, to }) =>
        name === undefined ? [] : { slug, name, day, standing, to },
      ),
    )

/** What a plan publishes. */
export const publish = (since: string, plan: VersionPlan): Published => ({
  since,
  versions: new Set(listRows(plan).map(({ slug, name }) => `${slug}@${name}`)),
})

/** Renders the list of all versions; the first line says since which commit. */
export const renderPublished = (since: string, plan: VersionPlan): string =>
  [{ since }, ...listRows(plan)].map((row) => `${JSON.stringify(row)}\n`).join('')

const parseLine = (line: string): Partial<Record<'since' | 'slug' | 'name', unknown>> => {
  try {
    return (JSON.parse(line) ?? {}) as object
  } catch {
    return {}
  }
}

/** Parses the list; `place` says where it came from. Throws VersionsError where it is none. */
export const parsePublished = (text: string, place: string): Published => {
  const [head = '', ...lines] = text.trimEnd().split('\n')
  const { since } = parseLine(head)
  const versions = lines.map((line) => {
    const { slug, name } = parseLine(line)
    return typeof slug === 'string' && typeof name === 'string' ? `${slug}@${name}` : ''
  })
  if (typeof since !== 'string' || versions.includes(''))
    throw new VersionsError(`${place} is no list of versions; look at what answers there`)
  return { since, versions: new Set(versions) }
}

/** Most versions that an error names. */
const NAMED = 20

/**
 * Compares what is published with what would be. Where `since` is the same, a row is lost only if history was rewritten or
 * two lines of it were crossed. Throws VersionsError.
 */
export const refuseLoss = (before: Published, now: Published, place: string): void => {
  if (before.since !== now.since) return
  const lost = [...before.versions].filter((one) => !now.versions.has(one))
  if (lost.length === 0) return
  const named = lost.slice(0, NAMED).join(', ') + (lost.length > NAMED ? ', …' : '')
  const versions = lost.length === 1 ? 'version' : 'versions'
  throw new VersionsError(
    `${lost.length} published ${versions} would vanish, which ${place} has: ${named}; ` +
      'the main line has them no longer: merge the commits that had them, ' +
      'or move "since" in a reviewed change to forget what was before',
  )
}
