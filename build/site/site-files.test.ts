import * as fc from 'fast-check'
import { Readable } from 'node:stream'
import { parseSitemap } from 'sitemap'
import { expect, test } from 'vitest'
import type { Skill, SkillFacts } from '../../src/catalog/skill.ts'
import { PATHS } from '../../src/documents/paths.ts'
import { listZipTables, mapSkill, writeSitemaps } from './site-files.ts'
import { publicName } from './skill-files.ts'
import { sampleFacts } from '../../testing/sample-facts.ts'

const days = [1, 2, 3].map((day) => ({
  url: `https://r.example/${day}?a&b`,
  lastmod: `2026-01-0${day}`,
}))

/** Prints sitemaps of one address each. */
const printEach = async (...rows: Parameters<typeof writeSitemaps>[0]) =>
  (await writeSitemaps(rows, 'https://r.example', 1)).map(({ bytes }) => String(bytes))

test('a page without a date gets the latest known date; without any known date, no lastmod', async () => {
  const [page, other] = [1, 2].map((at) => ({ url: `https://r.example/${at}` }))
  const [first] = await printEach(page!, { ...other!, lastmod: '2026-02-03' })
  expect(first).toContain('<loc>https://r.example/1</loc><lastmod>2026-02-03</lastmod>')
  const undated = await printEach(page!, other!)
  expect(undated[0]).toContain('<url><loc>https://r.example/1</loc></url>')
  expect(undated.at(-1)).not.toContain('lastmod')
  const source = { kind: 'own' } as const
  const skill = { slug: 'a', updated: undefined, source, visibility: 'own' } as const
  expect(mapSkill(skill, 'https://r.example')).toEqual([{ url: 'https://r.example/skills/a' }])
})

test('above the limit, several sitemaps and an index', async () => {
  const outputs = await writeSitemaps(days, 'https://r.example', 2)
  expect(outputs.map(({ name }) => name)).toEqual([
    'public/sitemap-1.xml',
    'public/sitemap-2.xml',
    'public/sitemap.xml',
  ])
  const index = String(outputs[2]?.bytes)
  expect(index).toContain(
    '<sitemap><loc>https://r.example/sitemap-1.xml</loc><lastmod>2026-01-03</lastmod></sitemap>',
  )
  expect(index).toContain('https://r.example/sitemap-2.xml')
  // Readers know no other namespaces.
  expect(String(outputs[0]?.bytes).match(/xmlns[^=]*="[^"]*"/g)).toEqual([
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"',
  ])
})

const origin = fc.constantFrom('https://registry.example', 'http://localhost:4321')
const inside = fc.oneof(fc.webPath(), fc.stringMatching(/^(\/[\w.-]{1,9}){1,3}$/))
const query = fc.oneof(
  fc.constant(''),
  fc.webQueryParameters().map((text) => `?${text}`),
)
const day = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2099-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

test('any addresses and days -> XML with all of them in order', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(origin, inside, query, day), { minLength: 1 }),
      async (parts) => {
        const rows = parts.map(([start, page, search, lastmod]) => ({
          url: start + page + search,
          lastmod,
        }))
        const [sitemap] = await writeSitemaps(rows, 'https://registry.example')
        const read = await parseSitemap(Readable.from([sitemap?.bytes]))
        expect(read.map(({ url, lastmod }) => ({ url, lastmod }))).toEqual(
          rows.map(({ url, lastmod }) => ({ url: new URL(url).href, lastmod })),
        )
      },
    ),
  ))

const SOURCE = {
  kind: 'upstream',
  url: 'https://git.example/a/b',
  status: 'alive',
  seen: '2026-01-01',
} as const
const makeRow = (id: number, facts: Partial<SkillFacts & Pick<Skill, 'licenceWords'>>) => ({
  skill: { ...sampleFacts(id, { slug: 'csv-clean', category: 'Data & Analytics' }), ...facts },
  sha256: 'a'.repeat(64),
  size: 5,
})
const ROW = makeRow(12, {
  updated: '2026-02-03',
  source: { ...SOURCE, checked: '2026-01-01' },
})

const renderTable = (path: string, rows: readonly (typeof ROW)[]): string =>
  String(listZipTables(rows).find(({ name }) => name === publicName(path))?.bytes)

const renderDump = (rows: readonly (typeof ROW)[]) => renderTable(PATHS.dump, rows)
const renderSums = (rows: readonly (typeof ROW)[]) => renderTable(PATHS.sums, rows)

test('a line of the dump has all its fields, in a fixed order, null if unknown', () => {
  const other = makeRow(13, {
    updated: undefined,
    source: { kind: 'own' },
    licence: 'MIT',
    licenceWords: 'The MIT licence',
    tokens: 7,
  })
  const digest = `sha256:${ROW.sha256}`
  expect(renderDump([ROW, other])).toBe(
    [
      `{"id":12,"slug":"csv-clean","digest":"${digest}","updated":"2026-02-03","category":"Data & Analytics","source":"https://git.example/a/b","name":"skill 12","author":"ann","licence":null,"description":"","hasText":false,"size":5,"tokens":null,"safety":"Not scanned"}\n`,
      `{"id":13,"slug":"csv-clean","digest":"${digest}","updated":null,"category":"Data & Analytics","source":null,"name":"skill 13","author":"ann","licence":"The MIT licence","description":"","hasText":true,"size":5,"tokens":7,"safety":"No findings"}\n`,
    ].join(''),
  )
})

test('a line of the checksums has the file name of the download; a gone skill is not listed', () => {
  expect(renderSums([ROW])).toBe(`${ROW.sha256}  csv-clean.zip\n`)
  const rows = [makeRow(12, { visibility: 'gone' })]
  expect([renderDump(rows), renderSums(rows)]).toEqual(['', ''])
})
