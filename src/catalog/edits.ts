/**
 * The Levenshtein table of a word. Other words are passed in one UTF-16 unit at a time, so that words with a common
 * prefix share its rows. Distances up to `most` (at most 254) are exact; all larger distances are `most + 1`.
 *
 *          d  o  c  k  e  r     the word; `most` is 1
 *       0  1  2  2  2  2  2
 *    d  1  0  1  2  2  2  2     each number: edits between the prefixes that end here
 *    o  2  1  0  1  2  2  2
 *    k  2  2  1  1  1  2  2     replaced: above left + 1, or + 0 if the letters are equal
 *    c  2  2  2  1  2  2  2     missing or added: above or left + 1, if that is less
 *
 * Cells further than `most` from the diagonal stay at `most + 1`. A comparison can stop if a row is all `most + 1`.
 */
export class EditTable {
  readonly #word: Uint16Array
  readonly #most: number
  readonly #columns: number
  readonly #rows: Uint8Array

  constructor(word: string, most: number) {
    this.#word = Uint16Array.from({ length: word.length }, (_, at) => word.charCodeAt(at))
    this.#most = most
    this.#columns = word.length + 1
    this.#rows = new Uint8Array((word.length + most + 1) * this.#columns).fill(most + 1)
    for (let column = 0; column <= most && column < this.#columns; column++)
      this.#rows[column] = column
  }

  /** Fills the row for unit `at` of the other word; returns its minimum. `at` must be below `word.length + most`. */
  fill(at: number, unit: number): number {
    const rows = this.#rows
    const word = this.#word
    const above = at * this.#columns
    const row = above + this.#columns
    const tooFar = this.#most + 1
    const to = Math.min(word.length, at + tooFar)
    let least = Math.min(at + 1, tooFar)
    rows[row] = least
    for (let column = Math.max(0, at - this.#most); column < to; column++) {
      const replaced = rows[above + column]! + (word[column] === unit ? 0 : 1)
      const missed = Math.min(rows[above + column + 1]!, rows[row + column]!) + 1
      const distance = Math.min(replaced, missed, tooFar)
      rows[row + column + 1] = distance
      if (distance < least) least = distance
    }
    return least
  }

  /** Edits between the word and the first `length` units of the other word. */
  distanceAt(length: number): number {
    return this.#rows[(length + 1) * this.#columns - 1]!
  }
}

/** Edits between two words, but at most `most`. */
export const countEdits = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) >= most) return most
  const table = new EditTable(a, most - 1)
  for (let at = 0; at < b.length; at++) if (table.fill(at, b.charCodeAt(at)) >= most) return most
  return table.distanceAt(b.length)
}
