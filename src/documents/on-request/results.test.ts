import { expect, test } from 'vitest'
import { FRAME } from '../../../testing/sample-site.ts'
import { viewDocument } from '../view.ts'
import { writeRefusal, writeResults } from './results.ts'

const SEARCH = {
  q: 'csv',
  sort: 'popular',
  categories: [],
  facets: {},
  choices: { isCounted: true, isDated: true, categories: ['Coding'] },
} as const

const view = (document: Parameters<typeof viewDocument>[0]) => viewDocument(document, FRAME)

test('a results page has its own Markdown twin and no canonical address', () => {
  const results = { rows: [], total: 0, page: 1, corrected: [] }
  expect(view(writeResults(SEARCH, results))).toMatchObject({
    twin: { html: '/skills.md?q=csv' },
    head: { html: '<meta name="robots" content="noindex" />' },
  })
})

test('an invalid search links to the twin of the same query', () => {
  const problem = { message: 'sort "best" is not a sort order.', hint: 'Allowed values: name.' }
  expect(view(writeRefusal(SEARCH, problem, 'q=csv&sort=best'))).toMatchObject({
    twin: { html: '/skills.md?q=csv&amp;sort=best' },
    head: { html: '<meta name="robots" content="noindex" />' },
  })
})
