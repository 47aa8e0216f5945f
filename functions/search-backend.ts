import { unavailable } from '../src/api/errors.ts'
import { InvalidIndexError } from '../src/search/index.ts'
import type { FindRequest, Found, SkillIndex } from '../src/search/index.ts'

/** A page of skills as the API writes them, each the JSON of its row in UTF-8 (registry-api 2.3). */
interface FoundRows {
  rows: readonly Uint8Array[]
  total: number
}

/** What answers a listing: an index file, or a database somewhere else. */
export interface SearchBackend {
  /** Finds a page of skills. Throws UNAVAILABLE where what it asks does not answer. */
  find(request: FindRequest): Promise<Found>
  /** Finds the same page as it is sent; an index file has its rows ready. Throws like `find`. */
  findRows(request: FindRequest): Promise<FoundRows>
}

/** Writes the rows of a page, for a backend that has them as objects. */
export const writeRows = ({ skills, total }: Found): FoundRows => ({
  rows: skills.map((skill) => new TextEncoder().encode(JSON.stringify(skill))),
  total,
})

/** A row or a posting may prove damaged when it is read. */
const readSafely = async <Value>(read: () => Value): Promise<Value> => {
  try {
    return read()
  } catch (error) {
    throw error instanceof InvalidIndexError ? unavailable(error) : error
  }
}

/** The backend of an index file. */
export const searchFile = (index: SkillIndex): SearchBackend => ({
  find: (request) => readSafely(() => index.find(request)),
  findRows: (request) =>
    readSafely(() => index.findRows?.(request) ?? writeRows(index.find(request))),
})
