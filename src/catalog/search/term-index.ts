import MiniSearch from 'minisearch'
import type { Options, SearchOptions } from 'minisearch'
import { FIELDS, FIELD_NAMES } from './fields.ts'
import type { FieldName, SearchDocument } from './fields.ts'
import { listIndexWords, listNameWords, listStems } from './index-words.ts'

/** The scores of the skills that hold one stem, by ordinal: the place of a skill in the index. */
export type TermScores = ReadonlyMap<number, number>

/** What ranking needs of an index. Another engine has to give this and nothing more. */
export interface TermIndex {
  size: number
  /** Gives the BM25 score of every skill that holds a stem, weighed by field. */
  match: (stem: string) => TermScores
}

type Row = { ordinal: number } & Record<FieldName, string>

const keepWhole = (term: string): string => term
const takeWhole = (term: string): string[] => [term]

/** Words of a text as the index of one field holds them. */
export const listFieldWords = (text: string, field: string | undefined): string[] =>
  field === 'name' ? listNameWords(text) : listIndexWords(text)

const OPTIONS: Options<Row> = {
  fields: FIELD_NAMES,
  idField: 'ordinal',
  tokenize: (text, field) => listStems(listFieldWords(text, field)),
  processTerm: keepWhole,
  autoVacuum: false,
}

// Analysis is done before a term gets here, so a search takes it as it is.
const SEARCH: SearchOptions = {
  tokenize: takeWhole,
  processTerm: keepWhole,
  boost: Object.fromEntries(FIELD_NAMES.map((name) => [name, FIELDS[name].boost])),
}

const toRow = (document: SearchDocument, ordinal: number): Row => ({
  ordinal,
  name: FIELDS.name.read(document),
  author: FIELDS.author.read(document),
  category: FIELDS.category.read(document),
  description: FIELDS.description.read(document),
})

const openTerms = (index: MiniSearch<Row>): TermIndex => ({
  size: index.documentCount,
  match: (stem) =>
    new Map(index.search(stem, SEARCH).map(({ id, score }) => [id as number, score])),
})

/** Builds the part of the index file that holds the terms; the documents keep their order. */
export const buildTerms = (documents: readonly SearchDocument[]): unknown => {
  const index = new MiniSearch<Row>(OPTIONS)
  index.addAll(documents.map(toRow))
  return index.toJSON()
}

/** Opens what `buildTerms` gave, parsed again; throws whatever MiniSearch throws at a foreign shape. */
export const loadTerms = (terms: unknown): TermIndex =>
  openTerms(MiniSearch.loadJS(terms as Parameters<typeof MiniSearch.loadJS>[0], OPTIONS))
