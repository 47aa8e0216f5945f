import { FIELDS } from '../../src/search/rank.ts'
import type { FindRequest, Found, SearchDocument } from '../../src/search/index.ts'

/** Kinds of queries: words as typed, a last word that is unfinished, a misspelt word. */
export type Manner = 'words' | 'prefix' | 'typo'

/** Skills on a page. */
export const PAGE = 24

/** Weights of the fields, for every engine that takes some. */
export const BOOSTS = {
  name: FIELDS.name.boost,
  author: FIELDS.author.boost,
  category: FIELDS.category.boost,
  description: FIELDS.description.boost,
} as const

/** An open index. */
export interface Opened {
  find: (q: string, manner: Manner) => Promise<Answer> | Answer
}

export interface Answer {
  rows: number
  total: number
}

/** A search engine as the benchmark drives it. */
export interface Engine {
  /** Builds an index and writes it below a folder. */
  build: (documents: readonly SearchDocument[], folder: string) => Promise<void> | void
  open: (folder: string) => Promise<Opened> | Opened
  /** False where it does not correct misspelt words. */
  corrects: boolean
}

/** Asks an index that answers as the API does for its first page. */
export const findPage = (index: { find: (request: FindRequest) => Found }, q: string): Answer => {
  const request: FindRequest = { q, sort: 'popular', categories: [], limit: PAGE, offset: 0 }
  const { skills, total } = index.find(request)
  return { rows: skills.length, total }
}
