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

/** Writes the lookup of skills by name; a name's place is its ordinal. */
export const writeNames = (
  names: readonly string[],
): { hashes: Uint32Array<ArrayBuffer>; ordinals: Uint32Array<ArrayBuffer> } => {
  const entries = names.flatMap((name, ordinal) => {
    const spelling = toSpelling(name)
    const letters = toLetters(name)
    const hashes = new Set(listKeys(name).map(hashText))
    return [...hashes].map((hash): Entry => ({ hash, spelling, letters, ordinal }))
  })
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
