import { NAMED, toLetters, toSpelling } from '../exact-name.ts'
import type { FindNamed } from '../exact-name.ts'
import type { Sections } from './layout.ts'

/** Set in an ordinal where it begins names of other letters than those before. */
const NEW_LETTERS = 2 ** 31
/** The bits of an ordinal beside that mark. */
const ORDINAL = NEW_LETTERS - 1

/** Hashes a text, unit by unit (FNV-1a). */
const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

/** Texts under one of which a name is found: equal letters give one in common, and so do equal spellings. */
const listKeys = (name: string): string[] => {
  const letters = toLetters(name)
  return [...new Set([toSpelling(letters) || letters, toSpelling(name)])].filter(
    (key) => key !== '',
  )
}

interface Entry {
  hash: number
  spelling: string
  letters: string
  ordinal: number
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const byPlace = (a: Entry, b: Entry): number =>
  a.hash - b.hash ||
  compareText(a.spelling, b.spelling) ||
  compareText(a.letters, b.letters) ||
  a.ordinal - b.ordinal

/** The lookup of skills by name as it stands in a file. */
interface WrittenNames {
  hashes: Uint32Array<ArrayBuffer>
  ordinals: Uint32Array<ArrayBuffer>
}

/** Hashes under which a name is entered: of its spelling, and of its letters where nothing is left. */
export const listNameHashes = (name: string): number[] => [...new Set(listKeys(name).map(hashText))]

const toEntry = (hash: number, name: string, ordinal: number): Entry => ({
  hash,
  spelling: toSpelling(name),
  letters: toLetters(name),
  ordinal,
})

const writeEntries = (entries: Entry[]): WrittenNames => {
  entries.sort(byPlace)
  const marks = entries.map((entry, at) => {
    const before = entries[at - 1]
    const isSame =
      before?.hash === entry.hash &&
      before.spelling === entry.spelling &&
      before.letters === entry.letters
    return isSame ? entry.ordinal : entry.ordinal + NEW_LETTERS
  })
  return {
    hashes: Uint32Array.from(entries, ({ hash }) => hash),
    ordinals: Uint32Array.from(marks),
  }
}

/** What a name is entered and compared by. */
export interface NameKeys {
  hashes: readonly number[]
  readTexts: () => { spelling: string; letters: string }
}

/** An entry whose texts are read when it meets another of the same hash, which few do. */
class LazyEntry implements Entry {
  readonly hash: number
  readonly ordinal: number
  readonly #readTexts: NameKeys['readTexts']
  #texts: ReturnType<NameKeys['readTexts']> | undefined

  constructor(hash: number, ordinal: number, readTexts: NameKeys['readTexts']) {
    this.hash = hash
    this.ordinal = ordinal
    this.#readTexts = readTexts
  }

  get spelling(): string {
    return (this.#texts ??= this.#readTexts()).spelling
  }

  get letters(): string {
    return (this.#texts ??= this.#readTexts()).letters
  }
}

/** Writes the lookup of skills by name; the place of a name's keys is its ordinal. */
export const writeNames = (names: readonly NameKeys[]): WrittenNames =>
  writeEntries(
    names.flatMap(({ hashes, readTexts }, ordinal) =>
      hashes.map((hash) => new LazyEntry(hash, ordinal, readTexts)),
    ),
  )

/** Names that left a lookup and came to it, and where its other skills are now. */
export interface MovedNames {
  leaving: readonly string[]
  /** By new ordinal. */
  coming: ReadonlyMap<number, string>
  /** New ordinal of each old one; -1 of those that left. */
  moved: Int32Array
  /** Asked only for names that have a hash in common with those that left or came. */
  readName: (oldOrdinal: number) => string
}

/** Writes an older lookup anew; where no name of a hash left or came, the order under it stays. */
export const moveNames = (
  { nameHashes, nameOrdinals }: Pick<Sections, 'nameHashes' | 'nameOrdinals'>,
  { leaving, coming, moved, readName }: MovedNames,
): WrittenNames => {
  const touched = new Set([...leaving, ...coming.values()].flatMap(listNameHashes))
  const entries = [...coming].flatMap(([ordinal, name]) =>
    listNameHashes(name).map((hash) => toEntry(hash, name, ordinal)),
  )
  const others: number[] = []
  for (let at = 0; at < nameHashes.length; at++) {
    if (!touched.has(nameHashes[at]!)) others.push(at)
    else {
      const ordinal = nameOrdinals[at]! & ORDINAL
      const place = moved[ordinal] ?? -1
      if (place !== -1) entries.push(toEntry(nameHashes[at]!, readName(ordinal), place))
    }
  }
  const written = writeEntries(entries)
  const hashes = new Uint32Array(others.length + entries.length)
  const ordinals = new Uint32Array(hashes.length)
  let next = 0
  for (let at = 0, other = 0; at < hashes.length; at++) {
    const from = others[other]
    if (from === undefined || (written.hashes[next] ?? Infinity) < nameHashes[from]!) {
      hashes[at] = written.hashes[next]!
      ordinals[at] = written.ordinals[next++]!
    } else {
      const mark = nameOrdinals[from]!
      hashes[at] = nameHashes[from]!
      ordinals[at] = (moved[mark & ORDINAL] ?? 0) + (mark & NEW_LETTERS ? NEW_LETTERS : 0)
      other += 1
    }
  }
  return { hashes, ordinals }
}

/** Opens the lookup; `readName` is asked once for all namesakes, as a hash alone proves nothing. */
export const openPackedNames = (
  { nameHashes, nameOrdinals }: Sections,
  readName: (ordinal: number) => string,
): FindNamed => {
  const findFirst = (hash: number): number => {
    let low = 0
    let high = nameHashes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((nameHashes[middle] ?? 0) < hash) low = middle + 1
      else high = middle
    }
    return low
  }

  return (q) => {
    const letters = toLetters(q)
    const spelling = toSpelling(q)
    const named = new Map<number, number>()
    for (const hash of new Set(listKeys(q).map(hashText))) {
      let certainty: number = NAMED.not
      for (let at = findFirst(hash); nameHashes[at] === hash; at++) {
        const mark = nameOrdinals[at] ?? 0
        const ordinal = mark & ORDINAL
        if (mark & NEW_LETTERS) {
          const name = readName(ordinal)
          const spelled = spelling !== '' && toSpelling(name) === spelling
          certainty = spelled ? NAMED.otherwiseSpelled : NAMED.not
          if (toLetters(name) === letters) certainty = NAMED.letterForLetter
        }
        if (certainty !== NAMED.not) named.set(ordinal, certainty)
      }
    }
    return named
  }
}
