import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { connectBrowser } from './connect.ts'

const site = inject('site')
const browser = await connectBrowser()
let page: Page

beforeAll(async () => {
  page = await browser.newPage()
})

const ask = (path: string): Promise<Response> => fetch(new URL(path, site.origin))

interface Linked {
  rel: string
  type: string
  href: string
}

const readLinks = async (path: string): Promise<Linked[]> => {
  await page.goto(site.origin + path)
  const links = await page.$$eval('link[rel=alternate], link[rel=search]', (found) =>
    found.map((link) => ({
      rel: link.getAttribute('rel') ?? '',
      type: link.getAttribute('type') ?? '',
      href: link.getAttribute('href') ?? '',
    })),
  )
  return links.filter(({ type }) => type !== 'text/markdown')
}

/** What a browser's own parser makes of a file: its entries, or why it has none. */
const parseXml = (text: string): Promise<{ root: string; ids: string[] }> =>
  page.evaluate((source) => {
    const parsed = new DOMParser().parseFromString(source, 'application/xml')
    const ids = [...parsed.querySelectorAll('entry > id')].map(({ textContent }) => textContent)
    return { root: parsed.documentElement.nodeName, ids }
  }, text)

describe('what a page links to for readers and browsers', () => {
  test.for([
    ['/', 3],
    ['/categories/coding', 3],
    ['/skills/csv-clean', 2],
  ] as [string, number][])(
    '%s: %i files, served with the type that it says',
    async ([path, count]) => {
      const links = await readLinks(path)
      expect(links).toHaveLength(count)
      for (const { type, href } of links) {
        const answer = await ask(href)
        expect(answer.status).toBe(200)
        expect(answer.headers.get('content-type')?.split(';')[0]).toBe(type)
      }
    },
  )

  test.for(['', '/categories/coding'])(
    '%s/feed.atom and feed.json have the same skills',
    async (at) => {
      const { root, ids } = await parseXml(await (await ask(`${at}/feed.atom`)).text())
      const feed = await (await ask(`${at}/feed.json`)).json()
      const { items } = feed as { items: { id: string; url: string }[] }
      expect(root).toBe('feed')
      expect(ids.length).toBeGreaterThan(1)
      expect(items.map(({ id }) => id)).toEqual(ids)
      for (const { id, url } of items.slice(0, 2))
        for (const address of [id, url]) expect((await fetch(address)).status).toBe(200)
    },
  )

  test('the description of the search is XML whose template searches', async () => {
    const text = await (await ask('/opensearch.xml')).text()
    expect((await parseXml(text)).root).toBe('OpenSearchDescription')
    const [, template = ''] = /<Url type="text\/html"[^>]* template="([^"]+)"/.exec(text) ?? []
    const found = await (await fetch(template.replace('{searchTerms}', 'csv'))).text()
    expect(found).toContain('/skills/csv-clean')
  })
})

test('each line of the dump is a skill whose zip has its digest, and sha256sum finds the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'skill-registry-sums-'))
  try {
    const lines = (await (await ask('/catalog.ndjson')).text()).trimEnd().split('\n')
    const skills = lines.map((line) => JSON.parse(line) as { id: number; digest: string })
    const { total } = (await (await ask('/api/v1/skills')).json()) as { total: number }
    expect(skills).toHaveLength(total)
    for (const { id, digest } of skills.slice(0, 3)) {
      const answer = await ask(`/api/skills/download/${id}`)
      const [, name = ''] =
        /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? []
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(digest).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`)
      writeFileSync(join(folder, name), bytes)
    }
    const sums = await (await ask('/sha256sums.txt')).text()
    const options = { cwd: folder, input: sums, encoding: 'utf8' } as const
    const checked = execFileSync('sha256sum', ['-c', '--ignore-missing', '-'], options)
    expect(checked.match(/^[a-z0-9-]+\.zip: OK$/gm)).toHaveLength(3)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the catalog of APIs leads to what it names', async () => {
  const answer = await ask('/.well-known/api-catalog')
  expect(answer.headers.get('link')).toBe('</.well-known/api-catalog>; rel="api-catalog"')
  const addresses = [...(await answer.text()).matchAll(/"(?:href|anchor)": "([^"]+)"/g)].map(
    ([, address = '']) => address,
  )
  expect(addresses.length).toBeGreaterThan(4)
  for (const address of addresses) expect((await fetch(address)).status).toBe(200)
})
