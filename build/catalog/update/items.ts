import { spellUnseen } from '../../../src/catalog/lines.ts'
import { codeSpan, md } from '../../../src/documents/prose/md.ts'

/** The maximum length of a value, in characters; longer values are cut. */
const VALUE_LIMIT = 240

/** A piece of a report line: our own text, or untrusted text, which Markdown shows as code. */
export type Piece = string | { untrusted: string }
export type Item = readonly Piece[]

export const untrusted = (text: string): Piece => {
  const line = spellUnseen(text.replace(/\s+/g, ' ').trim())
  return { untrusted: line.length > VALUE_LIMIT ? `${line.slice(0, VALUE_LIMIT)}…` : line }
}

/** Joins items with a separator. */
export const joinItems = (items: readonly Item[], between: string): Piece[] =>
  items.flatMap((item, at) => (at === 0 ? item : [between, ...item]))

const printPiece = (piece: Piece): string => (typeof piece === 'string' ? piece : piece.untrusted)

export const printItem = (item: Item): string => item.map(printPiece).join('')

export const markItem = (item: Item) =>
  md`${item.map((piece) => (typeof piece === 'string' ? md`${piece}` : codeSpan(piece.untrusted)))}`
