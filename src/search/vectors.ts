import { StringTable } from './format/bytes.ts'
import { splitCompounds, stemWord } from './tokens.ts'

/** Numbers of a vector, one byte each. */
export const VECTOR_SIZE = 64

/** Vectors are scaled to this length before they are rounded to bytes. */
const UNIT = 256

/**
 * Larger numbers of a vector are cut to this value. In some languages, such as Japanese, nearly all words point in one
 * direction. Because of the cut, this direction alone gives a nearness of at most (LARGEST / UNIT) ** 2, a quarter.
 */
const LARGEST = 127

/** A table of word vectors as it is stored (FORMAT.md, "Vectors"). */
export interface VectorSections {
  vectorWordBytes: Uint8Array<ArrayBuffer>
  vectorWordBlocks: Uint32Array<ArrayBuffer>
  vectorScales: Float32Array<ArrayBuffer>
  vectorNumbers: Int8Array<ArrayBuffer>
}

/** Stems, and how many times each counts. */
type WeighedStems = readonly [stems: readonly string[], times: number]

export const readStems = (text: string): string[] =>
  splitCompounds(text).flatMap((compound) => compound.map((word) => stemWord(word.text)))

/** How many times a word of the name counts; a word of the description counts once. */
const NAME_TIMES = 2

/** Returns the nearness of two vectors: their cosine if no number was cut, 0 for zeros. `b` starts at `from`. */
export const findNearness = (a: Int8Array, b: Int8Array, from = 0): number => {
  let sum = 0
  for (let at = 0; at < VECTOR_SIZE; at++) sum += a[at]! * b[from + at]!
  return sum / UNIT ** 2
}

const roundVector = (vector: Float64Array): Int8Array => {
  const length = Math.sqrt(vector.reduce((sum, number) => sum + number ** 2, 0))
  if (length === 0) return new Int8Array(VECTOR_SIZE)
  return Int8Array.from(vector, (number) => {
    const rounded = Math.round((UNIT * number) / length)
    return Math.max(-LARGEST, Math.min(LARGEST, rounded))
  })
}

/** Words with their vectors. The rarer a word, the longer its vector. */
export class WordVectors {
  readonly #stems: StringTable
  readonly #scales: Float32Array
  readonly #numbers: Int8Array

  constructor({ vectorWordBytes, vectorWordBlocks, vectorScales, vectorNumbers }: VectorSections) {
    this.#stems = new StringTable(vectorWordBytes, vectorWordBlocks, vectorScales.length)
    this.#scales = vectorScales
    this.#numbers = vectorNumbers
  }

  has(stem: string): boolean {
    return this.#stems.find(stem) !== -1
  }

  /** Returns the direction of the sum of the words' vectors; all zeros if no word is known. */
  #addUp(parts: readonly WeighedStems[]): Int8Array {
    const sum = new Float64Array(VECTOR_SIZE)
    for (const [stems, times] of parts)
      for (const stem of stems) {
        const word = this.#stems.find(stem)
        if (word === -1) continue
        const scale = times * this.#scales[word]!
        const from = word * VECTOR_SIZE
        for (let at = 0; at < VECTOR_SIZE; at++) sum[at]! += scale * this.#numbers[from + at]!
      }
    return roundVector(sum)
  }

  ofStems(stems: readonly string[]): Int8Array {
    return this.#addUp([[stems, 1]])
  }

  ofSkill({ name, description }: { name: string; description: string }): Int8Array {
    return this.#addUp([
      [readStems(name), NAME_TIMES],
      [readStems(description), 1],
    ])
  }
}

/** Packs vectors of `VECTOR_SIZE` numbers, stored one after the other. Each is rounded to bytes with its own scale. */
export const packVectors = (
  vectors: Float64Array,
): Pick<VectorSections, 'vectorScales' | 'vectorNumbers'> => {
  const vectorScales = new Float32Array(vectors.length / VECTOR_SIZE)
  const vectorNumbers = new Int8Array(vectors.length)
  for (let word = 0; word < vectorScales.length; word++) {
    const vector = vectors.subarray(word * VECTOR_SIZE, (word + 1) * VECTOR_SIZE)
    const largest = vector.reduce((most, number) => Math.max(most, Math.abs(number)), 0)
    vectorScales[word] = largest / LARGEST
    vectorNumbers.set(
      vector.map((number) => Math.round(number / (vectorScales[word]! || 1))),
      word * VECTOR_SIZE,
    )
  }
  return { vectorScales, vectorNumbers }
}
