const NEWLINE = 0x0a

/** Longest line; a drain may write a batch of records as one. */
export const LINE_LIMIT = 8 * 1024 * 1024

/** A piece of a log: whole lines, or (isLong) the beginning of a line that is too long to be read. */
export interface Piece {
  bytes: Buffer
  isLong: boolean
}

/**
 * Cuts a stream at the ends of lines; a chunk may be used again once the next is asked for, and so
 * may a piece. What follows the last line end is a line still being written: it is given to nobody.
 */
export async function* readWholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    // Only the line that two chunks share is copied.
    const first = rest.length === 0 ? 0 : chunk.indexOf(NEWLINE) + 1
    if (first > 0) yield { bytes: Buffer.concat([rest, chunk.subarray(0, first)]), isLong: false }
    const end = chunk.lastIndexOf(NEWLINE) + 1
    if (end > first) yield { bytes: chunk.subarray(first, end), isLong: false }
    const tail = chunk.subarray(end)
    rest = end > 0 ? Buffer.from(tail) : Buffer.concat([rest, tail])
    if (rest.length > LINE_LIMIT) {
      yield { bytes: rest, isLong: true }
      rest = Buffer.alloc(0)
    }
  }
}
