import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { CATEGORIES } from '../src/catalog/categories.ts'
import { LONGEST_QUERY } from '../src/documents/lists/search-form.ts'
import { searchPath } from '../src/documents/on-request/results.ts'
import { ApiError } from '../src/api/errors.ts'
import { findRoute } from './route.ts'
import { isStoreName } from './store.ts'

/** Describes what is wrong with a target's route; empty if it is valid. */
const judge = (target: string): string => {
  try {
    const route = findRoute({ method: 'GET', target })
    if (route.kind === 'file') return isStoreName(`public/${route.file}`) ? '' : route.file
    if (route.kind === 'page') return isStoreName(`public/${route.page}.html`) ? '' : route.page
    if (route.kind !== 'moved') return ''
    const { page: name, location } = route
    const isLocal = /^\/(?![/\\])[!-~]*$/.test(location)
    return isLocal && isStoreName(`public/${name}.md`) ? '' : `${name} ${location}`
  } catch (error) {
    if (error instanceof ApiError) return ''
    throw error
  }
}

test('any target leads to a file in public/, to an address of this host, or to an ApiError', () => {
  const parts =
    '/ .. . %2e %2F %5c \\ %00 .md .html skills İ K api ? # page/1 index % %c3%a9 %C3 http://h _astro A'
  const piece = fc.oneof(
    fc.constantFrom(...parts.split(' ')),
    fc.string({ unit: 'binary', maxLength: 3 }),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(judge(`/${pieces.join('')}`)).toBe('')
      expect(judge(pieces.join(''))).toBe('')
    }),
    { numRuns: 1_000 },
  )
})

test('any target is redirected at most once', () => {
  const word = fc.constantFrom('', ...'Skills skills foo page 1 index x.html Y.MD'.split(' '))
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const route = findRoute({ method: 'GET', target: `/${words.join('/')}` })
      const next =
        route.kind === 'moved'
          ? findRoute({ method: 'GET', target: route.location })
          : { kind: 'page' }
      expect(next).toHaveProperty('kind', 'page')
    }),
  )
})

test('the address of the longest query that the search field accepts is not too long', () => {
  const search = {
    q: '漢'.repeat(LONGEST_QUERY),
    sort: 'name',
    categories: [...CATEGORIES],
  } as const
  const target = searchPath({ ...search, facets: { without: ['commands', 'key'] } }, 99)
  expect(findRoute({ method: 'GET', target })).toMatchObject({ kind: 'results' })
})
