import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { syncSearch } from './sync.ts'
import { POSTGRES, announceSkipped, createPostgres } from './testing/temporary-postgres.ts'
import type { TemporaryPostgres } from './testing/temporary-postgres.ts'
import { SORTS } from '../../src/catalog/browse.ts'
import type { Sort } from '../../src/catalog/browse.ts'
import type { Copies } from '../../src/catalog/references.ts'
import { CATEGORIES } from '../../src/catalog/categories.ts'
import {
  anyCatalog,
  anyCopies,
  anyFacets,
  anyWantedAuthor,
  anyWantedTeam,
  listIdentifiers,
} from '../../testing/sample-facets.ts'
import { NO_FACTS, askFor, packDocuments, sampleDocument } from '../../testing/sample-documents.ts'
import type { FindRequest, PackedIndex, SearchDocument } from '../../src/search/index.ts'
import { openIndex } from '../../src/search/index.ts'
import { unpackIndex } from '../../src/search/read/unpack.ts'
import { openPostgres } from './backend.ts'
import type { PostgresBackend } from './backend.ts'

announceSkipped('the comparisons of its ranking with the index file')

// Synonyms, words that are parts or prefixes of others, and words with the same stem.
const WORDS = [
  'csv clean cleaning cleans GitHub git hub k8s kubernetes kube 飞书会议 résumé __proto__ constructor',
  'a the 🚀 deploy-it deploy deploying deployments docker dockerfile dockerized compose',
  'tdd test driven development unit parquet converter convert meeting notes OctoCat ~ ～ 𐐀bc',
  'รายงานการประชุม ประชุม ប្រជុំ التقارير تقارير أداء כְּלִי כלי が か か\u309a हिंदी',
].flatMap((line) => line.split(' '))

const HOSTILE: [string, string][] = [
  ['10 KB of one letter', 'a'.repeat(10_240)],
  ['5,000 words', Array.from({ length: 5_000 }, (_, at) => `word${at % 997}x`).join(' ')],
  ['5,000 misspelt words', 'kubernets deploi dokcer parqet '.repeat(1_250)],
  ['5,000 hyphens', 'csv-clean-'.repeat(2_500)],
  ['10 KB of camelCase', 'CamelCase'.repeat(1_100)],
  ['10 KB of Chinese', '飞书会议纪要'.repeat(600)],
  ['9,000 stop words', 'the and of '.repeat(3_000)],
  ['SQL', `'; DROP TABLE skills; -- $1 $$ E'\\'' " \\`],
  ['a pattern', '%_\\% [a-z]+ (a+)+$ .*'],
  ['JSON', '{"singles":[]} \\u0000 \\" ]}'],
  ['the last character of Unicode', `co\u{10FFFF} \u{10FFFE}`],
  ['NUL and a lone surrogate', 'csv\0clean \ud800'],
  ['the prefix of many words', 'co'],
]

const sentence = fc
  .array(fc.constantFrom(...WORDS), { maxLength: 6 })
  .map((words) => words.join(' '))
const typo = fc
  .tuple(fc.constantFrom(...WORDS), fc.nat(8), fc.constantFrom('', 'x', 'e'))
  .map(([word, at, letter]) => word.slice(0, at) + letter + word.slice(at + 1))
const name = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
  .map((words) => words.join('-'))

const catalog = anyCatalog(
  { name, description: sentence, text: sentence.map((words) => `${words} ${words}`) },
  { minLength: 1, maxLength: 25 },
)

const anyRequest: fc.Arbitrary<Partial<FindRequest>> = fc.record({
  q: fc.option(fc.oneof(sentence, name, typo), { nil: undefined }),
  sort: fc.constantFrom(...(Object.keys(SORTS) as Sort[])),
  categories: fc.subarray(CATEGORIES.slice(0, 3)),
  facets: anyFacets,
  author: anyWantedAuthor,
  team: anyWantedTeam,
  limit: fc.integer({ min: 1, max: 30 }),
  offset: fc.nat(6),
})

describe.skipIf(POSTGRES === undefined)('PostgreSQL ranks like the index file', () => {
  const schema = 'ranking'
  let postgres: TemporaryPostgres
  let backend: PostgresBackend
  beforeAll(async () => {
    postgres = await createPostgres()
    await postgres.start()
    backend = openPostgres(postgres.url, schema)
  })
  afterAll(async () => {
    await backend.close()
    await postgres.remove()
  })

  const openBoth = async (
    documents: readonly SearchDocument[],
    copies: Copies = {},
  ): Promise<PackedIndex> => {
    const bytes = packDocuments(documents, copies)
    await syncSearch(postgres.url, { ...unpackIndex(bytes), digest: '' }, schema)
    return openIndex(bytes)
  }

  test('any catalog, any request: the same skills, order and total', async () => {
    await fc.assert(
      fc.asyncProperty(
        catalog,
        anyCopies(Array.from({ length: 25 }, (_, at) => at + 1)),
        fc.array(anyRequest, { minLength: 12, maxLength: 12 }),
        async (documents, copies, requests) => {
          const file = await openBoth(documents, copies)
          const named = listIdentifiers(documents[0]!.listed).map((q) => ({ q }))
          for (const request of [...requests, ...named].map(askFor)) {
            expect({ request, found: await backend.find(request) }).toEqual({
              request,
              found: file.find(request),
            })
            expect({ request, page: await backend.findPage(request) }).toEqual({
              request,
              page: file.findPage(request),
            })
          }
        },
      ),
      { numRuns: 20 },
    )
  })

  describe('a catalog of 1,500 skills', () => {
    let file: PackedIndex
    beforeAll(async () => {
      file = await openBoth(
        Array.from({ length: 1_500 }, (_, at) => {
          const words = Array.from({ length: 30 }, (__, place) => (at * 31 + place * place) % 1_009)
          const text = words.map((word) =>
            word < 40 ? WORDS[word % WORDS.length] : `word${word}x`,
          )
          return sampleDocument(at + 1, `skill-${at % 700}`, text.join(' '), {
            text: `${WORDS[at % WORDS.length]} word7x `.repeat(2),
            installs: at % 5,
            category: CATEGORIES[at % 9] ?? 'Coding',
            author: at % 19 === 0 ? 'few' : 'many',
            facts: { ...NO_FACTS, tokens: at % 3 === 0 ? undefined : 100 },
          })
        }),
      )
    })

    // The backend aborts a statement that takes five seconds.
    test.each(HOSTILE)('%s -> the same results', async (_, q) => {
      const found = await backend.find(askFor({ q }))
      expect(found).toEqual(file.find(askFor({ q })))
    })

    const namesakes = [19, 38, 57, 76].map((at) => `skill-${at}`)
    test.each([...WORDS, ...namesakes])(
      '%s: the same order, although one author has most skills',
      async (q) => {
        const request = askFor({ q, limit: 100 })
        expect(await backend.find(request)).toEqual(file.find(request))
        expect(await backend.findPage(request)).toEqual(file.findPage(request))
      },
    )

    test.each([
      { q: 'word7' },
      { q: 'csv clean deploy', categories: ['Coding' as const, 'Writing' as const] },
      { sort: 'name' as const },
      { sort: 'views' as const, categories: ['Design' as const] },
    ])('%j: pages contain every match once', async (request) => {
      const { total } = await backend.find(askFor({ ...request, limit: 1 }))
      const ids: number[] = []
      for (let offset = 0; offset <= total; offset += 97) {
        const page = await backend.find(askFor({ ...request, limit: 97, offset }))
        expect(page.total).toBe(total)
        ids.push(...page.skills.map(({ id }) => id))
      }
      expect([ids.length, new Set(ids).size]).toEqual([total, total])
    })
  })
})
