import type { Sections } from './layout.ts'
import { BLOCK } from './string-table.ts'
import { readUnit, unitWidth } from './text-bytes.ts'

/** More bytes than a word has: nothing of it is too far away yet. */
const ALIVE = 256

/**
 * Finds the words within some edits of an unknown one, by ascending number. The words are in order, and
 * each says what it shares with the one before: one row of the Levenshtein table a unit, kept for what
 * the next word shares, and words that start as one already too far away are passed over.
 */
export const findNear = (
  { wordBytes: bytes, wordBlocks, wordLeast, wordLongest, wordLengths }: Sections,
  word: string,
  edits: number,
): number[] => {
  const longest = word.length + edits
  const shortest = word.length - edits
  const columns = word.length + 1
  const typed = Uint16Array.from({ length: word.length }, (_, at) => word.charCodeAt(at))
  const rows = new Uint8Array((longest + 1) * columns).fill(edits + 1)
  for (let column = 0; column < columns; column++) rows[column] = Math.min(column, edits + 1)
  // The bytes of the word last read, and how many units are before each byte that has a row.
  const text = new Uint8Array(256)
  const unitsBefore = new Uint8Array(256)
  const found: number[] = []
  // Bytes of the word last read whose rows hold.
  let valid = 0
  // A word that shares so many bytes with the one before is as far away.
  let tooFar = ALIVE

  /** Fills the row of one more unit, and gives the least distance in it. */
  const fillRow = (unit: number, letter: number): number => {
    const row = (unit + 1) * columns
    const to = Math.min(word.length, unit + 1 + edits)
    let least = Math.min(unit + 1, edits + 1)
    rows[row] = least
    for (let column = Math.max(0, unit - edits); column < to; column++) {
      const above = row - columns + column
      const replaced = rows[above]! + (typed[column] === letter ? 0 : 1)
      const missed = Math.min(rows[above + 1]!, rows[row + column]!) + 1
      const distance = Math.min(replaced, missed, edits + 1)
      rows[row + column + 1] = distance
      if (distance < least) least = distance
    }
    return least
  }

  /** Fills the rows of a word that have none yet, and says after how many bytes it is too far away. */
  const fillRows = (size: number): number => {
    let unit = unitsBefore[valid]!
    while (valid < size) {
      if (unit === longest) return valid + 1
      const letter = readUnit(text, valid)
      valid += unitWidth(text[valid]!)
      unitsBefore[valid] = ++unit
      if (fillRow(unit - 1, letter) > edits) return valid
    }
    return ALIVE
  }

  const readBlock = (block: number): void => {
    const last = Math.min((block + 1) * BLOCK, wordLengths.length)
    let at = wordBlocks[block]!
    for (let number = block * BLOCK; number < last; number++) {
      const shared = bytes[at]!
      const rest = bytes[at + 1]!
      const from = number % BLOCK === 0 ? 0 : shared
      at += 2
      const isFar = shared >= tooFar
      if (!isFar || from === 0)
        for (let place = 0; place < rest; place++) text[from + place] = bytes[at + place]!
      at += rest
      if (isFar) continue
      valid = Math.min(valid, shared)
      tooFar = ALIVE
      const length = wordLengths[number]!
      if (length < shortest) continue
      tooFar = fillRows(from + rest)
      if (tooFar < ALIVE) continue
      const distance = rows[length * columns + word.length]!
      if (distance > 0 && distance <= edits) found.push(number)
    }
  }

  for (let block = 0; block < wordLeast.length; block++) {
    const shared = wordLeast[block]!
    if (shared >= tooFar) continue
    if (wordLongest[block]! >= shortest) readBlock(block)
    else {
      valid = Math.min(valid, shared)
      tooFar = ALIVE
    }
  }
  return found
}
