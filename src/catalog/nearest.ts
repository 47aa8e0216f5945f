import { isAscii } from './characters.ts'
import type { Skill } from './skill.ts'

/** Rare words of a skill that are compared; more would cost time and change nothing. */
const WORDS_PER_SKILL = 12

/** A word that more skills than this share says nothing about nearness. */
const SHARED_BY_AT_MOST = 200

/** What sharing the category adds, in units of one rare word's weight. */
const SAME_CATEGORY = 1.5

/** How much more a word counts that stands in the names of both. */
const IN_BOTH_NAMES = 3

/** What nearness looks at. */
export type Comparable = Pick<Skill, 'id' | 'name' | 'description' | 'category'>

const splitWords = (text: string): Set<string> =>
  new Set(
    isAscii(text)
      ? text.toLowerCase().match(/[a-z0-9]{3,}/g)
      : text
          .normalize('NFKD')
          .toLowerCase()
          .match(/[\p{L}\p{N}]{3,}/gu),
  )

/** A word, how many skills have it, and which, as long as it is rare. */
interface Word {
  text: string
  count: number
  holders: number[]
}

/** The words of a skill, those of its name first. */
interface SkillWords {
  words: readonly Word[]
  inName: number
}

const isInName = ({ words, inName }: SkillWords, word: Word): boolean => {
  for (let at = 0; at < inName; at += 1) if (words[at] === word) return true
  return false
}

const createReader = (vocabulary: Map<string, Word>, isLearning: boolean) => {
  const find = (text: string): Word[] => {
    const known = vocabulary.get(text)
    if (known) return [known]
    if (!isLearning) return []
    const word: Word = { text, count: 0, holders: [] }
    vocabulary.set(text, word)
    return [word]
  }
  return ({ name, description }: Comparable): SkillWords => {
    const named = splitWords(name)
    const words = [...named].flatMap(find)
    const inName = words.length
    for (const text of splitWords(description)) if (!named.has(text)) words.push(...find(text))
    return { words, inName }
  }
}

const indexWords = (
  skills: readonly Comparable[],
): { vocabulary: Map<string, Word>; wordsOf: SkillWords[] } => {
  const vocabulary = new Map<string, Word>()
  const read = createReader(vocabulary, true)
  const wordsOf = skills.map(read)
  for (const [index, { words }] of wordsOf.entries()) {
    for (const word of words) {
      word.count += 1
      if (word.count <= SHARED_BY_AT_MOST) word.holders.push(index)
    }
  }
  return { vocabulary, wordsOf }
}

const pickRare = (own: SkillWords): Word[] =>
  own.words
    .filter(({ count }) => count > 0 && count <= SHARED_BY_AT_MOST)
    .sort((a, b) => a.count - b.count || (a.text < b.text ? -1 : 1))
    .filter((word, rank) => rank < WORDS_PER_SKILL || isInName(own, word))

/** A short list, best first, that keeps no more than it is asked for. */
const insertBest = (best: Scored[], one: Scored, count: number): void => {
  let at = best.length
  while (at > 0 && isBetter(one, best[at - 1])) at -= 1
  if (at >= count) return
  best.splice(at, 0, one)
  best.length = Math.min(best.length, count)
}

interface Scored {
  index: number
  id: number
  score: number
}

const isBetter = (a: Scored, b: Scored | undefined): boolean =>
  b === undefined || a.score > b.score || (a.score === b.score && a.id < b.id)

const groupByCategory = <S extends Comparable>(skills: readonly S[]): Map<string, S[]> => {
  const groups = new Map<string, S[]>()
  for (const skill of skills) {
    const group = groups.get(skill.category)
    if (group) group.push(skill)
    else groups.set(skill.category, [skill])
  }
  return groups
}

/** Which skills are near, and which of them a change can have moved. */
export interface Nearness<S extends Comparable> {
  nearest: (skill: Comparable, count: number) => S[]
  /**
   * Names the skills whose nearest may be others since some changed, by id; `before` is how those were, and
   * the same ones are there now. Undefined where it may be any skill.
   */
  listMoved: (before: readonly Comparable[]) => Set<number> | undefined
}

const countHolders = (texts: Iterable<readonly string[]>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const words of texts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const listWords = ({ name, description }: Comparable): string[] => [
  ...new Set([...splitWords(name), ...splitWords(description)]),
]

/**
 * Prepares a lookup of the skills nearest to one: those that share its rarest words, nearer within
 * its category. Near linear in the number of skills, since common words are never followed. Their order
 * counts where a skill has too few: give them in one that stays, such as by id.
 */
export const openNearness = <S extends Comparable>(skills: readonly S[]): Nearness<S> => {
  const { vocabulary, wordsOf } = indexWords(skills)
  const read = createReader(vocabulary, false)
  const places = new Map(skills.map(({ id }, index) => [id, index]))
  const byCategory = groupByCategory(skills)
  const scores = new Float64Array(skills.length)
  const nearest = (skill: Comparable, count: number): S[] => {
    const own = wordsOf[places.get(skill.id) ?? -1] ?? read(skill)
    const touched: number[] = []
    for (const word of pickRare(own)) {
      const weight = Math.log(1 + skills.length / word.count)
      const isInOwnName = isInName(own, word)
      for (const index of word.holders) {
        const holder = isInOwnName ? wordsOf[index] : undefined
        if (scores[index] === 0) touched.push(index)
        scores[index]! += weight * (holder && isInName(holder, word) ? IN_BOTH_NAMES : 1)
      }
    }
    const best: Scored[] = []
    for (const index of touched) {
      const other = skills[index]
      const score = (scores[index] ?? 0) + (other?.category === skill.category ? SAME_CATEGORY : 0)
      scores[index] = 0
      if (other && other.id !== skill.id) insertBest(best, { index, id: other.id, score }, count)
    }
    const near = best.flatMap(({ index }) => skills[index] ?? [])
    return fillUp(near, skill, byCategory.get(skill.category) ?? [], count)
  }
  const listMoved = (before: readonly Comparable[]): Set<number> | undefined => {
    const now = before.flatMap(({ id }) => skills[places.get(id) ?? -1] ?? [])
    if (now.length < before.length) return undefined
    // Who is filled up with others of its category shares no words with them.
    if (now.some(({ category }, at) => category !== before[at]?.category)) return undefined
    const [were, are] = [countHolders(before.map(listWords)), countHolders(now.map(listWords))]
    const moved = new Set(now.map(({ id }) => id))
    for (const text of new Set([...were.keys(), ...are.keys()])) {
      const word = vocabulary.get(text)
      if (!word) continue
      const count = word.count - (are.get(text) ?? 0) + (were.get(text) ?? 0)
      if (word.count > SHARED_BY_AT_MOST && count > SHARED_BY_AT_MOST) continue
      // It was rare and is no more, so not all who hold it are known.
      if (word.count > SHARED_BY_AT_MOST) return undefined
      for (const index of word.holders) moved.add(skills[index]?.id ?? 0)
    }
    return moved
  }
  return { nearest, listMoved }
}

/** Prepares the lookup alone. */
export const createNearest = <S extends Comparable>(skills: readonly S[]): Nearness<S>['nearest'] =>
  openNearness(skills).nearest

/** Fills a short list with other skills of the category, so a small catalog compares too. */
const fillUp = <S extends Comparable>(
  near: S[],
  skill: Comparable,
  others: readonly S[],
  count: number,
): S[] => {
  const known = new Set([skill.id, ...near.map(({ id }) => id)])
  for (const other of others) {
    if (near.length >= count) break
    if (!known.has(other.id)) near.push(other)
  }
  return near
}
