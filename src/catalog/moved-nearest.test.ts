import { describe, expect, test } from 'vitest'
import type { Category } from './categories.ts'
import { listMoved } from './moved-nearest.ts'
import { openNearness } from './nearest.ts'
import { changeWords, findPlace, readWords } from './word-table.ts'
import type { Reader, WordTable } from './word-table.ts'

const COUNT = 4

const make = (id: number, description: string, category: Category = 'Coding'): Reader => ({
  id,
  name: `skill${id}`,
  description,
  category,
  isCompared: true,
})

const moveOf = (before: readonly Reader[], leaving: number[], coming: readonly Reader[]) => {
  const table = readWords(before)
  const changed = new Set([...leaving, ...coming.map(({ id }) => id)])
  const after = changeWords(table, changed, coming)
  return { before: table, after, moved: listMoved(table, after, changed, COUNT) }
}

const nearestOf = (table: WordTable, id: number): readonly number[] =>
  openNearness(table, COUNT)(findPlace(table, id))

const some = (count: number): Reader[] =>
  Array.from({ length: count }, (_, at) => make(at + 1, 'words'))

describe('the size of the catalog', () => {
  test('of another magnitude -> all may have moved', () =>
    expect(moveOf(some(15), [], [make(99, 'words')]).moved).toBeUndefined())

  test('of the same -> those that share a word', () =>
    expect(moveOf(some(16), [], [make(99, 'other')]).moved).toEqual(new Set([99])))
})

describe('the first of a category, which fill short lists up', () => {
  const lonely = Array.from({ length: 20 }, (_, at) => make(at + 1, `word${at}`))

  test('one of them leaves -> all may have moved, and who was filled up with it has another', () => {
    const { before, after, moved } = moveOf(lonely, [2], [])
    expect(nearestOf(before, 9)).toEqual([1, 2, 3, 4])
    expect(nearestOf(after, 9)).toEqual([1, 3, 4, 5])
    expect(moved).toBeUndefined()
  })

  test('one after them leaves -> none has moved', () => {
    const { before, after, moved } = moveOf(lonely, [12], [])
    expect(nearestOf(after, 2)).toEqual(nearestOf(before, 2))
    expect(moved).toEqual(new Set())
  })
})

describe('a word among more rare ones than are looked at', () => {
  const rare = Array.from({ length: 12 }, (_, at) => `rare${String(at).padStart(2, '0')}`)
  const firsts = Array.from({ length: 6 }, (_, at) => make(at + 1, `plain${at}`))
  const others = rare.map((word, at) => make(at + 50, word))
  const reader = make(20, [...rare, 'aword'].join(' '))
  const catalog = [...firsts, ...others, reader, make(40, 'aword')]
  const common = [...catalog, make(91, 'aword')]

  test('grows rare enough to be looked at -> who holds it has moved', () => {
    const { before, after, moved } = moveOf(common, [91], [])
    expect(nearestOf(before, 20)).not.toContain(40)
    expect(nearestOf(after, 20)).toContain(40)
    expect(moved).toContain(20)
  })

  test('is no longer -> who holds it has moved', () => {
    const { after, moved } = moveOf(catalog, [], [make(91, 'aword')])
    expect(nearestOf(after, 20)).not.toContain(40)
    expect(moved).toContain(20)
  })

  test('was not and is not -> who holds it has not', () => {
    const { moved } = moveOf(common, [], [make(92, 'aword')])
    expect(moved).toEqual(new Set([40, 91, 92]))
  })
})
