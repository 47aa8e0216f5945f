import { z } from 'zod'
import { countOf } from '../../src/catalog/text.ts'
import { VersionsError } from './git.ts'
import type { MainLine } from './git.ts'
import { dayOf } from './plan.ts'
import type { VersionRow } from './plan.ts'

/** The content of `/versions.ndjson`. */
export interface Published {
  /** The first commit of the history, and its day. */
  since: string
  day?: string | undefined
  /** Every published version, as `slug@name`, with the day of the last commit that made it current. */
  versions: ReadonlyMap<string, string | undefined>
}

/** Every version of every slug that has or had versions. */
export type VersionPlan = ReadonlyMap<string, readonly VersionRow[]>

/** Renders the list of all versions. The first line names the first commit of the history. */
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

const day = z.string().optional().catch(undefined)
const headRecord = z.object({ since: z.string().regex(/^[0-9a-f]{40,64}$/), day })
const rowRecord = z.object({
  // The slug may have become a reserved word since.
  slug: z.string().regex(/^[a-z0-9-]+$/),
  name: z.string().regex(/^[0-9a-f]{12}$/),
  day,
})

/** Parses the list of all versions. Throws VersionsError, with `place` as the source, if it is not such a list. */
export const parsePublished = (text: string, place: string): Published => {
  try {
    const [head, ...rows] = text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    const versions = rows.map((row) => {
      const { slug, name, day: became } = rowRecord.parse(row)
      return [`${slug}@${name}`, became] as const
    })
    return { ...headRecord.parse(head), versions: new Map(versions) }
  } catch {
    throw new VersionsError(`${place} is not a list of versions; check the address`)
  }
}

/** Maximum number of versions that an error names. */
const VERSIONS_NAMED = 20

const listNames = (versions: readonly string[]): string =>
  versions.slice(0, VERSIONS_NAMED).join(', ') + (versions.length > VERSIONS_NAMED ? ', …' : '')

/**
 * Compares the list that `place` has published with the list of this build. With the same `since`, any missing row is a
 * loss: history was rewritten, or another branch is built. If `since` moved, only versions that became current after
 * its day are a loss, and the returned note counts the others. Throws VersionsError.
 */
export const refuseLoss = (
  before: Published,
  now: Published,
  place: string,
  today: string,
): string[] => {
  const isMoved = before.since !== now.since
  const missing = [...before.versions].filter(([version]) => !now.versions.has(version))
  // A day in the future comes from a wrong clock and proves nothing.
  const lost = missing.filter(([, at = '']) => !isMoved || (at > (now.day ?? '') && at <= today))
  if (lost.length > 0)
    throw new VersionsError(
      `${countOf(lost.length, 'published version')} of ${place} would vanish: ` +
        `${listNames(lost.map(([version]) => version))}; ` +
        (isMoved
          ? '"since" is older than these versions: '
          : 'the main line no longer has them: ') +
        'merge the commits that had them, or move "since" to a later commit in a reviewed change to forget earlier versions',
    )
  if (!isMoved) return []
  const counted = `${countOf(missing.length, 'version')} of ${place}`
  const verb = missing.length === 1 ? 'is' : 'are'
  return [`"since" moved from ${before.since} to ${now.since}: ${counted} ${verb} forgotten`]
}
