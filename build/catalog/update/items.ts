import { codeSpan, md } from '../../../src/documents/prose/md.ts'

/** Most characters of a value. */
const VALUE_LIMIT = 240

/** Words of ours, or what strangers wrote. */
export type Piece = string | { strange: string }
export type Item = readonly Piece[]

export const strange = (text: string): Piece => {
  const line = text.replace(/\s+/g, ' ').trim()
  return { strange: line.length > VALUE_LIMIT ? `${line.slice(0, VALUE_LIMIT)}…` : line }
}

/** Pieces with a text of ours between them. */
export const joinItems = (items: readonly Item[], between: string): Piece[] =>
  items.flatMap((item, at) => (at === 0 ? item : [between, ...item]))

const printPiece = (piece: Piece): string => (typeof piece === 'string' ? piece : piece.strange)

export const printItem = (item: Item): string => item.map(printPiece).join('')

export const markItem = (item: Item) =>
  md`${item.map((piece) => (typeof piece === 'string' ? md`${piece}` : codeSpan(piece.strange)))}`
