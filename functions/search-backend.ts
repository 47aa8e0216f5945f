import type { FindRequest, Found, SkillIndex } from '../src/catalog/search/index.ts'

/** What answers a listing: the index file in memory, or a database somewhere else. */
export interface SearchBackend {
  /** Finds a page of skills. Throws UNAVAILABLE where what it asks does not answer. */
  find(request: FindRequest): Promise<Found>
}

/** Makes a backend of an open index file. */
export const searchFile = (index: SkillIndex): SearchBackend => ({
  find: async (request) => index.find(request),
})
