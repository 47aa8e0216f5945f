import { isWithin, listPlaces, locate, locationKey } from '../../../src/catalog/address.ts'
import type { SkillRecord, SourceRow } from '../../../src/catalog/schema.ts'
import { UsageError } from '../cli/command.ts'
import { childAddress, parseGitAddress } from '../import/git-address.ts'
import { readRecords, recordName } from '../store/records.ts'
import { renderRecord, withLock, writeWhole } from '../store/write.ts'
import { readState, writeState } from './sources.ts'

/** A skill is gone if it is still missing after this time, in milliseconds. */
const GONE_AFTER = 24 * 60 * 60 * 1_000

/** The address of a row that readers can open; undefined if there is none. */
const findPublic = ({ address, source }: SourceRow, isPrivate: boolean): string | undefined => {
  if (!address.startsWith('file:')) {
    const { web, tree } = parseGitAddress(address, isPrivate)
    return web !== undefined && tree !== undefined ? childAddress(`${web}/tree`, tree) : web
  }
  // The repository is not on every machine, so its address is only read.
  const [path = '', ...tree] = new URL(address).pathname.replace(/\/+$/, '').split('/tree/')
  const names = path
    .replace(/\.git$/, '')
    .split('/')
    .slice(-2)
  const isHost = source !== undefined && new URL(source).pathname === '/'
  const web = isHost ? [source.replace(/\/$/, ''), ...names].join('/') : source
  return web === undefined ? undefined : [web, ...tree].join('/tree/')
}

/** Returns a test whether a row follows the source of a record. It is false for a row that `update` refuses. */
export const createFollowsTest = (
  row: SourceRow,
  isPrivate: boolean,
): ((source: SkillRecord['source']) => boolean) => {
  let place: string | undefined
  try {
    place = findPublic(row, isPrivate)
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof TypeError)) throw error
  }
  return (source) =>
    source.kind === 'upstream' &&
    place !== undefined &&
    listPlaces(source).some((url) => isWithin(url, place))
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
export const countTaken = (
  row: SourceRow,
  groups: ReturnType<typeof groupSources>,
  isPrivate: boolean,
): number => {
  const place = findPublic(row, isPrivate)
  const urls = place === undefined ? [] : (groups.get(locate(place).repository) ?? [])
  return new Set(urls.flatMap((url) => (isWithin(url, place!) ? locationKey(url) : []))).size
}

/** A followed skill with the address of its source. */
interface FollowedSkill {
  slug: string
  id: number
  url: string
}

/** Lists the skills that a row follows, except those that are gone. */
export const listFollowed = (
  content: string,
  row: SourceRow,
  isPrivate: boolean,
): FollowedSkill[] => {
  const follows = createFollowsTest(row, isPrivate)
  return readRecords(content).records.flatMap(({ slug, record: { id, source } }) =>
    source.kind === 'upstream' && source.status === 'alive' && follows(source)
      ? [{ slug, id, url: source.url }]
      : [],
  )
}

/** Since when skills are missing, by slug. */
const readMissing = (content: string): Map<string, string> =>
  new Map(Object.entries(readState(content).missing))

/** Lists those skills that were missing when their source was last read. */
export const listStillMissing = (
  content: string,
  followed: readonly FollowedSkill[],
): FollowedSkill[] => {
  const missing = readMissing(content)
  return followed.filter(({ slug }) => missing.has(slug))
}

/**
 * Remembers which followed skills are missing, and marks those as gone that were missing a day ago. Returns the slugs of
 * the latter. With `isDry`, writes nothing.
 */
export const markGone = async (
  content: string,
  followed: readonly FollowedSkill[],
  missing: readonly FollowedSkill[],
  { isDry, now }: { isDry: boolean; now: string },
): Promise<string[]> => {
  const before = readMissing(content)
  if (missing.length === 0 && !followed.some(({ slug }) => before.has(slug))) return []
  const isOver = ({ slug }: FollowedSkill): boolean =>
    Date.parse(now) - Date.parse(before.get(slug) ?? '') >= GONE_AFTER
  const gone = new Set(missing.filter(isOver).map(({ slug }) => slug))
  if (isDry) return [...gone]
  await withLock(content, async () => {
    for (const { slug, record } of readRecords(content).records) {
      if (!gone.has(slug) || record.source.kind === 'own') continue
      const checked = now.slice(0, 10)
      const source = { ...record.source, status: 'gone', checked }
      writeWhole(content, recordName(slug), renderRecord({ ...record, source }))
    }
    const state = readState(content)
    const asked = new Set(followed.map(({ slug }) => slug))
    const others = Object.entries(state.missing).filter(([slug]) => !asked.has(slug))
    const since = missing
      .filter(({ slug }) => !gone.has(slug))
      .map(({ slug }) => [slug, before.get(slug) ?? now])
    const rows = [...others, ...since].sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
    writeState(content, { ...state, missing: Object.fromEntries(rows) })
  })
  return [...gone]
}
