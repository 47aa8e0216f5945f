import { isWithin, listPlaces, locate, locationKey } from '../../../src/catalog/address.ts'
import type { SkillRecord, SourceRow } from '../../../src/catalog/schema.ts'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'
import { UsageError } from '../cli/command.ts'
import { childAddress, parseGitAddress } from '../import/git-address.ts'
import { readRecords, recordName } from '../store/records.ts'
import { SOURCES_LOCK, readSourcesLock } from '../store/sources-lock.ts'
import { renderSkillRecord, withLock, writeSourcesLock, writeWhole } from '../store/write.ts'
import { nameOf, readSources } from './sources.ts'
import type { Stage } from './stage.ts'

/** The address of a row that readers can open; undefined if there is none. */
const findPublic = ({ address, source }: SourceRow): string | undefined => {
  if (!address.startsWith('file:')) {
    const { web, tree } = parseGitAddress(address, true)
    return web !== undefined && tree !== undefined ? childAddress(`${web}/tree`, tree) : web
  }
  // The repository is not on every machine, so its address is only read.
  const [, ...tree] = new URL(address).pathname.replace(/\/+$/, '').split('/tree/')
  return source === undefined ? undefined : [source, ...tree].join('/tree/')
}

/** Returns a test whether a row follows the source of a record, whether or not `update` may read it. */
export const createFollowsTest = (row: SourceRow): ((source: SkillRecord['source']) => boolean) => {
  let place: string | undefined
  try {
    place = findPublic(row)
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof TypeError)) throw error
  }
  return (source) =>
    source.kind === 'upstream' &&
    place !== undefined &&
    listPlaces(source).some((url) => isWithin(url, place))
}

/** Names the row that follows the source of a record, as `sources.lock` does; without one, the source itself. */
export const findFollowing = (content: string, { source, author }: SkillRecord): string => {
  const row = readSources(content).find((one) => createFollowsTest(one)(source))
  if (row) return nameOf(row)
  return source.kind === 'own' ? author : source.url
}

/** Addresses of a catalog's skills and of those that it retired, by repository. */
export const groupSources = (content: string): ReadonlyMap<string, string[]> => {
  const { records, retired } = readRecords(content)
  const urls = records.flatMap(({ record: { source } }) =>
    source.kind === 'own' ? [] : listPlaces(source),
  )
  const former = retired.flatMap(({ source = [] }) => source)
  return Map.groupBy([...urls, ...former], (url) => locate(url).repository)
}

/** Counts the skills of a row that the catalog has or retired. */
export const countTaken = (row: SourceRow, groups: ReturnType<typeof groupSources>): number => {
  const place = findPublic(row)
  const urls = place === undefined ? [] : (groups.get(locate(place).repository) ?? [])
  return new Set(urls.flatMap((url) => (isWithin(url, place!) ? locationKey(url) : []))).size
}

interface FollowedSkill {
  slug: string
  id: number
  url: string
}

/** Lists the skills that a row follows, except those that are gone. */
export const listFollowed = (content: string, row: SourceRow): FollowedSkill[] => {
  const follows = createFollowsTest(row)
  return readRecords(content).records.flatMap(({ slug, record: { id, source } }) =>
    source.kind === 'upstream' && source.status === 'alive' && follows(source)
      ? [{ slug, id, url: source.url }]
      : [],
  )
}

/** Lists those skills that were missing when their source was last read. */
export const listStillMissing = (
  content: string,
  followed: readonly FollowedSkill[],
): FollowedSkill[] => {
  const { missed } = readSourcesLock(content)
  return followed.filter(({ slug }) => missed.has(slug))
}

/**
 * Remembers which followed skills are missing, and marks those as gone that were missing on an earlier day. Returns the
 * slugs of the latter. A record with changes that are not committed is marked later.
 */
export const markGone = async (
  content: string,
  followed: readonly FollowedSkill[],
  missing: readonly FollowedSkill[],
  { stage, today }: { stage: Stage; today: string },
): Promise<string[]> => {
  const before = readSourcesLock(content).missed
  if (missing.length === 0 && !followed.some(({ slug }) => before.has(slug))) return []
  const isOver = ({ slug }: FollowedSkill): boolean =>
    (before.get(slug) ?? today) < today && !stage.hasChanges(slug, [RECORD_FILE])
  const gone = new Set(missing.filter(isOver).map(({ slug }) => slug))
  await withLock(content, async () => {
    for (const { slug, record } of readRecords(content).records) {
      if (!gone.has(slug) || record.source.kind === 'own') continue
      const source = { ...record.source, status: 'gone' as const, checked: today }
      writeWhole(content, recordName(slug), renderSkillRecord({ ...record, source }))
      stage.add(recordName(slug))
    }
    const lock = readSourcesLock(content)
    for (const { slug } of followed) lock.missed.delete(slug)
    for (const { slug } of missing)
      if (!gone.has(slug)) lock.missed.set(slug, before.get(slug) ?? today)
    writeSourcesLock(content, lock)
    stage.add(SOURCES_LOCK)
  })
  return [...gone]
}
