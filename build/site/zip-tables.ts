import type { Category } from '../../src/catalog/categories.ts'

/** A skill in the tables of zips. */
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
  /** False for a gone skill, which has a zip but no line. */
  isListed: boolean
}

/** The catalog as NDJSON. */
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

/** Checksums of all zips by download file name, for `sha256sum -c`. */
export const renderSums = (rows: readonly ZipRow[]): string => {
  let lines = ''
  for (const { slug, sha256, isListed } of rows) if (isListed) lines += `${sha256}  ${slug}.zip\n`
  return lines
}
