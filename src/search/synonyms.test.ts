import { describe, expect, test } from 'vitest'
import { planQuery, readQueryWords, writeQueryWords } from './query.ts'
import { stemWord } from './tokens.ts'
import { QUERY_WORDS, SAME_NAMES } from './synonyms.ts'

const ROWS = SAME_NAMES.split('\n').filter((row) => row !== '')

describe('the synonym table', () => {
  test.each(ROWS)('%s', (row) => {
    const names = row.split(', ')
    expect(names.length).toBeGreaterThan(1)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+( [a-z0-9]+)*$/)
  })
})

test('the encoded synonyms and stop words are decoded without a change', () =>
  expect(readQueryWords(writeQueryWords(QUERY_WORDS))).toEqual(QUERY_WORDS))

describe('synonyms', () => {
  test.each([
    ['k8s', 'kubernetes'],
    ['kubernetes', 'k8s'],
    ['pull requests', 'pr'],
    ['pr', 'pull request'],
    ['terms of service', 'tos'],
  ])('%s -> %s', (name, other) => {
    const wanted = other.split(' ').map(stemWord)
    expect(planQuery(name, QUERY_WORDS).clauses.map(({ stems }) => stems)).toContainEqual(wanted)
  })

  test.each(['zebra', '__proto__', 'constructor', ''])('%j -> no synonyms', (name) =>
    expect(planQuery(name, QUERY_WORDS).clauses.filter(({ typed }) => !typed)).toEqual([]),
  )
})
