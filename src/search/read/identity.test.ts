import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { CATEGORIES } from '../../catalog/categories.ts'
import type { Copies } from '../../catalog/references.ts'
import type { SearchDocument } from '../rank.ts'
import { CROWD, HOSTILE_QUERIES } from '../../../testing/hostile-queries.ts'
import { openOracle, serializeOracle } from '../../../testing/oracle/oracle.ts'
import {
  anyAuthor,
  anyCatalog,
  anyCopies,
  anyName,
  anyRequest,
  anyTypo,
  listIdentifiers,
  someWords,
} from '../../../testing/sample-facets.ts'
import {
  askFor,
  packDocuments,
  sampleDocument,
  scoreAll,
} from '../../../testing/sample-documents.ts'
import { openIndexFile } from './index-file.ts'
import { openIndex } from './open.ts'
import { unpackIndex } from './unpack.ts'

const sentence = someWords(12)
const name = fc.oneof(
  anyName,
  fc.constantFrom('---', '\ud800', '. .', 'CSV Clean', 'csv_clean', 'csvclean'),
)

/** A text in which some words occur twice. */
const anyText = fc.tuple(sentence, sentence).map(([one, other]) => `${one} ${other} ${one}`)

const catalog = anyCatalog(
  {
    name,
    description: fc.oneof(sentence, fc.string({ unit: 'binary', maxLength: 20 })),
    text: anyText,
    author: fc.oneof(anyAuthor, fc.constantFrom('somebody', 'csv', 'deploy-it', 'GitHub')),
  },
  { maxLength: 40, step: 3 },
)

const anyQuery = fc.oneof(
  sentence,
  name,
  fc.array(fc.oneof(anyTypo, someWords(1)), { maxLength: 5 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(...CATEGORIES),
)

const askAny = (q: string) => ({ ...askFor({}), q })

const openBoth = (documents: readonly SearchDocument[], copies: Copies = {}) => ({
  packed: openIndex(packDocuments(documents, copies)),
  plain: openOracle(serializeOracle(documents, copies)),
})

const sorted = (scores: ReadonlyMap<number, number>) => [...scores].sort(([a], [b]) => a - b)

describe('the packed index gives the results of MiniSearch', () => {
  test('the same rows in the same order, the same total, scores equal to the bit', () => {
    fc.assert(
      fc.property(
        catalog,
        anyCopies(Array.from({ length: 40 }, (_, at) => at * 3 + 1)),
        fc.array(anyRequest(anyQuery), { minLength: 1, maxLength: 12 }),
        (documents, copies, requests) => {
          const { packed, plain } = openBoth(documents, copies)
          const named = documents.slice(0, 1).flatMap(({ listed }) => listIdentifiers(listed))
          for (const request of [...requests, ...named.map((q) => askAny(q))]) {
            expect(packed.find(request)).toEqual(plain.find(request))
            expect(packed.findPage(request)).toEqual(plain.findPage(request))
            const browsed = { ...request, q: undefined }
            expect(packed.findPage(browsed)).toEqual(plain.findPage(browsed))
            expect(sorted(scoreAll(packed, request.q))).toEqual(sorted(plain.scoreAll(request.q)))
          }
        },
      ),
      { numRuns: 80 },
    )
  })

  test('misspelt queries for 100 of 700 words with shared prefixes', () => {
    const words = Array.from({ length: 700 }, (_, at) => `${(at * 7919).toString(4)}word${at % 50}`)
    const documents = words.map((word, at) =>
      sampleDocument(at + 1, word, words.slice(at, at + 3).join(' ')),
    )
    const { packed, plain } = openBoth(documents)
    for (const word of words.filter((_, at) => at % 7 === 0))
      for (const q of [word.slice(1), word.slice(0, -2), `${word}x`, word.slice(0, 3)])
        expect(sorted(scoreAll(packed, q))).toEqual(sorted(plain.scoreAll(q)))
  })
})

describe('a word that 5,000 skills contain', () => {
  // More skills than a chunk of postings, and more bytes than the window on a file.
  const documents = Array.from({ length: 5_000 }, (_, at) =>
    sampleDocument(at + 1, `common n${at % 9}`, `common common${' more'.repeat(at % 4)}`, {
      text: at % 5 ? 'common more common more' : '',
      author: at % 2 ? 'common' : 'somebody',
      installs: (at * 7) % 11,
      updated: at % 3 ? `2026-01-${10 + (at % 20)}` : undefined,
    }),
  )
  const bytes = packDocuments(documents)
  const plain = openOracle(serializeOracle(documents))
  const folder = mkdtempSync(join(tmpdir(), 'packed-many-'))
  const file = join(folder, 'search.index')
  writeFileSync(file, bytes)
  afterAll(() => rmSync(folder, { recursive: true }))

  test('the same skills from memory and from a file', () => {
    const inMemory = openIndex(bytes)
    using onDisk = openIndexFile(file)
    for (const q of ['common', 'more common', 'comm'])
      for (const offset of [0, 4_990]) {
        const request = askFor({ q, offset })
        const expected = plain.find(request)
        expect([q, offset, inMemory.find(request)]).toEqual([q, offset, expected])
        expect([q, offset, onDisk.find(request)]).toEqual([q, offset, expected])
      }
  })
})

describe('hostile queries in a catalog of 1,500 skills', () => {
  const { packed, plain } = openBoth(CROWD)
  test.each(HOSTILE_QUERIES)('%s -> the results of MiniSearch', (_, q) => {
    expect(packed.find(askFor({ q }))).toEqual(plain.find(askFor({ q })))
  })
})

describe('sums of many scores', () => {
  const endings =
    'a ab abc be bed ce cent de dent fit go graph it jet light meter on phone pod'.split(' ')
  const words = endings.map((ending) => `micro${ending}`)
  const documents = Array.from({ length: 300 }, (_, at) =>
    sampleDocument(
      at + 1,
      `n${at % 7}`,
      words.filter((__, word) => Math.imul(at + 1, 2654435761 + word * 40503) < 0).join(' '),
      { installs: (at * 31) % 5 },
    ),
  )

  test.each(['mi', 'micro', 'microg', 'mcro', 'micropd', 'microlihgt'])(
    'q=%s: completions are added in the same order',
    (q) => {
      const { packed, plain } = openBoth(documents)
      expect(sorted(scoreAll(packed, q))).toEqual(sorted(plain.scoreAll(q)))
    },
  )
})

describe('bytes of an index', () => {
  test('the same skills give the same bytes in any order', () => {
    fc.assert(
      fc.property(catalog, fc.infiniteStream(fc.nat()), (documents, keys) => {
        const shuffled = documents
          .map((document) => ({ document, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ document }) => document)
        expect(Buffer.from(packDocuments(shuffled)).equals(packDocuments(documents))).toBe(true)
      }),
      { numRuns: 20 },
    )
  })
})

test('the skills of a file can be unpacked, and packed again into the same bytes', () => {
  const ids = Array.from({ length: 14 }, (_, at) => at * 3 + 1)
  fc.assert(
    fc.property(catalog, anyCopies(ids), (documents, copies) => {
      const file = packDocuments(documents, copies)
      const unpacked = unpackIndex(file)
      expect(unpacked.documents).toHaveLength(documents.length)
      expect(Buffer.compare(packDocuments(unpacked.documents, unpacked.copies), file)).toBe(0)
    }),
    { numRuns: 30 },
  )
})
