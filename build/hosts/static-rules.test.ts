import { expect, test } from 'vitest'
import { POLICIES } from '../../src/api/policies.ts'
import { renderHeadersFile, renderRedirectsFile } from './static-rules.ts'

/** Parses the rules by pattern, in order, without the headers that they detach. */
const readRules = (text: string): Map<string, Record<string, string>> =>
  new Map(
    text
      .trim()
      .split('\n\n')
      .map((block) => {
        const [pattern = '', ...lines] = block.split('\n')
        const set = lines.filter((line) => !line.startsWith('  ! '))
        return [pattern, Object.fromEntries(set.map((line) => line.trim().split(/: (.*)/)))]
      }),
  )

const HEADERS = renderHeadersFile(['/about', '/skills'])
const RULES = readRules(HEADERS)

test('an author’s file is inert, and so is any file that no other rule matches', () => {
  for (const pattern of ['/*', '/skills/:slug/*', '/skills/:slug/*.md'])
    expect(RULES.get(pattern)).toMatchObject({
      'Content-Security-Policy': expect.stringMatching(/default-src 'none'.*sandbox$/),
      'X-Content-Type-Options': 'nosniff',
    })
})

test.each(['/', '/about/', '/skills/', '/skills/:slug/', '/authors/*', '/blog/*'])(
  'the page %s has the page policy, from a rule after the rule for files',
  (pattern) => {
    expect(RULES.get(pattern)).toMatchObject(POLICIES.html.headers)
    const patterns = [...RULES.keys()]
    expect(patterns.indexOf('/skills/:slug/')).toBeGreaterThan(patterns.indexOf('/skills/:slug/*'))
  },
)

test.each([
  ['/about.md', 'text/markdown; charset=utf-8'],
  ['/skills/:slug.json', 'application/json'],
  ['/api/skills/download/:id', 'application/zip'],
  ['/categories/:category/marketplace.json', 'application/json'],
])('%s has the type %s', (pattern, type) => {
  expect(RULES.get(pattern)).toMatchObject({ 'Content-Type': type })
})

test('a rule detaches the headers that earlier rules set', () => {
  const [, about = ''] = /^\/about\/\n([^]*?)\n\n/m.exec(HEADERS) ?? []
  expect(about).toMatch(/^ {2}! Content-Security-Policy$[^]*^ {2}Content-Security-Policy: /m)
  expect(about).toMatch(/^ {2}! X-Robots-Tag$/m)
})

test('a private registry: shared caches do not store pages, and robots do not index them', () => {
  for (const [pattern, headers] of readRules(renderHeadersFile([], true)))
    expect([pattern, headers]).toMatchObject([
      pattern,
      { 'Cache-Control': expect.stringMatching(/^private, /), 'X-Robots-Tag': 'noindex' },
    ])
})

test('the files stay within Cloudflare’s limits', () => {
  expect(RULES.size).toBeLessThanOrEqual(100)
  for (const pattern of RULES.keys()) expect(pattern.split('*').length).toBeLessThanOrEqual(2)
  const slugs = Array.from({ length: 900 }, (_, at) => [`old-${at}`, 'new'])
  const lines = renderRedirectsFile({ slugs: Object.fromEntries(slugs), ids: {} })
    .trim()
    .split('\n')
  const patterns = lines.filter((line) => /[*:]/.test(line))
  expect([lines.length - patterns.length, patterns.length]).toEqual([2_000, 100])
})

test.each([
  '/skills/old /skills/new/ 308',
  '/skills/old.md /skills/new.md 308',
  '/skills/old/* /skills/new/:splat 308',
  '/api/skills/download/4 /api/skills/download/3 308',
])('a skill that moved: %s', (line) => {
  const moves = { slugs: { old: 'new' }, ids: { 4: 3 } }
  expect(renderRedirectsFile(moves).split('\n')).toContain(line)
})
