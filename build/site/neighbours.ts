import { isComparable } from '../../src/catalog/copies.ts'
import type { Copies } from '../../src/catalog/schema.ts'
import { isListed } from '../../src/catalog/skill.ts'
import { COMPARED_SKILLS } from '../../src/documents/comparison.ts'
import { WordIndex, decodeWords, familyOf, isFamily, isRare, pickRare, wordOf } from './nearest.ts'
import type { Reader } from './nearest.ts'
import type { SkillChange, SkillLine } from './state.ts'

type FindRow = (id: number) => SkillLine | undefined

const toReader = ({ facts, words }: SkillLine, copies: Copies, find: FindRow): Reader => ({
  id: facts.id,
  ...decodeWords(words),
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
  isListed(before.facts) === isListed(after.facts) &&
  before.words === after.words

/** Lists all words of a skill that changed: nearness depends on how many words each skill has, so every skill sharing one is concerned. */
const listOtherWords = (before: Reader | undefined, after: Reader | undefined): number[] =>
  [before, after].flatMap((one) => Array.from(one?.words ?? [], wordOf))

const addTo = (sums: Map<number, number>, key: number, more: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + more)
}

/** What skills are compared by, and what changed since the last comparison. */
interface Comparing {
  /** Those that have a page, by id. */
  skills: ReadonlyMap<number, SkillLine>
  copies: Copies
  /** Undefined where all are compared anew. */
  changes: readonly SkillChange[] | undefined
}

/** Lists the ids of the skills that are other to others than they were, and of those that may be near to others than before. */
const listTouched = (
  { skills, copies }: Comparing,
  { readers, words }: { readers: readonly Reader[]; words: WordIndex },
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
  const grownFamilies = new Map<number, number>()
  const count = (reader: Reader | undefined, more: number): void => {
    if (!reader?.isCompared) return
    for (const word of reader.words) addTo(grown, wordOf(word), more)
    addTo(grownFamilies, familyOf(reader), more)
  }
  for (const id of touched) {
    const [rowBefore, row] = [findBefore(id), find(id)]
    const before = rowBefore && toReader(rowBefore, copies, findBefore)
    const after = row && toReader(row, copies, find)
    if (rowBefore?.words === row?.words && before?.isCompared === after?.isCompared) continue
    for (const word of listOtherWords(before, after)) otherWords.add(word)
    count(before, -1)
    count(after, 1)
  }
  // A group of skills that became a family, or no longer is one, concerns every skill that shares a word with a member.
  const turned = new Set(
    [...grownFamilies].flatMap(([family, more]) => {
      const size = words.countFamily(family)
      return isFamily(size) === isFamily(size - more) ? [] : family
    }),
  )
  if (turned.size > 0)
    for (const reader of readers)
      if (turned.has(familyOf(reader))) {
        touched.add(reader.id)
        for (const word of listOtherWords(reader, undefined)) otherWords.add(word)
      }
  const countBefore = (word: number): number => words.count(word) - (grown.get(word) ?? 0)
  const isOther = (word: number): boolean =>
    otherWords.has(word) &&
    [countBefore, words.count].some((countOf) => isRare(countOf(word), words.magnitude))
  const sharing = new Set(
    [...otherWords].filter(isOther).flatMap((word) => words.listReaders(word)),
  )
  // Only words that are picked are looked at, by what is common now or by what was.
  for (const reader of sharing)
    if (
      [words.count, countBefore].some((countOf) =>
        pickRare(reader, countOf, words.magnitude).some((placed) => isOther(wordOf(placed))),
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
): { moved: SkillLine[]; key: string } => {
  const { skills, copies, changes } = comparing
  const others = changes?.filter((one) => !isComparedSame(one))
  if (others?.length === 0) return { moved: [], key: lastKey }
  const find: FindRow = (id) => skills.get(id)
  const readers = Array.from(skills.values(), (row) => toReader(row, copies, find)).sort(
    (a, b) => a.id - b.id,
  )
  const words = new WordIndex(readers)
  const key = String(words.magnitude)
  const touched =
    others && key === lastKey ? listTouched(comparing, { readers, words }, others) : undefined
  const moved: SkillLine[] = []
  for (const reader of readers) {
    if (touched && !touched.has(reader.id)) continue
    const row = skills.get(reader.id)!
    const nearest = words.findNeighbours(reader, COMPARED_SKILLS)
    if (JSON.stringify(nearest) === JSON.stringify(row.nearest)) continue
    row.nearest = nearest
    moved.push(row)
  }
  return { moved, key }
}
