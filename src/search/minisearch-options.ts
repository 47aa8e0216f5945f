import type { Options } from 'minisearch'
import { FIELDS, FIELD_NAMES } from './fields.ts'
import type { FieldName, SearchDocument } from './fields.ts'
import { listIndexWords, listNameWords, listStems } from './index-words.ts'

/** A document as MiniSearch takes it in. */
export type Row = { ordinal: number } & Record<FieldName, string>

/** Leaves a term as it is, for analysis is done before a term gets to MiniSearch. */
export const keepWhole = (term: string): string => term

/** Words of a text as the index of one field holds them. */
export const listFieldWords = (text: string, field: string | undefined): string[] =>
  field === 'name' ? listNameWords(text) : listIndexWords(text)

/** How MiniSearch is to take documents in. */
export const TERM_OPTIONS: Options<Row> = {
  fields: FIELD_NAMES,
  idField: 'ordinal',
  tokenize: (text, field) => listStems(listFieldWords(text, field)),
  processTerm: keepWhole,
  autoVacuum: false,
}

/** Turns a document into what MiniSearch takes in. */
export const toRow = (document: SearchDocument, ordinal: number): Row => ({
  ordinal,
  name: FIELDS.name.read(document),
  author: FIELDS.author.read(document),
  category: FIELDS.category.read(document),
  description: FIELDS.description.read(document),
})
