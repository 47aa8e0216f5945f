import { expect, test } from 'vitest'
import { sampleDocument } from '../../../testing/sample-documents.ts'
import { gatherTerms } from './gather.ts'

const WORDS = 'clean cleaning csv deploy review table words'.split(' ')

const documents = Array.from({ length: 40 }, (_, at) =>
  sampleDocument(at + 1, `${WORDS[at % 3]}-${at}`, `${WORDS[at % 7]} ${WORDS[(at * 5) % 7]} csv`, {
    text: `${WORDS[(at * 3) % 7]} only${at % 9} `.repeat(2),
  }),
)

test.each([1, 7, 39])('slices of %i skills -> the same result as all at once', (size) => {
  expect(gatherTerms(documents, size)).toEqual(gatherTerms(documents, documents.length))
})
