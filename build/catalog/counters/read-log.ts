import type { KnownSegments } from './segments.ts'
import { addCounted, countLine, countNothing } from './tally.ts'
import type { Counted, Rules } from './tally.ts'
import { beginTrail } from './trail.ts'
import { readWholeLines } from './whole-lines.ts'

const NEWLINE = 0x0a

/** What one log gave. */
export interface LogReading extends Counted {
  /** Bytes that were counted before, and now. */
  skippedBytes: number
  countedBytes: number
}

/** A log under way: what is known of the part that is being read. */
interface Reading {
  counted: Counted
  /** Lines before the next one, in the whole log. */
  line: number
  /** The beginning of this line was too long and is gone. */
  isLong: boolean
}

/** Counts whole lines; gives how many bytes of them were taken, all but those of days left alone. */
const takeLines = (bytes: Buffer, rules: Rules, reading: Reading): number => {
  // One character a byte: no format needs more, and nothing is converted.
  const text = bytes.toString('latin1')
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    reading.line += 1
    const line = reading.isLong ? '(too long)' : text.slice(start, end)
    if (!countLine(line, reading.line, rules, reading.counted)) return start
    reading.isLong = false
    start = end + 1
  }
  if (start < text.length) reading.isLong = true
  return text.length
}

/**
 * Reads a log once. Whatever part of it, from its beginning on, was counted before is found by its
 * digest, and its counts are given up again; the rest is counted and becomes known. Who was seen in
 * the part before stays remembered, so that a reader counts once a day in a log that grows.
 */
export const readLog = async (
  chunks: AsyncIterable<Buffer>,
  known: KnownSegments,
  rules: Rules,
): Promise<LogReading> => {
  const reading: Reading = { counted: countNothing(), line: 0, isLong: false }
  const trail = beginTrail(known)
  let bytesRead = 0
  let skippedBytes = 0
  const take = (piece: Buffer): boolean => {
    const taken = takeLines(piece, rules, reading)
    bytesRead += taken
    if (trail.take(piece.subarray(0, taken))) {
      skippedBytes = bytesRead
      reading.counted = countNothing()
    }
    return taken === piece.length
  }
  const takePiece = (bytes: Buffer): boolean => {
    let at = 0
    while (at < bytes.length) {
      const end = Math.min(at + trail.next(), bytes.length)
      // A known part ends with a line, so a length that ends elsewhere is none of this log.
      const stop =
        bytes[end - 1] === NEWLINE ? end : bytes.indexOf(NEWLINE, end) + 1 || bytes.length
      if (!take(bytes.subarray(at, stop))) return false
      at = stop
    }
    return true
  }
  for await (const { bytes } of readWholeLines(chunks)) if (!takePiece(bytes)) break
  const total = countNothing()
  addCounted(total, reading.counted)
  const tail = trail.tail()
  if (tail.bytes > 0) known.add(tail)
  return { ...total, skippedBytes, countedBytes: tail.bytes }
}
