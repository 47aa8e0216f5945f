/** Keeps the best few of many: those with the highest scores, and of equal ones the lowest ordinals. */
export interface Best {
  add: (ordinal: number, score: number) => void
  /** Gives the ordinals kept from a place on, the best first. */
  list: (from?: number) => number[]
}

/** Skills kept at least, so that a small page does not tell the worst ones apart at every few. */
const LEAST_KEPT = 64

/**
 * Opens a list of at most `limit` skills, of which at most `most` will be added. Twice as many are
 * gathered before the worse half is dropped, so a page costs what the matches cost, however deep it lies.
 */
export const openBest = (limit: number, most: number): Best => {
  const room = Math.min(most, Math.max(LEAST_KEPT, 2 * limit))
  const ordinals = new Int32Array(room)
  const scores = new Float64Array(room)
  let count = 0
  // What is not above it is worse than `limit` others.
  let least = limit === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  let leastOrdinal = -1

  const swap = (a: number, b: number): void => {
    const ordinal = ordinals[a]!
    const score = scores[a]!
    ordinals[a] = ordinals[b]!
    scores[a] = scores[b]!
    ordinals[b] = ordinal
    scores[b] = score
  }

  /** Puts the best `wanted` before all others, in no order (Hoare's quickselect). */
  const select = (wanted: number): void => {
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      const score = scores[middle]!
      const ordinal = ordinals[middle]!
      let left = low
      let right = high
      while (left <= right) {
        while (scores[left]! > score || (scores[left] === score && ordinals[left]! < ordinal))
          left++
        while (scores[right]! < score || (scores[right] === score && ordinals[right]! > ordinal))
          right--
        if (left <= right) swap(left++, right--)
      }
      if (wanted <= right) high = right
      else if (wanted >= left) low = left
      else return
    }
  }

  /** Drops all but the best. */
  const shrink = (): void => {
    if (count <= limit) return
    // The last of the best stands at its place, and those before it are better.
    select(limit - 1)
    count = limit
    least = scores[limit - 1]!
    leastOrdinal = ordinals[limit - 1]!
  }

  const add = (ordinal: number, score: number): void => {
    if (score < least || (score === least && ordinal > leastOrdinal)) return
    if (count === room) shrink()
    ordinals[count] = ordinal
    scores[count++] = score
  }

  const list = (from = 0): number[] => {
    shrink()
    if (from > 0) select(from)
    return Array.from(ordinals.subarray(from, count), (ordinal, at) => ({
      ordinal,
      score: scores[from + at]!,
    }))
      .sort((a, b) => b.score - a.score || a.ordinal - b.ordinal)
      .map(({ ordinal }) => ordinal)
  }

  return { add, list }
}
