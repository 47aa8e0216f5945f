import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSample, sampleDocument } from '../../testing/sample-documents.ts'
import { analyzeSkill } from './analyze.ts'

test('a skill has each term once, with its words and how often each field holds it', () => {
  const { terms, lengths, name } = analyzeSkill(
    sampleDocument(1, 'csv-clean', 'Cleaning, cleaned: csv'),
  )
  expect(terms).toEqual([
    { term: 'csv', words: ['csv'], frequencies: [1, 0, 0, 1] },
    { term: 'clean', words: ['clean', 'cleaning', 'cleaned'], frequencies: [1, 0, 0, 2] },
    { term: 'csvclean', words: ['csvclean'], frequencies: [1, 0, 0, 0] },
    { term: 'somebody', words: ['somebody'], frequencies: [0, 1, 0, 0] },
    { term: 'code', words: ['coding'], frequencies: [0, 0, 1, 0] },
  ])
  expect(lengths).toEqual([3, 1, 1, 2])
  expect(name).toMatchObject({ spelling: 'csvclean', letters: 'csv-clean' })
})

test('any text can be analysed, encoded and packed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, text) => {
      const documents = [sampleDocument(1, name, text), sampleDocument(2, text, name)]
      expect(openSample(documents).size).toBe(2)
    }),
  )
})
