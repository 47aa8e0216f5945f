import { ByteWriter } from '../format/bytes.ts'
import { decodeUnits, encodeUnits, unitWidth } from './text-bytes.ts'

/** Texts in one block: the first is whole, each other says what it shares with the one before. */
export const BLOCK = 16

/** Most bytes of one text; the longest word is far below. */
const LONGEST = 255

/** Distinct texts in order, found by halving; the place of a text is its number. */
export interface StringTable {
  size: number
  /** Gives the number of a text, or -1. */
  find: (text: string) => number
  /** Gives the numbers of all texts that start so: from the first to before the second. */
  findStarts: (start: string) => readonly [number, number]
  read: (number: number) => string
  /** Shows every text in order as `encodeUnits` gives it, in bytes that are used again. */
  visit: (take: (encoded: Uint8Array, number: number) => void) => void
}

/** Texts as they stand in a file. */
export interface WrittenStrings {
  bytes: Uint8Array<ArrayBuffer>
  /** Where each block begins. */
  blocks: Uint32Array<ArrayBuffer>
  /** The fewest bytes a text of each block shares with the one before it. */
  least: Uint8Array<ArrayBuffer>
}

/** Bytes that two texts share at their start, whole units only. */
export const countShared = (a: Uint8Array, b: Uint8Array): number => {
  let shared = 0
  for (;;) {
    const lead = a[shared]
    if (lead === undefined) return shared
    const width = unitWidth(lead)
    for (let at = shared; at < shared + width; at++) if (a[at] !== b[at]) return shared
    shared += width
  }
}

/** Takes texts in order, as `encodeUnits` gives them; each is read before `add` returns. */
export interface StringsWriter {
  add: (encoded: Uint8Array) => void
  finish: () => WrittenStrings
}

/** Opens a table without texts for writing (FORMAT.md, "Texts"). */
export const openStringsWriter = (): StringsWriter => {
  const writer = new ByteWriter()
  const blocks: number[] = []
  const least: number[] = []
  const before = new Uint8Array(LONGEST)
  let length = 0
  let number = 0
  const add = (encoded: Uint8Array): void => {
    if (encoded.length > LONGEST) throw new RangeError(`A word has more than ${LONGEST} bytes.`)
    const shared = countShared(encoded, before.subarray(0, length))
    const isFirst = number % BLOCK === 0
    if (isFirst) blocks.push(writer.size)
    const kept = isFirst ? 0 : shared
    writer.byte(shared)
    writer.byte(encoded.length - kept)
    writer.bytes(encoded, kept, encoded.length)
    before.set(encoded.subarray(shared), shared)
    length = encoded.length
    number += 1
    const block = blocks.length - 1
    least[block] = Math.min(least[block] ?? shared, shared)
  }
  return {
    add,
    finish: () => ({
      bytes: writer.finish(),
      blocks: Uint32Array.from(blocks),
      least: Uint8Array.from(least),
    }),
  }
}

/** Writes texts that are distinct and in order. */
export const writeStrings = (sorted: readonly string[]): WrittenStrings => {
  const writer = openStringsWriter()
  for (const text of sorted) writer.add(encodeUnits(text))
  return writer.finish()
}

/** Opens so many texts that `writeStrings` wrote. */
export const openStrings = (bytes: Uint8Array, blocks: Uint32Array, size: number): StringTable => {
  // The text last read, and where the next one begins.
  const text = new Uint8Array(LONGEST)
  let length = 0
  let at = 0

  const readNext = (number: number): void => {
    const shared = number % BLOCK === 0 ? 0 : bytes[at]!
    const rest = bytes[at + 1]!
    at += 2
    for (let place = 0; place < rest; place++) text[shared + place] = bytes[at + place]!
    length = shared + rest
    at += rest
  }

  /** Compares the text last read, or its first bytes alone, with a key. */
  const compare = (key: Uint8Array, startOnly: boolean): number => {
    const shorter = Math.min(length, key.length)
    for (let place = 0; place < shorter; place++) {
      const difference = text[place]! - key[place]!
      if (difference !== 0) return difference
    }
    return startOnly && length >= key.length ? 0 : length - key.length
  }

  /** Gives the first number whose text is not below the key, or is above it. */
  const halve = (key: Uint8Array, startOnly: boolean, above: boolean): number => {
    const isBefore = (number: number): boolean => {
      readNext(number)
      const order = compare(key, startOnly)
      return order < 0 || (above && order === 0)
    }
    let low = 0
    let high = blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      at = blocks[middle]!
      if (isBefore(middle * BLOCK)) low = middle + 1
      else high = middle
    }
    if (low === 0) return 0
    let number = (low - 1) * BLOCK
    const end = Math.min(number + BLOCK, size)
    at = blocks[low - 1]!
    while (number < end && isBefore(number)) number++
    return number
  }

  const readText = (number: number): void => {
    at = blocks[Math.floor(number / BLOCK)] ?? 0
    for (let before = number - (number % BLOCK); before <= number; before++) readNext(before)
  }

  return {
    size,
    find: (wanted) => {
      const key = encodeUnits(wanted)
      const number = halve(key, false, false)
      if (number >= size) return -1
      readText(number)
      return compare(key, false) === 0 ? number : -1
    },
    findStarts: (start) => {
      const key = encodeUnits(start)
      return [halve(key, true, false), halve(key, true, true)]
    },
    read: (number) => {
      readText(number)
      return decodeUnits(text, 0, length)
    },
    visit: (take) => {
      at = 0
      for (let number = 0; number < size; number++) {
        readNext(number)
        take(text.subarray(0, length), number)
      }
    },
  }
}
