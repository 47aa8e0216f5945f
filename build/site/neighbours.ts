import { isComparable } from '../../src/catalog/copies.ts'
import { CATEGORIES } from '../../src/catalog/categories.ts'
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
  readHolders,
} from './nearest.ts'
import type { Holder, Reader } from './nearest.ts'
import type { BuildState, SkillChange, SkillRow } from './state.ts'

/** From this many skills on, reading the words of all is quicker than asking the state for those of each. */
const WORTH_READING_ALL = 1_000

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

/** The words of skills as the state keeps them. */
class WordTable {
  readonly #state: BuildState
  readonly #counts = new Map<string, number>()
  readonly #holders = new Map<string, readonly Holder[]>()
  readonly #skills = new Map<number, Holder['skill']>()

  constructor(state: BuildState) {
    this.#state = state
  }

  remove(reader: Reader): void {
    const { id, isCompared } = reader
    const sql = 'DELETE FROM word WHERE word = ? AND isCompared = ? AND skill = ?'
    for (const word of listWords(reader).keys()) {
      this.#state.run(sql, word, Number(isCompared), id)
      if (isCompared) this.#changeCount(word, -1)
    }
  }

  add(reader: Reader): void {
    for (const [word, isNamed] of listWords(reader)) {
      this.#insert(word, reader, isNamed)
      if (reader.isCompared) this.#changeCount(word, 1)
    }
  }

  /** Fills the table. SQLite adds rows at its end three times as quickly as between others. */
  fill(readers: readonly Reader[]): void {
    this.#state.run('DELETE FROM word')
    this.#state.run('DELETE FROM wordCount')
    const byWord = new Map<string, { reader: Reader; isNamed: boolean }[]>()
    for (const reader of readers) {
      const [named, unnamed] = [true, false].map((isNamed) => ({ reader, isNamed }))
      for (const [word, isNamed] of listWords(reader)) {
        const holders = byWord.get(word)
        if (holders) holders.push(isNamed ? named! : unnamed!)
        else byWord.set(word, [isNamed ? named! : unnamed!])
      }
    }
    for (const word of [...byWord.keys()].sort()) {
      const holders = byWord.get(word)!
      for (const { reader, isNamed } of holders) this.#insert(word, reader, isNamed)
      this.#changeCount(word, holders.filter(({ reader }) => reader.isCompared).length)
    }
  }

  #insert(word: string, { id, isCompared, category }: Reader, isNamed: boolean): void {
    this.#state.run(
      'INSERT INTO word VALUES (?, ?, ?, ?, ?)',
      word,
      Number(isCompared),
      id,
      Number(isNamed),
      CATEGORIES.indexOf(category),
    )
  }

  /** Lists all skills that have a word, compared or not. */
  listReaders(word: string): number[] {
    return this.#state
      .all('SELECT skill FROM word WHERE word = ?', word)
      .map(({ skill }) => skill as number)
  }

  /** Counts the compared skills that have a word. */
  count = (word: string): number => {
    const count = this.#counts.get(word) ?? this.#readCount(word)
    this.#counts.set(word, count)
    return count
  }

  #readCount(word: string): number {
    const [row] = this.#state.all('SELECT size FROM wordCount WHERE word = ?', word)
    return (row?.['size'] as number | undefined) ?? 0
  }

  #changeCount(word: string, more: number): void {
    const size = this.count(word) + more
    this.#counts.set(word, size)
    this.#state.run('INSERT OR REPLACE INTO wordCount VALUES (?, ?)', word, size)
  }

  list = (word: string): readonly Holder[] => {
    const holders = this.#holders.get(word) ?? this.#readHolders(word)
    this.#holders.set(word, holders)
    return holders
  }

  #readHolders(word: string): Holder[] {
    return this.#state
      .all('SELECT skill, isNamed, category FROM word WHERE word = ? AND isCompared = 1', word)
      .map(({ skill, isNamed, category }) => {
        const id = skill as number
        const scored = this.#skills.get(id) ?? {
          id,
          category: CATEGORIES[category as number]!,
          score: 0,
        }
        this.#skills.set(id, scored)
        return { skill: scored, isNamed: isNamed === 1 }
      })
  }
}

/** What skills are compared by, and what changed since the last comparison. */
export interface Comparing {
  state: BuildState
  /** Those that have a page, by id. */
  skills: ReadonlyMap<number, SkillRow>
  copies: Copies
  /** Undefined where all are compared anew. */
  changes: readonly SkillChange[] | undefined
}

/**
 * Brings the words in the state up to date. Lists the ids of the skills that are compared by a rare word by
 * which a changed skill is another than it was.
 */
const updateWords = (
  table: WordTable,
  { skills, copies }: Comparing,
  others: readonly SkillChange[],
) => {
  const was = new Map(others.flatMap(({ before }) => (before ? [[before.id, before]] : [])))
  const changed = new Set(
    others.flatMap(({ before, after }) => [before?.id ?? [], after?.id ?? []].flat()),
  )
  const find: FindFacts = (id) => skills.get(id)?.facts
  const findBefore: FindFacts = (id) => (changed.has(id) ? was.get(id)?.facts : find(id))
  // Whose original came or went is a copy no more, or is one again.
  const touched = new Set([...changed, ...listCopies(copies, changed)])
  const pairs = [...touched].map((id) => {
    const [before, after] = [findBefore(id), find(id)]
    return {
      before: before && toReader(before, copies, findBefore),
      after: after && toReader(after, copies, find),
    }
  })
  const words = new Set(pairs.flatMap(({ before, after }) => listOtherWords(before, after)))
  const counts = new Map([...words].map((word) => [word, table.count(word)]))
  for (const { before } of pairs) if (before) table.remove(before)
  for (const { after } of pairs) if (after) table.add(after)
  const countBefore = (word: string): number => counts.get(word) ?? table.count(word)
  const isOther = (word: string): boolean =>
    words.has(word) && (isRare(countBefore(word)) || isRare(table.count(word)))
  const holders = new Set([...words].filter(isOther).flatMap((word) => table.listReaders(word)))
  // Only words that are picked are looked at, by what is common now or by what was.
  const moved = [...holders].filter((id) =>
    [table.count, countBefore].some((count) =>
      pickRare(find(id)!, count).some(({ word }) => isOther(word)),
    ),
  )
  return new Set([...touched, ...moved])
}

/**
 * Finds the skills that each is compared with and writes their ids into the rows. Gives the rows in which they
 * are others than they were, and a key of what all of them depend on.
 */
export const compareSkills = (
  comparing: Comparing,
  lastKey: string,
): { moved: SkillRow[]; key: string } => {
  const { state, skills, copies, changes } = comparing
  const find: FindFacts = (id) => skills.get(id)?.facts
  const listReaders = (): Reader[] =>
    Array.from(skills.values(), ({ facts }) => toReader(facts, copies, find)).sort(
      (a, b) => a.id - b.id,
    )
  const others = changes?.filter((one) => !isComparedSame(one))
  if (others?.length === 0) return { moved: [], key: lastKey }
  const readers = listReaders()
  const surroundings = findSurroundings(readers, COMPARED_SKILLS)
  const key = JSON.stringify(surroundings)
  const table = new WordTable(state)
  const touched = others && updateWords(table, comparing, others)
  if (!touched) table.fill(readers)
  const isFew = touched !== undefined && key === lastKey && touched.size < WORTH_READING_ALL
  const words = isFew ? table : readHolders(readers)
  const moved: SkillRow[] = []
  for (const reader of isFew ? readers.filter(({ id }) => touched.has(id)) : readers) {
    const row = skills.get(reader.id)!
    const nearest = findNeighbours(reader, words, surroundings, COMPARED_SKILLS)
    if (nearest.join() === row.nearest.join()) continue
    row.nearest = nearest
    moved.push(row)
  }
  return { moved, key }
}
