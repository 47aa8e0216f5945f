import { expect, test } from 'vitest'
import { readTerms } from './postings.ts'
import { sampleDocument } from '../../testing/sample-documents.ts'

test('a skill has a posting a stem and field, and the words behind them', () => {
  const { postings, lengths, words } = readTerms(
    sampleDocument(1, 'csv-clean', 'Cleaning, cleaned: csv'),
  )
  const name = { field: 0, frequency: 1, length: 3 }
  expect(postings.filter(({ field }) => field === 0)).toEqual([
    { ...name, stem: 'csv' },
    { ...name, stem: 'clean' },
    { ...name, stem: 'csvclean' },
  ])
  expect(postings.filter(({ field }) => field === 3)).toEqual([
    { stem: 'clean', field: 3, frequency: 2, length: 2 },
    { stem: 'csv', field: 3, frequency: 1, length: 2 },
  ])
  expect(lengths).toEqual([3, 1, 1, 2])
  expect(words).toEqual(['clean', 'cleaned', 'cleaning', 'coding', 'csv', 'csvclean', 'somebody'])
})
