import { ByteReader, ByteWriter, StringsWriter } from '../format/bytes.ts'
import { PLAIN_FIELD, HAS_FIELDS, skipFields } from '../format/postings.ts'
import { FIELD_NAMES } from '../rank.ts'
import { writeWords } from '../format/vocabulary.ts'

/** Room for this many texts at first; it doubles when full. */
const FIRST_ROOM = 1 << 12

const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193

const lengthen = <Numbers extends Int32Array | Uint32Array | Uint8Array>(
  numbers: Numbers,
): Numbers => {
  const longer = new (numbers.constructor as new (length: number) => Numbers)(numbers.length * 2)
  longer.set(numbers)
  return longer
}

/**
 * Numbers distinct texts by their bytes, from 0 in order of arrival: an open hash table over typed arrays. A Map
 * would need a string for each of the millions of words that are looked up.
 */
class TextNumbering {
  size = 0
  /** Number of the text in each slot plus 1, or 0 in an empty one. At least half of the slots are empty. */
  #slots = new Int32Array(2 * FIRST_ROOM)
  #hashes = new Int32Array(FIRST_ROOM)
  #ends = new Uint32Array(FIRST_ROOM)
  #bytes = new Uint8Array(8 * FIRST_ROOM)

  /** The number of the text between two places; a new text gets the next one. */
  add(bytes: Uint8Array, from: number, to: number): number {
    let hash = FNV_START
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, FNV_PRIME)
    // The low bits, which choose the slot, are the weakest of FNV-1a.
    hash ^= hash >>> 15
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1
      if (number === -1) return this.#append(slot, hash, bytes.subarray(from, to))
      if (this.#hashes[number] === hash && this.#isText(number, bytes, from, to)) return number
    }
  }

  /** The bytes of a text. */
  read(number: number): Uint8Array {
    return this.#bytes.subarray(this.#start(number), this.#ends[number])
  }

  #start(number: number): number {
    return number === 0 ? 0 : this.#ends[number - 1]!
  }

  #isText(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#start(number)
    if (this.#ends[number]! - start !== to - from) return false
    for (let at = from; at < to; at++)
      if (this.#bytes[start + at - from] !== bytes[at]) return false
    return true
  }

  #append(slot: number, hash: number, text: Uint8Array): number {
    const number = this.size++
    if (number === this.#ends.length) {
      this.#ends = lengthen(this.#ends)
      this.#hashes = lengthen(this.#hashes)
    }
    const start = this.#start(number)
    while (start + text.length > this.#bytes.length) this.#bytes = lengthen(this.#bytes)
    this.#bytes.set(text, start)
    this.#ends[number] = start + text.length
    this.#hashes[number] = hash
    this.#slots[slot] = this.size
    if (2 * this.size > this.#slots.length) this.#rehash()
    return number
  }

  #rehash(): void {
    this.#slots = new Int32Array(2 * this.#slots.length)
    const mask = this.#slots.length - 1
    for (let number = 0; number < this.size; number++) {
      let slot = this.#hashes[number]! & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = number + 1
    }
  }
}

/**
 * Gathers encoded analyses term by term. A posting is two numbers in typed arrays, which are sorted by
 * counting: 100,000 skills have five million.
 */
class Gatherer {
  readonly terms = new TextNumbering()
  readonly words = new TextNumbering()
  readonly wordTerms: number[] = []
  /** Of each word how many skills have it. */
  readonly wordHolders: number[] = []
  /** The term of each posting, and where its fields are in `#fields`; 0 where they are plain. */
  readonly #terms: Uint32Array
  readonly #fieldsAt: Uint32Array
  /** Where the postings of each skill end. */
  readonly #ends: Uint32Array
  readonly #fields = new ByteWriter()
  readonly #stem = new Uint8Array(256)
  #count = 0

  constructor(skills: number, postings: number) {
    this.#terms = new Uint32Array(postings)
    this.#fieldsAt = new Uint32Array(postings)
    this.#ends = new Uint32Array(skills)
    // No fields begin at 0, which means plain ones.
    this.#fields.byte(0)
  }

  /** Reads the terms of one skill. Skills come in the order of their ordinals. */
  add(reader: ByteReader, terms: number, ordinal: number): void {
    for (let term = 0; term < terms; term++) {
      const header = reader.number()
      let fieldsAt = 0
      if (header & HAS_FIELDS) {
        fieldsAt = this.#fields.size
        const from = reader.at
        skipFields(reader)
        this.#fields.bytes(reader.bytes, from, reader.at)
      }
      this.#fieldsAt[this.#count] = fieldsAt
      this.#terms[this.#count++] = this.#addWords(reader, header >>> 1)
    }
    this.#ends[ordinal] = this.#count
  }

  /** Reads the words of a term, and returns the number of the term. */
  #addWords(reader: ByteReader, count: number): number {
    let term = -1
    for (let word = 0; word < count; word++) {
      const length = reader.byte()
      const from = reader.at
      reader.at += length
      const known = this.words.size
      const number = this.words.add(reader.bytes, from, reader.at)
      if (word === 0) {
        const kept = length - reader.byte()
        const added = reader.byte()
        term =
          number < known
            ? this.wordTerms[number]!
            : this.#addTerm(
                reader.bytes.subarray(from, from + kept),
                reader.bytes.subarray(reader.at, reader.at + added),
              )
        reader.at += added
      }
      if (number === known) this.wordTerms.push(term)
      this.wordHolders[number] = (this.wordHolders[number] ?? 0) + 1
    }
    return term
  }

  #addTerm(kept: Uint8Array, added: Uint8Array): number {
    this.#stem.set(kept)
    this.#stem.set(added, kept.length)
    return this.terms.add(this.#stem, 0, kept.length + added.length)
  }

  /** Writes the postings of all terms (FORMAT.md, "Postings") in the order of their numbers here. */
  writePostings(numbers: Uint32Array) {
    const starts = new Uint32Array(this.terms.size + 1)
    for (const term of this.#terms) starts[term + 1]!++
    for (let term = 0; term < this.terms.size; term++) starts[term + 1]! += starts[term]!
    const next = starts.slice()
    const ordinals = new Uint32Array(this.#count)
    const fieldsAt = new Uint32Array(this.#count)
    for (let ordinal = 0, at = 0; ordinal < this.#ends.length; ordinal++)
      for (const end = this.#ends[ordinal]!; at < end; at++) {
        const place = next[this.#terms[at]!]!++
        ordinals[place] = ordinal
        fieldsAt[place] = this.#fieldsAt[at]!
      }
    const writer = new ByteWriter(4 * this.#count + 1)
    const postingOffsets = new Uint32Array(numbers.length + 1)
    const fields = new ByteReader(this.#fields.view())
    numbers.forEach((number, place) => {
      const [from, to] = [starts[number]!, starts[number + 1]!]
      writeTerm(writer, ordinals.subarray(from, to), fieldsAt.subarray(from, to), fields)
      postingOffsets[place + 1] = writer.size
    })
    return { postings: writer.finish(), postingOffsets }
  }
}

/** Writes the postings of a term: its skills, and where the fields of each are, or 0 where they are plain. */
const writeTerm = (
  writer: ByteWriter,
  ordinals: Uint32Array,
  fieldsAt: Uint32Array,
  fields: ByteReader,
): void => {
  const holders = new Uint32Array(FIELD_NAMES.length)
  for (const at of fieldsAt) {
    const mask = at === 0 ? 1 << PLAIN_FIELD : fields.bytes[at]!
    for (let field = 0; field < holders.length; field++) holders[field]! += (mask >> field) & 1
  }
  writer.number(ordinals.length)
  for (const count of holders) writer.number(count)
  let before = -1
  for (let at = 0; at < ordinals.length; at++) {
    const ordinal = ordinals[at]!
    const from = fieldsAt[at]!
    writer.number(((ordinal - before) << 1) | (from === 0 ? 0 : HAS_FIELDS))
    before = ordinal
    if (from === 0) continue
    fields.at = from
    skipFields(fields)
    writer.bytes(fields.bytes, from, fields.at)
  }
}

/** The first six bytes of a text as one number, which tells most texts apart. */
const readStart = (bytes: Uint8Array): number => {
  let start = 0
  for (let at = 0; at < 6; at++) start = start * 256 + (bytes[at] ?? 0)
  return start
}

export const compareBytes = (a: Uint8Array, b: Uint8Array): number => {
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at++) if (a[at] !== b[at]) return a[at]! - b[at]!
  return a.length - b.length
}

const sortTexts = (texts: TextNumbering): Uint32Array => {
  const starts = Float64Array.from({ length: texts.size }, (_, number) =>
    readStart(texts.read(number)),
  )
  return Uint32Array.from(starts.keys()).sort(
    (a, b) => starts[a]! - starts[b]! || compareBytes(texts.read(a), texts.read(b)),
  )
}

/** Gathers what `encodeAnalysis` wrote for each skill, in the order of their ordinals. */
export const gatherTerms = (analyses: readonly Uint8Array[]) => {
  const lengths = FIELD_NAMES.map(() => new Uint32Array(analyses.length))
  const postings = analyses.reduce((sum, bytes) => sum + new ByteReader(bytes).number(), 0)
  const gatherer = new Gatherer(analyses.length, postings)
  analyses.forEach((bytes, ordinal) => {
    const reader = new ByteReader(bytes)
    const termCount = reader.number()
    for (const of of lengths) of[ordinal] = reader.number()
    gatherer.add(reader, termCount, ordinal)
  })
  const { terms, words, wordTerms, wordHolders } = gatherer
  const sortedTerms = sortTexts(terms)
  const sortedWords = sortTexts(words)
  const places = new Uint32Array(terms.size)
  sortedTerms.forEach((term, place) => (places[term] = place))
  const writer = new StringsWriter()
  for (const term of sortedTerms) writer.add(terms.read(term))
  return {
    terms: writer.finish(),
    ...gatherer.writePostings(sortedTerms),
    words: writeWords(
      Array.from(sortedWords, (word) => words.read(word)),
      Uint32Array.from(sortedWords, (word) => places[wordTerms[word]!]!),
      Uint32Array.from(sortedWords, (word) => wordHolders[word]!),
    ),
    /** The number of distinct terms of each field in each skill. */
    lengths,
  }
}
