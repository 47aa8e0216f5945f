import * as fc from 'fast-check'
import { SitemapStream, streamToPromise } from 'sitemap'
import { expect, test } from 'vitest'
import { mapSkill } from './site-files.ts'
import { renderSitemap, writeSitemaps } from './sitemap.ts'

const rows = [1, 2, 3].map((day) => ({
  url: `https://r.example/${day}?a&b`,
  lastmod: `2026-01-0${day}`,
}))

test('up to the limit, one file', async () => {
  const outputs = await writeSitemaps(rows, 'https://r.example', 3)
  expect(outputs.map(({ name }) => name)).toEqual(['public/sitemap.xml'])
  expect(String(outputs[0]?.make())).toContain(
    '<loc>https://r.example/1?a&amp;b</loc><lastmod>2026-01-01</lastmod>',
  )
})

test('without any known date, no lastmod', async () => {
  const skill = {
    slug: 'a',
    updated: undefined,
    source: { kind: 'own' },
    visibility: 'own',
  } as const
  expect(mapSkill(skill, 'https://r.example')).toEqual([{ url: 'https://r.example/skills/a' }])
  const outputs = await writeSitemaps([{ url: 'https://r.example/1' }], 'https://r.example')
  expect(String(outputs[0]?.make())).toContain('<url><loc>https://r.example/1</loc></url>')
  const undated = [1, 2].map((at) => ({ url: `https://r.example/${at}` }))
  const index = (await writeSitemaps(undated, 'https://r.example', 1)).at(-1)
  expect(String(index?.make())).not.toContain('lastmod')
})

test('a page without a date gets the latest known one', async () => {
  const dated = { url: 'https://r.example/1', lastmod: '2026-02-03' }
  const [sitemap] = await writeSitemaps(
    [{ url: 'https://r.example/2' }, dated],
    'https://r.example',
  )
  expect(String(sitemap?.make())).toContain(
    '<loc>https://r.example/2</loc><lastmod>2026-02-03</lastmod>',
  )
})

test('above the limit, an index of parts', async () => {
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

test('output equals that of the package', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          origin: fc.constantFrom(
            'https://registry.example',
            'http://localhost:4321',
            'http://r.example:80',
          ),
          path: fc.oneof(fc.webPath(), fc.stringMatching(/^(\/[\w.-]{1,9}){1,3}$/)),
          query: fc.oneof(
            fc.constant(''),
            fc.webQueryParameters().map((query) => `?${query}`),
          ),
          day: fc.date({
            min: new Date('1970-01-01'),
            max: new Date('2099-01-01'),
            noInvalidDate: true,
          }),
        }),
        { minLength: 1 },
      ),
      async (tales) => {
        const told = tales.map(({ origin, path, query, day }) => ({
          url: `${origin}${path}${query}`,
          lastmod: day.toISOString().slice(0, 10),
        }))
        const stream = new SitemapStream({
          lastmodDateOnly: true,
          xmlns: { news: false, xhtml: false, image: false, video: false },
        })
        for (const row of told) stream.write(row)
        stream.end()
        expect(renderSitemap(told)).toBe((await streamToPromise(stream)).toString('utf8'))
      },
    ),
  ))
