import type { SitemapRow } from '../../src/documents/llms.ts'
import type { Output } from './skill-files.ts'

/** Most addresses in one sitemap file (sitemaps.org protocol, and decisions). */
const SITEMAP_LIMIT = 50_000

/** An address that the package's normalization leaves unchanged, as most are. */
const PLAIN_ADDRESS = /^https?:\/\/(?:[a-z\d.-]+\.)?[a-z]+(?::[1-9]\d{3})?(?:\/[\w-]+)+$/

// Addresses contain no other characters that XML escapes.
const escapeAddress = (url: string): string =>
  PLAIN_ADDRESS.test(url) ? url : new URL(url).href.replaceAll('&', '&amp;')

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'

/** Renders one sitemap, byte-equal to the package's, whose stream takes ten times as long. */
export const renderSitemap = (rows: readonly SitemapRow[]): string => {
  const lines = rows.map(
    ({ url, lastmod }) =>
      `<url><loc>${escapeAddress(url)}</loc>${lastmod ? `<lastmod>${lastmod}</lastmod>` : ''}</url>`,
  )
  return `${HEAD}${lines.join('')}</urlset>`
}

const SITEMAP = /^public\/sitemap(?:-\d+)?\.xml$/

export const isSitemap = (name: string): boolean => SITEMAP.test(name)

const renderIndex = async (urls: readonly string[], lastmod: string): Promise<Buffer> => {
  // Loaded lazily: most builds write no sitemap index.
  const { SitemapIndexStream, streamToPromise } = await import('sitemap')
  const stream = new SitemapIndexStream({ lastmodDateOnly: true })
  for (const url of urls) stream.write(lastmod === '' ? { url } : { url, lastmod })
  stream.end()
  return streamToPromise(stream)
}

/** Writes /sitemap.xml; above `limit` rows, as an index of /sitemap-1.xml and so on. */
export const writeSitemaps = async (
  given: readonly SitemapRow[],
  origin: string,
  limit = SITEMAP_LIMIT,
): Promise<Output[]> => {
  const latest = given.reduce((day, { lastmod = '' }) => (lastmod > day ? lastmod : day), '')
  // Every address needs a date (decisions, "Everything else"); an unknown one is at most the latest known.
  const rows = given.map((row) =>
    row.lastmod || latest === '' ? row : { ...row, lastmod: latest },
  )
  if (rows.length <= limit) {
    return [{ name: 'public/sitemap.xml', make: () => renderSitemap(rows) }]
  }
  const outputs: Output[] = []
  for (let at = 0; at < rows.length; at += limit) {
    const part = rows.slice(at, at + limit)
    outputs.push({
      name: `public/sitemap-${outputs.length + 1}.xml`,
      make: () => renderSitemap(part),
    })
  }
  const urls = outputs.map(({ name }) => origin + name.slice('public'.length))
  const index = await renderIndex(urls, latest)
  return [...outputs, { name: 'public/sitemap.xml', make: () => index }]
}
