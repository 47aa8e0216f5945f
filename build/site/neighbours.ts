import { isComparable } from '../../src/catalog/references.ts'
import type { Copies } from '../../src/catalog/schema.ts'
import { isListed } from '../../src/catalog/skill.ts'
import { COMPARED_SKILLS } from '../../src/documents/comparison.ts'
import { decodeWords, wordOf } from './nearest-words.ts'
import type { SkillVector } from './nearest-words.ts'
import { WordIndex, weighWord } from './nearest.ts'
import type { SkillChange, SkillLine } from './state.ts'

type FindRow = (id: number) => SkillLine | undefined

const toVector = ({ facts, words }: SkillLine, copies: Copies, find: FindRow): SkillVector => ({
  id: facts.id,
  words: decodeWords(words),
  isCompared: isComparable(facts, copies, (id) => find(id)?.facts),
})

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

const addTo = (sums: Map<number, number>, key: number, more: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + more)
}

/** The skills to compare, and what changed since the last comparison. */
interface Comparing {
  /** Skills that have a page, by id. */
  skills: ReadonlyMap<number, SkillLine>
  copies: Copies
  /** Undefined for a full comparison. */
  changes: readonly SkillChange[] | undefined
}

/** Lists the indexes of the skills whose similarities changed. */
const listRecompared = (
  { skills, copies }: Comparing,
  { vectors, words }: { vectors: readonly SkillVector[]; words: WordIndex },
  others: readonly SkillChange[],
): ReadonlySet<number> => {
  const was = new Map(others.flatMap(({ before }) => (before ? [[before.id, before]] : [])))
  const changed = new Set(
    others.flatMap(({ before, after }) => [before?.id ?? [], after?.id ?? []].flat()),
  )
  const find: FindRow = (id) => skills.get(id)
  const findBefore: FindRow = (id) => (changed.has(id) ? was.get(id) : find(id))
  const places = new Map(vectors.map(({ id }, at) => [id, at]))
  const moved = new Set<number>()
  const grown = new Map<number, number>()
  const count = (vector: SkillVector | undefined, more: number): void => {
    if (!vector?.isCompared) return
    for (const word of vector.words) addTo(grown, wordOf(word), more)
  }
  // Adding or removing an original changes whether its copies count as copies.
  for (const id of new Set([...changed, ...listCopies(copies, changed)])) {
    const [rowBefore, row] = [findBefore(id), find(id)]
    const before = rowBefore && toVector(rowBefore, copies, findBefore)
    const after = row && toVector(row, copies, find)
    if (after) moved.add(places.get(id)!)
    count(before, -1)
    count(after, 1)
  }
  // A new word weight affects every skill with the word.
  for (const [word, more] of grown) {
    if (more === 0) continue
    const now = words.count(word)
    const [weight, weightBefore] = [now, now - more].map((one) => weighWord(one, words.magnitude))
    if (weight !== weightBefore) for (const at of words.listSkillsWith(word)) moved.add(at)
  }
  return moved
}

/** Lists the ids of the skills whose neighbours may change: those that moved, and their old and new neighbours. */
const listTouched = (
  comparing: Comparing,
  index: { vectors: readonly SkillVector[]; words: WordIndex },
  others: readonly SkillChange[],
): ReadonlySet<number> => {
  const moved = listRecompared(comparing, index, others)
  const ids = new Set(Array.from(moved, (at) => index.vectors[at]!.id))
  const touched = new Set(ids)
  for (const at of moved) for (const { id } of index.words.listSimilar(at)) touched.add(id)
  for (const { before, after } of others) if (before && before.id !== after?.id) ids.add(before.id)
  const isMoved = (id: number): boolean => ids.has(id)
  for (const { id, nearest } of comparing.skills.values())
    if (nearest.some(isMoved)) touched.add(id)
  return touched
}

/**
 * Finds the neighbours of each skill and writes their ids into the rows. Returns the rows whose neighbours changed, and
 * a digest of everything that neighbours depend on.
 */
export const compareSkills = (
  comparing: Comparing,
  lastKey: string,
): { moved: SkillLine[]; key: string } => {
  const { skills, copies, changes } = comparing
  const others = changes?.filter((one) => !isComparedSame(one))
  if (others?.length === 0) return { moved: [], key: lastKey }
  const find: FindRow = (id) => skills.get(id)
  const vectors = Array.from(skills.values(), (row) => toVector(row, copies, find)).sort(
    (a, b) => a.id - b.id,
  )
  const words = new WordIndex(vectors)
  const key = String(words.magnitude)
  const touched =
    others && key === lastKey ? listTouched(comparing, { vectors, words }, others) : undefined
  const moved: SkillLine[] = []
  vectors.forEach(({ id }, at) => {
    if (touched && !touched.has(id)) return
    const row = skills.get(id)!
    const nearest = words.findNearest(at, COMPARED_SKILLS)
    if (JSON.stringify(nearest) === JSON.stringify(row.nearest)) return
    row.nearest = nearest
    moved.push(row)
  })
  return { moved, key }
}
