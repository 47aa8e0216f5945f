import { isRare, pickRare } from './rare-words.ts'
import { countWords, findPlace, readWords } from './word-table.ts'
import type { Comparable, WordTable } from './word-table.ts'

/** What sharing the category adds, in units of one rare word's weight. */
const SAME_CATEGORY = 1.5

/** How much more a word counts that stands in the names of both. */
const IN_BOTH_NAMES = 3

/**
 * Gives what the number of compared skills counts in the weight of a word. Of that only the magnitude is
 * taken: so one skill more or less changes no weight but those of its words, but for once in a doubling.
 */
export const measureMagnitude = ({ compared }: WordTable): number => {
  let size = 0
  for (const one of compared) size += one
  return 2 ** Math.floor(Math.log2(Math.max(1, size)))
}

const isNamed = ({ words, starts, named }: WordTable, place: number, word: number): boolean => {
  const start = starts[place]!
  for (let at = start; at < start + named[place]!; at += 1) if (words[at] === word) return true
  return false
}

/** The places of the compared skills of each rare word. */
const indexHolders = (table: WordTable, counts: Uint32Array) => {
  const { words, starts, compared } = table
  const ends = new Uint32Array(counts.length + 1)
  for (let word = 0; word < counts.length; word += 1)
    ends[word + 1] = ends[word]! + (isRare(counts[word]) ? counts[word]! : 0)
  const holders = new Uint32Array(ends[counts.length]!)
  const next = ends.slice()
  for (let place = 0; place < compared.length; place += 1) {
    if (!compared[place]) continue
    for (let at = starts[place]!; at < starts[place + 1]!; at += 1) {
      const word = words[at]!
      if (isRare(counts[word])) holders[next[word]!++] = place
    }
  }
  return (word: number): Uint32Array => holders.subarray(ends[word], ends[word + 1])
}

/** Lists the first compared skills of each category by id, as many as can ever fill a short list up. */
export const listFirsts = ({ categories, compared }: WordTable, count: number): number[][] => {
  const firsts: number[][] = []
  for (let place = 0; place < compared.length; place += 1) {
    const first = (firsts[categories[place]!] ??= [])
    // Beside those that are near already, the skill itself may be among them.
    if (compared[place] && first.length <= count) first.push(place)
  }
  return firsts
}

interface Scored {
  place: number
  score: number
}

const isBetter = (a: Scored, b: Scored | undefined): boolean =>
  b === undefined || a.score > b.score || (a.score === b.score && a.place < b.place)

/** A short list, best first, that keeps no more than it is asked for. */
const insertBest = (best: Scored[], one: Scored, count: number): void => {
  let at = best.length
  while (at > 0 && isBetter(one, best[at - 1])) at -= 1
  if (at >= count) return
  best.splice(at, 0, one)
  best.length = Math.min(best.length, count)
}

/**
 * Prepares a lookup of the skills nearest to one: those that share its rarest words, nearer within
 * its category. Near linear in the number of skills, since common words are never followed. A short list
 * is filled up with others of the category, so a small catalog compares too.
 */
export const openNearness = (
  table: WordTable,
  count: number,
): ((place: number) => readonly number[]) => {
  const counts = countWords(table)
  const holdersOf = indexHolders(table, counts)
  const magnitude = measureMagnitude(table)
  const firsts = listFirsts(table, count)
  const { categories, ids } = table
  const scores = new Float64Array(ids.length)

  const score = (place: number): number[] => {
    const touched: number[] = []
    for (const word of pickRare(table, place, counts)) {
      const weight = Math.log(1 + magnitude / counts[word]!)
      const isInOwnName = isNamed(table, place, word)
      for (const other of holdersOf(word)) {
        if (scores[other] === 0) touched.push(other)
        scores[other]! += weight * (isInOwnName && isNamed(table, other, word) ? IN_BOTH_NAMES : 1)
      }
    }
    return touched
  }

  return (place) => {
    const best: Scored[] = []
    for (const other of score(place)) {
      const sum = scores[other]! + (categories[other] === categories[place] ? SAME_CATEGORY : 0)
      scores[other] = 0
      if (other !== place) insertBest(best, { place: other, score: sum }, count)
    }
    const near = best.map((one) => one.place)
    for (const other of firsts[categories[place]!] ?? [])
      if (near.length < count && other !== place && !near.includes(other)) near.push(other)
    return near.map((other) => ids[other]!)
  }
}

/** Prepares the lookup alone, for skills that may all be compared or, by id, some. */
export const createNearest = <S extends Comparable>(
  skills: readonly S[],
  isCompared: (skill: S) => boolean = () => true,
): ((skill: Pick<S, 'id'>, count: number) => S[]) => {
  const table = readWords(
    skills.map((skill) => {
      const { id, name, description, category } = skill
      return { id, name, description, category, isCompared: isCompared(skill) }
    }),
  )
  const byId = new Map(skills.map((skill) => [skill.id, skill]))
  const opened = new Map<number, ReturnType<typeof openNearness>>()
  return ({ id }, count) => {
    const nearest = opened.get(count) ?? openNearness(table, count)
    opened.set(count, nearest)
    return nearest(findPlace(table, id)).flatMap((other) => byId.get(other) ?? [])
  }
}
