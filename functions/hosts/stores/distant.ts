import { DistantFile, openDistantIndex } from '../../../src/search/index.ts'
import type { ReadDistant } from '../../../src/search/index.ts'
import { isStoreName, readBody } from '../../store.ts'
import type { Body, ByteRange, Store } from '../../store.ts'

/** A file, or part of one, in a remote store. */
interface StoredObject {
  /** Bytes of the whole file. */
  size: number
  /** Differs if the bytes differ; usable in an ETag. */
  version: string
  body: Body
}

/**
 * Makes a store over a network from what gets an object, or a part of one, by its name. Nothing is hashed: the store
 * knows versions. The objects of a build must stay as they are, so each build has a name of its own. A search takes at most
 * `mostReads`, and then reads what lies between, too.
 */
export const createDistantStore = (
  get: (name: string, range?: ByteRange) => Promise<StoredObject | undefined>,
  mostReads = Infinity,
): Store => {
  const readPart =
    (name: string): ReadDistant =>
    async (from, to) => {
      const part = await get(name, { first: from, last: to - 1 })
      return part && { bytes: await readBody(part.body), size: part.size }
    }
  return {
    read: async (name) => {
      const found = isStoreName(name) ? await get(name) : undefined
      if (!found) return undefined
      const { size, version, body } = found
      const bodyOf = async (range?: ByteRange): Promise<Body> => {
        if (!range) return body
        if (body instanceof Uint8Array) return body.subarray(range.first, range.last + 1)
        const part = await get(name, range)
        if (part?.version !== version) throw new Error(`${name} is another than it was`)
        return part.body
      }
      return { size, digest: async () => version, body: bodyOf }
    },
    open: async (name) => {
      const start = await readPart(name)(0, 1)
      if (!start) throw new Error('there is no such file')
      return new DistantFile(start.size, readPart(name), mostReads)
    },
    openIndex: (name) => openDistantIndex(readPart(name), { mostReads }),
  }
}
