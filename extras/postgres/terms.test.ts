import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openVocabulary } from '../../testing/oracle/vocabulary.ts'
import { listPieces, listProbes } from './terms.ts'

const findByPieces = (typed: string, words: readonly string[]): string[] => {
  const probes = listProbes(typed)
  const pieces = new Set(probes.pieces)
  return words.filter(
    (word) => probes.words.includes(word) || listPieces(word).some((piece) => pieces.has(piece)),
  )
}

test('a word that is too short to be corrected has no pieces', () =>
  expect(listProbes('pfd')).toEqual({ pieces: [], words: [] }))

test('the pieces of a word find all its corrections', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcé𐐀'), minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(word, fc.uniqueArray(word, { maxLength: 60 }), (typed, words) => {
      const found = findByPieces(typed, words)
      const all = openVocabulary(words).correct(typed)
      expect(openVocabulary(found).correct(typed)).toEqual(expect.arrayContaining(all))
    }),
    { numRuns: 500 },
  )
})
