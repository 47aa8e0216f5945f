import type { CodePiece } from './tree.ts'

// The colours of a file, stored as lengths of text. Damaged lengths can change colours, never the text.

/** CSS classes of code. A kind is stored as its first letter, a plain piece as a dot. */
const KINDS = ['comment', 'string', 'keyword', 'name', 'value', 'inserted', 'deleted']

/** Prints the lengths of pieces: `k6.1n4`. */
export const printRuns = (pieces: readonly CodePiece[]): string =>
  pieces.map(({ kind, text }) => `${kind[0] ?? '.'}${text.length}`).join('')

const isHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** Cuts a text at stored lengths; the rest of the text has no kind. */
export const cutRuns = (text: string, runs = ''): CodePiece[] => {
  const pieces: CodePiece[] = []
  let from = 0
  for (const [, letter = '', length] of runs.matchAll(/([.a-z])(\d{1,6})/g)) {
    let to = Math.min(from + Number(length), text.length)
    // Never cut a surrogate pair.
    if (to > from && isHalf(text.charCodeAt(to - 1))) to = Math.min(to + 1, text.length)
    if (to > from)
      pieces.push({
        kind: KINDS.find((kind) => kind[0] === letter) ?? '',
        text: text.slice(from, to),
      })
    from = to
  }
  return from < text.length ? [...pieces, { kind: '', text: text.slice(from) }] : pieces
}
