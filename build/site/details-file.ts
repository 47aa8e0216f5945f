import { appendFileSync, closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { checkBytes } from './damaged-state.ts'

/** Where a text lies in a file that only grows, so that what an older state says of it stays true. */
export interface Place {
  from: number
  length: number
  /** Of its bytes. */
  check: number
}

/** Texts of a file, read when they are asked for. */
export interface DetailsFile {
  path: string
  /** Throws DamagedStateError where there is another text than that which was written. */
  read: (place: Place) => string
}

/** Texts after which the whole file is read at once. */
const WORTH_READING_ALL = 10_000

/** Opens a file of texts; nothing is read before it is asked for. */
export const openDetails = (path: string): DetailsFile => {
  let all: Buffer | undefined
  let asked = 0
  const readOne = ({ from, length }: Place): Buffer => {
    const bytes = Buffer.alloc(length)
    const descriptor = openSync(path, 'r')
    try {
      readSync(descriptor, bytes, 0, length, from)
    } finally {
      closeSync(descriptor)
    }
    return bytes
  }
  return {
    path,
    read: (place) => {
      asked += 1
      if (asked > WORTH_READING_ALL) all ??= readFileSync(path)
      const bytes = all?.subarray(place.from, place.from + place.length) ?? readOne(place)
      checkBytes(path, bytes, place.check)
      return bytes.toString('utf8')
    },
  }
}

/** Texts that are written at a time: all in one would be too long for a large catalog. */
const TEXTS = 5_000

/** Adds texts to a file, which is made where it is not there, and says where each lies. */
export const appendDetails = (path: string, texts: readonly string[]): Place[] => {
  // A catalog without skills leaves a file too, or the next build would take its state for lost.
  appendFileSync(path, '')
  let from = statSync(path).size
  const places: Place[] = []
  for (let at = 0; at < texts.length; at += TEXTS) {
    const parts = texts.slice(at, at + TEXTS).map((text) => Buffer.from(text))
    for (const part of parts) {
      places.push({ from, length: part.length, check: crc32(part) })
      from += part.length
    }
    appendFileSync(path, Buffer.concat(parts))
  }
  return places
}
