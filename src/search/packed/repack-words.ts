import type { SearchDocument } from '../fields.ts'
import { countTerms } from './document-terms.ts'
import type { DocumentTerms } from './document-terms.ts'
import { mergeStrings } from './merge-strings.ts'
import type { MergedStrings } from './merge-strings.ts'
import type { OldIndex } from './old-index.ts'
import { listLongest } from './pack.ts'
import type { Places } from './places.ts'
import { isHeld } from './posting-holders.ts'
import { openTerms } from './repack-terms.ts'
import type { ComingSkill } from './repack-terms.ts'
import { openStrings } from './string-table.ts'

type Words = DocumentTerms['words']

const joinWords = (documents: Iterable<DocumentTerms>): Words => {
  const joined: Words = new Map()
  for (const { words } of documents) for (const [word, stem] of words) joined.set(word, stem)
  return joined
}

/** Gives the words of the skills that left which no skill has any more; who has a word holds its stem. */
const findForgotten = (
  old: OldIndex,
  { moved }: Places<ComingSkill>,
  left: Words,
  readDocument: (id: number) => SearchDocument,
): string[] => {
  const table = openTerms(old)
  const { postingOffsets } = old.sections
  const known = new Map<number, Words>()
  const readWords = (ordinal: number): Words => {
    const words = known.get(ordinal) ?? countTerms(readDocument(old.ids[ordinal] ?? 0)).words
    known.set(ordinal, words)
    return words
  }
  return [...left].flatMap(([word, stem]) => {
    const start = postingOffsets[table.find(stem)] ?? 0
    const isStill = isHeld(
      old.postings,
      start,
      (ordinal) => moved[ordinal] !== -1 && readWords(ordinal).has(word),
    )
    return isStill ? [] : [word]
  })
}

/** Writes the words of an index out of those of an older one; `terms` says what became of the stems. */
export const repackWords = (
  old: OldIndex,
  places: Places<ComingSkill>,
  leaving: readonly DocumentTerms[],
  terms: MergedStrings,
  readDocument: (id: number) => SearchDocument,
) => {
  const { wordBytes, wordBlocks, wordTerms, wordLengths } = old.sections
  const table = openStrings(wordBytes, wordBlocks, wordTerms.length)
  const came = joinWords([...places.coming.values()].map((one) => one.terms))
  const left = new Map([...joinWords(leaving)].filter(([word]) => !came.has(word)))
  const forgotten = findForgotten(old, places, left, readDocument).map(table.find)
  const fresh = [...came.keys()].filter((word) => table.find(word) === -1)
  const merged = mergeStrings(table, new Set(forgotten), fresh)
  const oldTerms = openTerms(old)
  const nextTerms = new Uint32Array(merged.size)
  const nextLengths = new Uint8Array(merged.size)
  merged.numbers.forEach((to, from) => {
    if (to === -1) return
    nextTerms[to] = terms.numbers[wordTerms[from]!]!
    nextLengths[to] = wordLengths[from]!
  })
  for (const [word, number] of merged.coming) {
    const stem = came.get(word) ?? ''
    nextTerms[number] = terms.coming.get(stem) ?? terms.numbers[oldTerms.find(stem)] ?? 0
    nextLengths[number] = word.length
  }
  return {
    wordBytes: merged.written.bytes,
    wordBlocks: merged.written.blocks,
    wordLeast: merged.written.least,
    wordLongest: listLongest(nextLengths),
    wordTerms: nextTerms,
    wordLengths: nextLengths,
  }
}
