import MiniSearch from 'minisearch'
import type { Options, SearchOptions } from 'minisearch'
import { listFieldWords } from '../../src/search/analyze.ts'
import { FIELDS, FIELD_NAMES } from '../../src/search/fields.ts'
import type { FieldName, SearchDocument } from '../../src/search/fields.ts'
import { stemWord } from '../../src/search/stem.ts'

/** The scores of the skills that hold one stem, by ordinal: the place of a skill in the index. */
export type TermScores = ReadonlyMap<number, number>

/** What ranking needs of an index. Another engine has to give this and nothing more. */
export interface TermIndex {
  size: number
  /** Gives the BM25 score of every skill that holds a stem, weighed by field. */
  match: (stem: string) => TermScores
}

/** A document as MiniSearch takes it in. */
interface Row {
  ordinal: number
  document: SearchDocument
}

// The tokens of a field are its words, stemmed: nothing of them is counted before MiniSearch counts them.
const OPTIONS: Options<Row> = {
  fields: FIELD_NAMES,
  idField: 'ordinal',
  extractField: ({ ordinal, document }, field) =>
    field === 'ordinal' ? ordinal : listFieldWords(document, field as FieldName).join(' '),
  tokenize: (words) => words.split(' ').filter(Boolean).map(stemWord),
  processTerm: (term) => term,
  autoVacuum: false,
}

const SEARCH: SearchOptions = {
  tokenize: (term) => [term],
  processTerm: (term) => term,
  boost: Object.fromEntries(FIELD_NAMES.map((name) => [name, FIELDS[name].boost])),
}

const openTerms = (index: MiniSearch<Row>): TermIndex => ({
  size: index.documentCount,
  match: (stem) =>
    new Map(index.search(stem, SEARCH).map(({ id, score }) => [id as number, score])),
})

/** Builds the part of the index file that holds the terms; the documents keep their order. */
export const buildTerms = (documents: readonly SearchDocument[]): unknown => {
  const index = new MiniSearch<Row>(OPTIONS)
  index.addAll(documents.map((document, ordinal) => ({ ordinal, document })))
  return index.toJSON()
}

/** Opens what `buildTerms` gave, parsed again; throws whatever MiniSearch throws at a foreign shape. */
export const loadTerms = (terms: unknown): TermIndex =>
  openTerms(MiniSearch.loadJS(terms as Parameters<typeof MiniSearch.loadJS>[0], OPTIONS))
