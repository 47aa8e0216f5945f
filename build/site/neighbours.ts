import { isComparable } from '../../src/catalog/copies.ts'
import type { Copies } from '../../src/catalog/schema.ts'
import { isListed } from '../../src/catalog/skill.ts'
import { COMPARED_SKILLS } from '../../src/documents/skill-page.ts'
import { WordIndex, decodeWords, findSurroundings, isRare, pickRare, wordOf } from './nearest.ts'
import type { Reader } from './nearest.ts'
import type { SkillChange, SkillRow } from './state.ts'

type FindRow = (id: number) => SkillRow | undefined

const toReader = ({ facts, words }: SkillRow, copies: Copies, find: FindRow): Reader => ({
  id: facts.id,
  category: facts.category,
  words: decodeWords(words),
  isCompared: isComparable(facts, copies, (id) => find(id)?.facts),
})

/** Lists the ids of the copies of some skills. */
const listCopies = (copies: Copies, originals: ReadonlySet<number>): number[] =>
  Object.entries(copies).flatMap(([copy, original]) =>
    originals.has(original) ? [Number(copy)] : [],
  )

const isComparedSame = ({ before, after }: SkillChange): boolean =>
  before !== undefined &&
  after !== undefined &&
  before.id === after.id &&
  before.facts.category === after.facts.category &&
  isListed(before.facts) === isListed(after.facts) &&
  before.words === after.words

/** Lists the words by which a skill is another to those that share them. */
const listOtherWords = (before: Reader | undefined, after: Reader | undefined): number[] => {
  const [was, is] = [before, after].map((one) => new Set(one?.words))
  const isSame = before?.category === after?.category && before?.isCompared === after?.isCompared
  return [...was!, ...is!]
    .filter((placed) => !isSame || !was!.has(placed) || !is!.has(placed))
    .map(wordOf)
}

/** What skills are compared by, and what changed since the last comparison. */
interface Comparing {
  /** Those that have a page, by id. */
  skills: ReadonlyMap<number, SkillRow>
  copies: Copies
  /** Undefined where all are compared anew. */
  changes: readonly SkillChange[] | undefined
}

/** Lists the ids of the skills that are other to others than they were, and of those that may be near to others than before. */
const listTouched = (
  { skills, copies }: Comparing,
  words: WordIndex,
  others: readonly SkillChange[],
): ReadonlySet<number> => {
  const was = new Map(others.flatMap(({ before }) => (before ? [[before.id, before]] : [])))
  const changed = new Set(
    others.flatMap(({ before, after }) => [before?.id ?? [], after?.id ?? []].flat()),
  )
  const find: FindRow = (id) => skills.get(id)
  const findBefore: FindRow = (id) => (changed.has(id) ? was.get(id) : find(id))
  // Whose original came or went is a copy no more, or is one again.
  const touched = new Set([...changed, ...listCopies(copies, changed)])
  const otherWords = new Set<number>()
  const grown = new Map<number, number>()
  const count = ({ isCompared, words: placed }: Reader, more: number): void => {
    if (!isCompared) return
    for (const word of placed.map(wordOf)) grown.set(word, (grown.get(word) ?? 0) + more)
  }
  for (const id of touched) {
    const [rowBefore, row] = [findBefore(id), find(id)]
    const before = rowBefore && toReader(rowBefore, copies, findBefore)
    const after = row && toReader(row, copies, find)
    for (const word of listOtherWords(before, after)) otherWords.add(word)
    if (before) count(before, -1)
    if (after) count(after, 1)
  }
  const countBefore = (word: number): number => words.count(word) - (grown.get(word) ?? 0)
  const isOther = (word: number): boolean =>
    otherWords.has(word) && (isRare(countBefore(word)) || isRare(words.count(word)))
  const readers = new Set(
    [...otherWords].filter(isOther).flatMap((word) => words.listReaders(word)),
  )
  // Only words that are picked are looked at, by what is common now or by what was.
  for (const reader of readers)
    if (
      [words.count, countBefore].some((countOf) =>
        pickRare(reader, countOf).some((placed) => isOther(wordOf(placed))),
      )
    )
      touched.add(reader.id)
  return touched
}

/**
 * Finds the skills that each is compared with and writes their ids into the rows. Gives the rows in which they
 * are others than they were, and a key of what all of them depend on.
 */
export const compareSkills = (
  comparing: Comparing,
  lastKey: string,
): { moved: SkillRow[]; key: string } => {
  const { skills, copies, changes } = comparing
  const others = changes?.filter((one) => !isComparedSame(one))
  if (others?.length === 0) return { moved: [], key: lastKey }
  const find: FindRow = (id) => skills.get(id)
  const readers = Array.from(skills.values(), (row) => toReader(row, copies, find)).sort(
    (a, b) => a.id - b.id,
  )
  const surroundings = findSurroundings(readers, COMPARED_SKILLS)
  const key = JSON.stringify(surroundings)
  const words = new WordIndex(readers)
  const touched = others && key === lastKey ? listTouched(comparing, words, others) : undefined
  const moved: SkillRow[] = []
  for (const reader of readers) {
    if (touched && !touched.has(reader.id)) continue
    const row = skills.get(reader.id)!
    const nearest = words.findNeighbours(reader, surroundings, COMPARED_SKILLS)
    if (nearest.join() === row.nearest.join()) continue
    row.nearest = nearest
    moved.push(row)
  }
  return { moved, key }
}
