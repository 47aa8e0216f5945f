import { hash, randomBytes } from 'node:crypto'

/** Remembers who asked for what on which day, for as long as a run takes. */
export interface Readers {
  /** Says whether a reader asks for this for the first time that day, and remembers it. */
  isFirst(day: string, kind: string, id: number, reader: string): boolean
}

const START = 1 << 16

/** Share of the slots that may be taken. */
const FULL = 0.75

/** A slot holds no number: no hash is 0. */
const EMPTY = 0

/** 52 bits of a digest: a whole number that a double holds, and a clash in a million is unlikely. */
const toKey = (digest: Buffer): number =>
  digest.readUIntBE(0, 6) * 16 + ((digest[6] ?? 0) & 15) || 1

const findSlot = (keys: Float64Array, key: number): number => {
  let slot = key % keys.length
  while (keys[slot] !== EMPTY && keys[slot] !== key) slot = (slot + 1) % keys.length
  return slot
}

/**
 * Makes the memory of a run: salted digests in a table of numbers, 22 bytes each at most. The salt is
 * random, is never written, and ends with the process.
 */
export const createReaders = (): Readers => {
  const salt = randomBytes(32).toString('latin1')
  let keys = new Float64Array(START)
  let used = 0
  const grow = (): void => {
    const before = keys
    keys = new Float64Array(before.length * 2)
    for (const key of before) if (key !== EMPTY) keys[findSlot(keys, key)] = key
  }
  return {
    isFirst: (day, kind, id, reader) => {
      if (used > keys.length * FULL) grow()
      const key = toKey(hash('sha256', `${salt}${day} ${kind} ${id} ${reader}`, 'buffer'))
      const slot = findSlot(keys, key)
      if (keys[slot] === key) return false
      keys[slot] = key
      used += 1
      return true
    },
  }
}
