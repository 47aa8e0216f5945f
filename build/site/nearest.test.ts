import { describe, expect, test } from 'vitest'
import type { Category } from '../../src/catalog/categories.ts'
import { WordIndex, decodeWords, encodeWords, findSurroundings } from './nearest.ts'

const make = (id: number, name: string, description: string, category: Category = 'Coding') => ({
  id,
  name,
  category,
  words: decodeWords(encodeWords({ name, description })),
  isCompared: true,
})

const SKILLS = [
  make(1, 'mcp-builder', 'Builds servers of the model context protocol.'),
  make(2, 'dotnet-mcp-builder', 'Servers in dotnet.'),
  make(3, 'feedback', 'Collects servers and context of a protocol.'),
  make(4, 'poem', 'Writes verses about rain.', 'Writing'),
  make(5, 'haiku', 'Counts syllables.', 'Writing'),
]

const namesNear = (id: number, count: number, skills = SKILLS): string[] =>
  new WordIndex(skills)
    .findNeighbours(
      skills.find((one) => one.id === id)!,
      findSurroundings(skills, count),
      count,
    )
    .map((found) => skills.find((one) => one.id === found)!.name)

test('two words of one hash are one word of a skill, in its name if either is', () => {
  const words = decodeWords(encodeWords({ name: 'zunq5191', description: 'csv ch0aryf1' }))
  expect(words).toHaveLength(2)
  expect(Array.from(words, (word) => word & 1).sort()).toEqual([0, 1])
})

describe('nearest skills', () => {
  test('a shared name counts for more than shared words', () => {
    expect(namesNear(1, 2)).toEqual(['dotnet-mcp-builder', 'feedback'])
  })

  test('a skill is never near itself', () => {
    expect(namesNear(1, 9)).not.toContain('mcp-builder')
  })

  test('where words say nothing, the category does', () => {
    expect(namesNear(4, 3)).toEqual(['haiku'])
  })

  test('one that is not compared has neighbours, and is none', () => {
    const skills = SKILLS.map((one) => Object.assign({}, one, { isCompared: one.id !== 2 }))
    expect(namesNear(2, 1, skills)).toEqual(['mcp-builder'])
    expect(namesNear(1, 1, skills)).toEqual(['feedback'])
  })

  test('a word that more than 200 share is not followed', () => {
    const common = Array.from({ length: 201 }, (_, at) => make(100 + at, `x${at}`, 'servers'))
    const skills = [make(1, 'one', 'servers', 'Writing'), ...common]
    expect(namesNear(1, 2, skills)).toEqual([])
    expect(namesNear(1, 2, skills.slice(0, -2))).toEqual(['x0', 'x1'])
  })
})
