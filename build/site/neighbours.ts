import { isComparable } from '../../src/catalog/copies.ts'
import type { Copies } from '../../src/catalog/schema.ts'
import { isListed } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { COMPARED_SKILLS } from '../../src/documents/skill-page.ts'
import {
  findNeighbours,
  findSurroundings,
  isRare,
  listWords,
  pickRare,
  readWords,
} from './nearest.ts'
import type { Reader, WordIndex } from './nearest.ts'
import type { SkillChange, SkillRow } from './state.ts'

type FindFacts = (id: number) => SkillFacts | undefined

const toReader = (facts: SkillFacts, copies: Copies, find: FindFacts): Reader => {
  const { id, name, description, category } = facts
  const isCompared = isComparable(facts, copies, find)
  return { id, name, description, category, isCompared }
}

/** Lists the ids of the copies of some skills. */
const listCopies = (copies: Copies, originals: ReadonlySet<number>): number[] =>
  Object.entries(copies).flatMap(([copy, original]) =>
    originals.has(original) ? [Number(copy)] : [],
  )

const isComparedSame = ({ before, after }: SkillChange): boolean =>
  before !== undefined &&
  after !== undefined &&
  before.facts.id === after.facts.id &&
  before.facts.name === after.facts.name &&
  before.facts.description === after.facts.description &&
  before.facts.category === after.facts.category &&
  isListed(before.facts) === isListed(after.facts)

/** Lists the words by which a skill is another to those that share them. */
const listOtherWords = (before: Reader | undefined, after: Reader | undefined): string[] => {
  const [was, is] = [before, after].map((one) =>
    one ? listWords(one) : new Map<string, boolean>(),
  )
  const isSame = before?.category === after?.category && before?.isCompared === after?.isCompared
  return [...new Set([...was!.keys(), ...is!.keys()])].filter(
    (word) => !isSame || was!.get(word) !== is!.get(word),
  )
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
  const find: FindFacts = (id) => skills.get(id)?.facts
  const findBefore: FindFacts = (id) => (changed.has(id) ? was.get(id)?.facts : find(id))
  // Whose original came or went is a copy no more, or is one again.
  const touched = new Set([...changed, ...listCopies(copies, changed)])
  const otherWords = new Set<string>()
  const grown = new Map<string, number>()
  const count = (reader: Reader, more: number): void => {
    if (!reader.isCompared) return
    for (const word of listWords(reader).keys()) grown.set(word, (grown.get(word) ?? 0) + more)
  }
  for (const id of touched) {
    const [factsBefore, facts] = [findBefore(id), find(id)]
    const before = factsBefore && toReader(factsBefore, copies, findBefore)
    const after = facts && toReader(facts, copies, find)
    for (const word of listOtherWords(before, after)) otherWords.add(word)
    if (before) count(before, -1)
    if (after) count(after, 1)
  }
  const countBefore = (word: string): number => words.count(word) - (grown.get(word) ?? 0)
  const isOther = (word: string): boolean =>
    otherWords.has(word) && (isRare(countBefore(word)) || isRare(words.count(word)))
  const readers = new Set(
    [...otherWords].filter(isOther).flatMap((word) => words.listReaders(word)),
  )
  // Only words that are picked are looked at, by what is common now or by what was.
  for (const id of readers)
    if (
      [words.count, countBefore].some((countOf) =>
        pickRare(find(id)!, countOf).some(({ word }) => isOther(word)),
      )
    )
      touched.add(id)
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
  const find: FindFacts = (id) => skills.get(id)?.facts
  const readers = Array.from(skills.values(), ({ facts }) => toReader(facts, copies, find)).sort(
    (a, b) => a.id - b.id,
  )
  const surroundings = findSurroundings(readers, COMPARED_SKILLS)
  const key = JSON.stringify(surroundings)
  const words = readWords(readers)
  const touched = others && key === lastKey ? listTouched(comparing, words, others) : undefined
  const moved: SkillRow[] = []
  for (const reader of readers) {
    if (touched && !touched.has(reader.id)) continue
    const row = skills.get(reader.id)!
    const nearest = findNeighbours(reader, words, surroundings, COMPARED_SKILLS)
    if (nearest.join() === row.nearest.join()) continue
    row.nearest = nearest
    moved.push(row)
  }
  return { moved, key }
}
