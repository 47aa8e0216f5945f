import { factorOf, wordOf } from './neighbour-words.ts'
import type { ComparableSkill } from './neighbour-words.ts'
import { findNearness } from '../../src/search/vectors.ts'

/*
 * Finds the skills that are most similar to a skill: by the cosine over the rare words in names, descriptions and
 * headings, and by the similarity of their vectors. In a blind test with 388 labelled pairs, each method found the same
 * number of neighbours: 79 % of those found by words alone were related, 56 % by vectors alone, and 83 % by both.
 */

/** Minimum similarity of a neighbour. Of 1,080 skills, 78 % have a neighbour. */
const FLOOR = 0.295

/**
 * Weight of the vectors' similarity ("nearness") beside that of words. A nearness below `from` reduces the score.
 * Skills without a known word, such as skills in a language without vectors, have the nearness `unknown`. Their
 * neighbours need a word similarity of at least .17.
 */
const NEARNESS = { weight: 0.5, from: 0.5, unknown: 0.75 } as const

/** Minimum number of words that two similar skills share: a single word can be chance. */
const LEAST_SHARED = 2

/** Word similarity below which a pair cannot reach FLOOR, whatever its nearness. Most pairs are below. */
const LEAST_WORD_SIMILARITY = FLOOR - NEARNESS.weight * (1 - NEARNESS.from)

/** Added to the length of every text, in words of maximum weight, so that short texts are not similar to everything. */
const ADDED_WORDS = 0.3

/** A word shared by more skills than this says nothing about similarity, and would be slow to process. */
const SHARED_BY_AT_MOST = 200

/** The same limit for small catalogs: a share of the skills, and a minimum. */
const SHARED_PART = 1 / 16
const SHARED_BY_FEW = 8

interface Word {
  /** Decreases in steps as more compared skills have the word, so that a new skill changes few weights. */
  weight: number
  /** Whether it is rare enough to show similarity. */
  isRare: boolean
  /** Alternating: the index of a skill with the word, and the word's factor in that skill. */
  skills: number[]
  /** Where `skills` goes on after the skills that were already compared. */
  next: number
}

/** Collects and weights the words of all skills. `octaves` is the binary logarithm of the number of compared skills. */
const collectWords = (all: readonly ComparableSkill[], octaves: number): Map<number, Word> => {
  const words = new Map<number, Word>()
  all.forEach(({ words: skillWords }, place) => {
    for (const placed of skillWords) {
      const word = words.get(wordOf(placed)) ?? { weight: 0, isRare: false, skills: [], next: 0 }
      words.set(wordOf(placed), word)
      word.skills.push(place, factorOf(placed))
    }
  })
  const part = 2 ** octaves * SHARED_PART
  const most = Math.min(SHARED_BY_AT_MOST, Math.max(SHARED_BY_FEW, part))
  for (const word of words.values()) {
    let count = 0
    for (let at = 0; at < word.skills.length; at += 2)
      if (all[word.skills[at]!]!.isCompared) count += 1
    word.weight = Math.max(1, octaves - Math.floor(Math.log2(Math.max(1, count))))
    word.isRare = count > 0 && count <= most
  }
  return words
}

/** Finds the ids of the compared skills that are most similar to each skill, most similar first. */
export const findNeighbours = (all: readonly ComparableSkill[], most: number): number[][] => {
  const compared = all.filter(({ isCompared }) => isCompared).length
  const octaves = Math.floor(Math.log2(Math.max(1, compared)))
  const words = collectWords(all, octaves)
  const greatest = Math.max(1, octaves)
  const leastLength = Math.sqrt(ADDED_WORDS) * 2 * greatest
  const lengths = all.map((skill) => {
    let sum = leastLength ** 2
    for (const placed of skill.words) {
      const { weight, isRare } = words.get(wordOf(placed))!
      // A word that no other skill has does not make a skill less similar.
      const isAlone = skill.isCompared && isRare && weight === greatest
      if (!isAlone) sum += (factorOf(placed) * weight) ** 2
    }
    return Math.sqrt(sum)
  })
  const sums = new Float64Array(all.length)
  const shared = new Uint16Array(all.length)
  const similar = all.map((): { id: number; score: number }[] => [])
  // Each pair is compared once, when the first of both comes.
  for (const [place, skill] of all.entries()) {
    const touched: number[] = []
    for (const placed of skill.words) {
      const word = words.get(wordOf(placed))!
      const { weight, isRare, skills } = word
      if (!isRare) continue
      const factor = factorOf(placed) * weight ** 2
      word.next += 2
      for (let at = word.next; at < skills.length; at += 2) {
        const other = skills[at]!
        if (sums[other] === 0) touched.push(other)
        sums[other]! += factor * skills[at + 1]!
        shared[other]! += 1
      }
    }
    for (const other of touched) {
      const wordSimilarity = sums[other]! / (lengths[place]! * lengths[other]!)
      const count = shared[other]!
      sums[other] = 0
      shared[other] = 0
      if (count < LEAST_SHARED || wordSimilarity < LEAST_WORD_SIMILARITY) continue
      const { id, isCompared, vector: near } = all[other]!
      const nearness = findNearness(skill.vector, near) || NEARNESS.unknown
      const score = wordSimilarity + NEARNESS.weight * (nearness - NEARNESS.from)
      if (score < FLOOR) continue
      if (isCompared) similar[place]!.push({ id, score })
      if (skill.isCompared) similar[other]!.push({ id: skill.id, score })
    }
  }
  return similar.map((some) =>
    some
      .sort((a, b) => b.score - a.score || a.id - b.id)
      .slice(0, most)
      .map(({ id }) => id),
  )
}
