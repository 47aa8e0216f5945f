import type { Postings } from './postings.ts'

/** Skills that hold several stems, by ascending ordinal, with the sum of their scores so far. */
export interface Shared {
  ordinals: Int32Array
  sums: Float64Array
  count: number
}

/** Gives the skills that hold a term. */
export const collect = (postings: Postings, term: number): Shared => {
  const size = postings.count(term)
  const shared = { ordinals: new Int32Array(size), sums: new Float64Array(size), count: 0 }
  postings.visit(term, (ordinals, scores, count) => {
    shared.ordinals.set(ordinals.subarray(0, count), shared.count)
    shared.sums.set(scores.subarray(0, count), shared.count)
    shared.count += count
  })
  return shared
}

/** Keeps those that hold another term too, and adds its scores. */
export const keepShared = (postings: Postings, shared: Shared, term: number): void => {
  let kept = 0
  let next = 0
  postings.visit(term, (ordinals, scores, count) => {
    for (let at = 0; at < count && next < shared.count; at++) {
      const ordinal = ordinals[at]!
      while (next < shared.count && shared.ordinals[next]! < ordinal) next++
      if (next === shared.count || shared.ordinals[next] !== ordinal) continue
      shared.ordinals[kept] = ordinal
      shared.sums[kept++] = shared.sums[next++]! + scores[at]!
    }
  })
  shared.count = kept
}
