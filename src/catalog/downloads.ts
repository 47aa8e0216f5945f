/** Name of the table of zips: an empty line, then a line `{id} {slug} {SHA-256 of the zip}` for each skill. */
export const DOWNLOADS_NAME = 'private/downloads.txt'

export interface Download {
  slug: string
  /** SHA-256 of the zip, in hex. */
  sha256: string
}

export const writeDownloads = (downloads: readonly (Download & { id: number })[]): string =>
  `\n${downloads.map(({ id, slug, sha256 }) => `${id} ${slug} ${sha256}\n`).join('')}`

export const findDownload = (table: string, id: number): Download | undefined => {
  const start = table.indexOf(`\n${id} `)
  if (start < 0) return undefined
  const line = table.slice(start + 1, table.indexOf('\n', start + 1))
  const [, slug = '', sha256 = ''] = line.split(' ')
  return { slug, sha256 }
}
