import { FIELD_NAMES } from '../fields.ts'
import { ALL_ONCE, RICH } from './posting-bits.ts'

const openNumbers = (bytes: Uint8Array, start: number) => {
  let at = start
  const readNumber = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const passRich = (): void => {
    const mask = bytes[at++] ?? 0
    if (mask & ALL_ONCE) return
    for (let rest = mask & (ALL_ONCE - 1); rest !== 0; rest &= rest - 1) readNumber()
  }
  return { readNumber, passRich }
}

/** Says how many skills hold a term whose postings begin at a place. */
export const countHolders = (bytes: Uint8Array, start: number): number =>
  openNumbers(bytes, start).readNumber()

/** Says whether any skill of those that hold a term is one that is looked for; they are asked in order. */
export const isHeld = (
  bytes: Uint8Array,
  start: number,
  isWanted: (ordinal: number) => boolean,
): boolean => {
  const { readNumber, passRich } = openNumbers(bytes, start)
  const size = readNumber()
  FIELD_NAMES.forEach(readNumber)
  let ordinal = -1
  for (let read = 0; read < size; read++) {
    const gap = readNumber()
    ordinal += gap >>> 1
    if (gap & RICH) passRich()
    if (isWanted(ordinal)) return true
  }
  return false
}
