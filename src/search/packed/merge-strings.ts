import { openStringsWriter } from './string-table.ts'
import type { StringTable, WrittenStrings } from './string-table.ts'
import { encodeUnits } from './text-bytes.ts'

/** What became of a table that texts left and came to. */
export interface MergedStrings {
  written: WrittenStrings
  size: number
  /** New number of each old text; -1 of those that left. */
  numbers: Int32Array
  /** Number of each text that came. */
  coming: ReadonlyMap<string, number>
}

const isBefore = (a: Uint8Array, b: Uint8Array): boolean => {
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at++) if (a[at] !== b[at]) return a[at]! < b[at]!
  return a.length < b.length
}

/** Writes a table anew without the texts of some numbers, and with others that it did not have. */
export const mergeStrings = (
  table: StringTable,
  leaving: ReadonlySet<number>,
  texts: Iterable<string>,
): MergedStrings => {
  const waiting = [...texts].sort().map((text) => ({ text, encoded: encodeUnits(text) }))
  const writer = openStringsWriter()
  const numbers = new Int32Array(table.size)
  const coming = new Map<string, number>()
  let size = 0
  let next = 0
  const takeNext = (): void => {
    const { text, encoded } = waiting[next++]!
    writer.add(encoded)
    coming.set(text, size++)
  }
  table.visit((encoded, number) => {
    while (next < waiting.length && isBefore(waiting[next]!.encoded, encoded)) takeNext()
    numbers[number] = leaving.has(number) ? -1 : size++
    if (!leaving.has(number)) writer.add(encoded)
  })
  while (next < waiting.length) takeNext()
  return { written: writer.finish(), size, numbers, coming }
}
