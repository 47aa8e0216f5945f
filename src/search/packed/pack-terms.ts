/* oxlint-disable no-underscore-dangle -- MiniSearch names its protected parts so. */
import MiniSearch from 'minisearch'
import { FIELD_NAMES } from '../fields.ts'
import type { SearchDocument } from '../fields.ts'
import { stemWord } from '../stem.ts'
import { TERM_OPTIONS, listFieldWords, toRow } from '../minisearch-options.ts'
import type { Row } from '../minisearch-options.ts'

/** Skills that hold a term in one field, with how often, by document number. */
export type Frequencies = ReadonlyMap<number, number>

/** What MiniSearch knows after taking in all documents, numbered as they came. */
export interface BuiltTerms {
  /** Terms in order, each with its frequencies by field; a field without it is missing. */
  terms: [string, ReadonlyMap<number, Frequencies>][]
  /** Distinct terms of a document's field. */
  readLength: (document: number, field: number) => number
  averages: number[]
  /** Words before stemming, in order, each with its stem. */
  words: [string, string][]
}

/** MiniSearch with its inside open: `toJSON` would copy every posting, too much at a million rows. */
class OpenMiniSearch extends MiniSearch<Row> {
  listTerms(): BuiltTerms['terms'] {
    return [...(this._index as Iterable<BuiltTerms['terms'][number]>)]
  }

  readLength(document: number, field: number): number {
    return this._fieldLength.get(document)?.[field] ?? 0
  }

  listAverages(): number[] {
    return FIELD_NAMES.map((_, field) => this._avgFieldLength[field] ?? 0)
  }
}

const byText = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0

/** Lets MiniSearch index documents, in the order they have. */
export const buildPackTerms = (documents: readonly SearchDocument[]): BuiltTerms => {
  const stems = new Map<string, string>()
  const stem = (word: string): string => {
    const known = stems.get(word)
    if (known !== undefined) return known
    const found = stemWord(word)
    stems.set(word, found)
    return found
  }
  const index = new OpenMiniSearch({
    ...TERM_OPTIONS,
    tokenize: (text, field) => listFieldWords(text, field).map(stem),
  })
  documents.forEach((document, at) => index.add(toRow(document, at)))
  return {
    terms: index.listTerms().sort(byText),
    readLength: (document, field) => index.readLength(document, field),
    averages: index.listAverages(),
    words: [...stems].sort(byText),
  }
}
