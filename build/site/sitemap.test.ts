import { expect, test } from 'vitest'
import { writeSitemaps } from './sitemap.ts'

const rows = [1, 2, 3].map((day) => ({
  url: `https://r.example/${day}?a&b`,
  lastmod: `2026-01-0${day}`,
}))

test('up to the limit there is one file', async () => {
  const outputs = await writeSitemaps(rows, 'https://r.example', 3)
  expect(outputs.map(({ name }) => name)).toEqual(['public/sitemap.xml'])
  expect(String(outputs[0]?.make())).toContain(
    '<loc>https://r.example/1?a&amp;b</loc><lastmod>2026-01-01</lastmod>',
  )
})

test('above it, an index of parts', async () => {
  const outputs = await writeSitemaps(rows, 'https://r.example', 2)
  expect(outputs.map(({ name }) => name)).toEqual([
    'public/sitemap-1.xml',
    'public/sitemap-2.xml',
    'public/sitemap.xml',
  ])
  const index = String(outputs[2]?.make())
  expect(index).toContain(
    '<sitemap><loc>https://r.example/sitemap-1.xml</loc><lastmod>2026-01-03</lastmod></sitemap>',
  )
  expect(index).toContain('https://r.example/sitemap-2.xml')
})
