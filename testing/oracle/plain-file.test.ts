import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePlainIndex, serializePlainIndex } from './plain-file.ts'
import { InvalidIndexError } from '../../src/search/invalid-index.ts'
import { sampleDocument } from '../sample-documents.ts'

const TEXT = serializePlainIndex([
  sampleDocument(1, 'csv-clean', 'Clean CSV files'),
  sampleDocument(2, 'pdf'),
])

const change = (changes: Record<string, unknown>): string =>
  JSON.stringify({ ...(JSON.parse(TEXT) as object), ...changes })

describe('a file that cannot be read', () => {
  test.each([
    ['nothing', '', /not JSON/],
    ['another format', 'MZ\u0000', /not JSON/],
    ['a file cut short', TEXT.slice(0, -1), /not JSON/],
    ['null', 'null', /not an object/],
    ['a number', '1', /not an object/],
    ['an older version', change({ version: 0 }), /version is 0/],
    ['no version', '{}', /version is undefined/],
    ['another count', change({ count: 3 }), /skills are damaged/],
    ['no skills', change({ skills: undefined }), /skills are damaged/],
    ['a skill without a name', change({ skills: [{ id: 1 }, { id: 2 }] }), /skills are damaged/],
    ['words that are numbers', change({ words: [1] }), /words are damaged/],
    ['no terms', change({ terms: null }), /terms are damaged/],
    ['terms of nothing', change({ terms: {} }), /terms are damaged/],
    [
      'terms of an empty catalog',
      change({ terms: JSON.parse(serializePlainIndex([])).terms }),
      /other skills/,
    ],
  ])('%s -> InvalidIndexError', (_, text, reason) => {
    expect(() => parsePlainIndex(text)).toThrow(InvalidIndexError)
    expect(() => parsePlainIndex(text)).toThrow(reason)
  })
})

describe('bytes of the file', () => {
  test('an empty catalog has an index', () => {
    expect(parsePlainIndex(serializePlainIndex([])).skills).toEqual([])
  })

  test('the same skills give the same bytes in any order', () => {
    const documents = [...'clean docker pdf'.split(' '), '__proto__', '飞书'].map((name, index) =>
      sampleDocument(index + 1, name, `${name} files and other things`),
    )
    const expected = serializePlainIndex(documents)
    fc.assert(
      fc.property(fc.shuffledSubarray(documents, { minLength: documents.length }), (shuffled) => {
        expect(serializePlainIndex(shuffled)).toBe(expected)
      }),
    )
  })
})
