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

const printSearched = (row: SkillRow | undefined, origin: string): string =>
  row && isListed(row.facts) ? JSON.stringify(searchDocument(row.facts, origin)) : ''

/** Whether a search answers with the same of a skill as before. */
export const isSearchedSame = ({ before, after }: SkillChange, origin: string): boolean =>
  printSearched(before, origin) === printSearched(after, origin)

/** Analyses the text that the search knows of a skill; what a skill is asked for elsewhere is no part of it. */
export const analyzeFacts = (skill: SkillFacts): Uint8Array =>
  encodeAnalysis(analyzeSkill(searchDocument(skill, '')))

/** Packs the search index of the listed skills; nothing is analysed. */
export const makeIndex = (site: Site, analyses: ReadonlyMap<number, Uint8Array>): Uint8Array =>
  packIndex(
    searchDocuments(site).map(({ listed }) => ({
      listed,
      row: Buffer.from(JSON.stringify(listed)),
      analysis: analyses.get(listed.id)!,
    })),
  )
