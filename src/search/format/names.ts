import { foldText } from '../tokens.ts'
import { hashText } from './bytes.ts'
import type { Sections } from './layout.ts'

/** How a query matches a name: exactly, except for separators or accents, or not at all. */
export const NAMED = { letterForLetter: 2, otherwiseSpelled: 1, not: 0 } as const

/** The forms of a name used for lookup and comparison. */
interface NameKeys {
  /** The name in lower case without blanks around it. */
  letters: string
  /** The name without case, accents, blanks, hyphens and dots, which people write differently. */
  spelling: string
  /** Hashes under which the name is stored. Names of the same letters or spelling share one. */
  hashes: readonly number[]
}

const toSpelling = (name: string): string =>
  foldText(name)
    .toLowerCase()
    .replace(/[\s\-_./:]+/gu, '')

/** Makes the keys of a name, or of a query that may be one. */
export const readNameKeys = (name: string): NameKeys => {
  const letters = name.trim().toLowerCase()
  const spelling = toSpelling(name)
  const texts = [toSpelling(letters) || letters, spelling].filter((text) => text !== '')
  return { letters, spelling, hashes: [...new Set(texts.map(hashText))] }
}

/** Set in the ordinal of the first of several names with the same letters. */
const NEW_LETTERS = 2 ** 31

type NameSections = Pick<Sections, 'nameHashes' | 'nameOrdinals'>

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Writes the lookup of skills by name (FORMAT.md, "Names") of skills in the order of their ordinals. */
export const writeNames = (names: readonly NameKeys[]): NameSections => {
  const entries = names
    .flatMap((keys, ordinal) => keys.hashes.map((hash) => ({ ...keys, hash, ordinal })))
    .sort(
      (a, b) =>
        a.hash - b.hash ||
        compareText(a.spelling, b.spelling) ||
        compareText(a.letters, b.letters) ||
        a.ordinal - b.ordinal,
    )
  return {
    nameHashes: Uint32Array.from(entries, ({ hash }) => hash),
    nameOrdinals: Uint32Array.from(entries, ({ hash, spelling, letters, ordinal }, at) => {
      const before = entries[at - 1]
      const isNamesake =
        before?.hash === hash && before.spelling === spelling && before.letters === letters
      return isNamesake ? ordinal : ordinal + NEW_LETTERS
    }),
  }
}

export class NameTable {
  readonly #hashes: Uint32Array
  readonly #ordinals: Uint32Array
  readonly #readName: (ordinal: number) => string

  constructor({ nameHashes, nameOrdinals }: NameSections, readName: (ordinal: number) => string) {
    this.#hashes = nameHashes
    this.#ordinals = nameOrdinals
    this.#readName = readName
  }

  /** The ordinals of the skills that a query names, each with one of `NAMED`. */
  find(q: string): Map<number, number> {
    const keys = readNameKeys(q)
    const named = new Map<number, number>()
    for (const hash of keys.hashes) {
      let certainty: number = NAMED.not
      for (let at = this.#findFirst(hash); this.#hashes[at] === hash; at++) {
        const entry = this.#ordinals[at]!
        const ordinal = entry % NEW_LETTERS
        // A hash proves nothing, so the name is read, once for all namesakes.
        if (entry >= NEW_LETTERS) certainty = compareNames(keys, this.#readName(ordinal))
        if (certainty !== NAMED.not) named.set(ordinal, certainty)
      }
    }
    return named
  }

  #findFirst(hash: number): number {
    let low = 0
    let high = this.#hashes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#hashes[middle]! < hash) low = middle + 1
      else high = middle
    }
    return low
  }
}

const compareNames = (keys: NameKeys, name: string): number => {
  const { letters, spelling } = readNameKeys(name)
  if (letters === keys.letters) return NAMED.letterForLetter
  return spelling !== '' && spelling === keys.spelling ? NAMED.otherwiseSpelled : NAMED.not
}
