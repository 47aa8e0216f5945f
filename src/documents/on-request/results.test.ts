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

const NONE = { rows: [], total: 0, page: 1, corrected: [] }
const PROBLEM = { message: 'sort "best" is not a sort order.', hint: 'Allowed values: name.' }

test.each([
  ['q=csv', writeResults(SEARCH, NONE)],
  ['q=csv&amp;sort=best', writeRefusal(SEARCH, PROBLEM, 'q=csv&sort=best')],
])(
  'the page at ?%s has a Markdown twin with this query and no canonical address',
  (query, page) => {
    const { head, twin } = viewDocument(page, FRAME)
    expect(twin.html).toBe(`/skills.md?${query}`)
    expect(head.html).toContain('<meta name="robots" content="noindex" />')
    expect(head.html).toContain(`type="text/markdown" href="/skills.md?${query}"`)
    expect(head.html).not.toContain('canonical')
  },
)
