import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CATEGORIES } from '../../catalog/categories.ts'
import { anyAuthor, anyCopies, anyFacts } from '../../../testing/sample-facets.ts'
import { packDocuments, sampleDocument } from '../../../testing/sample-documents.ts'
import type { SearchDocument } from '../rank.ts'
import { packIndex, toIndexEntry } from './pack.ts'
import { updateIndex } from './update.ts'

const WORDS = [
  ...'csv clean cleaner cleaning cleaned react reaction reactive reactor testing tests'.split(' '),
  ...'GitHub k8s 飞书会议 résumé __proto__ constructor a the 🚀 deploy-it CSVClean'.split(' '),
]

const sentence = fc
  .array(fc.constantFrom(...WORDS), { maxLength: 6 })
  .map((words) => words.join(' '))

const name = fc.oneof(
  fc.constantFrom('---', '\uD800', 'CSV Clean', 'csv-clean', 'csv clean', 'csvclean', 'résumé'),
  sentence.filter((text) => text !== ''),
)

const skill = fc.record({
  name,
  description: sentence,
  installs: fc.nat(1),
  views: fc.nat(1),
  updated: fc.constantFrom(undefined, '2026-01-02', '2026-03-01'),
  category: fc.constantFrom(...CATEGORIES.slice(0, 3)),
  facts: anyFacts,
  author: anyAuthor,
})

/** A skill that may be in the first catalog, in the second, or in both, and what it is there. */
const twice = fc.record({
  before: fc.option(skill, { nil: undefined }),
  after: fc.option(skill, { nil: undefined }),
  kind: fc.constantFrom('other', 'same', 'recounted'),
})

const someCopies = anyCopies(Array.from({ length: 25 }, (_, at) => at + 7))

type Drawn = typeof skill extends fc.Arbitrary<infer Value> ? Value : never

const toDocument = (id: number, drawn: Drawn | undefined): SearchDocument | undefined =>
  drawn && sampleDocument(id, drawn.name, drawn.description, drawn)

const isThere = (document: SearchDocument | undefined): document is SearchDocument =>
  document !== undefined

const toEntries = (documents: readonly (SearchDocument | undefined)[]) =>
  documents.filter(isThere).map(toIndexEntry)

describe('an index that is updated', () => {
  test('is, byte for byte, the one packed of the same skills', () => {
    fc.assert(
      fc.property(
        fc.array(twice, { maxLength: 25 }),
        someCopies,
        someCopies,
        (drawn, was, copies) => {
          const pairs = drawn.map(({ before, after, kind }, at) => {
            const recounted = before && {
              ...before,
              ...(after && { installs: after.installs, views: after.views }),
            }
            const now = { other: after, same: before, recounted }[kind]
            return { kind, before: toDocument(at + 7, before), after: toDocument(at + 7, now) }
          })
          const others = pairs.filter(({ kind }) => kind === 'other')
          const updated = updateIndex(
            packIndex(toEntries(pairs.map(({ before }) => before)), was),
            {
              copies,
              removed: toEntries(others.map(({ before }) => before)),
              added: toEntries(others.map(({ after }) => after)),
              recounted: toEntries(
                pairs.filter(({ kind }) => kind === 'recounted').map(({ after }) => after),
              ).map(({ row }) => row),
            },
          )
          expect(updated).toEqual(packIndex(toEntries(pairs.map(({ after }) => after)), copies))
        },
      ),
      { numRuns: 300 },
    )
  })

  test('a skill is removed that was not there -> InvalidIndexError', () => {
    const [one, other] = [sampleDocument(1, 'one'), sampleDocument(2, 'other')]
    expect(() =>
      updateIndex(packDocuments([one]), {
        copies: {},
        removed: [toIndexEntry(other)],
        added: [],
        recounted: [],
      }),
    ).toThrow(/lacks a skill/)
  })
})
