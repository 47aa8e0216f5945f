import { describe, expect, test } from 'vitest'
import { planQuery, readQueryWords, writeQueryWords } from './query.ts'
import { QUERY_WORDS, SAME_NAMES } from './synonyms.ts'
import { MOST_WORDS, countWords } from './word-set.ts'

const listTyped = (q: string): string[] =>
  planQuery(q, QUERY_WORDS)
    .clauses.filter(({ typed }) => typed)
    .map(({ stems }) => stems.join(' '))

test.each([
  ['how do I clean a csv', ['clean', 'csv']],
  ['how to', ['how', 'to']],
  ['test tests testing', ['test']],
  ['Résumé', ['resum']],
  ['a/b', ['b']],
  ['...', []],
  ['🚀', []],
  ['__proto__', ['proto']],
])('searched words of a query: q=%s -> %j', (q, stems) => expect(listTyped(q)).toEqual(stems))

test(`searched words of a query: at most ${MOST_WORDS} distinct words are searched, in fewer than 150 clauses`, () => {
  const words = Array.from({ length: 2 * MOST_WORDS }, (_, index) => `w${index}x`)
  const { wordCount, clauses } = planQuery(
    words.flatMap((a) => words.map((b) => `${a} ${b}`)).join(' '),
    QUERY_WORDS,
  )
  expect(wordCount).toBe(MOST_WORDS)
  expect(clauses.length).toBeLessThan(150)
})

describe('alternatives for the words of a query', () => {
  test.each([
    ['csv-clean', 'csvclean'],
    ['csv clean', 'csvclean'],
    ['csvClean', 'csv clean'],
    ['k8s', 'kubernet'],
    ['test driven development', 'tdd'],
    ['pull requests', 'pr'],
    ['pr', 'pull request'],
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

  test.each(['zebra', '__proto__', 'constructor'])('q=%s has none', (q) => {
    expect(planQuery(q, QUERY_WORDS).clauses.filter(({ typed }) => !typed)).toEqual([])
  })

  test('only the last word of a query is unfinished', () => {
    const unfinished = planQuery('code review ag', QUERY_WORDS).clauses.filter(
      (clause) => clause.unfinished,
    )
    expect(unfinished.map(({ word }) => word)).toEqual(['ag', 'reviewag'])
  })
})

test('a row of synonyms has at least two different names, in lower case without marks', () => {
  for (const row of SAME_NAMES.trim().split('\n')) {
    const names = row.split(', ')
    expect(new Set(names).size).toBe(Math.max(names.length, 2))
    expect(row).toMatch(/^[a-z0-9]+(?:,? [a-z0-9]+)*$/)
  }
})

test('the encoded synonyms and stop words are decoded without a change', () => {
  expect(readQueryWords(writeQueryWords(QUERY_WORDS))).toEqual(QUERY_WORDS)
})
