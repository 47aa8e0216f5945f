import { readFileSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { WordTable } from '../../src/catalog/word-table.ts'
import { checkBytes } from './damaged-state.ts'

/** The arrays of a table in the order they are written: those of wide numbers first, so that each begins at a multiple. */
const ARRAYS = {
  ids: Float64Array,
  starts: Uint32Array,
  words: Uint32Array,
  named: Uint16Array,
  categories: Uint8Array,
  compared: Uint8Array,
} as const

const NAMES = Object.keys(ARRAYS) as (keyof typeof ARRAYS)[]

/** Bytes of the length of each array, which come first. */
const HEADER = NAMES.length * Float64Array.BYTES_PER_ELEMENT

/** Writes a table of words down as it is in memory; texts follow, a line each. Gives what to check it by. */
export const writeWords = (path: string, table: WordTable): number => {
  const lengths = Float64Array.from(NAMES, (name) => table[name].length)
  const parts = [lengths, ...NAMES.map((name) => table[name])].map(
    ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength),
  )
  const bytes = Buffer.concat([...parts, Buffer.from(table.texts.join('\n'))])
  writeFileSync(path, bytes)
  return crc32(bytes)
}

/** Reads a table that was written on this machine. Throws DamagedStateError where it is another. */
export const readWords = (path: string, check: number): WordTable => {
  const bytes = readFileSync(path)
  checkBytes(path, bytes, check)
  // Typed arrays stand on multiples of their width; bytes from a pool may not.
  const whole = bytes.byteOffset % 8 === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer)
  const lengths = new Float64Array(whole.buffer, whole.byteOffset, NAMES.length)
  let at = whole.byteOffset + HEADER
  const arrays = Object.fromEntries(
    NAMES.map((name, place) => {
      const array = new ARRAYS[name](whole.buffer as ArrayBuffer, at, lengths[place]!)
      at += array.byteLength
      return [name, array]
    }),
  ) as unknown as Omit<WordTable, 'texts'>
  const texts = whole.toString('utf8', at - whole.byteOffset)
  return { ...arrays, texts: texts === '' ? [] : texts.split('\n') }
}
