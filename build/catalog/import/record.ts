import { isDeepStrictEqual } from 'node:util'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { classify } from '../classify/classify.ts'
import type { Candidate } from './candidate.ts'
import { locationKey, namesCommit } from './source-url.ts'

/** What a skill's record is made from. */
interface RecordInput {
  candidate: Candidate
  id: number
  /** The record that the catalog has already. */
  stored?: SkillRecord | undefined
  /** Whether any file of the skill differs from the catalog's. */
  filesChanged: boolean
  /** The day given with --date. */
  date?: string | undefined
  /** The day its source says it was last changed; undefined where that was not asked. */
  changed?: string | undefined
  today: string
}

/** A field that is left out where it has no value. */
const optional = <Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): Partial<Record<Key, Value>> =>
  value === undefined ? {} : ({ [key]: value } as Record<Key, Value>)

/** A record that leaves name and description to its SKILL.md goes on doing so. */
const shownFields = ({ candidate, stored }: RecordInput) => {
  const { name, description } = candidate
  const shown = candidate.isCopied && stored ? stored : { name, description }
  return {
    ...(shown.name === undefined ? {} : { name }),
    ...(shown.description === undefined ? {} : { description }),
  }
}

/** Whether the source must be asked when the skill last changed, which can cost a fetch of its history. */
export const needsChangeDay = ({ candidate, stored, filesChanged, date }: RecordInput): boolean => {
  const { row, isCopied, hasHistory } = candidate
  if (row?.updated || (date !== undefined && !hasHistory)) return false
  // Of what is not copied, only a history tells whether it changed.
  return !stored || filesChanged || (!isCopied && hasHistory)
}

const chooseUpdated = (from: RecordInput): string => {
  const { candidate, stored, filesChanged, date, changed, today } = from
  const kept = filesChanged ? undefined : stored?.updated
  if (changed === undefined && kept !== undefined) return kept
  if (date !== undefined && !candidate.hasHistory) return date
  // The clock of a commit may be ahead of ours. The day given before stays, or it would differ every day.
  return changed !== undefined && changed <= today ? changed : (kept ?? today)
}

/** A record of the registry's own may leave the licence to its SKILL.md. */
const chooseLicence = ({ candidate, stored }: RecordInput): string | undefined => {
  if (stored?.source.kind === 'own' && stored.licence === undefined) return undefined
  return candidate.licence ?? (candidate.isCopied ? stored?.licence : undefined)
}

const firstSource = ({ candidate, date, today }: RecordInput): SkillRecord['source'] => {
  const { url } = candidate
  if (url === undefined) return { kind: 'own' }
  const day = date ?? today
  return { kind: 'upstream', url, status: 'alive', checked: day, seen: day }
}

/** A folder that did not change keeps its address at the older commit, which still shows it. */
const chooseAddress = (url: string, stored: string, isSame: boolean): string =>
  isSame && namesCommit(url) && namesCommit(stored) && locationKey(url) === locationKey(stored)
    ? stored
    : url

/** A known source keeps its status: only `verify` may say that it is gone or back. */
const keepSource = (from: RecordInput, updated: string): SkillRecord['source'] => {
  const { stored, filesChanged } = from
  const { url } = from.candidate
  if (stored?.source.kind !== 'upstream' || url === undefined) return firstSource(from)
  const isSame = !filesChanged && updated === stored.updated
  return { ...stored.source, url: chooseAddress(url, stored.source.url, isSame) }
}

const refreshSource = (source: SkillRecord['source'], day: string): SkillRecord['source'] =>
  source.kind === 'upstream' && source.status === 'alive'
    ? { ...source, checked: day, seen: day }
    : source

/** A known skill keeps its id, category, difficulty and editorial parts. */
export const makeRecord = (from: RecordInput): SkillRecord => {
  const { candidate, stored } = from
  const updated = candidate.row?.updated ?? chooseUpdated(from)
  const record: SkillRecord = {
    id: from.id,
    ...shownFields(from),
    author: candidate.author,
    category: stored?.category ?? candidate.category ?? classify(candidate).category,
    updated,
    ...optional('licence', chooseLicence(from)),
    ...optional('difficulty', stored?.difficulty),
    source: keepSource(from, updated),
    ...optional('parts', stored?.parts),
  }
  if (!stored || (!from.filesChanged && isDeepStrictEqual(record, stored))) return record
  return { ...record, source: refreshSource(record.source, from.date ?? from.today) }
}
