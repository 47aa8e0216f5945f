import { isDeepStrictEqual } from 'node:util'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import {
  encodeForShells,
  listPlaces,
  locationKey,
  namesCommit,
  readAddress,
} from '../../../src/catalog/address.ts'
import type { Candidate } from './candidate.ts'
import type { Assigned } from './match.ts'

export interface RecordInput extends Pick<Assigned, 'candidate' | 'id'> {
  stored?: SkillRecord | undefined
  /** Whether any file differs from the catalog. */
  filesChanged: boolean
  /** Whether the history of the source no longer has the commit of the stored record. */
  isLost?: boolean
  /** The day on which the source was seen; undefined if it is followed, since an unchanged skill then keeps its days. */
  seen?: string | undefined
  /** The day of the last change in its source; undefined if not looked up. */
  changed?: string | undefined
  today: string
}

/** Whether to look up the last change, which may require fetching the history. */
export const needsChangeDay = ({ candidate, stored, filesChanged }: RecordInput): boolean =>
  // If the text is not copied, only the history reveals changes.
  !stored || filesChanged || !candidate.isCopied

/** Days after today are ignored: a clock may be fast. */
const isPast = (day: string | null | undefined, today: string): day is string =>
  !!day && day <= today

/** The day of the last change; undefined if unknown. The day of the import is not a substitute. */
const chooseUpdated = (input: RecordInput): string | undefined => {
  const { candidate, stored, filesChanged, changed, today, seen = today } = input
  const isKnown = (day: string | null | undefined): day is string => isPast(day, today)
  if (isKnown(changed)) return changed
  if (isKnown(stored?.updated) && !filesChanged) return stored.updated
  // An own skill counts as changed on the day of its import.
  return candidate.url === undefined ? seen : undefined
}

/** The record of an own skill stays without a licence if it has none: SKILL.md may state it. */
const chooseLicence = ({ candidate, stored }: RecordInput): string | undefined => {
  if (stored?.source.kind === 'own' && stored.licence === undefined) return undefined
  return candidate.licence ?? (candidate.isCopied ? stored?.licence : undefined)
}

/** Whether the commit that a stored record names is no longer in the history of its source, which was rewritten. */
export const isCommitLost = async (
  { url, hasCommit }: Candidate,
  stored: SkillRecord | undefined,
): Promise<boolean> => {
  if (url === undefined || stored?.source.kind !== 'upstream') return false
  const [now, before] = [readAddress(url), readAddress(stored.source.url)]
  if (!namesCommit(now) || !namesCommit(before) || now.ref === before.ref) return false
  return (await hasCommit(before.ref)) === false
}

/** Makes the source of a record. A source that was seen after it was gone is alive again. */
export const chooseSource = (
  {
    candidate,
    stored,
    filesChanged,
    isLost = false,
    today,
    seen: seenOn,
  }: Omit<RecordInput, 'id' | 'candidate'> & {
    candidate: Pick<Candidate, 'url' | 'link' | 'committed'>
  },
  updated: string | undefined,
): SkillRecord['source'] => {
  if (candidate.url === undefined) return { kind: 'own' }
  const link = candidate.link === undefined ? {} : { link: encodeForShells(candidate.link) }
  const { committed } = candidate
  const place = {
    url: encodeForShells(candidate.url),
    ...link,
    ...(isPast(committed, today) && { committed }),
  }
  const day = seenOn ?? today
  const seen = { status: 'alive', checked: day, seen: day } as const
  if (stored?.source.kind !== 'upstream') return { kind: 'upstream', ...place, ...seen }
  const { kind, url: _url, link: _link, committed: _day, ...before } = stored.source
  const isSame = !filesChanged && updated === stored.updated
  const places = [place, stored.source]
  const [now, earlier] = places.map((one) => listPlaces(one).map(locationKey))
  // Keep the addresses at the older commit if the folder has not changed since.
  const isUnchanged =
    isSame &&
    !isLost &&
    places.every(({ url }) => namesCommit(readAddress(url))) &&
    isDeepStrictEqual(now, earlier)
  const source = isUnchanged ? stored.source : { kind, ...place, ...before }
  // A copy from before the last check proves nothing. An update would otherwise change every record on every day.
  const isKnown = seenOn === undefined && before.status === 'alive' && isSame
  return day < before.checked || isKnown ? source : { ...source, ...seen }
}

/** Fields that an import writes; the curator owns all others. A known skill keeps its id and category. */
const WRITTEN: ReadonlySet<string> = new Set<keyof SkillRecord>([
  'id',
  'name',
  'description',
  'author',
  'category',
  'updated',
  'licence',
  'licenceDigest',
  'source',
])

const pickFields = (record: Partial<SkillRecord>, areWritten: boolean): Partial<SkillRecord> =>
  Object.fromEntries(Object.entries(record).filter(([field]) => WRITTEN.has(field) === areWritten))

/** Gives the record of a skill what commands wrote for another version. Its id, and what a curator wrote, stay. */
export const mergeRecords = (version: SkillRecord, live: SkillRecord): SkillRecord => ({
  ...(pickFields(version, true) as SkillRecord),
  id: live.id,
  category: live.category,
  ...pickFields(live, false),
  added: version.added,
})

/** Makes a skill's record. A known skill keeps its id, its category and all fields that an import does not write. */
export const makeRecord = (input: RecordInput): SkillRecord => {
  const { candidate, stored } = input
  const { name, description } = candidate
  // A stored record without name or description stays without them.
  const shown = candidate.isCopied && stored ? stored : candidate
  const updated = chooseUpdated(input)
  const licence = chooseLicence(input)
  const source = chooseSource(input, updated)
  return {
    id: input.id,
    ...(shown.name !== undefined && { name }),
    ...(shown.description !== undefined && { description }),
    author: candidate.author,
    category: stored?.category ?? candidate.category,
    ...(updated !== undefined && { updated }),
    ...(licence && { licence }),
    ...(candidate.licenceDigest && { licenceDigest: candidate.licenceDigest }),
    source,
    ...pickFields(stored ?? {}, false),
    ...(candidate.owner !== undefined && { owner: candidate.owner }),
  }
}
