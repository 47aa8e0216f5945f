import { packFacets } from '../../src/catalog/facets.ts'
import { SKILL_MD, listSkill, readTeam } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { skillFilePath } from '../../src/documents/paths.ts'
import type { SearchDocument } from '../../src/search/index.ts'

/** Makes the search document of a skill. */
export const searchDocument = (
  skill: SkillFacts,
  { body, vector }: Pick<SearchDocument, 'body' | 'vector'>,
  origin: string,
): SearchDocument => {
  const { description, updated, summary, licence, tokens, safety, touches, deprecated } = skill
  return {
    listed: listSkill(skill, origin + skillFilePath(skill.slug, SKILL_MD)),
    description,
    body,
    updated,
    facts: { summary, licence, tokens, safety, touches, deprecated, team: readTeam(skill) },
    facets: packFacets(skill),
    vector,
  }
}
