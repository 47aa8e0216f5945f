import { FIELDS, FIELD_NAMES } from '../fields.ts'
import type { FieldName } from '../fields.ts'
import { normLength, saturate, tabulateNorms, weighRarity } from './bm25.ts'
import { InvalidIndexError } from '../invalid-index.ts'
import type { ReadBytes } from './documents.ts'
import type { Header, Sections } from './layout.ts'
import { ALL_ONCE, PLAIN_FIELD, RICH } from './posting-bits.ts'

/** Skills read at once: few enough for the processor's cache, enough to make the call cheap. */
const CHUNK = 1024

/** Bytes of the longest number there is. */
const LONGEST_NUMBER = 5

/** Takes skills that hold a term, by ascending ordinal, with their scores; the arrays are used again. */
export type VisitPostings = (ordinals: Int32Array, scores: Float64Array, count: number) => void

/** What a term gives one skill in one field. */
export interface FieldScore {
  field: FieldName
  frequency: number
  length: number
  score: number
}

/** The postings of a file. */
export interface Postings {
  /** Skills that hold a term. */
  count: (term: number) => number
  visit: (term: number, visit: VisitPostings) => void
  /** Tells apart what a term gives one skill; empty where the skill does not hold it. */
  explain: (term: number, ordinal: number) => FieldScore[]
}

const BOOSTS = FIELD_NAMES.map((name) => FIELDS[name].boost)

/** Opens the postings of a file whose checksum is right: they are read as they were written. */
export const openPostings = (
  { count: size, headSize, postingsSize }: Header,
  sections: Sections,
  readBytes: ReadBytes,
): Postings => {
  const { postingOffsets: offsets, averages, longest } = sections
  const lengths = FIELD_NAMES.map((name) => sections[`${name}Lengths`])
  const norms = FIELD_NAMES.map((_, field) =>
    tabulateNorms(longest[field] ?? 0, averages[field] ?? 0),
  )
  const plainLengths = sections.descriptionLengths
  const plainBoost = BOOSTS[PLAIN_FIELD] ?? 1
  const once = Float64Array.from(norms[PLAIN_FIELD] ?? [], (norm) => saturate(1, norm))
  const ordinals = new Int32Array(CHUNK)
  const scores = new Float64Array(CHUNK)
  const rarities = new Float64Array(FIELD_NAMES.length)
  const boosts = Float64Array.from(BOOSTS)

  let bytes: Uint8Array = new Uint8Array()
  // Where the last number or posting ended; kept out of results, so that reading makes no objects.
  let at = 0

  const readNumber = (): number => {
    let byte = bytes[at++] ?? 0
    let value = byte & 0x7f
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++] ?? 0
      value |= (byte & 0x7f) << shift
    }
    return value
  }

  const seek = (term: number, most = postingsSize): void => {
    const from = offsets[term] ?? postingsSize
    const to = offsets[term + 1] ?? 0
    if (from >= to || to > postingsSize)
      throw new InvalidIndexError(`its term ${term} lies outside of it`)
    bytes = readBytes(headSize + from, headSize + Math.min(to, from + most))
    at = 0
  }

  const openTerm = (term: number): number => {
    seek(term)
    const count = Math.min(readNumber(), size)
    for (let field = 0; field < rarities.length; field++)
      rarities[field] = weighRarity(size, readNumber())
    return count
  }

  /** Scores a skill whose fields follow; they are added as MiniSearch adds them. */
  const readRich = (ordinal: number): number => {
    const fields = bytes[at++] ?? 0
    let score = 0
    for (let rest = fields & (ALL_ONCE - 1); rest !== 0; rest &= rest - 1) {
      const field = 31 - Math.clz32(rest & -rest)
      const frequency = fields & ALL_ONCE ? 1 : readNumber()
      const norm = norms[field]![lengths[field]![ordinal]!]!
      score += boosts[field]! * (rarities[field]! * saturate(frequency, norm))
    }
    return score
  }

  /** Reads the next skills of a term, those after `before`, and gives the last of them. */
  const readChunk = (length: number, before: number): number => {
    const held = bytes
    const rarity = rarities[PLAIN_FIELD] ?? 0
    let ordinal = before
    for (let place = 0; place < length; place++) {
      // `readNumber`, written out: this is where the time of a query goes.
      let byte = held[at++]!
      let value = byte & 0x7f
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = held[at++]!
        value |= (byte & 0x7f) << shift
      }
      ordinal += value >>> 1
      ordinals[place] = ordinal
      scores[place] =
        value & RICH ? readRich(ordinal) : plainBoost * (rarity * once[plainLengths[ordinal]!]!)
    }
    return ordinal
  }

  const visit = (term: number, take: VisitPostings): void => {
    let left = openTerm(term)
    let last = -1
    // One function would be too large to be compiled in the time of a first query.
    for (; left > 0; left -= CHUNK) {
      const length = Math.min(CHUNK, left)
      last = readChunk(length, last)
      take(ordinals, scores, length)
    }
  }

  const explain = (term: number, wanted: number): FieldScore[] => {
    const count = openTerm(term)
    let ordinal = -1
    for (let read = 0; read < count && ordinal < wanted; read++) {
      const value = readNumber()
      ordinal += value >>> 1
      const fields = value & RICH ? (bytes[at++] ?? 0) : (1 << PLAIN_FIELD) | ALL_ONCE
      const found = FIELD_NAMES.flatMap((name, field): FieldScore[] => {
        if (!(fields & (1 << field))) return []
        const frequency = fields & ALL_ONCE ? 1 : readNumber()
        const length = lengths[field]?.[ordinal] ?? 0
        const norm = normLength(length, averages[field] ?? 0)
        const score = FIELDS[name].boost * ((rarities[field] ?? 0) * saturate(frequency, norm))
        return [{ field: name, frequency, length, score }]
      })
      if (ordinal === wanted) return found
    }
    return []
  }

  return {
    count: (term) => {
      seek(term, LONGEST_NUMBER)
      return readNumber()
    },
    visit,
    explain,
  }
}
