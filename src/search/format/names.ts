import { foldText } from '../tokens.ts'
import { StringTable, hashText, writeStrings } from './bytes.ts'
import type { Sections } from './layout.ts'

/**
 * How exactly a query names a skill: by its slug, by its exact name, by its name ignoring separators and accents, or
 * not at all.
 */
export const NAMED = { bySlug: 3, letterForLetter: 2, otherwiseSpelled: 1, not: 0 } as const

/** A slug, and the author of that skill if the query names one. */
interface Identifier {
  slug: string
  author?: string
}

/** Reads a query as a pasted slug: bare, as `author/slug`, in an address, or in an install command. */
export const readIdentifier = (q: string): Identifier => {
  const text = q.trim().toLowerCase()
  const [, page] = /(?:^|\/)skills\/([^/?#@\s]+)/.exec(text) ?? []
  if (page !== undefined) return { slug: page.replace(/\.(?:md|json|zip)$/, '') }
  const end = text.lastIndexOf('/')
  return end === -1 ? { slug: text } : { slug: text.slice(end + 1), author: text.slice(0, end) }
}

/** The forms of a name used for lookup and comparison. */
interface NameKeys {
  /** The name in lower case, without leading and trailing blanks. */
  letters: string
  /** The name without case, accents, blanks, hyphens and dots, which people write differently. */
  spelling: string
  /** Equal for names that count as the same: the spelling, or the letters of a name without any. */
  key: string
  /** Hashes under which the name is stored. Names with the same letters or spelling share a hash. */
  hashes: readonly number[]
}

const toSpelling = (name: string): string =>
  foldText(name)
    .toLowerCase()
    .replace(/[\s\-_./:]+/gu, '')

/** Makes the keys of a name, or of a query that may be a name. */
export const readNameKeys = (name: string): NameKeys => {
  const letters = name.trim().toLowerCase()
  const spelling = toSpelling(name)
  const texts = [toSpelling(letters) || letters, spelling].filter((text) => text !== '')
  return { letters, spelling, key: spelling || letters, hashes: [...new Set(texts.map(hashText))] }
}

/** Set in the ordinal of an entry whose name differs from the name of the previous entry. */
const NEW_LETTERS = 2 ** 31

type NameSections = Pick<Sections, 'nameHashes' | 'nameOrdinals'>
type SlugSections = Pick<Sections, 'slugBytes' | 'slugBlocks' | 'slugOrdinals'>
type AuthorSections = Pick<Sections, 'authors' | 'authorBytes' | 'authorBlocks'>

/** Writes the table that finds skills by slug; slugs are given in the order of ordinals. */
export const writeSlugs = (slugs: readonly string[]): SlugSections => {
  const ordinals = new Map(slugs.map((slug, ordinal) => [slug, ordinal]))
  const sorted = [...ordinals.keys()].sort()
  const { bytes: slugBytes, blocks: slugBlocks } = writeStrings(sorted)
  return {
    slugBytes,
    slugBlocks,
    slugOrdinals: Uint32Array.from(sorted, (slug) => ordinals.get(slug)!),
  }
}

/** Writes the distinct authors, and the number of each skill's author. */
export const writeAuthors = (names: readonly string[]): AuthorSections => {
  const sorted = [...new Set(names)].sort()
  const numbers = new Map(sorted.map((name, number) => [name, number]))
  const { bytes: authorBytes, blocks: authorBlocks } = writeStrings(sorted)
  return {
    authors: Uint32Array.from(names, (name) => numbers.get(name)!),
    authorBytes,
    authorBlocks,
  }
}

/** Returns the number of an author, or -1. Every author has a skill, so the highest number in use gives the count. */
export const findAuthor = (
  { authors, authorBytes, authorBlocks }: AuthorSections,
  author: string,
): number => {
  const count = authors.reduce((most, number) => Math.max(most, number + 1), 0)
  return new StringTable(authorBytes, authorBlocks, count).find(author.toLowerCase())
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Writes the table that finds skills by name (FORMAT.md, "Names"); names are given in the order of ordinals. */
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
  readonly #sections: SlugSections & AuthorSections
  readonly #slugs: StringTable
  readonly #readName: (ordinal: number) => string

  constructor(
    sections: NameSections & SlugSections & AuthorSections,
    readName: (ordinal: number) => string,
  ) {
    const { slugBytes, slugBlocks, slugOrdinals } = sections
    this.#hashes = sections.nameHashes
    this.#ordinals = sections.nameOrdinals
    this.#sections = sections
    this.#slugs = new StringTable(slugBytes, slugBlocks, slugOrdinals.length)
    this.#readName = readName
  }

  /** Returns the ordinals of the skills that a query names, each with a value of `NAMED`. */
  find(q: string): Map<number, number> {
    const keys = readNameKeys(q)
    const certainties = new Map<number, number>()
    for (const hash of keys.hashes) {
      let certainty: number = NAMED.not
      for (let at = this.#findFirst(hash); this.#hashes[at] === hash; at++) {
        const entry = this.#ordinals[at]!
        const ordinal = entry % NEW_LETTERS
        // Different names can share a hash, so the name itself is compared, once for all namesakes.
        if (entry >= NEW_LETTERS) certainty = compareNames(keys, this.#readName(ordinal))
        if (certainty !== NAMED.not) certainties.set(ordinal, certainty)
      }
    }
    const identified = this.#identify(readIdentifier(q))
    if (identified !== undefined) certainties.set(identified, NAMED.bySlug)
    return certainties
  }

  #identify({ slug, author }: Identifier): number | undefined {
    const { slugOrdinals, authors } = this.#sections
    const ordinal = slugOrdinals[this.#slugs.find(slug)]
    if (ordinal === undefined || author === undefined) return ordinal
    return authors[ordinal] === findAuthor(this.#sections, author) ? ordinal : undefined
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
