import { packFacets } from '../../src/catalog/facets.ts'
import { listAsks } from '../../src/catalog/parts.ts'
import type { Copies } from '../../src/catalog/references.ts'
import { SKILL_MD, listSkill, pickCard } from '../../src/catalog/skill.ts'
import type { Skill } from '../../src/catalog/skill.ts'
import { skillFilePath } from '../../src/documents/paths.ts'
import { INDEX_NAME } from '../../src/search/format/layout.ts'
import type { SearchDocument } from '../../src/search/rank.ts'
import { packIndex } from '../../src/search/pack/pack.ts'
import { digestText } from './digests.ts'
import { decodeVector } from './state.ts'
import type { SkillRow } from './state.ts'
import type { NextFolder } from './target.ts'

const digestShown = ({ skill, factsDigest, body }: SkillRow): string => {
  const { id, views, installs, parts } = skill
  return JSON.stringify([id, factsDigest, views, installs, body, listAsks(parts)])
}

const makeDocument = (
  skill: Skill,
  { body, vector }: Pick<SearchDocument, 'body' | 'vector'>,
  origin: string,
): SearchDocument => {
  const { updated, ...facts } = pickCard(skill)
  const asks = listAsks(skill.parts)
  return {
    listed: listSkill(skill, origin + skillFilePath(skill.slug, SKILL_MD)),
    description: skill.description,
    body,
    updated,
    facts: { ...facts, ...(asks.length > 0 && { asks }) },
    facets: packFacets(skill),
    vector,
  }
}

/** Writes the search index of the listed skills. */
export const printIndex = (
  rows: readonly SkillRow[],
  { origin, copies }: { origin: string; copies: Copies },
  target: NextFolder,
): void => {
  const key = digestText([JSON.stringify(copies), ...rows.map(digestShown)].join('\n'))
  const output = { name: INDEX_NAME, key, files: [INDEX_NAME] }
  if (target.keepOrClear(output)) return
  const documents = rows.map(({ skill, vector, body }) =>
    makeDocument(skill, { vector: decodeVector(vector), body }, origin),
  )
  target.write(output, [packIndex(documents, copies)])
}
