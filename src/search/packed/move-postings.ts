import { FIELD_NAMES } from '../fields.ts'
import { InvalidIndexError } from '../invalid-index.ts'
import { ByteWriter } from '../format/bytes.ts'
import { ALL_ONCE, PLAIN_FIELD, RICH } from './posting-bits.ts'
import { writePosting } from './write-postings.ts'

/** Skills that come to a term, by ascending new ordinal, with how often each field has it. */
export type ComingPostings = ReadonlyMap<number, readonly number[]>

const NONE: ComingPostings = new Map()

/** Writes the postings of terms one after the other, out of those of an older file. */
export interface PostingsMover {
  /** Writes a term of the old file anew, with those that came to it; says how many skills hold it. */
  move: (from: number, to: number, coming?: ComingPostings) => number
  /** Writes a term of the old file as it is. */
  keep: (from: number, to: number) => void
  size: () => number
  finish: () => Uint8Array<ArrayBuffer>
}

/** Opens the postings of an older file, whose skills have other ordinals now: -1 where they left. */
export const openPostingsMover = (bytes: Uint8Array, moved: Int32Array): PostingsMover => {
  const out = new ByteWriter()
  const body = new ByteWriter()
  const holders = new Uint32Array(FIELD_NAMES.length)
  let at = 0
  let count = 0
  let last = -1

  const readNumber = (): number => {
    let byte = bytes[at++] ?? 0
    let value = byte & 0x7f
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++] ?? 0
      value |= (byte & 0x7f) << shift
    }
    return value
  }

  const countFields = (mask: number): void => {
    count += 1
    for (let field = 0; field < holders.length; field++) if (mask & (1 << field)) holders[field]!++
  }

  /** Passes over what follows a posting that is not plain, and gives its fields. */
  const passRich = (): number => {
    const mask = bytes[at++] ?? 0
    if (!(mask & ALL_ONCE))
      for (let rest = mask & (ALL_ONCE - 1); rest !== 0; rest &= rest - 1) readNumber()
    return mask
  }

  const add = (ordinal: number, counts: readonly number[]): void => {
    writePosting(body, ordinal - last, counts)
    countFields(counts.reduce((mask, times, field) => (times > 0 ? mask | (1 << field) : mask), 0))
    last = ordinal
  }

  const movePosting = (ordinal: number, rich: number): void => {
    const start = at
    const mask = rich ? passRich() : 1 << PLAIN_FIELD
    const place = moved[ordinal] ?? -1
    if (place === -1) return
    body.number(((place - last) << 1) | rich)
    if (rich) body.bytes(bytes, start, at)
    countFields(mask)
    last = place
  }

  const finishTerm = (): void => {
    out.number(count)
    for (const held of holders) out.number(held)
    out.bytes(body.view(), 0, body.size)
  }

  const move: PostingsMover['move'] = (from, to, coming = NONE) => {
    const waiting = [...coming]
    let next = 0
    at = from
    count = 0
    last = -1
    holders.fill(0)
    body.clear()
    const size = from < to ? readNumber() : 0
    if (from < to) FIELD_NAMES.forEach(readNumber)
    let ordinal = -1
    for (let read = 0; read < size; read++) {
      const gap = readNumber()
      ordinal += gap >>> 1
      const place = moved[ordinal] ?? -1
      while ((waiting[next]?.[0] ?? Infinity) < place) {
        const [first, counts] = waiting[next++]!
        add(first, counts)
      }
      movePosting(ordinal, gap & RICH)
    }
    for (const [place, counts] of waiting.slice(next)) add(place, counts)
    if (at !== to && from < to) throw new InvalidIndexError('its postings do not fit together')
    if (count > 0) finishTerm()
    return count
  }

  return {
    move,
    keep: (from, to) => out.bytes(bytes, from, to),
    size: () => out.size,
    finish: () => out.finish(),
  }
}
