import { CATEGORIES } from '../../src/catalog/categories.ts'
import type { Category } from '../../src/catalog/categories.ts'
import type { Skill } from '../../src/catalog/skill.ts'
import { isAscii } from '../../src/catalog/text.ts'

/** What nearness looks at. */
type Comparable = Pick<Skill, 'id' | 'name' | 'description' | 'category'>

/** A skill that looks for its nearest; it is one of others' only where it is compared. */
export interface Reader extends Comparable {
  isCompared: boolean
}

/** Rare words of a skill that are compared; more would cost time and change nothing. */
const WORDS_PER_SKILL = 12

/** A word that more skills than this share says nothing about nearness. */
const SHARED_BY_AT_MOST = 200

/** What sharing the category adds, in units of one rare word's weight. */
const SAME_CATEGORY = 1.5

/** How much more a word counts that stands in the names of both. */
const IN_BOTH_NAMES = 3

/** A word that too many compared skills share says nothing of nearness. */
export const isRare = (count: number): boolean => count > 0 && count <= SHARED_BY_AT_MOST

const splitWords = (text: string): readonly string[] =>
  (isAscii(text)
    ? text.toLowerCase().match(/[a-z0-9]{3,}/g)
    : text
        .normalize('NFKD')
        .toLowerCase()
        .match(/[\p{L}\p{N}]{3,}/gu)) ?? []

/** The words of a skill, and whether each stands in its name. */
export const listWords = ({ name, description }: Comparable): Map<string, boolean> => {
  const words = new Map<string, boolean>()
  for (const word of splitWords(name)) words.set(word, true)
  for (const word of splitWords(description)) if (!words.has(word)) words.set(word, false)
  return words
}

/** A compared skill that has a word. */
interface Holder {
  skill: Scored
  isNamed: boolean
}

/** A compared skill while scores are summed. */
interface Scored {
  id: number
  category: Category
  score: number
}

/** The words of skills. */
export interface WordIndex {
  /** Counts the compared skills that have a word. */
  count: (word: string) => number
  /** The compared skills that have a word. */
  list: (word: string) => readonly Holder[]
  /** Ids of all skills that have a word, compared or not. */
  listReaders: (word: string) => number[]
}

/** What the nearest skills of all depend on, beside the words of each. */
interface Surroundings {
  /**
   * What the number of compared skills counts in the weight of a word: a power of two, so that one skill more or
   * less changes no weight but those of its words, but for once in a doubling.
   */
  magnitude: number
  /** The first compared skills of each category by id, as many as can ever fill a short list up. */
  firsts: Record<Category, number[]>
}

/** Looks at all skills by id, for lists of so many. */
export const findSurroundings = (readers: readonly Reader[], count: number): Surroundings => {
  const firsts = Object.fromEntries(
    CATEGORIES.map((category): [Category, number[]] => [category, []]),
  ) as Surroundings['firsts']
  let compared = 0
  for (const { id, category, isCompared } of readers) {
    if (!isCompared) continue
    compared += 1
    // Beside those that are near already, the skill itself may be among them.
    if (firsts[category].length <= count) firsts[category].push(id)
  }
  return { magnitude: 2 ** Math.floor(Math.log2(Math.max(1, compared))), firsts }
}

const isNearer = (a: Scored, b: Scored | undefined): boolean =>
  b === undefined || a.score > b.score || (a.score === b.score && a.id < b.id)

/** Puts a skill into a short list, nearest first, that keeps no more than it is asked for. */
const insertNearest = (nearest: Scored[], one: Scored, count: number): void => {
  let at = nearest.length
  while (at > 0 && isNearer(one, nearest[at - 1])) at -= 1
  if (at >= count) return
  nearest.splice(at, 0, one)
  nearest.length = Math.min(nearest.length, count)
}

/** The words by which a skill is compared, rarest first: its rarest, and the rare ones of its name. */
export const pickRare = (reader: Comparable, count: WordIndex['count']) =>
  Array.from(listWords(reader), ([word, isNamed]) => ({ word, isNamed, count: count(word) }))
    .filter((one) => isRare(one.count))
    .sort((a, b) => a.count - b.count || (a.word < b.word ? -1 : 1))
    .filter(({ isNamed }, rank) => rank < WORDS_PER_SKILL || isNamed)

/**
 * Finds the ids of the skills nearest to one: those that share its rarest words, nearer within its category.
 * Common words are never followed. A short list is filled up with others of the category, so a small catalog
 * compares too.
 */
export const findNeighbours = (
  reader: Comparable,
  words: WordIndex,
  { magnitude, firsts }: Surroundings,
  count: number,
): number[] => {
  const touched: Scored[] = []
  for (const { word, isNamed, count: shared } of pickRare(reader, words.count)) {
    const weight = Math.log(1 + magnitude / shared)
    for (const { skill, isNamed: isNamedToo } of words.list(word)) {
      if (skill.score === 0) touched.push(skill)
      skill.score += weight * (isNamed && isNamedToo ? IN_BOTH_NAMES : 1)
    }
  }
  const nearest: Scored[] = []
  for (const skill of touched) {
    if (skill.category === reader.category) skill.score += SAME_CATEGORY
    if (skill.id !== reader.id) insertNearest(nearest, skill, count)
  }
  for (const skill of touched) skill.score = 0
  const ids = nearest.map(({ id }) => id)
  for (const id of firsts[reader.category])
    if (ids.length < count && id !== reader.id && !ids.includes(id)) ids.push(id)
  return ids
}

/** Reads the words of all skills into memory: 10,000 take 0.15 to 0.2 s. */
export const readWords = (readers: readonly Reader[]): WordIndex => {
  const compared = new Map<string, Holder[]>()
  const others = new Map<string, Holder[]>()
  for (const { id, name, category, description, isCompared } of readers) {
    const skill: Scored = { id, category, score: 0 }
    const index = isCompared ? compared : others
    const add = (word: string, holder: Holder): void => {
      const holders = index.get(word)
      if (!holders) index.set(word, [holder])
      // A skill has a word once, in its name where it is there too; to list its words first takes twice the time.
      else if (holders.at(-1)!.skill !== skill) holders.push(holder)
    }
    const [named, unnamed] = [
      { skill, isNamed: true },
      { skill, isNamed: false },
    ]
    for (const word of splitWords(name)) add(word, named)
    for (const word of splitWords(description)) add(word, unnamed)
  }
  const list: WordIndex['list'] = (word) => compared.get(word) ?? []
  return {
    list,
    count: (word) => list(word).length,
    listReaders: (word) =>
      [...list(word), ...(others.get(word) ?? [])].map(({ skill }) => skill.id),
  }
}
