import { expect, test } from 'vitest'
import { findNearest, listNearest } from './nearest-name.ts'

const NAMES = ['sort', 'cat', 'limit', 'offset']

test.for([
  ['limit', 'limit'],
  ['lmiit', 'limit'],
  ['ofset', 'offset'],
  ['category', 'cat'],
  ['Nope', undefined],
  ['', undefined],
] as const)('%s is nearest to %s', ([value, name]) => {
  expect(findNearest(value, NAMES)).toBe(name)
})

test('findNearest ignores case and surrounding spaces, and returns the first of equally near names', () => {
  expect(findNearest(' LIMITS ', ['sort', 'limit'])).toBe('limit')
  expect(findNearest('zort', ['sort', 'port'])).toBe('sort')
})

test.for([
  ['csv-claen', ['csv-clean']],
  ['CSV-CLEAN', ['csv-clean', 'csv-cleaner']],
  ['csvclean', ['csv-clean']],
  ['csv', []],
  ['chart-choose', ['chart-choice']],
  ['x'.repeat(30_000), []],
] as const)('%s could be a misspelling of %j', ([value, names]) => {
  expect(listNearest(value, ['chart-choice', 'csv-cleaner', 'csv-clean'])).toEqual(names)
})
