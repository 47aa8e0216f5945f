import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { CATEGORIES } from '../../categories.ts'
import { InvalidIndexError } from '../invalid-index.ts'
import { sampleDocument } from '../sample-documents.ts'
import { packIndex } from './pack.ts'
import { repackIndex } from './repack.ts'

const WORDS = [
  ...'csv clean cleaner cleaning cleaned deploy deployment GitHub 飞书会议 résumé straße'.split(
    ' ',
  ),
  ...'csv-clean csv-clean csvclean a the __proto__ constructor x'.split(' '),
]

const words = fc
  .array(fc.constantFrom(...WORDS), { maxLength: 10 })
  .map((picked) => picked.join(' '))

const rest = fc.record({
  description: fc.oneof(words, fc.string({ unit: 'binary', maxLength: 20 })),
  author: fc.constantFrom('somebody', 'csv', 'deploy-it'),
  category: fc.constantFrom(...CATEGORIES.slice(0, 4)),
})

const row = fc.record({
  name: fc.constantFrom('csv', 'Clean it', 'cleaner', 'GitHub'),
  installs: fc.nat(3),
  before: rest,
  after: fc.option(rest, { freq: 2 }),
})

test('an index that some skills changed in is the index of what they are then', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
      const toDocuments = (pick: (one: (typeof rows)[number]) => (typeof rows)[number]['before']) =>
        rows.map((one, at) => {
          const { description, ...more } = pick(one)
          return sampleDocument(at * 7 + 1, one.name, description, {
            ...more,
            installs: one.installs,
          })
        })
      const before = toDocuments((one) => one.before)
      const after = toDocuments((one) => one.after ?? one.before)
      const changed = rows.flatMap(({ after: other }, at) =>
        other ? [{ before: before[at]!, after: after[at]! }] : [],
      )
      expect(repackIndex(packIndex(before), after, changed)).toEqual(packIndex(after))
    }),
    { numRuns: 500 },
  )
})

test('a damaged index is refused, wherever the damage is in its head or postings', () => {
  const documents = [sampleDocument(1, 'csv', 'Cleans tables.')]
  const whole = packIndex(documents)
  for (const at of [0, 40, 300, Math.floor(whole.length / 2)]) {
    const damaged = whole.slice()
    damaged[at]! ^= 1
    expect(() => repackIndex(damaged, documents, []), `byte ${at}`).toThrow(InvalidIndexError)
  }
})
