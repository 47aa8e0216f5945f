import type { Category } from '../../src/catalog/categories.ts'

/** What the tables of zips say of a skill that has one. */
export interface ZipRow {
  id: number
  slug: string
  /** Of the zip, in hex. */
  sha256: string
  size: number
  updated: string | null
  category: Category
  /** Address of its source elsewhere. */
  source: string | null
  /** Whether it is in lists; a gone skill has a zip and no line. */
  isListed: boolean
}

/** The catalog as lines of JSON. */
export const renderDump = (rows: readonly ZipRow[]): string => {
  let lines = ''
  for (const { id, slug, sha256, updated, category, source, isListed } of rows)
    if (isListed)
      lines += `${JSON.stringify({
        id,
        slug,
        digest: `sha256:${sha256}`,
        updated,
        category,
        source,
      })}\n`
  return lines
}

/** The digests of all zips, each under the name that its download is saved by, as `sha256sum -c` reads them. */
export const renderSums = (rows: readonly ZipRow[]): string => {
  let lines = ''
  for (const { slug, sha256, isListed } of rows) if (isListed) lines += `${sha256}  ${slug}.zip\n`
  return lines
}
