import { isDeepStrictEqual } from 'node:util'
import { foldLine } from '../../../src/catalog/characters.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { NAME_LIMIT } from '../../../src/catalog/schema.ts'
import { classify } from '../classify.ts'
import type { Candidate } from './candidate.ts'
import { cutAtWord } from './clean.ts'

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
  today: string
}

/** An author's own record may leave name and description to its SKILL.md; it stays that way. */
const shownFields = ({ candidate, stored }: Ingredients) => ({
  ...(stored && stored.name === undefined ? {} : { name: candidate.name }),
  ...(stored && stored.description === undefined ? {} : { description: candidate.description }),
})

const chooseUpdated = ({ candidate, stored, filesChanged, date }: Ingredients): string =>
  candidate.provenance.row?.updated ??
  // A file's day on this disk says nothing while its bytes are the same.
  (stored && !filesChanged ? stored.updated : (date ?? candidate.modified))

const chooseLicence = ({ candidate, stored }: Ingredients): string | undefined => {
  const given = cutAtWord(foldLine(candidate.provenance.row?.licence ?? ''), NAME_LIMIT)
  return given || candidate.licence || stored?.licence
}

const firstSource = ({ candidate, date, today }: Ingredients): SkillRecord['source'] => {
  const { url } = candidate.provenance
  if (url === undefined) return { kind: 'own' }
  const day = date ?? today
  return { kind: 'upstream', url, status: 'alive', checked: day, seen: day }
}

/** A known source keeps its state: only `verify`, which looks, may say that it is gone or back. */
const keepSource = (from: Ingredients): SkillRecord['source'] => {
  const source = from.stored?.source
  const { url } = from.candidate.provenance
  return source?.kind === 'upstream' && url !== undefined ? { ...source, url } : firstSource(from)
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
