import { expect, test } from 'vitest'
import { listStems, stemTerm } from './classify.ts'

test.each([
  ['Searching the Web', ['search', 'web', 'search-web']],
  ['CI/CD', ['ci', 'cd', 'ci-cd']],
  ['an A/B test', ['ab', 'test', 'ab-test']],
  ['', []],
])('%j -> %j', (text, terms) => {
  expect([...listStems(text)].sort()).toEqual(terms.toSorted())
})

test.each([
  ['product', 'production'],
  ['conversation', 'conversion'],
  ['author', 'authorization'],
  ['specification', 'specific'],
  ['customer', 'customize'],
  ['documentation', 'document'],
])('%s and %s are two words', (one, other) => {
  expect(stemTerm(one)).not.toBe(stemTerm(other))
  expect(listStems(`${one}s`)).toEqual(listStems(one))
})
