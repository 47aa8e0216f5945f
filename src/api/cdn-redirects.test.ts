import { describe, expect, test } from 'vitest'
import { readRedirectRules } from '../../testing/contract/cdn.ts'
import { findRoute } from '../../functions/route.ts'
import { renderRedirectsFile } from './cdn-redirects.ts'

const MOVED = [
  { slug: 'old', id: 3, to: { slug: 'new', id: 3 } },
  { slug: 'older', id: 4, to: { slug: 'new', id: 3 } },
]
const find = readRedirectRules(renderRedirectsFile(MOVED).text)

describe('the old addresses of a moved skill lead to it', () => {
  test.each([
    ['/skills/old', '/skills/new'],
    ['/skills/old.md', '/skills/new.md'],
    ['/skills/old.html', '/skills/new'],
    ['/skills/old/SKILL.md', '/skills/new/SKILL.md'],
    ['/skills/older/a/b%20c.txt', '/skills/new/a/b%20c.txt'],
    ['/api/skills/download/4', '/api/skills/download/3'],
  ])('%s', (from, to) => expect(find(from)).toMatchObject({ to, status: 308 }))

  test.each(['/skills/new', '/skills/old-one', '/skills/new/old', '/api/skills/download/3'])(
    '%s is left alone',
    (address) => expect(find(address)).toBeUndefined(),
  )
})

test.each(
  `/skills/ /skills/foo/ /skills/foo.html /skills/page/1 /skills/page/2/ /skills/page/1.md /index /index.html
   /authors/page/1 /authors/octo/page/1 /authors/octo/page/1.md /authors/octo/page/2.html /authors/page/page/1
   /categories/coding/ /blog/hello.html /docs/api/ /about/ /stats.html`.split(/\s+/),
)('%s leads where the function would send it', (target) => {
  expect(findRoute({ method: 'GET', target })).toMatchObject({
    kind: 'moved',
    location: find(target)?.to,
  })
})

test('redirects above the limit of the CDN are left out and counted', () => {
  const moves = Array.from({ length: 1_000 }, (_, at) => ({
    slug: `old-${at}`,
    id: at + 10_000,
    to: { slug: `new-${at}`, id: at },
  }))
  const { text, left } = renderRedirectsFile(moves)
  expect(() => readRedirectRules(text)).not.toThrow()
  expect(left.pages).toBeGreaterThan(500)
  expect(left.files).toBeGreaterThan(900)
  expect(renderRedirectsFile(moves.slice(0, 50)).left).toEqual({ pages: 0, files: 0 })
})
