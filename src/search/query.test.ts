import { describe, expect, test } from 'vitest'
import { planQuery } from './query.ts'
import { QUERY_WORDS } from './synonyms.ts'
import { MOST_WORDS, countWords } from './word-set.ts'

const listTyped = (q: string): string[] =>
  planQuery(q, QUERY_WORDS)
    .clauses.filter(({ typed }) => typed)
    .map(({ stems }) => stems.join(' '))

describe('searched words of a query', () => {
  test.each([
    ['how do I clean a csv', ['clean', 'csv']],
    ['how to', ['how', 'to']],
    ['test tests testing', ['test']],
    ['Résumé', ['resum']],
    ['a/b', ['b']],
    ['...', []],
    ['🚀', []],
    ['__proto__', ['proto']],
  ])('q=%s -> %j', (q, stems) => expect(listTyped(q)).toEqual(stems))

  test(`at most ${MOST_WORDS} distinct words are searched`, () => {
    const q = Array.from({ length: 5000 }, (_, index) => `w${index}x`).join(' ')
    expect(planQuery(q, QUERY_WORDS).wordCount).toBe(MOST_WORDS)
    expect(planQuery(q, QUERY_WORDS).clauses.length).toBeLessThan(4 * MOST_WORDS)
  })
})

describe('cost of a query', () => {
  test('a query with every pair of 24 words has fewer than 150 clauses', () => {
    const words = Array.from({ length: MOST_WORDS }, (_, index) => `w${index}x`)
    const q = words.flatMap((a) => words.map((b) => `${a} ${b}`)).join(' ')
    expect(planQuery(q, QUERY_WORDS).clauses.length).toBeLessThan(150)
  })
})

describe('alternatives for the words of a query', () => {
  test.each([
    ['csv-clean', 'csvclean'],
    ['csv clean', 'csvclean'],
    ['csvClean', 'csv clean'],
    ['k8s', 'kubernet'],
    ['test driven development', 'tdd'],
    ['sign in', 'login'],
  ])('q=%s also finds %j', (q, stems) => {
    const all = planQuery(q, QUERY_WORDS).clauses.map((clause) => clause.stems.join(' '))
    expect(all).toContain(stems)
  })

  test('a joined word answers both of its words', () => {
    const joined = planQuery('csv clean', QUERY_WORDS).clauses.find(
      ({ stems }) => stems[0] === 'csvclean',
    )
    expect(countWords(joined?.answers ?? 0)).toBe(2)
  })

  test('only the last word of a query is unfinished', () => {
    const unfinished = planQuery('code review ag', QUERY_WORDS).clauses.filter(
      (clause) => clause.unfinished,
    )
    expect(unfinished.map(({ word }) => word)).toEqual(['ag', 'reviewag'])
  })
})
