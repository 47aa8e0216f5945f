import { hash, randomBytes } from 'node:crypto'

/** Remembers who asked for what on which day, for as long as a run takes. */
export interface Readers {
  /** Says whether a reader asks for this for the first time that day, and remembers it. */
  isFirst(day: string, kind: string, id: number, reader: string): boolean
  /** Keeps what was remembered since the last call. */
  keep(): void
  /** Forgets it. */
  forget(): void
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
 * Makes the memory of a run: salted digests in a table of numbers, 24 bytes each at most. The salt is
 * random, is never written, and ends with the process.
 */
export const createReaders = (): Readers => {
  const salt = randomBytes(32).toString('latin1')
  let keys = new Float64Array(START)
  let turns = new Uint32Array(START)
  let used = 0
  let turn = 1
  const forgotten = new Set<number>()
  const put = (key: number, when: number): boolean => {
    const slot = findSlot(keys, key)
    const isNew = keys[slot] === EMPTY
    if (!isNew && !forgotten.has(turns[slot] ?? 0)) return false
    keys[slot] = key
    turns[slot] = when
    used += isNew ? 1 : 0
    return true
  }
  const grow = (): void => {
    const [oldKeys, oldTurns] = [keys, turns]
    keys = new Float64Array(oldKeys.length * 2)
    turns = new Uint32Array(keys.length)
    used = 0
    for (const [at, key] of oldKeys.entries()) {
      const when = oldTurns[at] ?? 0
      if (key !== EMPTY && !forgotten.has(when)) put(key, when)
    }
  }
  return {
    isFirst: (day, kind, id, reader) => {
      if (used > keys.length * FULL) grow()
      return put(toKey(hash('sha256', `${salt}${day} ${kind} ${id} ${reader}`, 'buffer')), turn)
    },
    keep: () => {
      turn += 1
    },
    forget: () => {
      forgotten.add(turn)
      turn += 1
    },
  }
}
