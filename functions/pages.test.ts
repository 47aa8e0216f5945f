import { expect, test } from 'vitest'
import { writeFixture } from '../testing/fixture.ts'
import { failOn } from '../testing/contract/tests.ts'
import { answerResults, answerView } from './pages.ts'
import type { Route } from './route.ts'
import { NO_FACTS, packDocuments, sampleDocument } from '../testing/sample-documents.ts'
import type { SearchDocument } from '../src/search/rank.ts'
import { openSite } from './site.ts'
import { createStore, readBody } from './store.ts'

/** Asks for a page of the fixture with other files. */
const readPage = async (
  own: Record<string, string | Uint8Array>,
  route: Extract<Route, { kind: 'results' | 'view' }>,
) => {
  const files: Record<string, string | Uint8Array> = { ...writeFixture(), ...own }
  const site = await openSite(createStore((name) => files[name]))
  const answer = await (route.kind === 'view'
    ? answerView(route, site)
    : answerResults(route, site, failOn))
  return { status: answer?.status, text: Buffer.from(await readBody(answer!.body)).toString() }
}

const readFile = (path: string, own: Record<string, string>) =>
  readPage(own, { kind: 'view', slug: 'csv-clean', path, form: 'markdown' })

const readLines = (count: number) =>
  readFile('many.txt', { 'public/skills/csv-clean/many.txt': '\n'.repeat(count) })

test('a file in a folder with a leading dot has a page but no raw address', async () => {
  const files = { 'private/files/csv-clean/.github/ci.yml': 'on: push\n' }
  const { status, text } = await readFile('.github/ci.yml', files)
  expect(status).toBe(200)
  expect(text).toContain('on: push')
  expect(text).not.toContain('/skills/csv-clean/.github')
})

test('a file of 5,000 lines is shown, one of 5,001 is 404 with a link to the raw file', async () => {
  expect(await readLines(5_000)).toMatchObject({ status: 200 })
  const { status, text } = await readLines(5_001)
  expect(status).toBe(404)
  expect(text).toContain('# File not shown')
  expect(text).toContain('more than 5,000 lines')
  expect(text).toContain('/skills/csv-clean/many.txt')
})

/** Asks the results of one skill for a query, as Markdown. */
const readResults = async (q: string, document: SearchDocument): Promise<string> => {
  const query = { q, sort: 'popular' as const, categories: [], facets: {}, page: 1 }
  const own = { 'private/search.index': packDocuments([document]) }
  return (await readPage(own, { kind: 'results', query, rawQuery: '', form: 'markdown' })).text
}

test.each([
  ['mailbox', 'Checks signup forms. … Use when a mailbox overflows.'],
  ['signup', 'Checks signup forms. ('],
])(
  'results for %s show the sentence that has the word only if the summary has none',
  async (q, row) => {
    const description = 'Checks signup forms. Use when a mailbox overflows.'
    const facts = { ...NO_FACTS, summary: 'Checks signup forms.' }
    const text = await readResults(q, sampleDocument(1, 'sender-check', description, { facts }))
    expect(text).toContain(row)
  },
)

test.each([
  ['junk folder', true],
  ['junk signup', false],
])('results for %s name an ask only if nothing else has a word: %s', async (q, isNamed) => {
  const asks = ['nobody reads my mail', 'mail lands in the `junk` folder']
  const facts = { ...NO_FACTS, asks }
  const text = await readResults(
    q,
    sampleDocument(1, 'sender-check', 'Checks signup forms.', { facts }),
  )
  expect(text.includes('asked like: mail lands in the junk folder')).toBe(isNamed)
  expect(text).toContain('sender-check')
})
