import { SLUG_LIMIT } from './text.ts'

/** Name of the table with the digests of all files of a build except itself. */
export const DIGESTS_NAME = 'private/digests'

/** Bytes of a row: the beginning of the name's SHA-256, by which rows are sorted, then that of the file's. */
export const KEY_BYTES = 8
export const DIGEST_BYTES = 16
export const ROW_BYTES = KEY_BYTES + DIGEST_BYTES

/** Compares the keys at the beginning of two rows. */
export const compareKeys = (
  one: Uint8Array,
  at: number,
  other: Uint8Array,
  otherAt: number,
): number => {
  for (let place = 0; place < KEY_BYTES; place += 1) {
    const difference = one[at + place]! - other[otherAt + place]!
    if (difference !== 0) return difference
  }
  return 0
}

/** A key as a number, from which the position of its row is estimated. */
const weighKey = (row: Uint8Array): number =>
  row.subarray(0, KEY_BYTES).reduce((sum, byte) => 256 * sum + byte, 0)

/** Number of interpolating probes; later ones bisect. */
const GUESSES = 6

/**
 * Finds the row of a key among `count` sorted rows of any width, or where it would be inserted. `readRow` may reuse its
 * buffer.
 */
export const findRow = <Row extends Uint8Array>(
  key: Uint8Array,
  count: number,
  readRow: (at: number) => Row,
): { at: number; row: Row | undefined } => {
  const target = weighKey(key)
  let [low, high] = [0, count]
  let [least, most] = [0, count > 0 ? weighKey(readRow(count - 1)) : 0]
  for (let probe = 0; low < high; probe += 1) {
    const share = probe < GUESSES ? (target - least) / (most - least) : 0.5
    // NaN if all remaining keys have the same number.
    const guess = low + Math.floor((share || 0) * (high - low))
    const at = Math.max(low, Math.min(high - 1, guess))
    const row = readRow(at)
    const order = compareKeys(row, 0, key, 0)
    if (order === 0) return { at, row }
    if (order < 0) [low, least] = [at + 1, weighKey(row)]
    else [high, most] = [at, weighKey(row)]
  }
  return { at: low, row: undefined }
}

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
