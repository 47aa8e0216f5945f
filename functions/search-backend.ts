import { unavailable } from '../src/api/failures.ts'
import { InvalidIndexError } from '../src/catalog/search/index.ts'
import type { FindRequest, Found, SkillIndex } from '../src/catalog/search/index.ts'

/** What answers a listing: an index file, or a database somewhere else. */
export interface SearchBackend {
  /** Finds a page of skills. Throws UNAVAILABLE where what it asks does not answer. */
  find(request: FindRequest): Promise<Found>
}

/** Makes a backend of an open index; a row or a posting may prove damaged when it is read. */
export const searchFile = (index: SkillIndex): SearchBackend => ({
  find: async (request) => {
    try {
      return index.find(request)
    } catch (error) {
      throw error instanceof InvalidIndexError ? unavailable(error) : error
    }
  },
})
