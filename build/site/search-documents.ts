import { listSkill } from '../../src/catalog/skill.ts'
import type { SearchDocument } from '../../src/search/index.ts'
import { SKILL_MD } from '../../src/catalog/skill-folder.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { skillFilePath } from '../../src/documents/paths.ts'
import type { Site } from '../../src/documents/site.ts'

/** Gives a skill as every search takes it in. */
export const searchDocument = (skill: SkillFacts, origin: string): SearchDocument => ({
  listed: listSkill(skill, origin + skillFilePath(skill.slug, SKILL_MD)),
  description: skill.description,
})

/** Gives the listed skills of a site as every search takes them in, the file and the database alike. */
export const searchDocuments = ({ listed, origin }: Site): SearchDocument[] =>
  listed.map((skill) => searchDocument(skill, origin))
