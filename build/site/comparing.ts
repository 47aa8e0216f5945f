import { findOriginal } from '../../src/catalog/copies.ts'
import { listMoved } from '../../src/catalog/moved-nearest.ts'
import { openNearness } from '../../src/catalog/nearest.ts'
import type { Copies } from '../../src/catalog/schema.ts'
import { isListed } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import {
  changeWords,
  dropUnusedWords,
  findPlace,
  isLookDue,
  readWords,
} from '../../src/catalog/word-table.ts'
import type { Reader, WordTable } from '../../src/catalog/word-table.ts'
import { COMPARED_SKILLS } from '../../src/documents/all-documents.ts'
import type { ChangedFacts } from './search-index.ts'
import type { Shelf } from './skill-keys.ts'
import type { SkillRow } from './state.ts'

type FindFacts = (id: number) => SkillFacts | undefined

/** Lists the ids of the skills that one is compared with. */
export const listNearest = ({ nearest }: Pick<SkillRow, 'nearest'>): number[] =>
  nearest.split(',').flatMap((id) => (id === '' ? [] : [Number(id)]))

/** Writes ids so that each stands between commas, where a search for one finds no part of another. */
const printNearest = (ids: readonly number[]): string => (ids.length > 0 ? `,${ids.join()},` : '')

const toReader = (facts: SkillFacts, copies: Copies, find: FindFacts): Reader => {
  const { id, name, description, category } = facts
  const isCompared = isListed(facts) && !findOriginal(facts, copies, find)
  return { id, name, description, category, isCompared }
}

const isSame = ({ before, after }: ChangedFacts): boolean =>
  before?.id === after?.id &&
  before?.name === after?.name &&
  before?.description === after?.description &&
  before?.category === after?.category &&
  before?.visibility === after?.visibility

/** Gives the copies of some skills. */
export const listCopies = (copies: Copies, originals: ReadonlySet<number>): number[] =>
  Object.entries(copies).flatMap(([copy, original]) =>
    originals.has(original) ? [Number(copy)] : [],
  )

/** What skills are compared by, and what there is of the last time. */
export interface Comparing {
  shelf: Shelf
  copies: Copies
  /** What changed since, and how the words were then; undefined where all are compared anew. */
  since: { changed: readonly ChangedFacts[]; readWords: () => WordTable } | undefined
}

const findAll = (table: WordTable, shelf: Shelf, wanted: Iterable<number>): number[] => {
  const nearest = openNearness(table, COMPARED_SKILLS)
  return [...wanted].flatMap((id) => {
    const place = findPlace(table, id)
    const row = shelf.find(id)?.row
    if (place === -1 || !row) return []
    const found = printNearest(nearest(place))
    if (found === row.nearest) return []
    row.nearest = found
    return [id]
  })
}

/**
 * Finds the skills that each is compared with and writes their ids into the rows. Gives the words of all, where
 * they are others than they were, and the ids of the skills whose nearest are.
 */
export const compareSkills = ({
  shelf,
  copies,
  since,
}: Comparing): { words: WordTable | undefined; moved: number[] } => {
  const find: FindFacts = shelf.findFacts
  const read = (ids: Iterable<number>): Reader[] =>
    [...ids].flatMap((id) => {
      const facts = find(id)
      return facts ? [toReader(facts, copies, find)] : []
    })
  if (!since) {
    const words = readWords(read(shelf.ids()))
    return { words, moved: findAll(words, shelf, words.ids) }
  }
  const others = since.changed.filter((one) => !isSame(one))
  if (others.length === 0) return { words: undefined, moved: [] }
  const ids = new Set(
    others.flatMap(({ before, after }) => [before?.id ?? [], after?.id ?? []].flat()),
  )
  // Whose original came or went is a copy no more, or is one again.
  const changed = new Set([...ids, ...listCopies(copies, ids)])
  const before = since.readWords()
  const words = changeWords(before, changed, read(changed))
  const moved = listMoved(before, words, changed, COMPARED_SKILLS) ?? words.ids
  const kept = isLookDue(before, words) ? dropUnusedWords(words) : words
  return { words: kept, moved: findAll(words, shelf, moved) }
}
