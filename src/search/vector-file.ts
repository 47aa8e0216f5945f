import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { BLOCK } from './format/bytes.ts'
import type { VectorSections } from './vectors.ts'
import { VECTOR_SIZE, WordVectors } from './vectors.ts'

/** How, when and from which data a table of word vectors was made. */
interface VectorRecipe {
  /** The method, for people. */
  recipe: string
  made: string
  /** SHA-256 of the training rows, in hex. */
  learnedFrom: string
  skills: number
  authors: number
  words: number
  wordBytes: number
  /** SHA-256 of the sections, in hex. */
  sha256: string
}

/** The file of word vectors is damaged. */
export class InvalidVectorsError extends Error {
  override readonly name = 'InvalidVectorsError'

  constructor(reason: string) {
    super(
      `The word vectors in words.vectors are damaged: ${reason}; install the registry again, or run \`git checkout src/search\``,
    )
  }
}

/** The word vectors of this version: a line of JSON (`VectorRecipe`), then the sections. */
export const VECTOR_FILE = new URL('./words.vectors', import.meta.url)

const NEWLINE = 10
/** Bytes of a block's offset, and of a scale. */
const WIDE = 4

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)

/** Joins a recipe and its sections into a file. */
export const writeVectorFile = (
  recipe: Omit<VectorRecipe, 'sha256'>,
  sections: VectorSections,
): Uint8Array => {
  const { vectorWordBytes, vectorWordBlocks, vectorScales, vectorNumbers } = sections
  const parts = [vectorWordBytes, vectorWordBlocks, vectorScales, vectorNumbers].map(bytesOf)
  const body = Buffer.concat(parts)
  const line = JSON.stringify({ ...recipe, sha256: hash('sha256', body) })
  return Buffer.concat([Buffer.from(`${line}\n`), body])
}

const readRecipe = (line: string): VectorRecipe => {
  try {
    return JSON.parse(line) as VectorRecipe
  } catch {
    throw new InvalidVectorsError('its first line is not JSON')
  }
}

/** Reads the output of `writeVectorFile`. Throws InvalidVectorsError if a byte was changed or is missing. */
export const readVectorFile = (
  bytes: Buffer,
): { recipe: VectorRecipe; sections: VectorSections } => {
  const start = bytes.indexOf(NEWLINE)
  const recipe = readRecipe(bytes.toString('utf8', 0, start))
  const { words, wordBytes, sha256 } = recipe
  const body = bytes.subarray(start + 1)
  if (hash('sha256', body) !== sha256)
    throw new InvalidVectorsError(`SHA-256 of its ${body.length} bytes is not ${sha256}`)
  let at = 0
  // Copied, because an array of wide numbers must start at an aligned offset.
  const take = (size: number): ArrayBuffer => new Uint8Array(body.subarray(at, (at += size))).buffer
  const sections = {
    vectorWordBytes: new Uint8Array(take(wordBytes)),
    vectorWordBlocks: new Uint32Array(take(WIDE * Math.ceil(words / BLOCK))),
    vectorScales: new Float32Array(take(WIDE * words)),
    vectorNumbers: new Int8Array(take(VECTOR_SIZE * words)),
  }
  return { recipe, sections }
}

let shipped: VectorSections | undefined
/** The sections of the shipped table, read once. */
export const readShippedVectors = (): VectorSections =>
  (shipped ??= readVectorFile(readFileSync(VECTOR_FILE)).sections)

let words: WordVectors | undefined
export const openShippedVectors = (): WordVectors =>
  (words ??= new WordVectors(readShippedVectors()))
