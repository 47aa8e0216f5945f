import { CATEGORIES } from '../src/catalog/categories.ts'
import type { SearchDocument } from '../src/search/index.ts'
import type { FindRequest } from '../src/search/index.ts'
import { openRandom } from './big-rows.ts'

type Random = (bound: number) => number
type Change = (q: string, random: Random) => string

const keep: Change = (q) => q

const dropLetter: Change = (q, random) => {
  const at = random(q.length)
  return q.slice(0, at) + q.slice(at + 1)
}

const swapLetters: Change = (q, random) => {
  const at = random(q.length)
  return q.slice(0, at) + (q[at + 1] ?? '') + (q[at] ?? '') + q.slice(at + 2)
}

const addLetter: Change = (q, random) => {
  const at = random(q.length)
  return q.slice(0, at) + String.fromCharCode(97 + random(26)) + q.slice(at)
}

/** Typing habits and mistakes. Unchanged queries are the most frequent. */
const CHANGES: readonly Change[] = [
  keep,
  keep,
  keep,
  (q, random) => q.slice(0, 1 + random(q.length)),
  dropLetter,
  swapLetters,
  addLetter,
  (q, random) => dropLetter(addLetter(q, random), random),
  (q) => q.replaceAll(' ', '-'),
  (q) => q.replaceAll(/[ -]/g, ''),
  (q) => q.toUpperCase(),
]

const readName = ({ listed }: SearchDocument): string => listed.name
const readAuthor = ({ listed }: SearchDocument): string => listed.author

/** Makes a query from words, names, authors or categories of the documents. */
const makeQuery = (documents: readonly SearchDocument[], random: Random): string => {
  const pick = (): SearchDocument => documents[random(documents.length)] as SearchDocument
  const word = (): string => {
    const words = pick().description.split(/\s+/)
    return words[random(words.length)] ?? ''
  }
  const phrase = (): string => {
    const words = pick().description.split(/\s+/)
    const start = random(words.length)
    return words.slice(start, start + 1 + random(6)).join(' ')
  }
  const kinds = [
    word,
    () => `${word()} ${word()}`,
    () => `${word()} ${word()} ${word()}`,
    phrase,
    phrase,
    () => readName(pick()),
    () => `${readName(pick())} ${word()}`,
    () => readAuthor(pick()),
    () => CATEGORIES[random(CATEGORIES.length)] ?? '',
  ]
  return (kinds[random(kinds.length)] ?? word)()
}

/** Makes a request. Equal numbers and documents result in equal requests. */
export const makeRequest = (documents: readonly SearchDocument[], number: number): FindRequest => {
  const random = openRandom(number)
  const query = makeQuery(documents, random)
  return {
    q: (CHANGES[random(CHANGES.length)] ?? keep)(query, random),
    sort: 'popular',
    categories: random(4) === 0 ? CATEGORIES.filter(() => random(3) === 0) : [],
    limit: documents.length,
    offset: random(5) === 0 ? random(50) : 0,
  }
}
