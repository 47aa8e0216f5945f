import type { ListedSkill } from '../src/catalog/skill.ts'
import type { SearchDocument } from '../src/search/rank.ts'
import { openIndex } from '../src/search/read/open.ts'
import type { PackedIndex } from '../src/search/read/open.ts'
import { packIndex, toIndexEntry } from '../src/search/pack/pack.ts'
import type { FindRequest } from '../src/search/find.ts'

/** Makes a document for tests: a name and a description, and whatever else matters. */
export const sampleDocument = (
  id: number,
  name: string,
  description = '',
  more: Partial<ListedSkill> = {},
): SearchDocument => ({
  description,
  listed: {
    id,
    slug: `skill-${id}`,
    name,
    author: 'somebody',
    description: description.slice(0, 240),
    category: 'Coding',
    views: 0,
    installs: 0,
    ...more,
  },
})

/** Packs an index of documents. */
export const packDocuments = (documents: readonly SearchDocument[]): Uint8Array<ArrayBuffer> =>
  packIndex(documents.map(toIndexEntry))

/** Opens an index over documents, as a server does: through the file. */
export const openSample = (documents: readonly SearchDocument[]): PackedIndex =>
  openIndex(packDocuments(documents))

/** A request for the first page of everything; tests name what they ask. */
export const askFor = (request: Partial<FindRequest>): FindRequest => ({
  sort: 'popular',
  categories: [],
  limit: 24,
  offset: 0,
  ...request,
})
