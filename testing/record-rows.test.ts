import { describe, expect, test } from 'vitest'
import { compareRecords, foldPath, makeRow } from './record-rows.ts'

test.each([
  ['/skills/csv-clean', '/skills/{}'],
  ['/skills/csv-clean.md', '/skills/{}.md'],
  [
    '/skills/csv-clean.md/.well-known/agent-skills/index.json',
    '/skills/{}.md/.well-known/agent-skills/index.json',
  ],
  ['/skills/csv-clean@csv-clean/.well-known/x', '/skills/{}@{}/.well-known/x'],
  ['/skills/csv-clean/SKILL.md', '/skills/{}/SKILL.md'],
  ['/skills/csv-clean/references/a.md', '/skills/{}/{file}'],
  ['/files/csv-clean/references/a.md/view.md', '/files/{}/{file}/view.md'],
  ['/skills/page/12.md', '/skills/page/{}.md'],
  ['/authors/octo/page/2', '/authors/{}/page/{}'],
  ['/api/skills/download/12', '/api/skills/download/{}'],
  ['/skills?q=csv', '/skills?q=csv'],
  ['/api/v1/skills?limit=1', '/api/v1/skills?limit=1'],
])('%s -> %s', (path, folded) => {
  expect(foldPath(path)).toBe(folded)
})

const HTML = { 'content-type': 'text/html', date: 'today', etag: 'W/"1"' }

const page = (slug: string, body: string, status = 200, more: object = {}) =>
  makeRow(
    { method: 'GET', path: `/skills/${slug}` },
    status,
    { ...HTML, ...more },
    Buffer.from(body),
  )

describe('compareRecords', () => {
  const before = [page('a', '<h1>One</h1>'), page('b', '<h1>Two</h1>')]

  test('the same pages, with another date, validator and name of a style: nothing', () => {
    const [one, two] = ['12345678', 'abcdefgh'].map((digest, at) => {
      const style = `<link href="/_astro/page.${digest}.css">`
      return [page('a', style, 200, { date: `${at}`, etag: `W/"${at}"` })]
    })
    expect(compareRecords(one!, two!)).toEqual([])
  })

  test.each([
    [
      'markup',
      [page('a', '<h2>One</h2>'), page('b', '<h2>Two</h2>')],
      '2 x GET /skills/{}: markup, not words\n    /skills/a 12 -> 12 bytes',
    ],
    [
      'a word',
      [before[0]!, page('b', '<h1>Three</h1>')],
      '1 x GET /skills/{}: body\n    /skills/b 12 -> 14 bytes',
    ],
    [
      'a status',
      [before[0]!, page('b', 'gone', 404)],
      '1 x GET /skills/{}: status\n    /skills/b 200 -> 404',
    ],
    [
      'a header',
      [before[0]!, page('b', '<h1>Two</h1>', 200, { vary: 'Accept' })],
      '1 x GET /skills/{}: vary\n    /skills/b undefined -> Accept',
    ],
    ['a page less', [before[0]!], '1 x GET /skills/{}: only in the first\n    /skills/b 200'],
  ])('%s differs: one group with an example', (_, after, group) => {
    expect(compareRecords(before, after)).toEqual([group])
  })
})
