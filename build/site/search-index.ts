import type { Copies } from '../../src/catalog/schema.ts'
import { INDEX_NAME } from '../../src/search/index.ts'
import { packIndex } from '../../src/search/pack/pack.ts'
import { searchDocument } from '../machine/search-document.ts'
import { digestText } from './digests.ts'
import { decodeVector } from './state.ts'
import type { SkillRow } from './state.ts'
import type { NextFolder } from './target.ts'

const digestShown = ({ skill: { id, views, installs }, factsDigest, body }: SkillRow): string =>
  `${id} ${factsDigest} ${views} ${installs} ${body}`

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
    searchDocument(skill, { vector: decodeVector(vector), body }, origin),
  )
  target.write(output, { bytes: [packIndex(documents, copies)] })
}
