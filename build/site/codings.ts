import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { CODED_ENDINGS, isCoded } from '../../src/api/policies.ts'
import { Tree } from './tree.ts'
import type { Written } from './tree.ts'

/** File names of the precompressed forms. */
export const listCodedNames = (names: readonly string[]): string[] =>
  names.filter(isCoded).flatMap((name) => CODED_ENDINGS.map((ending) => name + ending))

/** The Node host's settings: brotli costs a third more than gzip, and a window of 256 KiB holds any page. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 18 },
}

const CODERS: Record<(typeof CODED_ENDINGS)[number], (bytes: Buffer) => Buffer> = {
  '.br': (bytes) => brotliCompressSync(bytes, BROTLI),
  '.gz': (bytes) => gzipSync(bytes),
}

/** Writes the precompressed forms of a file beside it. */
export const writeCoded = (folder: string, name: string): Written => {
  const bytes = readFileSync(join(folder, name))
  const tree = new Tree(folder, false)
  for (const ending of CODED_ENDINGS) tree.place(name + ending, CODERS[ending](bytes))
  return tree.takeWritten()
}
