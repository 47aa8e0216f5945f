import { KEY_BYTES } from './digest-table.ts'
import { SLUG_LIMIT } from './slug.ts'

/** Name of the table of zips. */
export const DOWNLOADS_NAME = 'private/downloads'

/** Bytes of the digest of a zip. */
const SHA256_BYTES = 32

/** Bytes of a row: the id, by which rows are sorted, the SHA-256 of the zip, and the slug, filled up with zeros. */
export const DOWNLOAD_BYTES = KEY_BYTES + SHA256_BYTES + SLUG_LIMIT

/** A row of the table. */
export interface Download {
  slug: string
  /** SHA-256 of the zip, in hex. */
  sha256: string
}

/** The key of the row of a skill. */
export const downloadKey = (id: number): Uint8Array => {
  const key = new Uint8Array(KEY_BYTES)
  new DataView(key.buffer).setBigUint64(0, BigInt(id))
  return key
}

/** Writes the table of zips. Its first row belongs to no skill, so that the table is never empty. */
export const writeDownloads = (
  downloads: readonly (Download & { id: number })[],
): Uint8Array<ArrayBuffer> => {
  const none = { id: 0, slug: '', sha256: '0'.repeat(2 * SHA256_BYTES) }
  const sorted = [none, ...downloads].sort((a, b) => a.id - b.id)
  const table = new Uint8Array(sorted.length * DOWNLOAD_BYTES)
  for (const [place, { id, slug, sha256 }] of sorted.entries()) {
    const at = place * DOWNLOAD_BYTES
    table.set(downloadKey(id), at)
    for (let byte = 0; byte < SHA256_BYTES; byte += 1)
      table[at + KEY_BYTES + byte] = Number.parseInt(sha256.slice(2 * byte, 2 * byte + 2), 16)
    table.set(new TextEncoder().encode(slug), at + KEY_BYTES + SHA256_BYTES)
  }
  return table
}

/** Reads a row of the table of zips. */
export const readDownload = (row: Uint8Array): Download => {
  const digest = row.subarray(KEY_BYTES, KEY_BYTES + SHA256_BYTES)
  const slug = new TextDecoder().decode(row.subarray(KEY_BYTES + SHA256_BYTES))
  return {
    slug: slug.replace(/\0+$/, ''),
    sha256: Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  }
}
