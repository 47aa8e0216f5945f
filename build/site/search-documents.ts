import { listSkill } from '../../src/catalog/listing.ts'
import type { SearchDocument } from '../../src/catalog/search/index.ts'
import { SKILL_MD } from '../../src/catalog/skill-files.ts'
import { skillFilePath } from '../../src/documents/paths.ts'
import type { Site } from '../../src/documents/site.ts'

/** Gives the listed skills of a site as every search takes them in, the file and the database alike. */
export const searchDocuments = ({ listed, origin }: Site): SearchDocument[] =>
  listed.map((skill) => ({
    listed: listSkill(skill, origin + skillFilePath(skill.slug, SKILL_MD)),
    description: skill.description,
  }))
