import { FIELD_NAMES } from '../fields.ts'
import { ByteReader, ByteWriter } from '../format/bytes.ts'
import { TextNumbering } from '../format/numbering.ts'
import type { NameKeys } from './names.ts'
import { ALL_ONCE, PLAIN_FIELD, RICH } from './posting-bits.ts'
import { openStringsWriter } from './string-table.ts'
import type { WrittenStrings } from './string-table.ts'
import { decodeUnits } from './text-bytes.ts'

/** The terms of all skills as the index file has them. */
export interface GatheredTerms {
  terms: WrittenStrings
  postings: Uint8Array<ArrayBuffer>
  /** Where the postings of each term begin, and the end of the last. */
  postingOffsets: Uint32Array<ArrayBuffer>
  words: WrittenStrings
  /** UTF-16 units of each word. */
  wordLengths: Uint8Array<ArrayBuffer>
  /** The place of each word's stem in `terms`. */
  wordTerms: Uint32Array<ArrayBuffer>
  /** Of each field, the distinct terms it has in each skill. */
  lengths: Uint32Array[]
  names: NameKeys[]
}

/** UTF-16 units of a text: each begins with a byte that continues none. */
const countUnits = (bytes: Uint8Array): number => {
  let units = 0
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) units++
  return units
}

const writeSorted = (texts: TextNumbering, numbers: Uint32Array): WrittenStrings => {
  const writer = openStringsWriter()
  for (const number of numbers) writer.add(texts.read(number))
  return writer.finish()
}

const readText = (reader: ByteReader): string => {
  const length = reader.number()
  reader.at += length
  return decodeUnits(reader.bytes, reader.at - length, reader.at)
}

/** Reads the hashes of a name, and leaves its texts until they are asked for: few names share a hash. */
const readName = (reader: ByteReader): NameKeys => {
  const hashes = Array.from({ length: reader.number() }, () => reader.number())
  const { bytes, at } = reader
  for (let text = 0; text < 2; text++) {
    const length = reader.number()
    reader.at += length
  }
  const readTexts = () => {
    const texts = new ByteReader(bytes, at)
    return { spelling: readText(texts), letters: readText(texts) }
  }
  return { hashes, readTexts }
}

/** The first six bytes of a text as one number, by which most texts are told apart. */
const readStart = (bytes: Uint8Array): number => {
  let start = 0
  for (let at = 0; at < 6; at++) start = start * 256 + (bytes[at] ?? 0)
  return start
}

const compareBytes = (a: Uint8Array, b: Uint8Array): number => {
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at++) if (a[at] !== b[at]) return a[at]! - b[at]!
  return a.length - b.length
}

/** The numbers of texts in the order of the texts, and the place of each number in it. */
const sortTexts = (texts: TextNumbering): { numbers: Uint32Array; places: Uint32Array } => {
  const starts = Float64Array.from({ length: texts.size }, (_, number) =>
    readStart(texts.read(number)),
  )
  const numbers = Uint32Array.from(starts.keys()).sort(
    (a, b) => starts[a]! - starts[b]! || compareBytes(texts.read(a), texts.read(b)),
  )
  const places = new Uint32Array(numbers.length)
  numbers.forEach((number, place) => (places[number] = place))
  return { numbers, places }
}

/**
 * Gathers the analyses of skills, given by ordinal, term by term. A posting is two numbers in typed arrays,
 * sorted by counting: at 100,000 skills there are four million.
 */
class Gatherer {
  readonly terms = new TextNumbering()
  readonly words = new TextNumbering()
  /** Term of each word. */
  readonly wordTerms: number[] = []
  /** Of each posting its term, and where its fields are in `fields`; 0 where they are plain. */
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
    // So that no fields are at 0.
    this.#fields.byte(0)
  }

  add(reader: ByteReader, count: number, ordinal: number): void {
    const { bytes } = reader
    for (let left = count; left > 0; left--) {
      const header = reader.number()
      let fieldsAt = 0
      if (header & RICH) {
        fieldsAt = this.#fields.size
        const from = reader.at
        passFields(reader)
        this.#fields.bytes(bytes, from, reader.at)
      }
      this.#fieldsAt[this.#count] = fieldsAt
      this.#terms[this.#count++] = this.#addWords(reader, header >>> 1)
    }
    this.#ends[ordinal] = this.#count
  }

  /** Reads the words of a term, and gives the number of the term. */
  #addWords(reader: ByteReader, count: number): number {
    let term = -1
    for (let word = 0; word < count; word++) {
      const length = reader.byte()
      const from = reader.at
      reader.at += length
      const known = this.words.size
      const number = this.words.add(reader.bytes, from, reader.at)
      if (word === 0) {
        const cut = reader.number()
        const added = reader.byte()
        if (number < known) term = this.wordTerms[number]!
        else term = this.#addTerm(reader.bytes, from, length - cut, reader.at, added)
        reader.at += added
      }
      if (number === known) this.wordTerms.push(term)
    }
    return term
  }

  #addTerm(bytes: Uint8Array, from: number, kept: number, addedAt: number, added: number): number {
    this.#stem.set(bytes.subarray(from, from + kept))
    this.#stem.set(bytes.subarray(addedAt, addedAt + added), kept)
    return this.terms.add(this.#stem, 0, kept + added)
  }

  /** Writes the postings of all terms (FORMAT.md, "Postings") in the order of `numbers`. */
  writePostings(numbers: Uint32Array): Pick<GatheredTerms, 'postings' | 'postingOffsets'> {
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
    const writer = new ByteWriter(4 * this.#count)
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

const passFields = (reader: ByteReader): void => {
  const mask = reader.byte()
  if (!(mask & ALL_ONCE))
    for (let rest = mask & (ALL_ONCE - 1); rest !== 0; rest &= rest - 1) reader.number()
}

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
    writer.number(((ordinal - before) << 1) | (from === 0 ? 0 : RICH))
    before = ordinal
    if (from === 0) continue
    fields.at = from
    passFields(fields)
    writer.bytes(fields.bytes, from, fields.at)
  }
}

/** Gathers what `encodeAnalysis` wrote of each skill, in the order of their ordinals. */
export const gatherTerms = (analyses: readonly Uint8Array[]): GatheredTerms => {
  const lengths = FIELD_NAMES.map(() => new Uint32Array(analyses.length))
  const postings = analyses.reduce((sum, bytes) => sum + new ByteReader(bytes).number(), 0)
  const gatherer = new Gatherer(analyses.length, postings)
  const names = analyses.map((bytes, ordinal) => {
    const reader = new ByteReader(bytes)
    const terms = reader.number()
    for (const of of lengths) of[ordinal] = reader.number()
    const name = readName(reader)
    gatherer.add(reader, terms, ordinal)
    return name
  })
  const terms = sortTexts(gatherer.terms)
  const words = sortTexts(gatherer.words)
  return {
    terms: writeSorted(gatherer.terms, terms.numbers),
    ...gatherer.writePostings(terms.numbers),
    words: writeSorted(gatherer.words, words.numbers),
    wordLengths: Uint8Array.from(words.numbers, (word) => countUnits(gatherer.words.read(word))),
    wordTerms: Uint32Array.from(words.numbers, (word) => terms.places[gatherer.wordTerms[word]!]!),
    lengths,
    names,
  }
}
