import { packFacets } from '../../src/catalog/facets.ts'
import type { Copies } from '../../src/catalog/schema.ts'
import { SKILL_MD, listSkill } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { skillFilePath } from '../../src/documents/paths.ts'
import { INDEX_NAME } from '../../src/search/index.ts'
import type { SearchDocument } from '../../src/search/index.ts'
import { packIndex } from '../../src/search/pack/pack.ts'
import { digestText } from './digests.ts'
import { decodeVector } from './state.ts'
import type { SkillRow } from './state.ts'
import type { NextFolder } from './target.ts'

export const searchDocument = (
  skill: SkillFacts,
  vector: Int8Array,
  origin: string,
): SearchDocument => {
  const { description, updated, summary, licence, tokens, safety } = skill
  return {
    listed: listSkill(skill, origin + skillFilePath(skill.slug, SKILL_MD)),
    description,
    updated,
    facts: { summary, licence, tokens, safety },
    facets: packFacets(skill),
    vector,
  }
}

const digestShown = ({ skill: { id, views, installs }, factsDigest }: SkillRow): string =>
  `${id} ${factsDigest} ${views} ${installs}`

/** Writes the search index of the listed skills. */
export const printIndex = (
  rows: readonly SkillRow[],
  { origin, copies }: { origin: string; copies: Copies },
  target: NextFolder,
): void => {
  const key = digestText([JSON.stringify(copies), ...rows.map(digestShown)].join('\n'))
  const output = { name: INDEX_NAME, key, files: [INDEX_NAME] }
  if (target.has(output)) return
  const documents = rows.map(({ skill, vector }) =>
    searchDocument(skill, decodeVector(vector), origin),
  )
  target.write(output, { bytes: [packIndex(documents, copies)] })
}
