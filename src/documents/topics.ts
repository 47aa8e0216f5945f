import type { Category } from '../catalog/categories.ts'
import type { SkillFacts } from '../catalog/skill.ts'

/** Words that a category is told by, where it has so many. */
const TOPICS = 12

/** Words of names that tell what kind of thing a skill is and not what it is about. */
const EMPTY_WORDS = new Set(
  `agent ai an and app assistant automation basic best build builder bulk code core create creating creator dev
  development engineer engineering expert for from full gen general generate generation generator get guide guidelines
  helper how in integration kit make maker manager my new of on open or patterns practices pro set setup simple skill
  suite system systems template templates the this to tool tools toolkit use using utils with work workflow workflows
  write you your`.split(/\s+/),
)

const wordsOf = (name: string): Set<string> =>
  new Set(
    name
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}+#.]+/u)
      .filter((word) => /^\p{L}[^]/u.test(word) && !EMPTY_WORDS.has(word)),
  )

/** A word in the names of one category: how many have it, and whether more than one author does. */
interface Use {
  count: number
  author: string
  isShared: boolean
}

type Uses = Map<string, Map<Category, Use>>

const countWords = (skills: readonly SkillFacts[]): Uses => {
  const uses: Uses = new Map()
  for (const { name, author, category } of skills)
    for (const word of wordsOf(name)) {
      const byCategory = uses.get(word) ?? new Map<Category, Use>()
      uses.set(word, byCategory)
      const use = byCategory.get(category) ?? { count: 0, author, isShared: false }
      byCategory.set(category, use)
      use.count += 1
      use.isShared ||= use.author !== author
    }
  return uses
}

const term = (seen: number, expected: number): number =>
  seen === 0 ? 0 : seen * Math.log(seen / expected)

/** How far a word is from standing in a category by chance: the log-likelihood ratio of two counts. */
const weigh = (here: number, elsewhere: number, share: number): number => {
  const all = here + elsewhere
  return here <= all * share ? 0 : term(here, all * share) + term(elsewhere, all * (1 - share))
}

interface Weighed {
  word: string
  weight: number
}

const isPluralOf = (a: string, b: string): boolean => a === `${b}s`

const pickTopics = (words: readonly Weighed[]): string[] => {
  const picked: string[] = []
  for (const { word } of words.toSorted(
    (a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1),
  )) {
    if (picked.length === TOPICS) break
    if (!picked.some((one) => isPluralOf(one, word) || isPluralOf(word, one))) picked.push(word)
  }
  return picked
}

/**
 * The words that tell the skills of each category from the others, the most telling first: words of their names,
 * which are known of every skill, that more than one author uses.
 */
export const findTopics = (
  skills: readonly SkillFacts[],
  byCategory: ReadonlyMap<Category, readonly SkillFacts[]>,
): Map<Category, string[]> => {
  const weighed = new Map<Category, Weighed[]>()
  for (const [word, uses] of countWords(skills)) {
    const all = [...uses.values()].reduce((sum, { count }) => sum + count, 0)
    for (const [category, { count, isShared }] of uses) {
      if (!isShared || category.toLowerCase() === word) continue
      const share = (byCategory.get(category)?.length ?? 0) / skills.length
      const weight = weigh(count, all - count, share)
      if (weight === 0) continue
      const words = weighed.get(category) ?? []
      weighed.set(category, words)
      words.push({ word, weight })
    }
  }
  return new Map([...weighed].map(([category, words]) => [category, pickTopics(words)]))
}
