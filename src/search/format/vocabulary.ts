import { EditTable } from '../../catalog/edits.ts'
import { BLOCK, StringTable, readUnit, unitWidth, writeStrings } from './bytes.ts'
import type { Sections } from './layout.ts'
import { isUnspaced } from '../tokens.ts'

/** A shorter prefix is not completed: too many words start with a single character. */
const SHORTEST_PREFIX = 2

/** Edits allowed in a word of at least `length` characters. */
export const ALLOWED_EDITS = [
  { length: 8, edits: 2 },
  { length: 4, edits: 1 },
] as const

/** Whether longer words that start with a text are searched, too. */
export const canBeCompleted = (text: string): boolean =>
  text.length >= SHORTEST_PREFIX || isUnspaced(text)

/** Returns the maximum number of edits between a typed word and its correction. */
export const allowEdits = (word: string): number =>
  isUnspaced(word) || !/\p{L}/u.test(word)
    ? 0
    : (ALLOWED_EDITS.find(({ length }) => word.length >= length)?.edits ?? 0)

/** Lists a word's variants with two neighbouring characters swapped, the most common typing error. */
export const swapNeighbours = (word: string): string[] =>
  Array.from(
    { length: word.length - 1 },
    (_, at) => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
  )

/** The words of an index, before stemming. */
type WordSections = Pick<
  Sections,
  'wordBytes' | 'wordBlocks' | 'wordLeast' | 'wordLongest' | 'wordTerms' | 'wordLengths'
>

const NONE = [0, 0] as const

/** The words of all skills before stemming, by number, and the term of each word. */
export class Vocabulary {
  readonly size: number
  readonly #sections: WordSections
  readonly #table: StringTable

  constructor(sections: WordSections) {
    this.size = sections.wordLengths.length
    this.#sections = sections
    this.#table = new StringTable(sections.wordBytes, sections.wordBlocks, this.size)
  }

  /** UTF-16 units of a word. */
  lengthOf(word: number): number {
    return this.#sections.wordLengths[word] ?? 0
  }

  termOf(word: number): number {
    return this.#sections.wordTerms[word] ?? 0
  }

  read(word: number): string {
    return this.#table.read(word)
  }

  /** Returns the range of longer words that start with a text; its end is exclusive. */
  complete(prefix: string): readonly [number, number] {
    if (!canBeCompleted(prefix)) return NONE
    const [from, to] = this.#table.findPrefix(prefix)
    // If the prefix itself is a word, it comes first.
    return from < to && this.lengthOf(from) === prefix.length ? [from + 1, to] : [from, to]
  }

  /** Returns the known words nearest to an unknown word, all with the same distance in edits. */
  correct(word: string): readonly number[] {
    const edits = allowEdits(word)
    if (edits === 0) return []
    const swapped = swapNeighbours(word)
      .filter((variant) => variant !== word)
      .map((variant) => this.#table.find(variant))
      .filter((number) => number !== -1)
    const nearest = [...new Set([...this.#findNear(word, 1), ...swapped])]
    return nearest.length > 0 || edits === 1 ? nearest : this.#findNear(word, 2)
  }

  #findNear(word: string, edits: number): number[] {
    return new NearWords(this.#sections, word, edits).find()
  }
}

/** More bytes than any word has: the value of `#tooFar` while no part of a word is too far away. */
const NEVER = 256

/**
 * Finds the words within some edits of an unknown word. The words are sorted, and each states how many bytes it shares
 * with the previous word: the rows of the edit table for these bytes are reused, and words whose start is already too
 * far away are skipped.
 *
 *     dockor          the unknown word; at most 1 edit is allowed
 *     docker          fills 6 rows; found
 *     dockerfile      shares 6 bytes, reuses 6 rows; too far away after 7
 *     document        shares 3 bytes, reuses 3 rows; too far away after 5
 *     documentation   shares 8 bytes, more than 5: skipped
 */
class NearWords {
  readonly #sections: WordSections
  readonly #table: EditTable
  readonly #edits: number
  readonly #shortest: number
  readonly #longest: number
  /** The bytes of the last word, and for each byte with a row, the number of UTF-16 units before it. */
  readonly #text = new Uint8Array(256)
  readonly #unitsBefore = new Uint8Array(256)
  readonly #found: number[] = []
  /** Number of bytes of the last word that have rows. */
  #valid = 0
  /** A word that shares at least this many bytes with the previous word is too far away as well. */
  #tooFar = NEVER

  constructor(sections: WordSections, word: string, edits: number) {
    this.#sections = sections
    this.#table = new EditTable(word, edits)
    this.#edits = edits
    this.#shortest = word.length - edits
    this.#longest = word.length + edits
  }

  /** Returns the numbers of the words, ascending. */
  find(): number[] {
    const { wordLeast, wordLongest } = this.#sections
    for (let block = 0; block < wordLeast.length; block++) {
      const shared = wordLeast[block]!
      if (shared >= this.#tooFar) continue
      if (wordLongest[block]! >= this.#shortest) this.#readBlock(block)
      else this.#share(shared)
    }
    return this.#found
  }

  /** Keeps only the rows for the bytes shared with the previous word. */
  #share(bytes: number): void {
    this.#valid = Math.min(this.#valid, bytes)
    this.#tooFar = NEVER
  }

  #readBlock(block: number): void {
    const { wordBytes: bytes, wordBlocks, wordLengths } = this.#sections
    const text = this.#text
    const last = Math.min((block + 1) * BLOCK, wordLengths.length)
    let at = wordBlocks[block]!
    for (let number = block * BLOCK; number < last; number++) {
      const shared = bytes[at]!
      const added = bytes[at + 1]!
      const from = number % BLOCK === 0 ? 0 : shared
      at += 2
      const isFar = shared >= this.#tooFar
      if (!isFar || from === 0)
        for (let place = 0; place < added; place++) text[from + place] = bytes[at + place]!
      at += added
      if (isFar) continue
      this.#share(shared)
      const length = wordLengths[number]!
      if (length < this.#shortest) continue
      this.#tooFar = this.#fillRows(from + added)
      if (this.#tooFar < NEVER) continue
      const distance = this.#table.distanceAt(length)
      if (distance > 0 && distance <= this.#edits) this.#found.push(number)
    }
  }

  /** Fills the missing rows of a word of `size` bytes. Returns the number of bytes after which it is too far away. */
  #fillRows(size: number): number {
    let unit = this.#unitsBefore[this.#valid]!
    while (this.#valid < size) {
      if (unit === this.#longest) return this.#valid + 1
      const letter = readUnit(this.#text, this.#valid)
      this.#valid += unitWidth(this.#text[this.#valid]!)
      this.#unitsBefore[this.#valid] = ++unit
      if (this.#table.fill(unit - 1, letter) > this.#edits) return this.#valid
    }
    return NEVER
  }
}

/** Writes distinct, sorted words, each with the number of its term. */
export const writeWords = (
  words: readonly string[],
  wordTerms: Uint32Array<ArrayBuffer>,
): WordSections => {
  const { bytes, blocks, least } = writeStrings(words)
  const wordLengths = Uint8Array.from(words, ({ length }) => length)
  const wordLongest = new Uint8Array(blocks.length)
  wordLengths.forEach((length, word) => {
    const block = Math.floor(word / BLOCK)
    wordLongest[block] = Math.max(wordLongest[block]!, length)
  })
  return {
    wordBytes: bytes,
    wordBlocks: blocks,
    wordLeast: least,
    wordLongest,
    wordTerms,
    wordLengths,
  }
}

/** Makes a vocabulary to correct words with; all of its words have term 0. */
export const packVocabulary = (words: readonly string[]): Vocabulary => {
  const sorted = [...new Set(words)].sort()
  return new Vocabulary(writeWords(sorted, new Uint32Array(sorted.length)))
}
