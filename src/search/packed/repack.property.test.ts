import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { CATEGORIES } from '../../catalog/categories.ts'
import { InvalidIndexError } from '../invalid-index.ts'
import type { SearchDocument } from '../fields.ts'
import { sampleDocument } from '../../../testing/sample-documents.ts'
import { packIndex, toIndexEntry } from './pack.ts'
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

const told = fc.record({
  name: fc.constantFrom('csv', 'Clean it', 'clean-it', 'cleaner', 'GitHub', 'git hub', '🚀'),
  description: fc.oneof(words, fc.string({ unit: 'binary', maxLength: 20 })),
  author: fc.constantFrom('somebody', 'csv', 'deploy-it'),
  category: fc.constantFrom(...CATEGORIES.slice(0, 4)),
  installs: fc.nat(3),
  views: fc.nat(2),
})

type Told = typeof told extends fc.Arbitrary<infer Of> ? Of : never

const KINDS = ['stayed', 'stayed', 'stayed', 'changed', 'came', 'left'] as const

const row = fc.record({ before: told, after: told, kind: fc.constantFrom(...KINDS) })

// Ids come in another order than ordinals do.
const toDocument = (at: number, { name, description, ...more }: Told): SearchDocument =>
  sampleDocument(((at * 7) % 31) + 1, name, description, more)

test('an index that skills changed in, came to and left is the index of what is there then', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
      const all = rows.map(({ before, after, kind }, at) => ({
        kind,
        before: kind === 'came' ? undefined : toDocument(at, before),
        after: kind === 'left' ? undefined : toDocument(at, kind === 'stayed' ? before : after),
      }))
      const before = all.flatMap((one) => one.before ?? [])
      const after = all.flatMap((one) => one.after ?? [])
      const stayed = new Map(
        all.flatMap(({ kind, after: one }) =>
          kind === 'stayed' && one ? [[one.listed.id, one] as const] : [],
        ),
      )
      const repacked = repackIndex(
        packIndex(before.map(toIndexEntry)),
        all.filter(({ kind }) => kind !== 'stayed'),
        (id) => stayed.get(id)!,
      )
      expect(repacked).toEqual(packIndex(after.map(toIndexEntry)))
    }),
    { numRuns: 1_000 },
  )
})

test('a damaged index is refused, wherever the damage is', () => {
  const documents = [sampleDocument(1, 'csv', 'Cleans tables.')]
  const whole = packIndex(documents.map(toIndexEntry))
  for (const at of [0, 40, 300, Math.floor(whole.length / 2), whole.length - 1]) {
    const damaged = whole.slice()
    damaged[at]! ^= 1
    expect(() => repackIndex(damaged, [], () => documents[0]!), `byte ${at}`).toThrow(
      InvalidIndexError,
    )
  }
})

test('an index that has not the skills that changed is refused', () => {
  const [one, other] = [sampleDocument(1, 'csv'), sampleDocument(2, 'plot')]
  expect(() =>
    repackIndex(packIndex([one].map(toIndexEntry)), [{ before: other, after: one }], () => one),
  ).toThrow(InvalidIndexError)
})
