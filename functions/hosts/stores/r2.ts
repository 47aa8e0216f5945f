import { createDistantStore } from './distant.ts'
import type { Body, Store } from '../../store.ts'

/** What is used of a bucket of R2, as a worker is given it. */
export interface Bucket {
  get(
    key: string,
    options?: { range: { offset: number; length: number } },
  ): Promise<{ size: number; etag: string; body: Body } | null>
}

/** Reads of a search: a free account may make 50 subrequests for a request. */
const MOST_READS = 44

/** Opens the store of a build that lies in a bucket of R2, below the build's name. */
export const openR2Store = (bucket: Bucket, build: string): Store =>
  createDistantStore(async (name, range) => {
    const part = range && { offset: range.first, length: range.last - range.first + 1 }
    const found = await bucket.get(`${build}/${name}`, part && { range: part })
    return found ? { size: found.size, version: found.etag, body: found.body } : undefined
  }, MOST_READS)
