import { foldText } from '../tokens.ts'
import type { Sections } from './layout.ts'

/** How a query names a skill: letter for letter, apart from separators or accents, or not at all. */
export const NAMED = { letterForLetter: 2, otherwiseSpelled: 1, not: 0 } as const

/** The forms of a name by which it is found and compared. */
export interface NameKeys {
  /** The name in lower case without blanks around it. */
  letters: string
  /** The name without what people write differently: case, accents, blanks, hyphens, dots. */
  spelling: string
  /** Hashes under which the name is stored. Names of the same letters or spelling share one. */
  hashes: readonly number[]
}

const toSpelling = (name: string): string =>
  foldText(name)
    .toLowerCase()
    .replace(/[\s\-_./:]+/gu, '')

/** Hashes a text, unit by unit (FNV-1a). */
const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

/** Makes the keys of a name, or of a query that may be one. */
export const readNameKeys = (name: string): NameKeys => {
  const letters = name.trim().toLowerCase()
  const spelling = toSpelling(name)
  const texts = [toSpelling(letters) || letters, spelling].filter((text) => text !== '')
  return { letters, spelling, hashes: [...new Set(texts.map(hashText))] }
}

/** Set in the ordinal of the first of several names with the same letters. */
const NEW_LETTERS = 2 ** 31

/** The keys of a skill's name, of which the texts are read only if another name has the same hash. */
interface LazyNameKeys {
  hashes: readonly number[]
  readTexts: () => Pick<NameKeys, 'letters' | 'spelling'>
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Writes the lookup of skills by name (FORMAT.md, "Names"), given in the order of their ordinals. */
export const writeNames = (
  names: readonly LazyNameKeys[],
): Pick<Sections, 'nameHashes' | 'nameOrdinals'> => {
  const known: ReturnType<LazyNameKeys['readTexts']>[] = []
  const compareTexts = (one: number, other: number): number => {
    const a = (known[one] ??= names[one]!.readTexts())
    const b = (known[other] ??= names[other]!.readTexts())
    return compareText(a.spelling, b.spelling) || compareText(a.letters, b.letters)
  }
  const entries = names
    .flatMap(({ hashes }, ordinal) => hashes.map((hash) => ({ hash, ordinal })))
    .sort((a, b) => a.hash - b.hash || compareTexts(a.ordinal, b.ordinal) || a.ordinal - b.ordinal)
  return {
    nameHashes: Uint32Array.from(entries, ({ hash }) => hash),
    nameOrdinals: Uint32Array.from(entries, ({ hash, ordinal }, at) => {
      const before = entries[at - 1]
      const isNamesake = before?.hash === hash && compareTexts(before.ordinal, ordinal) === 0
      return isNamesake ? ordinal : ordinal + NEW_LETTERS
    }),
  }
}

/** The lookup of skills by name. */
export class NameTable {
  readonly #hashes: Uint32Array
  readonly #ordinals: Uint32Array
  readonly #readName: (ordinal: number) => string

  constructor(
    { nameHashes, nameOrdinals }: Pick<Sections, 'nameHashes' | 'nameOrdinals'>,
    readName: (ordinal: number) => string,
  ) {
    this.#hashes = nameHashes
    this.#ordinals = nameOrdinals
    this.#readName = readName
  }

  /** The ordinals of the skills that a query names, each with one of `NAMED`. */
  find(q: string): Map<number, number> {
    const wanted = readNameKeys(q)
    const named = new Map<number, number>()
    for (const hash of wanted.hashes) {
      let certainty: number = NAMED.not
      for (let at = this.#findFirst(hash); this.#hashes[at] === hash; at++) {
        const entry = this.#ordinals[at]!
        const ordinal = entry % NEW_LETTERS
        // A hash proves nothing, so the name is read, once for all namesakes.
        if (entry >= NEW_LETTERS) certainty = compareNames(wanted, this.#readName(ordinal))
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

const compareNames = (wanted: NameKeys, name: string): number => {
  const { letters, spelling } = readNameKeys(name)
  if (letters === wanted.letters) return NAMED.letterForLetter
  return spelling !== '' && spelling === wanted.spelling ? NAMED.otherwiseSpelled : NAMED.not
}
