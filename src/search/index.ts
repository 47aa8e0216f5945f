/**
 * Catalog search: `openIndex` opens an index that is in memory. Hosts with a file system use `openIndexFile`
 * (`read/index-file.ts`) instead; the build writes the index with `packIndex` (`pack/pack.ts`).
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
