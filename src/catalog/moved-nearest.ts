import { listFirsts, measureMagnitude } from './nearest.ts'
import { isRare, pickRare } from './rare-words.ts'
import { countWords, findPlace } from './word-table.ts'
import type { WordTable } from './word-table.ts'

const ABSENT = 0
const IN_TEXT = 1
const IN_NAME = 2

/** Says of each word of a compared skill where it stands. */
const standing = (
  table: WordTable,
  id: number,
): { words: Map<number, number>; category: number } => {
  const place = findPlace(table, id)
  const words = new Map<number, number>()
  if (place === -1 || !table.compared[place]) return { words, category: -1 }
  const { starts, named } = table
  const start = starts[place]!
  for (let at = start; at < starts[place + 1]!; at += 1)
    words.set(table.words[at]!, at < start + named[place]! ? IN_NAME : IN_TEXT)
  return { words, category: table.categories[place]! }
}

/** Lists the words by which a changed skill is another to those that share them. */
const listOtherWords = (before: WordTable, after: WordTable, id: number): number[] => {
  const [was, is] = [standing(before, id), standing(after, id)]
  const all = [...new Set([...was.words.keys(), ...is.words.keys()])]
  return was.category === is.category
    ? all.filter((word) => (was.words.get(word) ?? ABSENT) !== (is.words.get(word) ?? ABSENT))
    : all
}

const hasSameFirsts = (before: WordTable, after: WordTable, count: number): boolean => {
  const toIds = (table: WordTable): string =>
    JSON.stringify(listFirsts(table, count).map((some) => some.map((place) => table.ids[place])))
  return toIds(before) === toIds(after)
}

/**
 * Names the skills whose nearest may be others since some changed, came or left, by id. `after` was made
 * out of `before`. Undefined where it may be any skill.
 */
export const listMoved = (
  before: WordTable,
  after: WordTable,
  changed: ReadonlySet<number>,
  count: number,
): Set<number> | undefined => {
  if (measureMagnitude(before) !== measureMagnitude(after)) return undefined
  if (!hasSameFirsts(before, after, count)) return undefined
  const [were, are] = [countWords(before), countWords(after)]
  const isOther = new Uint8Array(after.texts.length)
  for (const id of changed)
    for (const word of listOtherWords(before, after, id))
      if (isRare(were[word]) || isRare(are[word])) isOther[word] = 1
  const isAnyOther = (words: Iterable<number>): boolean => {
    for (const word of words) if (isOther[word]) return true
    return false
  }
  const moved = new Set<number>()
  for (let place = 0; place < after.ids.length; place += 1) {
    const id = after.ids[place]!
    const own = after.words.subarray(after.starts[place], after.starts[place + 1])
    const isMoved =
      changed.has(id) ||
      // Only words that are picked are looked at, by what is common now or by what was.
      (isAnyOther(own) &&
        (isAnyOther(pickRare(after, place, are)) || isAnyOther(pickRare(after, place, were))))
    if (isMoved) moved.add(id)
  }
  return moved
}
