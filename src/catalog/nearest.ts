import type { Skill } from './skill.ts'

/** Rare words of a skill that are compared; more would cost time and change nothing. */
const WORDS_PER_SKILL = 12

/** A word that more skills than this share says nothing about nearness. */
const SHARED_BY_AT_MOST = 200

/** What sharing the category adds, in units of one rare word's weight. */
const SAME_CATEGORY = 1.5

/** How much more a word counts that stands in the names of both. */
const IN_BOTH_NAMES = 3

const splitWords = (text: string): Set<string> =>
  new Set(
    text
      .normalize('NFKD')
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu),
  )

const wordsOf = ({ name, description }: Skill): Set<string> => splitWords(`${name} ${description}`)

const indexWords = (skills: readonly Skill[]): Map<string, number[]> => {
  const postings = new Map<string, number[]>()
  for (const [index, skill] of skills.entries()) {
    for (const word of wordsOf(skill)) {
      const holders = postings.get(word)
      if (holders) holders.push(index)
      else postings.set(word, [index])
    }
  }
  return postings
}

/**
 * Prepares a lookup of the skills nearest to one: those that share its rarest words, nearer within
 * its category. Near linear in the number of skills, since common words are never followed.
 */
export const createNearest = (
  skills: readonly Skill[],
): ((skill: Skill, count: number) => Skill[]) => {
  const postings = indexWords(skills)
  const nameWords = skills.map(({ name }) => splitWords(name))
  return (skill, count) => {
    const ownName = splitWords(skill.name)
    const rare = [...wordsOf(skill)]
      .map((word) => ({ word, holders: postings.get(word) ?? [] }))
      .filter(({ holders }) => holders.length > 0 && holders.length <= SHARED_BY_AT_MOST)
      .sort((a, b) => a.holders.length - b.holders.length || (a.word < b.word ? -1 : 1))
      .filter(({ word }, rank) => rank < WORDS_PER_SKILL || ownName.has(word))
    const scores = new Map<number, number>()
    for (const { word, holders } of rare) {
      const weight = Math.log(1 + skills.length / holders.length)
      for (const index of holders) {
        const isInBoth = ownName.has(word) && nameWords[index]?.has(word)
        scores.set(index, (scores.get(index) ?? 0) + weight * (isInBoth ? IN_BOTH_NAMES : 1))
      }
    }
    const near = [...scores]
      .map(([index, score]) => ({ other: skills[index], score }))
      .filter(
        (one): one is { other: Skill; score: number } =>
          one.other !== undefined && one.other.id !== skill.id,
      )
      .map(({ other, score }) => ({
        other,
        score: score + (other.category === skill.category ? SAME_CATEGORY : 0),
      }))
      .sort((a, b) => b.score - a.score || a.other.id - b.other.id)
      .map(({ other }) => other)
    return fillUp(near, skill, skills, count)
  }
}

/** Fills a short list with other skills of the category, so a small catalog compares too. */
const fillUp = (near: Skill[], skill: Skill, skills: readonly Skill[], count: number): Skill[] => {
  if (near.length >= count) return near.slice(0, count)
  const known = new Set([skill.id, ...near.map(({ id }) => id)])
  const others = skills.filter((one) => one.category === skill.category && !known.has(one.id))
  return [...near, ...others].slice(0, count)
}
