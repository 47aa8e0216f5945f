import { DatabaseSync } from 'node:sqlite'
import type { Category } from '../../src/catalog/categories.ts'
import { SKILL_MD } from '../../src/catalog/skill-folder.ts'
import { isListed, listSkill } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { skillFilePath } from '../../src/documents/paths.ts'
import type { Site } from '../../src/documents/site.ts'
import { analyzeSkill, encodeAnalysis } from '../../src/search/analyze.ts'
import type { SearchDocument } from '../../src/search/index.ts'
import { packIndex } from '../../src/search/pack/pack.ts'
import type { SkillChange, SkillRow } from './state.ts'

/** A skill as every search takes it in. */
export const searchDocument = (skill: SkillFacts, origin: string): SearchDocument => ({
  listed: listSkill(skill, origin + skillFilePath(skill.slug, SKILL_MD)),
  description: skill.description,
})

/** The listed skills of a site as every search takes them in, the file and the database alike. */
export const searchDocuments = ({ listed, origin }: Site): SearchDocument[] =>
  listed.map((skill) => searchDocument(skill, origin))

/** A listed skill as the index has it, and as the state keeps it. */
export interface SearchEntry {
  id: number
  name: string
  category: Category
  views: number
  installs: number
  /** The row that a search answers with, as JSON. */
  answer: string
  /** What `encodeAnalysis` gave for it; null where that stays as it was. */
  analysis: Uint8Array | null
}

/** The entry of a skill; undefined where no search finds it. */
export const toEntry = (row: SkillRow | undefined, origin: string): SearchEntry | undefined => {
  if (!row || !isListed(row.facts)) return undefined
  const { listed } = searchDocument(row.facts, origin)
  const { id, name, category, views, installs } = listed
  const analysis = row.analysis ?? null
  return { id, name, category, views, installs, answer: JSON.stringify(listed), analysis }
}

/** Whether a search answers with the same of a skill as before; the row has but the start of its description. */
export const isSearchedSame = ({ before, after }: SkillChange, origin: string): boolean =>
  toEntry(before, origin)?.answer === toEntry(after, origin)?.answer &&
  before?.facts.description === after?.facts.description

/** Analyses the text that the search knows of a skill. */
export const analyzeFacts = (skill: SkillFacts): Uint8Array =>
  encodeAnalysis(analyzeSkill(searchDocument(skill, '')))

/** What an index is packed from. */
export interface IndexTask {
  /** The state that has the entries of the last build; undefined where there is none. */
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
  for (const one of written)
    entries.set(one.id, { ...one, analysis: one.analysis ?? entries.get(one.id)!.analysis })
  return packIndex(
    Array.from(entries.values(), (listed) => ({
      listed,
      row: Buffer.from(listed.answer),
      analysis: listed.analysis!,
    })),
  )
}
