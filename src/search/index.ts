/**
 * The search of the catalog: open an index with `openIndex` and query it. A host with files opens one with
 * `openIndexFile` of `read/index-file.ts`; the build writes one with `packIndex` of `pack/pack.ts`.
 */
export type { CardRow } from './format/documents.ts'
export { INDEX_NAME, InvalidIndexError } from './format/layout.ts'
export { openMatcher } from './matches.ts'
export type { Matcher } from './matches.ts'
export type { SearchDocument } from './rank.ts'
export { openIndex } from './read/open.ts'
export type {
  Filter,
  FindRequest,
  Found,
  FoundPage,
  PackedIndex,
  SearchBackend,
} from './read/open.ts'
export type { Corrected } from './correction.ts'
