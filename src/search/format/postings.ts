import { BM25, FIELDS, FIELD_NAMES, weighRarity } from '../rank.ts'
import { ByteReader } from './bytes.ts'
import type { ByteWriter } from './bytes.ts'
import type { Header, ReadBytes, Sections } from './layout.ts'

const { saturation: K, lengthShare: B, lowest: D } = BM25

// The operations below and their order are MiniSearch's, so that scores are equal to the bit.

/** How much the length of a field reduces the weight of a term's frequency. */
const normLength = (length: number, average: number): number => K * (1 - B + (B * length) / average)

/** How much a term counts in a field, apart from its rarity. */
const saturate = (frequency: number, norm: number): number =>
  D + (frequency * (K + 1)) / (frequency + norm)

const DESCRIPTION = FIELD_NAMES.indexOf('description')
const BODY = FIELD_NAMES.indexOf('body')

/**
 * The two lowest bits of a posting. Nearly every term is only in the description, in the body, or in both, once in
 * each. If neither bit is set, a byte of fields follows.
 */
const IN_DESCRIPTION = 1
const IN_BODY = 2
const PLACES = IN_DESCRIPTION | IN_BODY
const GAP_SHIFT = 2

/** The fields of a posting as bits, by the value of these two bits. */
const FIELDS_OF_PLACES = [0, 1 << DESCRIPTION, 1 << BODY, (1 << DESCRIPTION) | (1 << BODY)]

/** Set in the byte of fields if the term is once in each of them, so that no frequencies follow. */
const ALL_ONCE = 1 << FIELD_NAMES.length

/**
 * Writes a posting: the gap to the previous skill, and how often each field contains the term.
 *
 *     gap << 2 | 01                       once, in the description
 *     gap << 2 | 10                       once, in the body
 *     gap << 2 | 11                       once in each of these two
 *     gap << 2 | 00, 1fffff               once in each of the fields f
 *     gap << 2 | 00, 0fffff, n, n, …      n times in each of the fields f
 */
export const writePosting = (
  writer: ByteWriter,
  gap: number,
  frequencies: readonly number[],
): void => {
  const fields = frequencies.reduce(
    (bits, count, field) => (count > 0 ? bits | (1 << field) : bits),
    0,
  )
  const once = frequencies.every((count) => count < 2)
  const places = once ? Math.max(0, FIELDS_OF_PLACES.indexOf(fields)) : 0
  writer.number((gap << GAP_SHIFT) | places)
  if (places !== 0) return
  writer.byte(once ? fields | ALL_ONCE : fields)
  if (!once) for (const count of frequencies) if (count > 0) writer.number(count)
}

/** Lists the ordinals of the skills whose body contains a term, ascending. `bytes` are the postings of the term. */
export const listBodyHolders = (bytes: Uint8Array): number[] => {
  const reader = new ByteReader(bytes)
  const count = reader.number()
  for (let field = 0; field < FIELD_NAMES.length; field++) reader.number()
  const holders: number[] = []
  let ordinal = -1
  for (let left = count; left > 0; left--) {
    const value = reader.number()
    ordinal += value >>> GAP_SHIFT
    let fields = FIELDS_OF_PLACES[value & PLACES]!
    if (fields === 0) {
      const byte = reader.byte()
      fields = byte & (ALL_ONCE - 1)
      if (!(byte & ALL_ONCE)) for (let rest = fields; rest !== 0; rest &= rest - 1) reader.number()
    }
    if (fields & (1 << BODY)) holders.push(ordinal)
  }
  return holders
}

/** Skills per call of a visitor: few enough for the processor's cache, and many enough to make calls rare. */
const CHUNK = 1024

/** Bytes of the longest varint. */
const LONGEST_NUMBER = 5

/** Receives skills that contain a term, by ascending ordinal, with their scores. The next call reuses the arrays. */
type VisitPostings = (ordinals: Int32Array, scores: Float64Array, count: number) => void

const BOOSTS = Float64Array.from(FIELD_NAMES, (name) => FIELDS[name].boost)

/** Tabulates the norm of every length of a field, to be looked up in scoring. */
const tabulateNorms = (longest: number, average: number): Float64Array =>
  Float64Array.from({ length: longest + 1 }, (_, length) => normLength(length, average))

/** The postings of an index, which are read without checks: callers compare the checksum first. */
export class Postings {
  readonly #size: number
  readonly #start: number
  readonly #offsets: Uint32Array
  readonly #lengths: readonly Uint16Array[]
  readonly #norms: readonly Float64Array[]
  /** The saturation of a term that occurs once, by length of the description and of the body. */
  readonly #onceInDescription: Float64Array
  readonly #onceInBody: Float64Array
  readonly #readBytes: ReadBytes
  readonly #reader = new ByteReader()
  readonly #ordinals = new Int32Array(CHUNK)
  readonly #scores = new Float64Array(CHUNK)
  /** The rarity of the current term in each field. */
  readonly #rarities = new Float64Array(FIELD_NAMES.length)

  constructor({ count, headSize }: Header, sections: Sections, readBytes: ReadBytes) {
    this.#size = count
    this.#start = headSize
    this.#offsets = sections.postingOffsets
    this.#lengths = FIELD_NAMES.map((name) => sections[`${name}Lengths`])
    this.#norms = FIELD_NAMES.map((_, field) =>
      tabulateNorms(sections.longest[field]!, sections.averages[field]!),
    )
    this.#onceInDescription = this.#norms[DESCRIPTION]!.map((norm) => saturate(1, norm))
    this.#onceInBody = this.#norms[BODY]!.map((norm) => saturate(1, norm))
    this.#readBytes = readBytes
  }

  count(term: number): number {
    this.#seek(term, LONGEST_NUMBER)
    return this.#reader.number()
  }

  /** Scores every skill that contains a term, in chunks. */
  visit(term: number, visitor: VisitPostings): void {
    let left = this.#openTerm(term)
    let last = -1
    // `#readChunk` is separate because the compiler would not optimize one large function during the first query.
    for (; left > 0; left -= CHUNK) {
      const length = Math.min(CHUNK, left)
      last = this.#readChunk(length, last)
      visitor(this.#ordinals, this.#scores, length)
    }
  }

  #seek(term: number, most = Infinity): void {
    const from = this.#offsets[term]!
    const to = this.#offsets[term + 1]!
    const start = this.#start
    this.#reader.bytes = this.#readBytes(start + from, start + Math.min(to, from + most))
    this.#reader.at = 0
  }

  #openTerm(term: number): number {
    this.#seek(term)
    const count = this.#reader.number()
    for (let field = 0; field < this.#rarities.length; field++)
      this.#rarities[field] = weighRarity(this.#reader.number(), this.#size)
    return count
  }

  /** Reads the next `length` skills of a term, those after `before`. Returns the last of them. */
  #readChunk(length: number, before: number): number {
    const reader = this.#reader
    const bytes = reader.bytes
    const ordinals = this.#ordinals
    const scores = this.#scores
    const onceInDescription = this.#onceInDescription
    const onceInBody = this.#onceInBody
    const descriptionLengths = this.#lengths[DESCRIPTION]!
    const bodyLengths = this.#lengths[BODY]!
    const descriptionRarity = this.#rarities[DESCRIPTION]!
    const bodyRarity = this.#rarities[BODY]!
    let at = reader.at
    let ordinal = before
    for (let place = 0; place < length; place++) {
      // `ByteReader.number`, inlined: a query spends most of its time here.
      let byte = bytes[at++]!
      let value = byte & 0x7f
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++]!
        value |= (byte & 0x7f) << shift
      }
      ordinal += value >>> GAP_SHIFT
      ordinals[place] = ordinal
      if ((value & PLACES) === 0) {
        reader.at = at
        scores[place] = this.#scoreFields(ordinal)
        at = reader.at
        continue
      }
      let score = 0
      if (value & IN_DESCRIPTION) {
        const once = onceInDescription[descriptionLengths[ordinal]!]!
        score += BOOSTS[DESCRIPTION]! * (descriptionRarity * once)
      }
      if (value & IN_BODY)
        score += BOOSTS[BODY]! * (bodyRarity * onceInBody[bodyLengths[ordinal]!]!)
      scores[place] = score
    }
    reader.at = at
    return ordinal
  }

  /** Scores a posting with a byte of fields. Fields are added in MiniSearch's order. */
  #scoreFields(ordinal: number): number {
    const fields = this.#reader.byte()
    let score = 0
    for (let rest = fields & (ALL_ONCE - 1); rest !== 0; rest &= rest - 1) {
      const field = 31 - Math.clz32(rest & -rest)
      const frequency = fields & ALL_ONCE ? 1 : this.#reader.number()
      const norm = this.#norms[field]![this.#lengths[field]![ordinal]!]!
      score += BOOSTS[field]! * (this.#rarities[field]! * saturate(frequency, norm))
    }
    return score
  }
}
