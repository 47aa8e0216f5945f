import { createDistantStore } from './distant.ts'
import type { Body, Store } from '../../store.ts'

/** The part of an R2 bucket binding that is used. */
export interface Bucket {
  get(
    key: string,
    options?: { range: { offset: number; length: number } },
  ): Promise<{ size: number; etag: string; body: Body } | null>
}

/** Most reads of a search: a free account allows 50 subrequests a request. */
const MOST_READS = 44

/** Opens the store of a build in an R2 bucket, below the prefix `build`. */
export const openR2Store = (bucket: Bucket, build: string): Store =>
  createDistantStore(async (name, range) => {
    const part = range && { offset: range.first, length: range.last - range.first + 1 }
    const found = await bucket.get(`${build}/${name}`, part && { range: part })
    return found ? { size: found.size, version: found.etag, body: found.body } : undefined
  }, MOST_READS)
