import { CATEGORIES } from '../src/catalog/categories.ts'
import { LONGEST_QUERY } from '../src/documents/search-form.ts'
import { searchPath } from '../src/documents/answered/results.ts'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../src/api/errors.ts'
import { findRoute, isApiTarget } from './route.ts'
import { isStoreName } from './store.ts'
import * as fc from 'fast-check'

const get = (target: string): object => findRoute({ method: 'GET', target })

const page = (name: string, form = 'html'): object => ({ kind: 'page', page: name, form })

const ROUTES: [target: string, route: object][] = [
  ['/', page('index')],
  ['/?x', page('index')],
  ['/index.md', page('index', 'markdown')],
  ['/.md', page('index', 'markdown')],
  ['/%2Emd', page('index', 'markdown')],
  ['/skills/foo.m%64', page('skills/foo', 'markdown')],
  ['/skills/page/2.md', page('skills/page/2', 'markdown')],
  ['/authors/some_one', page('authors/some_one')],
  ['http://h', page('index')],
  ['HTTPS://h:80?x', page('index')],
  ['/skills/page', page('skills/page')],
  [
    '/skills/page/1.md',
    { kind: 'moved', page: 'skills', form: 'markdown', location: '/skills.md' },
  ],
  ['/About/?q=%20', { kind: 'moved', page: 'about', form: 'html', location: '/about?q=%20' }],
  [
    '/skills/f/SKILL.md',
    { kind: 'file', file: 'skills/f/SKILL.md', policy: 'skillFile', form: 'markdown' },
  ],
  ['/skills/f/a%20b', { kind: 'file', file: 'skills/f/a b', policy: 'skillFile', form: 'html' }],
  [
    '/skills/f/.well-known/x',
    { kind: 'file', file: 'skills/f/.well-known/x', policy: 'siteFile', form: 'html' },
  ],
  [
    '/skills/f.md/.well-known/agent-skills/index.json',
    { kind: 'discovery', discovery: { slug: 'f' }, form: 'html' },
  ],
  ['/_astro/x', { kind: 'file', file: '_astro/x', policy: 'asset', form: 'html' }],
  ['/feed.xml', { kind: 'file', file: 'feed.xml', policy: 'siteFile', form: 'html' }],
  ['/skills/f/', { kind: 'moved', page: 'skills/f', form: 'html', location: '/skills/f' }],
  ['/skills/f/x/', { kind: 'missing', form: 'html' }],
  ['/caf%C3%89', { kind: 'moved', page: 'café', form: 'html', location: '/caf%C3%A9' }],
  ['/skills/f.json', { kind: 'file', file: 'skills/f.json', policy: 'skillJson', form: 'html' }],
  ['/files/f/SKILL.md/view', { kind: 'view', slug: 'f', path: 'SKILL.md', form: 'html' }],
  ['/files/f/SKILL.md/view.md', { kind: 'view', slug: 'f', path: 'SKILL.md', form: 'markdown' }],
  ['/files/f/view.md', page('files/f/view', 'markdown')],
  ['/files/f/view.md/view', { kind: 'view', slug: 'f', path: 'view.md', form: 'html' }],
  ['/files/f/view/view.md', { kind: 'view', slug: 'f', path: 'view', form: 'markdown' }],
  ['/files/f/a%20b/C/view?x', { kind: 'view', slug: 'f', path: 'a b/C', form: 'html' }],
  ['/files/f/_astro/x.js/view', { kind: 'view', slug: 'f', path: '_astro/x.js', form: 'html' }],
  [
    '/Files/F/Read.Me/View.HTML/?x=1',
    {
      kind: 'view',
      slug: 'f',
      path: 'Read.Me',
      form: 'html',
      location: '/files/f/Read.Me/view?x=1',
    },
  ],
  ['/files/page/2.html/view', { kind: 'page', page: 'files/page/2.html/view', form: 'html' }],
  ['/files/f/.well-known/x/view', { kind: 'view', slug: 'f', path: '.well-known/x', form: 'html' }],
  ['/files/f/a/../b/view', { kind: 'missing', form: 'html' }],
  ['/files/f/a%2Fb/view', { kind: 'missing', form: 'html' }],
  ['/api/skills/download/7', { kind: 'download', id: 7 }],
]

describe('GET', () => {
  test.for(ROUTES)('%s', ([target, route]) => {
    expect(get(target)).toEqual(route)
  })
})

describe('isApiTarget', () => {
  test.for([
    '/api',
    '/api/',
    '/api?x',
    '/api#x',
    '/%61pi/x',
    '/ap%69',
    '/api%2Fx',
    'http://h/api/x',
  ])('%s owes the envelope', (target) => expect(isApiTarget(target)).toBe(true))
  test.for([
    '/',
    '/apix',
    '/API/x',
    '//api/x',
    '/x?/api/',
    '/api.md',
    '/api%00',
    '/x/../api/',
    'api/',
  ])('%s does not', (target) => expect(isApiTarget(target)).toBe(false))
})

/** Describes what is wrong with the route of a target; empty if nothing is. */
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

describe('any target', () => {
  test('leads below public/, or to an address of this host, or to an error of the table', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '/',
        '..',
        '.',
        '%2e',
        '%2F',
        '%5c',
        '\\',
        '%00',
        '.md',
        '.html',
        'skills',
        'İ',
        'K',
      ),
      fc.constantFrom(
        'api',
        '?',
        '#',
        'page/1',
        'index',
        '%',
        '%c3%a9',
        '%C3',
        'http://h',
        '_astro',
        'A',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(judge(`/${pieces.join('')}`)).toBe('')
        expect(judge(pieces.join(''))).toBe('')
      }),
      { numRuns: 3_000 },
    )
  })

  test('is redirected at most once', () => {
    const word = fc.constantFrom(
      'Skills',
      'skills',
      'foo',
      'page',
      '1',
      'index',
      'x.html',
      'Y.MD',
      '',
    )
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const route = findRoute({ method: 'GET', target: `/${words.join('/')}` })
        const next = route.kind === 'moved' ? get(route.location) : { kind: 'page' }
        expect(next).toHaveProperty('kind', 'page')
      }),
    )
  })
})

test('the longest query that the search field accepts is answered, in any script', () => {
  const search = {
    q: '漢'.repeat(LONGEST_QUERY),
    sort: 'name',
    categories: [...CATEGORIES],
  } as const
  const target = searchPath({ ...search, facets: { licence: 'permissive', size: 'medium' } }, 99)
  expect(findRoute({ method: 'GET', target })).toMatchObject({ kind: 'results' })
})
