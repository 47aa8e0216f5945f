import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_WORDS, changeWords, dropUnusedWords, isLookDue, readWords } from './word-table.ts'
import type { Reader, WordTable } from './word-table.ts'

const tell = (id: number, description: string): Reader => ({
  id,
  name: `name ${id}`,
  description,
  category: 'Coding',
  isCompared: true,
})

/** What a table says, whatever its words are numbered. */
const spell = ({ words, texts, ...table }: WordTable) => ({
  ...table,
  words: Array.from(words, (word) => texts[word]),
})

test('a skill that is told anew each day -> no more texts than twice those in use', () => {
  let table = readWords([tell(1, 'stays'), tell(2, 'first')])
  for (let day = 0; day < 100; day += 1) {
    table = dropUnusedWords(changeWords(table, new Set([2]), [tell(2, `word${day} more${day}`)]))
    expect(table.texts.length).toBeLessThanOrEqual(2 * new Set(table.words).size)
  }
  expect(spell(table)).toEqual(spell(readWords([tell(1, 'stays'), tell(2, 'word99 more99')])))
})

const many = (count: number): WordTable => ({ ...NO_WORDS, texts: Array(count).fill('word') })

test('a look for unused words is due once in a thousand words that came', () => {
  expect(isLookDue(many(1_100), many(1_900))).toBe(false)
  expect(isLookDue(many(1_900), many(2_000))).toBe(true)
})

test('what few words are dropped from stays as it is', () => {
  const table = readWords([tell(1, 'some words')])
  expect(dropUnusedWords(table)).toBe(table)
  expect(dropUnusedWords(NO_WORDS)).toBe(NO_WORDS)
})

test('dropping words changes nothing that a table says', () => {
  const readers = fc.uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 30 }), text: fc.lorem({ maxCount: 5 }) }),
    { selector: ({ id }) => id },
  )
  fc.assert(
    fc.property(readers, fc.array(fc.integer({ min: 1, max: 30 })), (some, leaving) => {
      const all = readWords(some.map(({ id, text }) => tell(id, text)))
      const table = changeWords(all, new Set(leaving), [])
      expect(spell(dropUnusedWords(table))).toEqual(spell(table))
    }),
  )
})
