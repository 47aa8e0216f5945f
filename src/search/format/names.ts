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

/** Skills under one hash with the same letters; texts are compared only if another run has that hash. */
interface NameRun {
  hash: number
  ordinals: number[]
  readKeys: () => Pick<NameKeys, 'letters' | 'spelling'>
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const compareRuns = (a: NameRun, b: NameRun): number => {
  if (a.hash !== b.hash) return a.hash - b.hash
  const [one, other] = [a.readKeys(), b.readKeys()]
  return compareText(one.spelling, other.spelling) || compareText(one.letters, other.letters)
}

const writeRuns = (unsorted: NameRun[]): NameSections => {
  const runs = unsorted.sort(compareRuns)
  const hashes: number[] = []
  const entries: number[] = []
  for (let from = 0, to = 1; from < runs.length; from = to++) {
    const first = runs[from]!
    while (to < runs.length && compareRuns(first, runs[to]!) === 0) to++
    const ordinals = runs.slice(from, to).flatMap((run) => run.ordinals)
    ordinals.sort((a, b) => a - b)
    ordinals.forEach((ordinal, at) => {
      hashes.push(first.hash)
      entries.push(at === 0 ? ordinal + NEW_LETTERS : ordinal)
    })
  }
  return { nameHashes: Uint32Array.from(hashes), nameOrdinals: Uint32Array.from(entries) }
}

/** Writes the lookup of skills by name (FORMAT.md, "Names") of skills in the order of their ordinals. */
export const writeNames = (names: readonly NameKeys[]): NameSections =>
  writeRuns(
    names.flatMap((keys, ordinal) =>
      keys.hashes.map((hash) => ({ hash, ordinals: [ordinal], readKeys: () => keys })),
    ),
  )

/** Joins lookups, each with what gives the new ordinals of its skills: -1 for those that are gone. */
export const joinNames = (
  lookups: readonly { names: NameSections; renumber: (ordinal: number) => number }[],
  readName: (ordinal: number) => string,
): NameSections => {
  const runs: NameRun[] = []
  for (const { names, renumber } of lookups) {
    names.nameOrdinals.forEach((entry, at) => {
      if (entry >= NEW_LETTERS) {
        const ordinals: number[] = []
        const readKeys = () => readNameKeys(readName(ordinals[0]!))
        runs.push({ hash: names.nameHashes[at]!, ordinals, readKeys })
      }
      const ordinal = renumber(entry % NEW_LETTERS)
      if (ordinal !== -1) runs.at(-1)!.ordinals.push(ordinal)
    })
  }
  return writeRuns(runs.filter(({ ordinals }) => ordinals.length > 0))
}

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
