import { unavailable } from '../src/api/errors.ts'
import { InvalidIndexError } from '../src/search/index.ts'
import type { FindRequest, Found, PackedIndex } from '../src/search/index.ts'

/** What answers a listing: an index file, or a database somewhere else. */
export interface SearchBackend {
  /** Finds a page of skills. Throws UNAVAILABLE where what it asks does not answer. */
  find(request: FindRequest): Promise<Found>
  /** Finds the same page as it is sent, each row the JSON of a skill in UTF-8, where rows lie ready as such. */
  findRows?(request: FindRequest): Promise<{ rows: readonly Uint8Array[]; total: number }>
}

/** A row or a posting may prove damaged when it is read. */
const readSafely = async <Value>(read: () => Value): Promise<Value> => {
  try {
    return read()
  } catch (error) {
    throw error instanceof InvalidIndexError ? unavailable(error) : error
  }
}

/** The backend of an index file. */
export const searchFile = (index: PackedIndex): SearchBackend => ({
  find: (request) => readSafely(() => index.find(request)),
  findRows: (request) => readSafely(() => index.findRows(request)),
})
