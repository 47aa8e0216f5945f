import { ByteWriter, encodeUnits } from '../format/bytes.ts'
import type { Sections } from '../format/layout.ts'
import { BLOCK, StringsWriter } from '../format/strings.ts'
import { Vocabulary } from '../read/vocabulary.ts'
import type { WordSections } from '../read/vocabulary.ts'

/** UTF-16 units of an encoded word: each begins with a byte that is not a continuation byte. */
const countUnits = (encoded: Uint8Array): number => {
  let units = 0
  for (const byte of encoded) if ((byte & 0xc0) !== 0x80) units++
  return units
}

/** Writes encoded words, distinct and in order, each with the number of its term and how many skills have it. */
export const writeWords = (
  words: readonly Uint8Array[],
  wordTerms: Uint32Array<ArrayBuffer>,
  holders: Uint32Array,
): WordSections & Pick<Sections, 'wordHolders'> => {
  const writer = new StringsWriter()
  for (const word of words) writer.add(word)
  const { bytes, blocks, least } = writer.finish()
  const wordLengths = Uint8Array.from(words, countUnits)
  const wordLongest = new Uint8Array(blocks.length)
  wordLengths.forEach((length, word) => {
    const block = Math.floor(word / BLOCK)
    wordLongest[block] = Math.max(wordLongest[block]!, length)
  })
  const wordHolders = new ByteWriter()
  for (const count of holders) wordHolders.number(count)
  return {
    wordBytes: bytes,
    wordBlocks: blocks,
    wordLeast: least,
    wordLongest,
    wordTerms,
    wordLengths,
    wordHolders: wordHolders.finish(),
  }
}

/** A vocabulary of the given words, all of them of one term. */
export const packVocabulary = (words: readonly string[]): Vocabulary => {
  const sorted = [...new Set(words)].sort()
  const none = new Uint32Array(sorted.length)
  return new Vocabulary(writeWords(sorted.map(encodeUnits), none, none))
}
