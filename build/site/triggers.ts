import { isComparable } from '../../src/catalog/references.ts'
import type { Copies } from '../../src/catalog/schema.ts'
import type { TriggerResult } from '../../src/catalog/skill.ts'
import { DRAWN, sortIntoBatches, tryTriggers } from '../../src/search/pack/try-triggers.ts'
import { digestText } from './digests.ts'
import { searchDocument } from '../machine/search-document.ts'
import { decodeVector } from './state.ts'
import type { SkillRow } from './state.ts'
import type { NextFolder } from './target.ts'

/**
 * Tries the phrases that skills quote, by slug; not if there are too few skills. Copies are left out. What is known of a
 * batch is kept as an output without files. Counters do not count, so results change with texts alone.
 */
export const tryAllTriggers = (
  shown: ReadonlyMap<number, SkillRow>,
  copies: Copies,
  target: NextFolder,
): ReadonlyMap<string, TriggerResult> => {
  const find = (id: number) => shown.get(id)?.skill
  const rows = [...shown.values()].filter(({ skill }) => isComparable(skill, copies, find))
  if (rows.length < DRAWN) return new Map()
  const results = Array.from(sortIntoBatches(rows), ([number, batch]) => {
    const key = digestText(batch.map(({ factsDigest }) => factsDigest).join(' '))
    const output = { name: `triggers/${number}`, key, files: [] }
    if (!target.keepOrClear(output)) {
      const documents = batch.map(({ skill, vector }) =>
        searchDocument({ ...skill, views: 0, installs: 0 }, decodeVector(vector), ''),
      )
      target.add(output, { triggers: Object.fromEntries(tryTriggers(documents)) })
    }
    return Object.entries(target.outputs.get(output.name)!.told.triggers ?? {})
  })
  return new Map(results.flat())
}
