import { isDeepStrictEqual } from 'node:util'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { classify } from '../classify/classify.ts'
import type { Candidate } from './candidate.ts'
import { commitOf, placeKey } from './tree-address.ts'

/** What a record is made from. */
export interface Ingredients {
  candidate: Candidate
  id: number
  /** The record as it lies in the catalog. */
  stored?: SkillRecord | undefined
  /** Whether any file of the skill differs from the catalog's. */
  filesChanged: boolean
  /** The day given with --date. */
  date?: string | undefined
  /** The day its source says it was last changed; left out where that need not be asked. */
  changed?: string | undefined
  today: string
}

/** An author's own record may leave name and description to its SKILL.md; it stays that way. */
const shownFields = ({ candidate, stored }: Ingredients) => {
  const hasText = candidate.isCopied && stored !== undefined
  return {
    ...(hasText && stored.name === undefined ? {} : { name: candidate.name }),
    ...(hasText && stored.description === undefined ? {} : { description: candidate.description }),
  }
}

/** Says whether a source must be asked when it last changed: where the files are as they were, no. */
export const needsDay = ({ candidate, stored, filesChanged, date }: Ingredients): boolean => {
  const { provenance, isCopied, hasHistory } = candidate
  if (provenance.row?.updated || (date !== undefined && !hasHistory)) return false
  // Of what is not copied, only a history tells whether it changed.
  return !stored || filesChanged || (!isCopied && hasHistory)
}

const chooseUpdated = (from: Ingredients): string => {
  const { candidate, stored, filesChanged, date, changed, today } = from
  const { row } = candidate.provenance
  if (row?.updated) return row.updated
  if (stored && !filesChanged && changed === undefined) return stored.updated
  if (!candidate.hasHistory && date !== undefined) return date
  // A commit's clock may be ahead of ours; what was said of it before stays, or every day would differ.
  if (changed === undefined || changed > today)
    return filesChanged ? today : (stored?.updated ?? today)
  return changed
}

/** An author's own record may leave the licence to its SKILL.md too. */
const chooseLicence = ({ candidate, stored }: Ingredients): string | undefined => {
  if (stored?.source.kind === 'own' && stored.licence === undefined) return undefined
  return candidate.licence ?? (candidate.isCopied ? stored?.licence : undefined)
}

const firstSource = ({ candidate, date, today }: Ingredients): SkillRecord['source'] => {
  const { url } = candidate.provenance
  if (url === undefined) return { kind: 'own' }
  const day = date ?? today
  return { kind: 'upstream', url, status: 'alive', checked: day, seen: day }
}

/** An older commit still shows a folder that has not changed since: its address stays. */
const chooseAddress = (url: string, stored: string, isSame: boolean): string => {
  const isLater = commitOf(url) !== undefined && commitOf(stored) !== undefined
  return isSame && isLater && placeKey(url) === placeKey(stored) ? stored : url
}

/** A known source keeps its state: only `verify`, which looks, may say that it is gone or back. */
const keepSource = (from: Ingredients): SkillRecord['source'] => {
  const { stored, filesChanged } = from
  const { url } = from.candidate.provenance
  if (stored?.source.kind !== 'upstream' || url === undefined) return firstSource(from)
  const isSame = !filesChanged && chooseUpdated(from) === stored.updated
  return { ...stored.source, url: chooseAddress(url, stored.source.url, isSame) }
}

const refreshSource = (source: SkillRecord['source'], day: string): SkillRecord['source'] =>
  source.kind === 'upstream' && source.status === 'alive'
    ? { ...source, checked: day, seen: day }
    : source

/** Says whether a record says what the stored one does, however that is laid out. */
export const isSameRecord = (record: SkillRecord, stored: SkillRecord | undefined): boolean =>
  isDeepStrictEqual(record, stored)

/** Makes a skill's record; of one that is known, its id, category and editorial parts stay. */
export const makeRecord = (from: Ingredients): SkillRecord => {
  const { candidate, stored } = from
  const licence = chooseLicence(from)
  const record: SkillRecord = {
    id: from.id,
    ...shownFields(from),
    author: candidate.provenance.author,
    category: stored?.category ?? candidate.category ?? classify(candidate).category,
    updated: chooseUpdated(from),
    ...(licence === undefined ? {} : { licence }),
    ...(stored?.difficulty === undefined ? {} : { difficulty: stored.difficulty }),
    source: keepSource(from),
    ...(stored?.parts === undefined ? {} : { parts: stored.parts }),
  }
  if (!stored || (!from.filesChanged && isSameRecord(record, stored))) return record
  return { ...record, source: refreshSource(record.source, from.date ?? from.today) }
}
