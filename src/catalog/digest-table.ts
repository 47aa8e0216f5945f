/** Name of the table of digests of a build's files, which lists all but itself. */
export const DIGESTS_NAME = 'private/digests'

/** Bytes of a row by their use: the start of the name's SHA-256, by which rows are sorted, and of the file's. */
export const KEY_BYTES = 8
export const DIGEST_BYTES = 16
export const ROW_BYTES = KEY_BYTES + DIGEST_BYTES

/** Compares the keys at the beginning of two rows. */
export const compareKeys = (one: Buffer, at: number, other: Buffer, otherAt: number): number =>
  one.compare(other, otherAt, otherAt + KEY_BYTES, at, at + KEY_BYTES)

/**
 * Finds the row of a key among `count` sorted ones, or where it would stand. `readRow` copies a row into the buffer
 * that it returns.
 */
export const findRow = (
  key: Buffer,
  count: number,
  readRow: (at: number) => Buffer,
): { at: number; row: Buffer | undefined } => {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    const row = readRow(middle)
    const order = compareKeys(row, 0, key, 0)
    if (order === 0) return { at: middle, row }
    if (order < 0) low = middle + 1
    else high = middle
  }
  return { at: low, row: undefined }
}
