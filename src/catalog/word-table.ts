import { CATEGORIES } from './categories.ts'
import { isAscii } from './text.ts'
import type { Skill } from './skill.ts'

/** What nearness looks at. */
export type Comparable = Pick<Skill, 'id' | 'name' | 'description' | 'category'>

/** A skill that looks for its nearest; it is one of others' only where it is compared. */
export interface Reader extends Comparable {
  isCompared: boolean
}

/**
 * The words of skills as numbers, in arrays that a build writes down as they are. A skill's place is its rank
 * by id.
 */
export interface WordTable {
  ids: Float64Array
  /** Place of its category in `CATEGORIES`. */
  categories: Uint8Array
  /** 1 where others may be compared with it. */
  compared: Uint8Array
  /** Where the words of each skill begin, and the end of the last. */
  starts: Uint32Array
  /** How many of its words stand in its name; they come first. */
  named: Uint16Array
  words: Uint32Array
  /** Words by number; some may be no skill's any more. */
  texts: readonly string[]
}

const splitWords = (text: string): Set<string> =>
  new Set(
    isAscii(text)
      ? text.toLowerCase().match(/[a-z0-9]{3,}/g)
      : text
          .normalize('NFKD')
          .toLowerCase()
          .match(/[\p{L}\p{N}]{3,}/gu),
  )

interface SkillWords {
  reader: Reader
  named: Set<string>
  /** Those of its name first. */
  texts: string[]
}

const listWords = (reader: Reader): SkillWords => {
  const named = splitWords(reader.name)
  return { reader, named, texts: [...new Set([...named, ...splitWords(reader.description)])] }
}

/** A table without skills. */
export const NO_WORDS: WordTable = {
  ids: new Float64Array(),
  categories: new Uint8Array(),
  compared: new Uint8Array(),
  starts: new Uint32Array(1),
  named: new Uint16Array(),
  words: new Uint32Array(),
  texts: [],
}

const numberTexts = (texts: readonly string[], added: readonly SkillWords[]) => {
  const all = [...texts]
  const wanted = new Set(added.flatMap((one) => one.texts))
  const numbers = new Map<string, number>()
  for (const [number, text] of texts.entries()) if (wanted.has(text)) numbers.set(text, number)
  for (const text of wanted) {
    if (numbers.has(text)) continue
    numbers.set(text, all.length)
    all.push(text)
  }
  return { texts: all, numberOf: (text: string): number => numbers.get(text) ?? 0 }
}

/** Counts the skills that stand before an id. */
const countLower = ({ ids }: WordTable, id: number): number => {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return low
}

/** Where the skills of an older table are left out, or others come between them. */
interface Cut {
  id: number
  from: number
  to: number
  came?: SkillWords
}

const listCuts = (
  old: WordTable,
  leaving: ReadonlySet<number>,
  added: readonly SkillWords[],
): Cut[] => {
  const cuts: Cut[] = added.map((came) => {
    const { id } = came.reader
    const from = countLower(old, id)
    return { id, from, to: from, came }
  })
  for (const id of leaving) {
    const from = findPlace(old, id)
    if (from !== -1) cuts.push({ id, from, to: from + 1 })
  }
  return cuts.sort((a, b) => a.from - b.from || a.id - b.id || a.to - b.to)
}

/** Takes skills in the order of their ids: a stretch of an older table at once, or one that came. */
const openTable = (size: number, room: number, numberOf: (text: string) => number) => {
  const table = {
    ids: new Float64Array(size),
    categories: new Uint8Array(size),
    compared: new Uint8Array(size),
    starts: new Uint32Array(size + 1),
    named: new Uint16Array(size),
    words: new Uint32Array(room),
  }
  let at = 0
  const copy = (old: WordTable, from: number, to: number): void => {
    const start = table.starts[at]!
    const first = old.starts[from]!
    for (const name of ['ids', 'categories', 'compared', 'named'] as const)
      table[name].set(old[name].subarray(from, to), at)
    table.words.set(old.words.subarray(first, old.starts[to]), start)
    for (let place = from; place < to; place += 1)
      table.starts[++at] = start + old.starts[place + 1]! - first
  }
  const add = ({ reader, named, texts }: SkillWords): void => {
    const start = table.starts[at]!
    table.ids[at] = reader.id
    table.categories[at] = CATEGORIES.indexOf(reader.category)
    table.compared[at] = Number(reader.isCompared)
    table.named[at] = named.size
    table.words.set(texts.map(numberOf), start)
    table.starts[++at] = start + texts.length
  }
  return {
    copy,
    add,
    finish: () => ({ ...table, words: table.words.subarray(0, table.starts[at]) }),
  }
}

/** Writes a table anew without the skills of some ids, and with others; the numbers of words stay. */
export const changeWords = (
  old: WordTable,
  leaving: ReadonlySet<number>,
  coming: readonly Reader[],
): WordTable => {
  const added = coming.map(listWords)
  const { texts, numberOf } = numberTexts(old.texts, added)
  const cuts = listCuts(old, leaving, added)
  const gone = cuts.reduce((sum, { from, to }) => sum + to - from, 0)
  const room = old.words.length + added.reduce((sum, one) => sum + one.texts.length, 0)
  const table = openTable(old.ids.length - gone + added.length, room, numberOf)
  let done = 0
  for (const { from, to, came } of cuts) {
    table.copy(old, done, from)
    if (came) table.add(came)
    done = to
  }
  table.copy(old, done, old.ids.length)
  return { ...table.finish(), texts }
}

/** Reads skills into a table. */
export const readWords = (readers: readonly Reader[]): WordTable =>
  changeWords(NO_WORDS, new Set(), readers)

/** Finds the place of a skill, or -1. */
export const findPlace = (table: WordTable, id: number): number => {
  const place = countLower(table, id)
  return table.ids[place] === id ? place : -1
}

/** Counts the compared skills of each word. */
export const countWords = ({ words, starts, compared, texts }: WordTable): Uint32Array => {
  const counts = new Uint32Array(texts.length)
  for (let place = 0; place < compared.length; place += 1)
    if (compared[place])
      for (let at = starts[place]!; at < starts[place + 1]!; at += 1) counts[words[at]!]!++
  return counts
}

/** Words that come between two looks for those that no skill has any more: one reads the words of all. */
const BETWEEN_LOOKS = 1_000

/** Says whether so many words came since an older table that a look for unused ones is due. */
export const isLookDue = (old: WordTable, { texts }: WordTable): boolean =>
  Math.floor(old.texts.length / BETWEEN_LOOKS) !== Math.floor(texts.length / BETWEEN_LOOKS)

/** Most texts that a table keeps for each that some skill has. */
const SPARE_TEXTS = 2

/** Numbers the words anew where most are no skill's any more, so that a table does not grow with its history. */
export const dropUnusedWords = (table: WordTable): WordTable => {
  const { words, texts } = table
  const isUsed = new Uint8Array(texts.length)
  for (const word of words) isUsed[word] = 1
  const used = texts.filter((_, word) => isUsed[word])
  if (texts.length <= SPARE_TEXTS * used.length) return table
  let next = 0
  const numbers = Uint32Array.from(isUsed, (one) => (one ? next++ : 0))
  return { ...table, words: words.map((word) => numbers[word]!), texts: used }
}
