import { readFileSync } from 'node:fs'
import { BLOCK } from './format/bytes.ts'
import type { VectorSections } from './vectors.ts'
import { VECTOR_SIZE, WordVectors } from './vectors.ts'

/** What a table of words was made of. */
interface VectorRecipe {
  /** How it was made, in words. */
  recipe: string
  made: string
  /** SHA-256 of the rows that it was learned from, in hex. */
  learnedFrom: string
  skills: number
  authors: number
  words: number
  wordBytes: number
}

/** The table that comes with this version: a line of JSON (`VectorRecipe`), and then its sections. */
export const VECTOR_FILE = new URL('./words.vectors', import.meta.url)

const NEWLINE = 10
/** Bytes of the place of a block, and of a scale. */
const WIDE = 4

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)

/** Joins a recipe and its sections into a file. */
export const writeVectorFile = (recipe: VectorRecipe, sections: VectorSections): Uint8Array => {
  const { vectorWordBytes, vectorWordBlocks, vectorScales, vectorNumbers } = sections
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(recipe)}\n`),
    ...[vectorWordBytes, vectorWordBlocks, vectorScales, vectorNumbers].map(bytesOf),
  ])
}

/** Reads what `writeVectorFile` wrote. */
export const readVectorFile = (
  bytes: Buffer,
): { recipe: VectorRecipe; sections: VectorSections } => {
  const start = bytes.indexOf(NEWLINE)
  const recipe = JSON.parse(bytes.toString('utf8', 0, start)) as VectorRecipe
  const { words, wordBytes } = recipe
  let at = start + 1
  // Arrays of wide numbers cannot begin anywhere, but they can at the start of a copy.
  const take = (size: number): ArrayBuffer =>
    new Uint8Array(bytes.subarray(at, (at += size))).buffer
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
