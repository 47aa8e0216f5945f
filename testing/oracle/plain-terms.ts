import MiniSearch from 'minisearch'
import type { SearchOptions } from 'minisearch'
import { FIELDS, FIELD_NAMES } from '../../src/search/fields.ts'
import type { SearchDocument } from '../../src/search/fields.ts'
import { TERM_OPTIONS, keepWhole, toRow } from '../../src/search/minisearch-options.ts'
import type { Row } from '../../src/search/minisearch-options.ts'

/** The scores of the skills that hold one stem, by ordinal: the place of a skill in the index. */
export type TermScores = ReadonlyMap<number, number>

/** What ranking needs of an index. Another engine has to give this and nothing more. */
export interface TermIndex {
  size: number
  /** Gives the BM25 score of every skill that holds a stem, weighed by field. */
  match: (stem: string) => TermScores
}

const takeWhole = (term: string): string[] => [term]

// Analysis is done before a term gets here, so a search takes it as it is.
const SEARCH: SearchOptions = {
  tokenize: takeWhole,
  processTerm: keepWhole,
  boost: Object.fromEntries(FIELD_NAMES.map((name) => [name, FIELDS[name].boost])),
}

const openTerms = (index: MiniSearch<Row>): TermIndex => ({
  size: index.documentCount,
  match: (stem) =>
    new Map(index.search(stem, SEARCH).map(({ id, score }) => [id as number, score])),
})

/** Builds the part of the index file that holds the terms; the documents keep their order. */
export const buildTerms = (documents: readonly SearchDocument[]): unknown => {
  const index = new MiniSearch<Row>(TERM_OPTIONS)
  index.addAll(documents.map(toRow))
  return index.toJSON()
}

/** Opens what `buildTerms` gave, parsed again; throws whatever MiniSearch throws at a foreign shape. */
export const loadTerms = (terms: unknown): TermIndex =>
  openTerms(MiniSearch.loadJS(terms as Parameters<typeof MiniSearch.loadJS>[0], TERM_OPTIONS))
