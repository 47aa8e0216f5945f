import { hash, createHash } from 'node:crypto'
import {
  DIGEST_BYTES,
  KEY_BYTES,
  ROW_BYTES,
  compareKeys,
  findRow,
} from '../../src/catalog/tables.ts'

const LENGTH = 22

/** A 128-bit digest. */
export const digestText = (text: string): string =>
  hash('sha256', text, 'base64url').slice(0, LENGTH)

/** Digests names and bytes, in the given order. */
export const digestFiles = (files: readonly (readonly [string, Uint8Array])[]): string => {
  const sum = createHash('sha256')
  for (const [name, bytes] of files) sum.update(`${name}\0${bytes.length}\0`).update(bytes)
  return sum.digest('base64url').slice(0, LENGTH)
}

const keyOf = (name: string): Buffer => hash('sha256', name, 'buffer').subarray(0, KEY_BYTES)

/** A file's row in the table of digests. */
export const digestRow = (name: string, bytes: Uint8Array | string): Buffer =>
  Buffer.concat([keyOf(name), hash('sha256', bytes, 'buffer').subarray(0, DIGEST_BYTES)])

const rowAt = (table: Buffer, at: number): Buffer =>
  table.subarray(at * ROW_BYTES, (at + 1) * ROW_BYTES)

const countRows = (table: Uint8Array): number => table.length / ROW_BYTES

const viewBytes = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** Maximum rows: 32 bits of the key and the row number must fit exactly in a double. */
const ORDERED = 2 ** 21

/** Sorts by numbers: 900,000 rows take 0.15 s, as objects they took 2 s and 100 MiB. */
const sortRows = (table: Buffer): Buffer => {
  const count = countRows(table)
  if (count > ORDERED)
    throw new Error(`${count} files exceed the ${ORDERED} that a table of digests can hold`)
  const order = Float64Array.from(
    { length: count },
    (_, at) => table.readUInt32BE(at * ROW_BYTES) * ORDERED + at,
  ).sort()
  const rows = Array.from(order, (value) => value % ORDERED)
  for (let at = 1; at < count; at += 1) {
    // Keys with the same 32-bit prefix are adjacent, rarely more than two.
    for (let left = at; left > 0; left -= 1) {
      const [one, other] = [rows[left - 1]!, rows[left]!]
      if (compareKeys(table, one * ROW_BYTES, table, other * ROW_BYTES) <= 0) break
      rows[left - 1] = other
      rows[left] = one
    }
  }
  const sorted = Buffer.allocUnsafe(table.length)
  for (const [at, from] of rows.entries())
    table.copy(sorted, at * ROW_BYTES, from * ROW_BYTES, (from + 1) * ROW_BYTES)
  return sorted
}

/**
 * Makes the next table from the last one, without removed files and with the rows of written files. Unchanged rows are
 * copied in runs.
 */
export const updateDigests = (
  last: Uint8Array,
  removed: readonly string[],
  written: readonly Uint8Array[],
): Buffer => {
  const table = viewBytes(last)
  const rows = sortRows(Buffer.concat(written))
  if (table.length === 0) return rows
  const keys = [
    ...Array.from({ length: countRows(rows) }, (_, at) => ({
      key: rowAt(rows, at),
      isThere: true,
    })),
    ...removed.map((name) => ({ key: keyOf(name), isThere: false })),
  ]
  // A file both removed and written exists.
  keys.sort((a, b) => compareKeys(a.key, 0, b.key, 0) || Number(b.isThere) - Number(a.isThere))
  const parts: Buffer[] = []
  let copied = 0
  for (const [at, { key, isThere }] of keys.entries()) {
    if (at > 0 && compareKeys(keys[at - 1]!.key, 0, key, 0) === 0) continue
    const found = findRow(key, countRows(table), (one) => rowAt(table, one))
    parts.push(table.subarray(copied * ROW_BYTES, found.at * ROW_BYTES))
    if (isThere) parts.push(key)
    copied = found.at + Number(found.row !== undefined)
  }
  parts.push(table.subarray(copied * ROW_BYTES))
  return Buffer.concat(parts)
}

/** Whether the file's bytes match the table; undefined if the file is not listed. */
export const isAsDigested = (
  table: Buffer,
  name: string,
  bytes: Uint8Array,
): boolean | undefined => {
  const expected = digestRow(name, bytes)
  const { row } = findRow(expected, countRows(table), (at) => rowAt(table, at))
  return row?.equals(expected)
}
