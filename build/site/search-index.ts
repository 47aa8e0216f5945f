import { DatabaseSync } from 'node:sqlite'
import { SKILL_MD, isListed, listSkill } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { skillFilePath } from '../../src/documents/paths.ts'
import type { Site } from '../../src/documents/site.ts'
import { analyzeSkill, encodeAnalysis } from '../../src/search/analyze.ts'
import type { SearchDocument } from '../../src/search/index.ts'
import { packIndex } from '../../src/search/pack/pack.ts'
import type { SkillChange, SkillRow } from './state.ts'

/** A skill as every backend indexes it. */
const searchDocument = (skill: SkillFacts, origin: string): SearchDocument => ({
  listed: listSkill(skill, origin + skillFilePath(skill.slug, SKILL_MD)),
  description: skill.description,
  updated: skill.updated,
})

/** The listed skills of a site, as both the file and the database index them. */
export const searchDocuments = ({ listed, origin }: Site): SearchDocument[] =>
  listed.map((skill) => searchDocument(skill, origin))

/** A listed skill as the state keeps it for the index. */
interface SearchEntry {
  id: number
  /** Day of the last change, which popular order compares; empty where it is not known. */
  updated: string
  /** The row that a search returns, as JSON. */
  answer: string
  /** What `encodeAnalysis` returned for it. */
  analysis: Uint8Array
}

/** The entry of a listed skill. */
export const toEntry = ({ facts }: SkillRow, origin: string, analysis: Uint8Array): SearchEntry => {
  const { listed } = searchDocument(facts, origin)
  const updated = facts.updated ?? ''
  return { id: listed.id, updated, answer: JSON.stringify(listed), analysis }
}

/** Whether a search finds a skill. */
export const isSearched = ({ files, facts }: SkillRow): boolean =>
  files.length > 0 && isListed(facts)

const printSearched = (row: SkillRow | undefined, origin: string): string =>
  row && isSearched(row) ? JSON.stringify(searchDocument(row.facts, origin)) : ''

/** Whether a change leaves what a search finds and returns of a skill the same. */
export const isSearchedSame = ({ before, after }: SkillChange, origin: string): boolean =>
  printSearched(before, origin) === printSearched(after, origin)

/** Analyses the searched text of a skill. */
export const analyzeFacts = (skill: SkillFacts): Uint8Array =>
  encodeAnalysis(analyzeSkill(searchDocument(skill, '')))

/** What an index is packed from. */
export interface IndexTask {
  /** Path of the state with the entries of the last build; undefined where there is none. */
  state: string | undefined
  removed: readonly number[]
  written: readonly SearchEntry[]
}

const readEntries = (state: string): SearchEntry[] => {
  const database = new DatabaseSync(state, { readOnly: true })
  try {
    return database.prepare('SELECT * FROM entry').all() as unknown as SearchEntry[]
  } finally {
    database.close()
  }
}

/** Packs the search index; nothing is analysed. */
export const packEntries = ({ state, removed, written }: IndexTask): Uint8Array => {
  const entries = new Map(state === undefined ? [] : readEntries(state).map((one) => [one.id, one]))
  for (const id of removed) entries.delete(id)
  for (const one of written) entries.set(one.id, one)
  return packIndex(
    Array.from(entries.values(), ({ updated, answer, analysis }) => ({
      updated,
      row: Buffer.from(answer),
      analysis,
    })),
  )
}
