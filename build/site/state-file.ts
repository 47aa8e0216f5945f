import { existsSync } from 'node:fs'
import { readCheckedFile, writeCheckedFile } from './checked-file.ts'
import { WIDTH, openColumns, padAfter, writeColumns } from './row-columns.ts'
import type { ColumnsHead, RowColumns, RowPiece } from './row-columns.ts'
import type { StateHead } from './state.ts'

/** Raised when the file's shape changes; an older one is as good as none. */
const VERSION = 7

/** What stands in the second line; the arrays follow it. */
interface Heads {
  head: StateHead
  columns: ColumnsHead
  /** Skills in popular order. */
  listed: number
}

const NEWLINE = 0x0a

/** Blanks fill the second line up, so that the arrays begin at a multiple of their width. */
const printHeads = (heads: Heads): Uint8Array => {
  const text = `${VERSION}\n${JSON.stringify(heads)}`
  const { length } = padAfter(Buffer.byteLength(text) + 1)
  return Buffer.from(`${text}${' '.repeat(length)}\n`)
}

/** What the file of a state holds. */
export interface StateFile {
  head: StateHead
  popular: Float64Array
  columns: RowColumns
}

/** Reads a state's file; undefined where it is not there, not whole, or of another shape. */
export const readStateFile = (path: string): StateFile | undefined => {
  const bytes = existsSync(path) ? readCheckedFile(path) : undefined
  if (!bytes) return undefined
  const first = bytes.indexOf(NEWLINE)
  const second = bytes.indexOf(NEWLINE, first + 1)
  if (bytes.toString('latin1', 0, first) !== String(VERSION)) return undefined
  const { head, columns, listed } = JSON.parse(bytes.toString('utf8', first, second)) as Heads
  const start = second + 1
  return {
    head,
    popular: new Float64Array(bytes.buffer, bytes.byteOffset + start, listed),
    columns: openColumns(bytes, start + WIDTH * listed, columns),
  }
}

/** Writes a state's file, its rows out of pieces of older columns and new ones. */
export const writeStateFile = (
  path: string,
  { head, popular }: Pick<StateFile, 'head' | 'popular'>,
  pieces: readonly RowPiece[],
  old: RowColumns | undefined,
): void => {
  const { head: columns, parts } = writeColumns(pieces, old)
  const order = new Uint8Array(popular.buffer, popular.byteOffset, popular.byteLength)
  writeCheckedFile(path, [printHeads({ head, columns, listed: popular.length }), order, ...parts])
}
