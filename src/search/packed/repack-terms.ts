import type { SearchDocument } from '../fields.ts'
import { countTerms } from './document-terms.ts'
import type { DocumentTerms } from './document-terms.ts'
import { mergeStrings } from './merge-strings.ts'
import { openPostingsMover } from './move-postings.ts'
import type { OldIndex } from './old-index.ts'
import type { Places } from './places.ts'
import { countHolders } from './posting-holders.ts'
import { openStrings } from './string-table.ts'
import type { StringTable } from './string-table.ts'
import type { ListedSkill } from '../../catalog/skill.ts'

/** A skill that comes to an index, as it is listed and as it is searched. */
export interface ComingSkill extends ListedSkill {
  document: SearchDocument
  terms: DocumentTerms
}

/** Analyses a skill that comes. */
export const toComing = (document: SearchDocument): ComingSkill => ({
  ...document.listed,
  document,
  terms: countTerms(document),
})

type Counts = Map<number, readonly number[]>

const listComing = ({ coming }: Places<ComingSkill>): Map<string, Counts> => {
  const byTerm = new Map<string, Counts>()
  for (const [ordinal, { terms }] of coming)
    for (const [term, counts] of terms.counts) {
      const known = byTerm.get(term) ?? new Map<number, readonly number[]>()
      byTerm.set(term, known.set(ordinal, counts))
    }
  return byTerm
}

/** Opens the terms of an older file. */
export const openTerms = ({ sections }: OldIndex): StringTable =>
  openStrings(sections.termBytes, sections.termBlocks, sections.postingOffsets.length - 1)

const findEmptied = (
  { sections: { postingOffsets }, postings }: OldIndex,
  table: StringTable,
  leaving: readonly DocumentTerms[],
  coming: ReadonlyMap<string, Counts>,
): Set<number> => {
  const left = new Map<string, number>()
  for (const { counts } of leaving)
    for (const term of counts.keys()) left.set(term, (left.get(term) ?? 0) + 1)
  const emptied = [...left].flatMap(([term, count]) => {
    const number = coming.has(term) ? -1 : table.find(term)
    return number !== -1 && countHolders(postings, postingOffsets[number] ?? 0) === count
      ? [number]
      : []
  })
  return new Set(emptied)
}

/** Writes the terms of an index and their postings out of those of an older one. */
export const repackTerms = (
  old: OldIndex,
  places: Places<ComingSkill>,
  leaving: readonly DocumentTerms[],
) => {
  const { postingOffsets } = old.sections
  const table = openTerms(old)
  const byTerm = listComing(places)
  const fresh = [...byTerm.keys()].filter((term) => table.find(term) === -1)
  const merged = mergeStrings(table, findEmptied(old, table, leaving, byTerm), fresh)
  const touched = new Set(leaving.flatMap(({ counts }) => [...counts.keys()]).map(table.find))
  const toOld = new Int32Array(merged.size).fill(-1)
  merged.numbers.forEach((to, from) => to !== -1 && (toOld[to] = from))
  const comingByTerm = new Map(
    [...byTerm].map(([term, counts]) => [
      merged.coming.get(term) ?? merged.numbers[table.find(term)] ?? 0,
      counts,
    ]),
  )
  const offsets = new Uint32Array(merged.size + 1)
  const mover = openPostingsMover(old.postings, places.moved)
  toOld.forEach((number, term) => {
    const [from, to] = [postingOffsets[number] ?? 0, postingOffsets[number + 1] ?? 0]
    const coming = comingByTerm.get(term)
    if (number === -1) mover.move(0, 0, coming)
    else if (places.isSame && !coming && !touched.has(number)) mover.keep(from, to)
    else mover.move(from, to, coming)
    offsets[term + 1] = mover.size()
  })
  return {
    postings: mover.finish(),
    merged,
    sections: {
      termBytes: merged.written.bytes,
      termBlocks: merged.written.blocks,
      postingOffsets: offsets,
    },
  }
}
