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

  test(`at most ${MOST_WORDS} distinct words are searched, in fewer than 150 clauses`, () => {
    const words = Array.from({ length: 2 * MOST_WORDS }, (_, index) => `w${index}x`)
    const { wordCount, clauses } = planQuery(
      words.flatMap((a) => words.map((b) => `${a} ${b}`)).join(' '),
      QUERY_WORDS,
    )
    expect(wordCount).toBe(MOST_WORDS)
    expect(clauses.length).toBeLessThan(150)
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
