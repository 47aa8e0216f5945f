import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { syncSearch } from './sync.ts'
import { POSTGRES, announceSkipped, createPostgres } from './testing/temporary-postgres.ts'
import type { TemporaryPostgres } from './testing/temporary-postgres.ts'
import type { Copies } from '../../src/catalog/references.ts'
import { CROWD, HOSTILE_QUERIES } from '../../testing/hostile-queries.ts'
import {
  WORDS,
  anyCatalog,
  anyCopies,
  anyRequest,
  anyTypo,
  listIdentifiers,
  someWords,
} from '../../testing/sample-facets.ts'
import { askFor, packDocuments } from '../../testing/sample-documents.ts'
import type { PackedIndex } from '../../src/search/read/open.ts'
import type { SearchDocument } from '../../src/search/rank.ts'
import { openIndex } from '../../src/search/read/open.ts'
import { unpackIndex } from '../../src/search/read/unpack.ts'
import { openPostgres } from './backend.ts'
import type { PostgresBackend } from './backend.ts'

announceSkipped('the comparisons of its ranking with the index file')

const sentence = someWords(6)
const name = someWords(3, '-')
const catalog = anyCatalog(
  { name, description: sentence, text: sentence.map((words) => `${words} ${words}`) },
  { minLength: 1, maxLength: 25 },
)
const requests = fc.array(
  anyRequest(fc.option(fc.oneof(sentence, name, anyTypo), { nil: undefined })),
  { minLength: 12, maxLength: 12 },
)

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
        requests,
        async (documents, copies, asked) => {
          const file = await openBoth(documents, copies)
          const named = listIdentifiers(documents[0]!.listed).map((q) => ({ q }))
          for (const [at, request] of [...asked, ...named].map(askFor).entries()) {
            // Each is half of the cost. Over all catalogs, every kind of request asks both.
            const call = (at + documents.length) % 2 === 0 ? 'find' : 'findPage'
            expect({ request, found: await backend[call](request) }).toEqual({
              request,
              found: file[call](request),
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
      file = await openBoth(CROWD)
    })

    // The backend aborts a statement that takes five seconds.
    test.each(HOSTILE_QUERIES)('%s -> the same results', async (_, q) => {
      const request = askFor({ q, limit: 100 })
      expect(await backend.find(request)).toEqual(file.find(request))
    })

    // Many of the 1,412 skills for `word1` have equal scores, summed in different orders.
    test.each([...WORDS.slice(0, 4), 'skill-19', 'skill-38', 'word1'])(
      '%s: the same order, although one author has most skills',
      async (q) => {
        const request = askFor({ q, limit: 1_500 })
        expect(await backend.find(request)).toEqual(file.find(request))
        expect(await backend.findPage(request)).toEqual(file.findPage(request))
      },
    )
  })
})
