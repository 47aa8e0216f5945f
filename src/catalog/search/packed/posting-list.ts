import { FIELD_NAMES } from '../fields.ts'
import { ALL_ONCE, PLAIN_FIELD, RICH } from './posting-bits.ts'

/** Skills that hold a term, by ordinal, each with how often its fields do. */
export type PostingList = Map<number, readonly number[]>

/** Reads the postings of one term, bytes that `writePostings` wrote. */
export const readPostingList = (bytes: Uint8Array): PostingList => {
  let at = 0
  const readNumber = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const readRich = (): number[] => {
    const mask = bytes[at++] ?? 0
    const readCount = (): number => (mask & ALL_ONCE ? 1 : readNumber())
    return FIELD_NAMES.map((_, field) => (mask & (1 << field) ? readCount() : 0))
  }
  const plain = FIELD_NAMES.map((_, field) => (field === PLAIN_FIELD ? 1 : 0))
  const size = readNumber()
  FIELD_NAMES.forEach(readNumber)
  const list: PostingList = new Map()
  let ordinal = -1
  for (let read = 0; read < size; read++) {
    const gap = readNumber()
    ordinal += gap >>> 1
    list.set(ordinal, gap & RICH ? readRich() : plain)
  }
  return list
}

/** Says how many skills hold a term whose postings begin at a place. */
export const countHolders = (bytes: Uint8Array, start: number): number => {
  let value = 0
  for (let at = start, shift = 0; ; at += 1, shift += 7) {
    const byte = bytes[at] ?? 0
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return value
  }
}
