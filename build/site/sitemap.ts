import { SitemapIndexStream, SitemapStream, streamToPromise } from 'sitemap'
import type { SitemapRow } from '../../src/documents/llms.ts'
import type { Output } from './outputs.ts'

/** Most addresses in one sitemap file (sitemaps.org protocol, and decisions). */
export const SITEMAP_LIMIT = 50_000

const renderRows = async (rows: readonly SitemapRow[]): Promise<Buffer> => {
  const stream = new SitemapStream({
    lastmodDateOnly: true,
    xmlns: { news: false, xhtml: false, image: false, video: false },
  })
  for (const row of rows) stream.write(row)
  stream.end()
  return streamToPromise(stream)
}

const renderIndex = async (urls: readonly string[], lastmod: string): Promise<Buffer> => {
  const stream = new SitemapIndexStream({ lastmodDateOnly: true })
  for (const url of urls) stream.write({ url, lastmod })
  stream.end()
  return streamToPromise(stream)
}

/** Writes /sitemap.xml; above `limit` rows it becomes an index of /sitemap-1.xml and so on. */
export const writeSitemaps = async (
  rows: readonly SitemapRow[],
  origin: string,
  limit = SITEMAP_LIMIT,
): Promise<Output[]> => {
  if (rows.length <= limit) {
    const bytes = await renderRows(rows)
    return [{ name: 'public/sitemap.xml', make: () => bytes }]
  }
  const outputs: Output[] = []
  for (let at = 0; at < rows.length; at += limit) {
    const bytes = await renderRows(rows.slice(at, at + limit))
    outputs.push({ name: `public/sitemap-${outputs.length + 1}.xml`, make: () => bytes })
  }
  const latest = rows.reduce((day, row) => (row.lastmod > day ? row.lastmod : day), '')
  const urls = outputs.map(({ name }) => origin + name.slice('public'.length))
  const index = await renderIndex(urls, latest)
  return [...outputs, { name: 'public/sitemap.xml', make: () => index }]
}
