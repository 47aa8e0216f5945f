import { countOf } from '../../src/catalog/text.ts'
import { VersionsError } from './git.ts'
import type { MainLine } from './git.ts'
import { dayOf } from './plan.ts'
import type { VersionRow } from './plan.ts'

/** The content of `/versions.ndjson`. */
export interface Published {
  /** The commit that it begins with, and its day. */
  since: string
  day?: string | undefined
  /** Every version that was published, as `slug@name`, and the day on which it became current last. */
  versions: ReadonlyMap<string, string | undefined>
}

/** Every version of every slug that has or had some. */
export type VersionPlan = ReadonlyMap<string, readonly VersionRow[]>

/** Renders the list of all versions; the first line says since which commit. */
export const renderPublished = ({ since, line: [{ at }] }: MainLine, plan: VersionPlan): string => {
  const rows = [...plan]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([slug, versions]) =>
      versions.flatMap(({ name, day, standing, to }) =>
        name === undefined ? [] : { slug, name, day, standing, to },
      ),
    )
  return [{ since, day: dayOf(at) }, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('')
}

const parseLine = (line: string): Partial<Record<'since' | 'slug' | 'name' | 'day', unknown>> => {
  try {
    return (JSON.parse(line) ?? {}) as object
  } catch {
    return {}
  }
}

const asText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

const COMMIT = /^[0-9a-f]{40,64}$/
/** A slug, also one that is reserved by now, and a name. */
const VERSION = /^[a-z0-9-]+@[0-9a-f]{12}$/

/** Parses the list; `place` says where it came from. Throws VersionsError where it is none. */
export const parsePublished = (text: string, place: string): Published => {
  const [head, ...rows] = text.trimEnd().split('\n').map(parseLine)
  const since = asText(head?.since)
  const versions = rows.map(({ slug, name, day }) => [`${slug}@${name}`, asText(day)] as const)
  const isList = COMMIT.test(since ?? '') && versions.every(([version]) => VERSION.test(version))
  if (since === undefined || !isList)
    throw new VersionsError(`${place} is not a list of versions; check the address`)
  return { since, day: asText(head?.day), versions: new Map(versions) }
}

/** Most versions that an error names. */
const NAMED = 20

const nameSome = (versions: readonly string[]): string =>
  versions.slice(0, NAMED).join(', ') + (versions.length > NAMED ? ', …' : '')

/**
 * Compares what `place` has published with what would be. Where `since` is the same, a row is lost only if history was
 * rewritten or two lines of it were crossed; where it moved, those that became current after its day are not to be lost, and
 * what is said of the others is returned. Throws VersionsError.
 */
export const refuseLoss = (
  before: Published,
  now: Published,
  place: string,
  today: string,
): string[] => {
  const isMoved = before.since !== now.since
  const missing = [...before.versions].filter(([version]) => !now.versions.has(version))
  // A day that is to come says nothing.
  const lost = missing.filter(([, day = '']) => !isMoved || (day > (now.day ?? '') && day <= today))
  if (lost.length > 0)
    throw new VersionsError(
      `${lost.length} published ${lost.length === 1 ? 'version' : 'versions'} would vanish, which ${place} has: ` +
        `${nameSome(lost.map(([version]) => version))}; ` +
        (isMoved
          ? '"since" names an earlier day than theirs: '
          : 'the main line has them no longer: ') +
        'merge the commits that had them, or move "since" to a later commit in a reviewed change to forget what was before',
    )
  if (!isMoved) return []
  const counted = `${countOf(missing.length, 'version')} that ${place} has`
  const verb = missing.length === 1 ? 'is' : 'are'
  return [`"since" moved from ${before.since} to ${now.since}: ${counted} ${verb} forgotten`]
}
